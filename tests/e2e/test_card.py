"""One message is written by answers to clicks and by edits, and never shows what is older than what it has shown."""

import asyncio
import threading
from typing import Any

from PIL import Image

from bot.messages.custom_ids import CustomId
from bot.messages.live_message import Budget, Card
from bot.messages.panel import Panel, button, row, shown, text
from bot.messages.router import Click
from bot.pictures import Picture
from tests.e2e.house import House

GO = row(button("Go", CustomId("probe", 1)))


def nothing() -> None:
    """Where no card is to be posted anew."""


async def test_a_click_waits_for_no_picture_of_an_edit_and_that_edit_never_follows_its_answer(
    here: House,
) -> None:
    slow, begun, draws = threading.Event(), asyncio.Event(), iter(("older", "newer"))

    def painted() -> Image.Image:
        assert slow.wait(30)
        return Image.new("RGB", (10, 10))

    async def draw() -> Panel:
        begun.set()
        if next(draws) == "newer":
            return Panel(text("newer"), GO)
        return Panel(text("older"), shown(Picture("slow.png", "Slow.", painted)), GO)

    async def go(interaction: Any, _: Click) -> None:
        await card.answer(interaction)

    channel = here.bot.get_partial_messageable(here.room.id)
    sent = await channel.send(view=Panel(text("first"), GO))
    message = here.room.log[sent.id]
    card = Card(channel.get_partial_message(sent.id), draw, nothing, Budget())
    here.bot.router.add("probe", go)
    card.touch()
    await begun.wait()
    assert "newer" in (await here.people[0].click(message, "Go")).text
    slow.set()
    await card.rest()
    assert "newer" in message.text
