"""Messages that were shown in words, because the rasterizer was gone, get their pictures when it is back."""

import asyncio
from pathlib import Path

import pytest

from bot.error_codes import ARCHIVED
from bot.pictures.worker_client import WorkerClient
from sandbox import Channel, Message
from sandbox.faults import Fault
from tests.e2e.card_room import CardRoom
from tests.e2e.followed_match import FollowedMatch, bot_and_channel
from tests.e2e.players import bid, deal, kinds, latest
from tests.e2e.test_rematch import finish
from tests.simulation.workers import Worker

BOARD = "What beats what"
"""A button that only the live table has."""
LONG = 900
"""Seconds within which a picture must be there again."""


@pytest.fixture
def worker(here: CardRoom) -> Worker:
    return rasterizer_of(here.bot.rasterizer)


def rasterizer_of(client: WorkerClient) -> Worker:
    assert isinstance(client.worker, Worker)
    return client.worker


def public(place: Channel) -> list[Message]:
    """Return the public messages of the bot, oldest first."""
    return [each for each in place.messages() if each.author is place.world.bot and not each.ephemeral]


async def test_a_table_gets_its_picture_without_another_move(here: CardRoom, worker: Worker) -> None:
    alice, ben, *_ = here.people
    place = await deal(here, 2, pace="relaxed")
    worker.is_gone = True
    await bid(place, alice)
    await asyncio.sleep(5)
    board = latest(ben, place, BOARD)
    assert board.files == []
    assert "1 of 2 have bid" in board.text
    worker.is_gone = False
    await here.box.until(lambda: board.files, LONG)
    assert "1 of 2 have bid" in board.files[0]["description"]


async def test_records_and_the_end_of_a_match_get_their_pictures(here: CardRoom, worker: Worker) -> None:
    place = await deal(here, 2, rounds=2)
    worker.is_gone = True
    await finish(here)
    *records, end = [each for each in public(place) if each.text.startswith("🏆") or "takes it" in each.text]
    assert end.text.startswith("🏆")
    assert "podium" not in kinds(end)
    edits = [each.edits for each in records]
    asked = len(here.box.requests)
    await here.box.until(lambda: here.bot.publisher._picture_retries.count(1) > 4, LONG)
    assert len(here.box.requests) == asked, "nothing is said again"
    place.archive()  # type: ignore[attr-defined]  # it is a thread
    # Somebody archives it again while the first record is edited: posted again, it would stand below the second.
    here.box.faults.add(Fault("PATCH", f"/messages/{records[0].id}$", 400, times=2, code=ARCHIVED))
    worker.is_gone = False
    await here.box.until(lambda: kinds(end) == ["podium"], LONG)
    assert {*map(tuple, map(kinds, records))} == {("scores",)}
    assert {each.edits - before for each, before in zip(records, edits, strict=True)} == {1}
    await here.box.until(lambda: 1 not in here.bot.tables._loaded, 2 * LONG)
    assert await here.bot.store.unpublished() == []


async def test_when_the_rasterizer_never_works_the_words_are_final(here: CardRoom, worker: Worker) -> None:
    place = await deal(here, 2, rounds=1)
    worker.is_gone = True
    await finish(here)
    await here.box.until(lambda: 1 not in here.bot.tables._loaded, 2 * LONG)
    assert public(place)[-1].text.startswith("🏆")
    assert await here.bot.store.unpublished() == []


async def test_a_kill_between_words_and_pictures_leaves_none_out(tmp_path: Path) -> None:
    async with bot_and_channel(tmp_path) as (bot, room):
        people = [bot.box.person(name, room.guild) for name in ("Alice", "Ben")]
        match = FollowedMatch(bot, room, people, mode="easy", rounds=1)
        await match.deal()
        await bot.box.until(lambda: match.board.files, LONG)
        rasterizer_of(bot.client.rasterizer).is_gone = True
        await match.play()
        await bot.box.until(lambda: not match.board.files, LONG)
        await bot.kill()
        await bot.start()
        await bot.box.until(lambda: match.board.files, LONG)
        rasterizer_of(bot.client.rasterizer).is_gone = True
        while not match.over:
            await match.play()
        await bot.box.until(lambda: public(match.thread)[-1].text.startswith("🏆"))
        await bot.kill()
        assert not any(each.files for each in public(match.thread)[1:])
        bot.write("DELETE FROM posts WHERE kind = 'end'")  # as if killed before it was stored
        await bot.start()
        await bot.box.until(bot.all_posted, LONG)
        _, record, end = public(match.thread)  # the first one begins the thread
        assert (kinds(record), kinds(end)) == (["scores"], ["podium"])
        await match.check()
        bot.lines.clear()  # it says that the rasterizer has died
