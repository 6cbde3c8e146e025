"""The tables `guild_settings`, `presets`, `boards` and `guilds_left`, and the purge of a guild from all others."""

import json
import secrets
from collections.abc import Collection, Sequence
from typing import Final

from bot.store.rows import BoardPost, GuildSettings, Preset
from bot.store.sql.connections import Connections
from bot.store.sql.database import Database

_MATCHES: Final = "(SELECT id FROM matches WHERE guild = :guild)"

_NIGHTS: Final = "(SELECT id FROM nights WHERE guild = :guild)"

_PURGE: Final = (
    *(
        f"DELETE FROM {table} WHERE night IN {_NIGHTS}"  # noqa: S608 - our own names
        for table in ("night_posts", "night_seats", "night_tables", "night_people")
    ),
    "DELETE FROM nights WHERE guild = :guild",
    "DELETE FROM night_roles WHERE guild = :guild",
    f"DELETE FROM log WHERE match IN {_MATCHES}",  # noqa: S608 - our own names
    f"DELETE FROM packed_logs WHERE match IN {_MATCHES}",  # noqa: S608
    f"DELETE FROM packed_people WHERE match IN {_MATCHES}",  # noqa: S608
    f"DELETE FROM posts WHERE match IN {_MATCHES}",  # noqa: S608
    "DELETE FROM seeks WHERE guild = :guild",
    "DELETE FROM summons WHERE guild = :guild",
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
    "DELETE FROM boards WHERE guild = :guild",
    "DELETE FROM presets WHERE guild = :guild",
    "DELETE FROM bulletins WHERE guild = :guild",
)


MARK_LEFT: Final = (
    # Steps from guild to guild by the index.
    "WITH RECURSIVE played(guild) AS (SELECT min(guild) FROM matches WHERE guild > 0 UNION ALL"  # < 0: purged
    " SELECT (SELECT min(guild) FROM matches WHERE guild > played.guild) FROM played WHERE guild IS NOT NULL)"
    " INSERT INTO guilds_left SELECT guild, :at FROM (SELECT guild FROM played"
    " UNION SELECT guild FROM daily_attempts"  # 0: no server
    " UNION SELECT guild FROM seasons UNION SELECT guild FROM guild_settings"
    " UNION SELECT guild FROM seeks UNION SELECT guild FROM nights UNION SELECT guild FROM presets"
    # A restore adds roles to a backup from before the night.
    " UNION SELECT guild FROM bulletins UNION SELECT guild FROM night_roles) AS known"
    " WHERE guild > 0 AND guild NOT IN (SELECT value FROM json_each(:present))"
    " AND (guild >> 22) % :count IN (SELECT value FROM json_each(:shards)) ON CONFLICT DO NOTHING"
)
"""Statement that marks the known guilds which are not present."""

# Who has played for years must not wait longer for `/play`.
PRESETS: Final = (
    "WITH latest AS (SELECT game, coalesce(played_options, options) AS options FROM matches"
    " WHERE guild = ?1 AND started IS NOT NULL ORDER BY started DESC LIMIT 1000)"
    " SELECT p.*, (SELECT count(*) FROM latest AS m WHERE m.game = p.game AND m.options = p.options) AS played"
    " FROM presets AS p WHERE guild = ?1 ORDER BY played DESC, p.id"
)
"""Query for `GuildStore.presets`."""


class GuildStore(Connections):
    """Settings of guilds, and guilds that removed the bot."""

    async def guild_settings(self, guild: int) -> GuildSettings:
        """Return the settings of a guild; for a new guild, the defaults."""
        rows = await self._read(
            "SELECT season_role, channels, pace, table_role, board, left_out, night_role FROM guild_settings"
            " WHERE guild = ?",
            guild,
        )
        for role, channels, pace, table_role, board, left_out, night_role in rows:
            chosen, missing = tuple(json.loads(channels)), tuple(json.loads(left_out))
            return GuildSettings(role, chosen, pace, table_role, board, missing, night_role)
        return GuildSettings()

    async def set_season_role(self, guild: int, role: int | None) -> None:
        """Set the role whose members may change the seasons of a guild; None for no role."""
        await self._set(guild, "season_role", role)

    async def set_table_channels(self, guild: int, channels: Sequence[int]) -> None:
        """Set the channels of a guild in which tables may be opened; none for all channels."""
        await self._set(guild, "channels", json.dumps([*channels]))

    async def set_default_pace(self, guild: int, pace: str) -> None:
        """Set the pace of tables of a guild that are opened without one. Raises StoreFailed for an unknown pace."""
        await self._set(guild, "pace", pace)

    async def set_table_role(self, guild: int, role: int | None) -> None:
        """Set the role whose members may close the tables of a guild; None for no role."""
        await self._set(guild, "table_role", role)

    async def set_night_role(self, guild: int, role: int | None) -> None:
        """Set the role that winners of game nights of a guild have for a week; None for no role."""
        await self._set(guild, "night_role", role)

    async def leave_out(self, guild: int, games: Sequence[str]) -> None:
        """Set the games, by slug, that the menus of a guild leave out."""
        await self._set(guild, "left_out", json.dumps([*games]))

    async def presets(self, guild: int) -> list[Preset]:
        """Return the presets of a guild, first those that were played most often of late."""
        rows = await self._read(PRESETS, guild)
        return [Preset(*row) for row in rows]

    async def add_preset(self, preset: Preset, most: int) -> bool:
        """Keep a preset, with a number of its own. Return False if the guild has one of that name, or `most`."""
        return await self._change(
            "INSERT INTO presets (guild, name, game, options, pace) SELECT ?1, ?2, ?3, ?4, ?5"
            " WHERE (SELECT count(*) FROM presets WHERE guild = ?1) < ?6 ON CONFLICT DO NOTHING",
            *preset[1:6],
            most,
        )

    async def delete_preset(self, guild: int, preset: int) -> None:
        """Delete a preset of a guild."""
        await self._change("DELETE FROM presets WHERE guild = ? AND id = ?", guild, preset)

    async def set_board(self, guild: int, channel: int | None) -> None:
        """Set the channel in which the board of a guild is to stand; None for no board."""
        await self._set(guild, "board", channel)

    async def end_board(self, guild: int, channel: int) -> None:
        """Forget the board of a guild in a channel that is gone."""

        async def work(db: Database) -> None:
            await db.execute("DELETE FROM boards WHERE guild = ? AND channel = ?", (guild, channel))
            await db.execute(
                "UPDATE guild_settings SET board = NULL WHERE guild = ? AND board = ?", (guild, channel)
            )

        await self._writer.write(work)

    async def boards(self) -> list[int]:
        """Return the guilds that have a board, or are to have one."""
        rows = await self._read(
            "SELECT guild FROM guild_settings WHERE board IS NOT NULL UNION SELECT guild FROM boards ORDER BY guild"
        )
        return [guild for (guild,) in rows]

    async def board_posts(self, guild: int) -> list[BoardPost]:
        """Return the boards of a guild that stand in Discord, by channel."""
        rows = await self._read("SELECT * FROM boards WHERE guild = ? ORDER BY channel", guild)
        return [BoardPost(*row) for row in rows]

    async def add_board_post(self, post: BoardPost) -> None:
        """Keep that a board was posted, in place of another one in the same channel."""
        await self._change(
            "INSERT INTO boards VALUES (?, ?, ?) ON CONFLICT (guild, channel) DO UPDATE SET message = excluded.message",
            *post,
        )

    async def delete_board_post(self, post: BoardPost) -> None:
        """Forget a board that is gone from Discord."""
        await self._change("DELETE FROM boards WHERE guild = ? AND channel = ? AND message = ?", *post)

    async def _set(self, guild: int, column: str, value: str | int | None) -> None:
        await self._change(
            f"INSERT INTO guild_settings (guild, {column}) VALUES (?1, ?2)"  # noqa: S608 - our own names
            f" ON CONFLICT (guild) DO UPDATE SET {column} = ?2",
            guild,
            value,
        )

    async def mark_left_guilds(
        self, present: Collection[int], at: int, *, shards: Collection[int] = (0,), count: int = 1
    ) -> None:
        """Mark each guild of these shards, out of `count`, of which something is kept and which is not in `present`, as
        one that removed the bot at `at`. Guilds that are marked already keep their time. Unmark those in `present`."""
        here = json.dumps([*present])
        values = {"present": here, "at": at, "shards": json.dumps([*shards]), "count": count}

        async def work(db: Database) -> None:
            await db.be_patient()
            await db.execute(
                "DELETE FROM guilds_left WHERE guild IN (SELECT value FROM json_each(:present))",
                {"present": here},
            )
            await db.execute(MARK_LEFT, values)

        await self._writer.write(work)

    async def unmark_guild(self, guild: int) -> None:
        """Forget that a guild removed the bot."""
        await self._writer.write(lambda db: db.execute("DELETE FROM guilds_left WHERE guild = ?", (guild,)))

    async def left_guilds(self, until: int) -> list[int]:
        """Return the guilds that removed the bot at `until` or earlier, and have no open match."""
        rows = await self._read(
            "SELECT guild FROM guilds_left WHERE at <= ? AND guild NOT IN"
            " (SELECT guild FROM matches WHERE phase IN ('lobby', 'play')) ORDER BY guild",
            until,
        )
        return [guild for (guild,) in rows]

    async def purge_guild(self, guild: int) -> bool:
        """Delete the logs and messages of a guild's matches, and the matches that were closed. Results and ratings
        stay, with a random negative number as their guild, and without channels.

        Return False, and change nothing, for a guild that is not marked as one that removed the bot."""
        return await self._writer.write(lambda db: purge(db, guild))


async def purge(db: Database, guild: int) -> bool:
    """Purge a guild, in the transaction that is open. Return False when it is not marked."""
    # It may have invited the bot again since it was found to be due, and people may sit at a table there.
    if not await db.change("DELETE FROM guilds_left WHERE guild = ?", (guild,)):
        return False
    for statement in _PURGE:
        await db.execute(statement, {"guild": guild, "new": -secrets.randbelow(2**62) - 1})
    return True
