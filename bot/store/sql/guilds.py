"""SQL for the settings of servers, and for servers that removed the bot."""

import json
import secrets
from collections.abc import Collection
from typing import Any, Final

from bot.store.rows import GuildSettings
from bot.store.sql.database import Database

_MATCHES: Final = "(SELECT id FROM matches WHERE guild = :guild)"

_PURGE: Final = (
    f"DELETE FROM log WHERE match IN {_MATCHES}",  # noqa: S608 - our own names
    f"DELETE FROM packed_logs WHERE match IN {_MATCHES}",  # noqa: S608
    f"DELETE FROM packed_people WHERE match IN {_MATCHES}",  # noqa: S608
    f"DELETE FROM posts WHERE match IN {_MATCHES}",  # noqa: S608
    f"DELETE FROM clocks WHERE match IN {_MATCHES}",  # noqa: S608
    f"UPDATE matches SET rematch_of = NULL WHERE rematch_of IN {_MATCHES}",  # noqa: S608
    "DELETE FROM matches WHERE guild = :guild AND counted IS NULL",
    # The results belong to the people, and their ratings follow from them.
    "UPDATE results SET guild = :new WHERE guild = :guild",
    "UPDATE matches SET guild = :new, channel = 0, place = NULL, card = NULL, published = 0 WHERE guild = :guild",
    "UPDATE daily_attempts SET guild = 0 WHERE guild = :guild",
    "DELETE FROM season_tables WHERE season IN (SELECT id FROM seasons WHERE guild = :guild)",
    "DELETE FROM seasons WHERE guild = :guild",
    "DELETE FROM guild_settings WHERE guild = :guild",
    "DELETE FROM guilds_left WHERE guild = :guild",
)


def settings(row: tuple[int | None, str, Any, int | None]) -> GuildSettings:
    """Return the settings in a row of the table `guild_settings`."""
    season_role, channels, pace, table_role = row
    return GuildSettings(season_role, tuple(json.loads(channels)), pace, table_role)


def set_column(column: str) -> str:
    """Return the statement that sets one column of a guild's settings, with the values guild and setting."""
    return (
        f"INSERT INTO guild_settings (guild, {column}) VALUES (?1, ?2)"  # noqa: S608 - our own names
        f" ON CONFLICT (guild) DO UPDATE SET {column} = ?2"
    )


async def mark(db: Database, present: Collection[int], at: int, shards: Collection[int], count: int) -> None:
    """Mark the guilds of these shards with matches, seasons or settings that are not in `present`, and unmark those
    that are."""
    here = json.dumps([*present])
    await db.execute(
        "DELETE FROM guilds_left WHERE guild IN (SELECT value FROM json_each(:present))", {"present": here}
    )
    values = {"present": here, "at": at, "shards": json.dumps([*shards]), "count": count}
    await db.execute(
        "INSERT INTO guilds_left SELECT guild, :at FROM (SELECT guild FROM matches"
        " UNION SELECT guild FROM daily_attempts"  # 0: no server, < 0: purged
        " UNION SELECT guild FROM seasons UNION SELECT guild FROM guild_settings) AS known"
        " WHERE guild > 0 AND guild NOT IN (SELECT value FROM json_each(:present))"
        " AND (guild >> 22) % :count IN (SELECT value FROM json_each(:shards)) ON CONFLICT DO NOTHING",
        values,
    )


async def purge(db: Database, guild: int) -> None:
    """Purge a guild, in the transaction that is open. Nobody may sit at a table there."""
    for statement in _PURGE:
        await db.execute(statement, {"guild": guild, "new": -secrets.randbelow(2**62) - 1})
