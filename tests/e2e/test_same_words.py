"""Two matches in one channel whose messages say the same: after a kill each finds its own."""

import pytest

from bot.messages.custom_ids import CustomId
from bot.messages.outbox import Outbox
from bot.messages.panel import Panel, button, row, text
from tests.e2e.card_room import CardRoom
from tests.e2e.players import open_table

NUMBER = 1
"""Number of the table that looks back."""


def end_of(match: int) -> Panel:
    """Return a last message that says the same for every match."""
    return Panel(text("Fern wins with no cards."), row(button("Verify", CustomId("verify", match))))


@pytest.mark.parametrize(("match", "is_found"), [(NUMBER, True), (7, False)])
async def test_a_message_with_the_same_words_is_found_unless_it_is_of_another_match(
    here: CardRoom, match: int, is_found: bool
) -> None:
    await open_table(here.room, "palace start", *here.people[:2])
    table, outbox = (
        await here.bot.tables.get(NUMBER),
        Outbox(here.bot, here.bot.rasterizer, here.bot.time.now, lambda _: None),
    )
    there = await here.bot.get_partial_messageable(here.room.id).send(view=end_of(match))
    await outbox.look_back(table)
    sent = await outbox.send(table, here.room.id, end_of(NUMBER), "1-end")
    assert (sent == there.id) is is_found
