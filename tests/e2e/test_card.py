"""A message that is written by answers to clicks and by edits never goes back to an older state."""

import asyncio
from collections.abc import Sequence
from itertools import count
from typing import Any

import pytest

from bot.messages.custom_ids import CustomId
from bot.messages.live_message import EditBudget, LiveMessage
from bot.messages.panel import Panel, button, row, shown, text
from bot.messages.router import Click
from bot.pictures.drawing import picture_of
from bot.pictures.picture import Picture
from bot.pictures.scene import Banner
from bot.pictures.worker_client import WorkerClient
from tests.e2e.card_room import CardRoom

GO = row(button("Go", CustomId("probe", 1)))


def nothing() -> None:
    """Do nothing; used where no message has to be posted again."""


async def test_a_click_does_not_wait_for_a_slow_edit_which_never_overwrites_the_answer(
    here: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow, begun, draws = asyncio.Event(), asyncio.Event(), iter(("older", "newer"))

    async def drawn(_: WorkerClient, pictures: Sequence[Picture], **__: object) -> list[bytes]:
        if pictures:
            await slow.wait()
        return [b"" for _ in pictures]

    monkeypatch.setattr(WorkerClient, "draw", drawn)

    async def draw() -> Panel:
        begun.set()
        if next(draws) == "newer":
            return Panel(text("newer"), GO)
        return Panel(text("older"), shown(picture_of(Banner("Slow", ()))), GO)

    async def go(interaction: Any, _: Click) -> None:
        await card.answer(interaction)

    channel = here.bot.get_partial_messageable(here.room.id)
    sent = await channel.send(view=Panel(text("first"), GO))
    message = here.room.log[sent.id]
    card = LiveMessage(
        channel.get_partial_message(sent.id), 0, draw, nothing, EditBudget(), here.bot.rasterizer
    )
    here.bot.router.add("probe", go)
    card.touch()
    await begun.wait()
    assert "newer" in (await here.people[0].click(message, "Go")).text
    slow.set()
    await card.wait()
    assert "newer" in message.text


async def test_a_click_that_waits_for_an_edit_changes_nothing_of_a_finished_message(here: CardRoom) -> None:
    async def draw() -> Panel:
        return Panel(text("next page"), GO)

    async def go(interaction: Any, _: Click) -> None:
        async with card._lock:  # as an edit that is under way
            answered = asyncio.create_task(card.answer(interaction))
            await asyncio.sleep(0)
            card._finished = True
        await answered

    channel = here.bot.get_partial_messageable(here.room.id)
    sent = await channel.send(view=Panel(text("this page"), GO))
    card = LiveMessage(
        channel.get_partial_message(sent.id), 0, draw, nothing, EditBudget(), here.bot.rasterizer
    )
    here.bot.router.add("probe", go)
    await here.people[0].click(here.room.log[sent.id], "Go")
    assert here.room.log[sent.id].text == "this page"


async def test_whoever_waits_for_a_message_waits_for_no_change_that_comes_later(here: CardRoom) -> None:
    drawn = count(1)

    async def draw() -> Panel:
        card.touch()  # its table has changed again
        return Panel(text(f"state {next(drawn)}"))

    channel = here.bot.get_partial_messageable(here.room.id)
    sent = await channel.send(view=Panel(text("state 0")))
    card = LiveMessage(
        channel.get_partial_message(sent.id), 0, draw, nothing, EditBudget(), here.bot.rasterizer
    )
    for state in ("state 1", "state 2"):
        assert not await card.update()
        assert here.room.log[sent.id].text == state
    assert card.work is not None
    card.work.cancel()
