"""Stores in real files, and the rows that the tests put into them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.store import LogRow, Match, NewMatch, Store, open_store

GUILD, CHANNEL, ALICE, BEN, CLEO = 5001, 6001, 7001, 7002, 7003


@asynccontextmanager
async def opened(where: Path | str) -> AsyncIterator[Store]:
    """Open the store in a file, or at an address, until the end of the block."""
    store = await open_store(where)
    try:
        yield store
    finally:
        await store.close()


async def lobby(
    store: Store, *, guild: int = GUILD, host: int = ALICE, due: int = 9_000, rematch_of: int | None = None
) -> Match:
    """Create a match with its host and a deadline of its table."""
    new = NewMatch("twin-palms", 1, '{"mode": "first"}', "seed", guild, CHANNEL, host, 1_000, rematch_of)
    return await store.create(new, [LogRow(1, "join", None, host, "Alice", 1_000)], {-1: due})


def move(n: int, body: str = "play P3") -> LogRow:
    """Return a move as log entry `n`."""
    return LogRow(n, "move", 0, ALICE, body, 1_000 + n)


async def pack_all(store: Store, until: int = 2**62) -> None:
    """Pack the logs of all matches that ended at `until` or earlier and whose messages show the whole log."""
    last: int | None = 0
    while last is not None:
        last = await store.pack_logs(until, last)
