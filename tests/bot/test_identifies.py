"""A bot that begins too many sessions with Discord begins no more, and says until when."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from bot.cli.start import StartRefused, enter_sandbox, play
from bot.client import Palmhouse
from bot.gateway.identifies import DAY, HOUR, MOST, Identifies, too_many_begun
from bot.store import Unreadable, open_store
from sandbox import TOKEN, Sandbox
from tests.bot.running import garbage_as_before
from tests.bot.tables import Room
from tests.e2e.card_room import connected_bot
from tests.held import fail, failing
from tests.simulation.testing import *  # noqa: F403
from tests.simulation.world import World

NOON = 1_800_000_000_000 // DAY * DAY + 12 * HOUR


async def counted(room: Room, *shards: int) -> Identifies:
    """Return what a run of the bot knows after the sessions of these shards."""
    found = Identifies(room.store, lambda: room.time)
    for shard in range(2):
        await found.load(shard)
    for shard in shards:
        await found.note(shard)
    return found


async def test_each_shard_may_begin_ten_sessions_within_an_hour_over_all_runs(room: Room) -> None:
    began = room.time
    for _ in range(MOST):
        assert (await counted(room)).free_at(0, 2) is None
        await counted(room, 0)
        room.time += 60_000
    again = await counted(room, 1)
    assert (again.free_at(0, 2), again.free_at(1, 2)) == (began + HOUR, None)
    room.time = began + HOUR
    assert again.free_at(0, 2) is None
    await again.note(0)
    assert again.free_at(0, 2) == began + 60_000 + HOUR


@pytest.mark.parametrize("shards", [8, 300, 2_000])
async def test_all_shards_begin_fewer_sessions_in_a_day_than_discord_allows(room: Room, shards: int) -> None:
    """As when the database or the network is away again and again: each time all shards begin new ones."""
    found, began = Identifies(room.store, lambda: room.time), room.time
    most = max(900 // shards, 1)
    for _ in range(most):
        while (free_at := found.free_at(1, shards)) is not None:
            room.time = free_at
        await found.note(1)
    assert room.time < began + DAY
    assert found.free_at(1, shards) == began + DAY


async def test_a_session_counts_though_it_cannot_be_stored(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    fail(monkeypatch, room.store, "set_fact")
    assert (await counted(room, *[0] * MOST)).free_at(0, 2) is not None


async def test_a_session_that_could_not_be_stored_counts_for_the_next_one(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    fail(monkeypatch, room.store, "set_fact")
    found = await counted(room)
    for _ in range(MOST):
        await found.load(0)
        await found.note(0)
        room.time += 60_000
    await found.load(0)
    assert found.free_at(0, 2) is not None


def test_the_refusal_says_until_when() -> None:
    assert "Shard 3 has begun many sessions" in str(too_many_begun(3, NOON))
    assert "at 12:00 UTC" in str(too_many_begun(3, NOON))


async def refused(box: Sandbox, file: Path) -> str:
    """Return the sentence with which a start is refused."""
    async with AsyncExitStack() as stack:
        stack.enter_context(garbage_as_before())
        await enter_sandbox(stack, box.url)
        bot = await stack.enter_async_context(Palmhouse(await open_store(file)))
        with pytest.raises(StartRefused) as refusal:
            async with asyncio.timeout(20):
                await play(bot, TOKEN)
    return str(refusal.value)


async def test_a_start_after_too_many_refuses_itself_and_begins_no_session(tmp_path: Path) -> None:
    file = tmp_path / "palmhouse.sqlite3"
    async with Sandbox(rate_limits=False) as box:
        async with connected_bot(box, file) as bot:
            for _ in range(MOST - 1):
                await bot.identifies.note(0)
            await bot.store.flush()
        box.gateway.sessions.clear()
        assert "begun many sessions" in await refused(box, file)
        assert box.gateway.identifies == 1


async def test_a_bot_that_runs_waits_until_it_may_begin_the_next(tmp_path: Path) -> None:
    async with Sandbox(rate_limits=False) as box, connected_bot(box, tmp_path / "palmhouse.sqlite3") as bot:
        bot.identifies.most = 1
        await box.gateway.drop(resumable=False)
        assert await bot.wait_for("shard_ready", timeout=HOUR / 1000 + 20) == 0
        assert box.gateway.identifies == 2


async def test_a_new_session_waits_for_the_database(tmp_path: Path) -> None:
    async with Sandbox(rate_limits=False) as box, connected_bot(box, tmp_path / "palmhouse.sqlite3") as bot:
        ready = bot.wait_for("shard_ready", timeout=60)
        with failing(bot.store, "fact", Unreadable("The database cannot be read.")):
            await box.gateway.drop(resumable=False)
            await asyncio.sleep(30)
        assert await ready == 0


async def test_a_try_that_does_not_reach_the_gateway_begins_no_session(tmp_path: Path, world: World) -> None:
    async with Sandbox(rate_limits=False) as box, connected_bot(box, tmp_path / "palmhouse.sqlite3") as bot:
        (port,) = world.servers
        discord = world.servers.pop(port)
        await box.gateway.invalidate()
        await asyncio.sleep(20 * 60)
        world.servers[port] = discord
        assert await bot.wait_for("shard_ready", timeout=70) == 0


async def test_a_start_is_refused_when_discord_allows_too_few_sessions(tmp_path: Path) -> None:
    async with Sandbox(rate_limits=False) as box:
        box.gateway.shards, box.gateway.remaining = 16, 15
        sentence = await refused(box, tmp_path / "palmhouse.sqlite3")
        assert sentence.startswith("Discord allows 15 more sessions until ")
        assert "the bot needs 16" in sentence
        assert box.gateway.identifies == 0
