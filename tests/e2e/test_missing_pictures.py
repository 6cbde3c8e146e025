"""Messages that were shown in words, because the rasterizer was gone, get their pictures when it is back."""

import asyncio
import os
import signal
from pathlib import Path

import pytest

from bench.process import children
from bot.pictures.worker_client import WorkerClient
from sandbox import Channel, Message
from tests.e2e.card_room import CardRoom
from tests.e2e.followed_match import FollowedMatch, bot_and_channel
from tests.e2e.players import bid, deal, kinds, latest, shown
from tests.e2e.processes import BotProcess

pytestmark = [pytest.mark.real]
BOARD = "What beats what"
"""A button that only the live table has."""


@pytest.fixture(autouse=True)
def few_pictures() -> None:
    """Let all pictures be drawn, or missing: these tests are about them."""


@pytest.fixture
def client(here: CardRoom, monkeypatch: pytest.MonkeyPatch) -> WorkerClient:
    """Return the bot's client, which the test may break, with short pauses."""
    monkeypatch.setattr("bot.worker_process.PAUSE", 0.1)
    monkeypatch.setattr("bot.worker_process.LONGEST_PAUSE", 0.1)
    monkeypatch.setattr("bot.messages.picture_retries.STEP", 0.05)
    return here.bot.rasterizer


async def lose_rasterizer(client: WorkerClient, patch: pytest.MonkeyPatch) -> None:
    """Kill the rasterizer, and let no other one start."""
    patch.setattr("bot.worker_process.command", lambda _: ("/nowhere/python",))
    assert client.worker.process is not None
    client.worker.process.kill()
    await asyncio.to_thread(client.worker.process.wait)


def public(place: Channel) -> list[Message]:
    """Return the public messages of the bot, oldest first."""
    return [each for each in place.messages() if each.author is place.world.bot and not each.ephemeral]


async def play_to_the_end(here: CardRoom) -> None:
    table = await here.bot.tables.get(1)
    while table.is_open:
        state = table.state
        seat = state.awaited()[0]
        await table.move(here.people[seat].id, state.game.text(state.legal(seat)[0]), table.clock.now())


async def test_a_table_gets_its_picture_without_another_move(
    here: CardRoom, client: WorkerClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.messages.late_pictures.PAUSES", (0.05,) * 20)
    alice, ben, *_ = here.people
    place = await deal(here, 2)
    with monkeypatch.context() as patch:
        await lose_rasterizer(client, patch)
        await bid(place, alice)
        await here.rest()
        board = latest(ben, place, BOARD)
        assert board.files == []
        assert "1 of 2 have bid" in board.text
    await here.box.until(lambda: board.files)
    assert "1 of 2 have bid" in board.files[0]["description"]


async def test_a_hand_gets_its_picture_without_another_tap(
    here: CardRoom, client: WorkerClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.messages.late_pictures.PAUSES", (0.05,) * 200)
    alice, *_ = here.people
    place = await deal(here, 2)
    with monkeypatch.context() as patch:
        await lose_rasterizer(client, patch)
        hand = shown(await alice.click(latest(alice, place, BOARD), "My hand"))
        assert hand.files == []
    await here.box.until(lambda: hand.files)


async def test_records_and_the_end_of_a_match_get_their_pictures(
    here: CardRoom, client: WorkerClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = await deal(here, 2, rounds=2)
    with monkeypatch.context() as patch:
        await lose_rasterizer(client, patch)
        await play_to_the_end(here)
        await here.rest()
        *records, end = [
            each for each in public(place) if each.text.startswith("🏆") or "takes it" in each.text
        ]
        assert end.text.startswith("🏆")
        assert "podium" not in kinds(end)
        edits = [each.edits for each in records]
        asked = len(here.box.requests)
        await here.box.until(lambda: here.bot.publisher._picture_retries.tries(1) > 4)
        assert len(here.box.requests) == asked, "nothing is said again"
        place.archive()  # type: ignore[attr-defined]  # it is a thread
    await here.box.until(lambda: kinds(end) == ["podium"])
    assert {*map(tuple, map(kinds, records))} == {("scores",)}
    assert {each.edits - before for each, before in zip(records, edits, strict=True)} == {1}
    await here.box.until(lambda: 1 not in here.bot.tables._loaded)
    assert await here.bot.store.unpublished() == []


async def test_when_the_rasterizer_never_works_the_words_are_final(
    here: CardRoom, client: WorkerClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.messages.picture_retries.TRIES", 2)
    place = await deal(here, 2, rounds=1)
    await lose_rasterizer(client, monkeypatch)
    await play_to_the_end(here)
    await here.box.until(lambda: 1 not in here.bot.tables._loaded)
    assert public(place)[-1].text.startswith("🏆")
    assert await here.bot.store.unpublished() == []


def rasterizer_of(bot: BotProcess) -> int:
    """Return the process id of the bot's rasterizer."""
    return next(
        pid
        for pid in children(bot.pid)
        if b"bot.pictures.rasterizer" in Path(f"/proc/{pid}/cmdline").read_bytes()
    )


async def test_a_kill_between_words_and_pictures_leaves_none_out(tmp_path: Path) -> None:
    async with bot_and_channel(tmp_path / "palmhouse.sqlite3", "all") as (bot, room):
        people = [bot.box.person(name, room.guild) for name in ("Alice", "Ben")]
        match = FollowedMatch(bot, room, people, mode="easy", rounds=1)
        await match.deal()
        await bot.box.until(lambda: match.board.files)
        stopped = rasterizer_of(bot)
        os.kill(stopped, signal.SIGSTOP)
        await match.play()
        await bot.box.until(lambda: not match.board.files)
        await bot.kill()
        os.kill(stopped, signal.SIGKILL)
        await bot.start()
        await bot.box.until(lambda: match.board.files)
        stopped = rasterizer_of(bot)
        os.kill(stopped, signal.SIGSTOP)
        while not match.over:
            await match.play()
        await bot.box.until(lambda: public(match.thread)[-1].text.startswith("🏆"))
        await bot.kill()
        os.kill(stopped, signal.SIGKILL)
        assert not any(each.files for each in public(match.thread)[1:])
        bot.write("DELETE FROM posts WHERE kind = 'end'")  # as if killed before it was stored
        await bot.start()
        await bot.box.until(bot.all_posted)
        _, record, end = public(match.thread)  # the first one begins the thread
        assert (kinds(record), kinds(end)) == (["scores"], ["podium"])
        await match.check()
