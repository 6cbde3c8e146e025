"""Commands that texts name can be tapped: answers, refusals and cards name them by the ids that Discord gave them."""

import re
from pathlib import Path

import pytest

from bot.messages.command_mentions import tappable
from sandbox import Message
from tests.e2e.card_room import CardRoom, card_room, connected_bot
from tests.e2e.players import open_table, shown

PLAIN = re.compile(r"`/[a-z-]+(?: [a-z-]+)*`")


def raw(message: Message) -> str:
    """Return the texts of a message as they were sent."""
    return "\n".join(each["content"] for each in message.components if "content" in each)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("`/play`, or `/table leave`.", "</play:3>, or </table leave:4>."),
        ("`/table`, `/replay match:7`, `/gone`, `play`", "`/table`, `/replay match:7`, `/gone`, `play`"),
    ],
)
def test_only_whole_commands_that_are_registered_become_mentions(said: str, told: str) -> None:
    assert tappable(said, {"play": 3, "table leave": 4, "replay": 5}) == told


async def test_an_answer_a_refusal_and_a_card_name_commands_as_mentions(here: CardRoom) -> None:
    alice = here.people[0]
    card = await open_table(here.room, "palace start", *here.people[:2], computers=6)
    refused = shown(await alice.slash(here.room, "move", action="draw", table="x"))
    messages = [card, refused, shown(await alice.slash(here.room, "help"))]
    ids = {name: command["id"] for command in alice.offered(here.room) for name in [command["name"]]}
    for message in messages:
        named = re.findall(r"</([a-z-]+)[^:]*:(\d+)>", raw(message))
        assert named
        assert all(ids[name] == id_ for name, id_ in named)
        assert not PLAIN.search(raw(message))


@pytest.mark.usefixtures("first_start")
async def test_a_bot_that_starts_again_knows_the_ids_without_registering(file: Path) -> None:
    async with card_room(file) as here:
        before = dict(here.bot.command_ids)
        await here.bot.close()
        async with connected_bot(here.box, file) as again:
            assert again.command_ids == before != {}
        puts = [each for each in here.box.requests if each.method == "PUT"]
        assert sum(each.template.endswith("/commands") for each in puts) == 1
