"""SQL that marks and purges servers that removed the bot."""

import json
import secrets
from collections.abc import Collection
from typing import Final

import aiosqlite

_MATCHES: Final = "(SELECT id FROM matches WHERE guild = :guild)"

_PURGE: Final = (
    f"DELETE FROM log WHERE match IN {_MATCHES}",  # noqa: S608 - our own names
    f"DELETE FROM posts WHERE match IN {_MATCHES}",  # noqa: S608
    f"DELETE FROM clocks WHERE match IN {_MATCHES}",  # noqa: S608
    f"UPDATE matches SET rematch_of = NULL WHERE rematch_of IN {_MATCHES}",  # noqa: S608
    "DELETE FROM matches WHERE guild = :guild AND counted IS NULL",
    # The results belong to the people, and their ratings follow from them.
    "UPDATE results SET guild = :new WHERE guild = :guild",
    "UPDATE matches SET guild = :new, channel = 0, place = NULL, card = NULL, published = 0 WHERE guild = :guild",
    "DELETE FROM season_tables WHERE season IN (SELECT id FROM seasons WHERE guild = :guild)",
    "DELETE FROM seasons WHERE guild = :guild",
    "DELETE FROM guild_settings WHERE guild = :guild",
    "DELETE FROM guilds_left WHERE guild = :guild",
)


async def mark(db: aiosqlite.Connection, present: Collection[int], at: int) -> None:
    """Mark the guilds with matches, seasons or settings that are not in `present`, and unmark those that are."""
    values = {"present": json.dumps([*present]), "at": at}
    await db.execute("DELETE FROM guilds_left WHERE guild IN (SELECT value FROM json_each(:present))", values)
    await db.execute(
        "INSERT OR IGNORE INTO guilds_left SELECT guild, :at FROM (SELECT guild FROM matches"
        " UNION SELECT guild FROM seasons UNION SELECT guild FROM guild_settings)"  # 0: direct messages, < 0: purged
        " WHERE guild > 0 AND guild NOT IN (SELECT value FROM json_each(:present))",
        values,
    )


async def purge(db: aiosqlite.Connection, guild: int) -> None:
    """Purge a guild, in the transaction that is open. Nobody may sit at a table there."""
    for statement in _PURGE:
        await db.execute(statement, {"guild": guild, "new": -secrets.randbelow(2**62) - 1})
