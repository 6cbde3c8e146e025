"""The tables `alive`, `outages` and `facts`."""

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from bot.store.sql.connections import Connections
from bot.store.sql.database import Database

NOWHERE: Final[Mapping[int, int]] = MappingProxyType({})
"""No server: people can act everywhere."""


class OwnStateStore(Connections):
    """Rows about the bot itself: when it ran, when it was away, and facts (see `fact`)."""

    async def heartbeat(self, now: int, away: Mapping[int, int] = NOWHERE) -> None:
        """Keep `now` as the time at which the process was last known to be alive. `away`: by server where nobody can
        act, the time since when, in ms."""
        await self._writer.write(lambda db: keep_heartbeat(db, now, away))

    async def last_heartbeat(self) -> int | None:
        """Return the last time the process was known to be alive; None for a new database."""
        rows = await self._read("SELECT at FROM alive")
        return next((at for (at,) in rows), None)

    async def away(self) -> dict[int, int]:
        """Return the servers where nobody could act at the last heartbeat, and since when in ms."""
        rows = await self._read("SELECT away FROM alive")
        return {int(guild): since for (away,) in rows for guild, since in json.loads(away).items()}

    async def add_outage(self, since: int, until: int) -> None:
        """Keep a time in which the bot was away, in place of one that began at the same time."""
        await self._change(
            "INSERT INTO outages VALUES (?, ?) ON CONFLICT (since) DO UPDATE SET until = excluded.until",
            since,
            until,
        )

    async def outages(self, after: int) -> list[tuple[int, int]]:
        """Return the outages that ended after a time, as (since, until), earliest first."""
        rows = await self._read("SELECT since, until FROM outages WHERE until > ? ORDER BY since", after)
        return [(since, until) for since, until in rows]

    async def fact(self, key: str) -> str | None:
        """Return a fact about the bot itself, such as the fingerprint of the commands it has registered."""
        rows = await self._read("SELECT value FROM facts WHERE key = ?", key)
        return next((value for (value,) in rows), None)

    async def set_fact(self, key: str, value: str) -> None:
        """Keep a fact in place of an older one."""
        await self._writer.write(
            lambda db: db.execute(
                "INSERT INTO facts VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                (key, value),
            )
        )

    async def add_fact(self, key: str, value: str) -> str:
        """Keep a fact unless there is one. Return the one that is kept."""
        await self._change("INSERT INTO facts VALUES (?, ?) ON CONFLICT DO NOTHING", key, value)
        kept = await self.fact(key)
        assert kept is not None
        return kept


async def keep_heartbeat(db: Database, now: int, away: Mapping[int, int]) -> None:
    """Keep the last time the process was alive, and where people are away, in the transaction that is open."""
    await db.execute(
        "INSERT INTO alive VALUES (1, ?, ?) ON CONFLICT (only) DO UPDATE SET at = excluded.at, away = excluded.away",
        (now, json.dumps({**away}, separators=(",", ":"))),
    )
