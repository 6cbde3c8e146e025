"""The table `bulletins`, and the matches that a week's bulletin tells of."""

from collections.abc import Collection
from dataclasses import fields
from itertools import groupby
from typing import Final

from bot.store.rows import Bulletin, BulletinKind, FinishedMatch, Match, Result
from bot.store.sql.connections import Connections
from bot.store.sql.database import Database

KINDS: Final[tuple[BulletinKind, ...]] = ("daily", "weekly")
_MATCH_LENGTH: Final = len(fields(Match))


class BulletinStore(Connections):
    """Bulletins of guilds."""

    async def bulletins(self, guild: int) -> list[Bulletin]:
        """Return the bulletins that a guild wants or has wanted, the daily one first."""
        rows = await self._read("SELECT * FROM bulletins WHERE guild = ? ORDER BY kind", guild)
        return [Bulletin(*row) for row in rows]

    async def want_bulletins(self, guild: int, wanted: Collection[str]) -> None:
        """Set which bulletins a guild wants."""

        async def work(db: Database) -> None:
            await db.execute_many(
                "INSERT INTO bulletins (guild, kind, wanted) VALUES (?1, ?2, ?3)"
                " ON CONFLICT (guild, kind) DO UPDATE SET wanted = excluded.wanted",
                [(guild, kind, int(kind in wanted)) for kind in KINDS],
            )

        await self._writer.write(work)

    async def due_bulletins(self, kind: BulletinKind, number: int) -> list[Bulletin]:
        """Return the bulletins, by guild, of those that want one, have a board, and are without that of this day or
        week."""
        rows = await self._read(
            "SELECT b.* FROM bulletins AS b JOIN guild_settings AS s ON s.guild = b.guild"
            " WHERE kind = ?1 AND wanted = 1 AND board IS NOT NULL AND (number < ?2 OR message IS NULL)"
            " ORDER BY b.guild",
            kind,
            number,
        )
        return [Bulletin(*row) for row in rows]

    async def keep_bulletin(self, bulletin: Bulletin) -> None:
        """Keep which day or week the last bulletin is of, and where it stands."""
        await self._change(
            "UPDATE bulletins SET number = ?3, channel = ?4, message = ?5 WHERE guild = ?1 AND kind = ?2",
            bulletin.guild,
            bulletin.kind,
            *bulletin[3:],
        )

    async def finished_matches(self, guild: int, since: int, until: int) -> list[FinishedMatch]:
        """Return the counted matches of a guild that ended from `since` until before `until`, the earliest first, with
        the results of their people."""
        rows = await self._read(
            "SELECT m.*, r.* FROM matches AS m JOIN results AS r ON r.match = m.id"
            " WHERE m.id IN (SELECT match FROM results WHERE guild = ? AND ended >= ? AND ended < ?)"
            " AND m.counted IS NOT NULL ORDER BY m.counted, r.seat",
            guild,
            since,
            until,
        )
        return [
            FinishedMatch(match, [Result(*row[_MATCH_LENGTH:]) for row in found])
            for match, found in groupby(rows, lambda row: Match(*row[:_MATCH_LENGTH]))
        ]
