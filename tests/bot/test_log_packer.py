"""The packing of logs: a day after the end of a match, and again after a failure."""

import pytest

from bot.store.sql import logs
from bot.upkeep.log_packer import SETTLED, LogPacker
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
