"""The packing of logs: a day after the end of a match, and again after a failure."""

import asyncio

import pytest

from bot.store import StoreFailed
from bot.store.sql import logs
from bot.upkeep.log_packer import PAUSE, SETTLED, LogPacker
from tests.bot.tables import BEN, CHANNEL, Room
from tests.simulation.testing import *  # noqa: F403


async def closed(room: Room) -> int:
    """Close a lobby whose messages are all posted. Return its match."""
    table = await room.open(BEN)
    await table.leave(BEN, room.time)
    await table.leave(table.state.host.user, room.time)
    await room.tables.update_match(table, published=table.state.n, place=CHANNEL)
    return table.id


@pytest.fixture
def packed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    found: list[int] = []
    pack_rows = logs.pack_rows

    async def note(db: object, match: int) -> None:
        await pack_rows(db, match)  # type: ignore[arg-type]
        found.append(match)

    monkeypatch.setattr(logs, "pack_rows", note)
    return found


async def test_a_log_is_packed_a_day_after_the_end(room: Room, packed: list[int]) -> None:
    packer, first = LogPacker(room.store, lambda: room.time), await closed(room)
    room.time += SETTLED - 1
    second = await closed(room)
    await packer.pack()
    assert packed == []
    room.time += 1
    await packer.pack()
    assert packed == [first]
    room.time += SETTLED
    await packer.pack()
    assert packed == [first, second]


async def test_after_a_failure_it_is_tried_again(
    room: Room, packed: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    match, failures = await closed(room), [StoreFailed("The disk is full.")] * 2
    room.time += SETTLED
    pack_logs = room.store.pack_logs

    async def fail(until: int, after: int = 0) -> int | None:
        if failures:
            raise failures.pop()
        return await pack_logs(until, after)

    monkeypatch.setattr(room.store, "pack_logs", fail)
    running = asyncio.create_task(LogPacker(room.store, lambda: room.time).run())
    async with asyncio.timeout(3 * PAUSE):
        while packed != [match]:  # noqa: ASYNC110 - the packer has no event for it
            await asyncio.sleep(60)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
