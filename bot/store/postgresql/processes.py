"""Leases of shards, turns for new sessions, and notices about changes, in a PostgreSQL database.

All times are those of the database's clock. Nothing of this outlives the processes for long, so its tables are no part
of the schema.
"""

import asyncio
import json
import os
import secrets
import socket
import time
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

import psycopg

from bot.store.errors import StoreFailed
from bot.store.postgresql.connection import LONGEST, OPENING, Connection, Raw
from bot.store.postgresql.faults import fault
from bot.store.processes import LEASE, Lease

TABLES: Final = """
SELECT pg_advisory_xact_lock(hashtext('palmhouse leases'), hashtext(current_schema()));
CREATE TABLE IF NOT EXISTS leases (
    shard BIGINT PRIMARY KEY, count BIGINT NOT NULL, holder TEXT NOT NULL, until TIMESTAMPTZ NOT NULL, lively BIGINT,
    away TEXT
);
CREATE TABLE IF NOT EXISTS session_turns (bucket BIGINT PRIMARY KEY, free TIMESTAMPTZ NOT NULL);
"""
HAS_AWAY: Final = "SELECT 1 FROM pg_attribute WHERE attrelid = 'leases'::regclass AND attname = 'away'"
ALL: Final = (
    "SELECT shard, count, holder, (extract(epoch FROM until) * 1000)::bigint FROM leases"
    " WHERE until > now() ORDER BY shard"
)
END: Final = f"now() + interval '{LEASE} seconds'"
TAKE: Final = (
    "INSERT INTO leases AS l"  # noqa: S608 - a number of ours
    f" VALUES ($1, $2, $3, {END}, (SELECT at FROM alive), (SELECT away FROM alive))"
    " ON CONFLICT (shard) DO UPDATE SET count = $2, holder = $3, until = excluded.until"
    " WHERE l.holder = $3 OR l.until < now() RETURNING coalesce(lively, 0)"
)
# Of shards that there are no more: nobody loses time there until they are shards again.
FORGET: Final = "DELETE FROM leases WHERE shard >= $1 AND until < now()"
# Before a shard is served for the first time, nobody has lost any time there.
RENEW: Final = (
    f"UPDATE leases SET until = {END},"  # noqa: S608
    " lively = CASE WHEN shard = ANY($2) OR lively IS NULL THEN nullif($3, 0) ELSE lively END,"
    " away = coalesce($5, away) WHERE shard = ANY($1) AND holder = $4 AND until > now() RETURNING shard"
)
# Servers with an outage of their own have got back what they had lost until then.
RELEASE: Final = (
    "UPDATE leases SET until = now(), lively = CASE WHEN shard = ANY($2) THEN $3 ELSE lively END, away = NULL"
    " WHERE shard = ANY($1) AND holder = $4"
)
# The place of a process that waits for shards is of no use after its end.
LEAVE: Final = "DELETE FROM leases WHERE shard < 0 AND (holder = $1 OR until < now())"
# No turn lasts for a minute: one that ends later was written before the server's clock was set back.
TURN: Final = (
    "INSERT INTO session_turns AS t VALUES ($1, now() + $2 * interval '1 millisecond')"
    " ON CONFLICT (bucket) DO UPDATE SET free = excluded.free"
    " WHERE t.free <= now() OR t.free > now() + interval '60 seconds' RETURNING bucket"
)
END_TURN: Final = "UPDATE session_turns SET free = now() + $2 * interval '1 millisecond' WHERE bucket = $1"
# Leases that stay would give the time back again later. A single bot finds in `alive` since when nobody could act; what
# is there is of the process that wrote last, so each lease says it of the servers of its own shard.
END_SHARING: Final = """
DO $$ BEGIN
    IF to_regclass('leases') IS NOT NULL THEN
        UPDATE alive SET away = (coalesce((
            SELECT jsonb_object_agg(guild, lively)
            FROM (SELECT DISTINCT guild FROM matches WHERE phase IN ('lobby', 'play')) AS open
            JOIN leases ON shard = (guild >> 22) % count
            WHERE lively > 0 AND count = (SELECT count FROM leases ORDER BY until DESC LIMIT 1)
        ), '{}') || away::jsonb || coalesce((
            SELECT jsonb_object_agg(guild, since)
            FROM leases AS l, jsonb_each(l.away::jsonb) AS out(guild, since)
            WHERE shard = (guild::bigint >> 22) % count
            AND count = (SELECT count FROM leases ORDER BY until DESC LIMIT 1)
        ), '{}'))::text;
        DROP TABLE leases;
    END IF;
END $$
"""
CHANNEL: Final = "palmhouse"
COMPARE: Final = 30.0
"""Seconds after which notices may have been missed."""
PAUSE: Final = 1.0
"""Seconds before the next try to listen."""


def process_name() -> str:
    """Return a name for this process that no other has, and by which people find it."""
    return f"process {os.getpid()} on {socket.gethostname()} ({secrets.token_hex(3)})"


class PostgreSQLProcesses:
    """Two connections: one for statements, one that listens."""

    def __init__(self, url: str) -> None:
        self.holder = process_name()
        self._id = secrets.token_hex(4)
        """Mark of its own notices."""
        self._connection = Connection(url, _make_tables)
        self._listening = Connection(url, _listen)
        self._turn = asyncio.Lock()

    async def leases(self) -> Sequence[Lease]:
        """Return all leases, of this process, too."""
        return [Lease(*row) for row in await self._rows(ALL)]

    async def take(self, shard: int, count: int) -> int | None:
        """Take the lease of a shard out of `count`. Return the time in ms up to which people could act there, by
        Discord's clock; None when another process holds it."""
        if shard >= 0:
            await self._rows(FORGET, count)
        rows = await self._rows(TAKE, shard, count, self.holder)
        return rows[0][0] if rows else None

    async def away(self, shard: int) -> Mapping[int, int]:
        """Return since when servers have an outage of their own, in ms, by server: those of all shards whose process
        renewed the lease of this one last."""
        rows = await self._rows("SELECT coalesce(away, '{}') FROM leases WHERE shard = $1", shard)
        return {int(guild): since for (away,) in rows for guild, since in json.loads(away).items()}

    async def renew(
        self,
        shards: Collection[int],
        lively: Collection[int],
        now: int,
        away: Mapping[int, int] | None = None,
    ) -> set[int]:
        """Renew the leases of these shards, and note that people can act on the `lively` ones `now`, in ms (0:
        unknown), and could act until `now` on those of which nothing is noted. For `away` see the method; None when
        that is not known yet. Return those that are still this process's."""
        out = None if away is None else json.dumps(away)
        rows = await self._rows(RENEW, [*shards], [*lively], now, self.holder, out)
        return {shard for (shard,) in rows}

    async def release(self, shards: Collection[int], lively: Collection[int], now: int) -> None:
        """End the leases of these shards, and note that people could act on the `lively` ones until `now`, in ms."""
        await self._rows(RELEASE, [*shards], [*lively], now, self.holder)

    async def begin_session(self, bucket: int, seconds: float) -> bool:
        """Reserve the right to begin a session for some seconds. Return False while another process has it."""
        return bool(await self._rows(TURN, bucket, int(seconds * 1000)))

    async def end_turn(self, bucket: int, seconds: float) -> None:
        """Let the next session of a bucket begin in `seconds`, after one has begun."""
        await self._rows(END_TURN, bucket, int(seconds * 1000))

    async def notice(self, match: int) -> None:
        """Tell the other processes that a match has changed."""
        await self._rows("SELECT pg_notify($1, $2)", CHANNEL, f"{match} {self._id}")

    async def notices(self) -> AsyncIterator[Collection[int]]:
        """Yield the matches of which other processes say that they have changed; none when that may have been missed:
        at first, after each loss of the connection, and every 30 s."""
        heard_by: Raw | None = None
        compare_at = 0.0
        while True:
            try:
                raw = await self._listening.raw(OPENING)
                with self._listening.limited(raw):
                    await raw.execute("SELECT 1")  # a connection may be lost without a word
                if raw is not heard_by or time.monotonic() >= compare_at:
                    heard_by, compare_at = raw, time.monotonic() + COMPARE
                    yield ()
                if found := await self._heard(raw, compare_at - time.monotonic()):
                    yield found
            except psycopg.Error:
                await asyncio.sleep(PAUSE)

    async def _heard(self, raw: Raw, seconds: float) -> set[int]:
        """Wait up to `seconds` for a notice; return it and all that arrived with it. Raises psycopg.Error."""
        said = [
            notice.payload.split() async for notice in raw.notifies(timeout=max(0, seconds), stop_after=1)
        ]
        return {int(match) for match, sender in said if sender != self._id}

    async def close(self) -> None:
        """End all leases of this process, and close the connections."""
        with suppress(StoreFailed):
            await self._rows("UPDATE leases SET until = now() WHERE holder = $1", self.holder)
            await self._rows(LEAVE, self.holder)
        for each in (self._connection, self._listening):
            await each.close()

    async def _rows(self, statement: str, *values: Any) -> Sequence[Any]:
        """Run one statement, which is a transaction, and return its rows. Raises StoreFailed."""
        async with self._turn:
            try:
                raw = await self._connection.raw(LONGEST)
                with self._connection.limited(raw):
                    cursor = await raw.execute(statement.encode(), values)
                    return await cursor.fetchall() if cursor.description else ()
            except psycopg.Error as error:
                raise StoreFailed(f"This was not saved: {fault(error)}.") from error


async def _make_tables(raw: Raw) -> None:
    async with raw.transaction():
        for statement in filter(str.strip, TABLES.split(";")):
            await raw.execute(statement.encode())
        known = await raw.execute(HAS_AWAY.encode())
        if not await known.fetchone():  # an earlier version has made the table
            # Not each time: it waits for the end of a backup that reads the table, and others could renew nothing.
            await raw.execute(b"ALTER TABLE leases ADD COLUMN away TEXT")


async def _listen(raw: Raw) -> None:
    await raw.execute(f"LISTEN {CHANNEL}".encode())
