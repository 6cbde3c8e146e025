"""The tables `matches` and `posts`."""

from collections.abc import Sequence
from dataclasses import astuple
from typing import Final

from bot.store.errors import StoreFailed
from bot.store.rows import LogRow, Match, NewMatch, Post
from bot.store.sql.connections import Connections
from bot.store.sql.database import Database
from bot.store.sql.logs import add_entries

MEMBERS: Final = (
    "SELECT match, user FROM (SELECT match, user, kind, row_number() OVER"
    " (PARTITION BY match, user ORDER BY n DESC) AS back FROM log JOIN matches ON match = id"
    " WHERE phase IN ('lobby', 'play') AND channel <> 0"
    " AND kind IN ('sit', 'take', 'leave', 'give')) AS seated"
    " WHERE back = 1 AND kind IN ('sit', 'take')"
)
"""Query for (match, user) of everybody who has a seat at an open match with a place."""
UNPUBLISHED: Final = (
    # Steps from match to match by the primary key, as in TO_PACK: most matches have a packed log, and no rows.
    # max() looks at the end of each log alone; PostgreSQL would join every row of an EXISTS.
    "WITH RECURSIVE logged(id) AS (SELECT min(match) FROM log UNION ALL"
    " SELECT (SELECT min(match) FROM log WHERE match > logged.id) FROM logged WHERE logged.id IS NOT NULL)"
    " SELECT * FROM matches WHERE id IN (SELECT id FROM logged CROSS JOIN matches USING (id) WHERE channel <> 0"
    " AND published < (SELECT max(n) FROM log WHERE match = id AND kind <> 'ahead')"  # no message shows it
    " UNION SELECT match FROM posts WHERE old IS NOT NULL) ORDER BY id"
)
"""Query for `MatchStore.unpublished`."""
ENDED_IN_THREADS: Final = (  # SQLite would read all matches to spare itself the sorting of a few
    "SELECT * FROM matches INDEXED BY matches_by_end WHERE ended > ? AND place <> channel ORDER BY id"
)
"""Query for `MatchStore.ended_in_threads`."""
LEFT: Final = (
    "SELECT id FROM matches WHERE phase IN ('lobby', 'play')"  # by the index of open matches
    # PostgreSQL would join all entries of that kind, if it were an EXISTS.
    " AND 0 < (SELECT count(*) FROM log WHERE match = id AND kind = 'leave' AND user = ?) ORDER BY id"
)
"""Query for `MatchStore.left`."""
_OF_PLACE: Final = "CASE WHEN channel <> 0 THEN ? END"
"""The value of a column about the place of a match. It is NULL for a match without one."""


class MatchStore(Connections):
    """Rows of matches, and the messages that show them."""

    async def update_match(
        self,
        match: int,
        *,
        place: int | None = None,
        card: int | None = None,
        published: int | None = None,
    ) -> None:
        """Change columns of a match's row; None keeps one as it is. A match without a place keeps having none."""
        await self._writer.write(
            lambda db: set_columns(db, match, place=place, card=card, published=published)
        )

    async def match(self, match: int) -> Match | None:
        """Return a match by its number, None for an unknown one."""
        rows = await self._read("SELECT * FROM matches WHERE id = ?", match)
        return next((Match(*row) for row in rows), None)

    async def rematch(self, match: int) -> int | None:
        """Return the rematch of a match. One that closed before it began does not count."""
        rows = await self._read(
            "SELECT id FROM matches WHERE rematch_of = ? AND (phase <> 'closed' OR started IS NOT NULL)",
            match,
        )
        return next((rematch for (rematch,) in rows), None)

    async def open_matches(self) -> list[Match]:
        """Return all matches in the lobby or in play, oldest first."""
        rows = await self._read("SELECT * FROM matches WHERE phase IN ('lobby', 'play') ORDER BY id")
        return [Match(*row) for row in rows]

    async def practice_without_place(self, user: int) -> list[int]:
        """Return the open matches without a place of a person, except attempts at daily deals, oldest first."""
        rows = await self._read(
            "SELECT id FROM matches WHERE phase IN ('lobby', 'play') AND channel = 0 AND host = ?"
            " AND id NOT IN (SELECT match FROM daily_attempts WHERE user = ?) ORDER BY id",
            user,
            user,
        )
        return [match for (match,) in rows]

    async def unpublished(self) -> list[Match]:
        """Return the matches with a place, open or not, whose messages lag behind their log or are being replaced,
        oldest first."""
        return [Match(*row) for row in await self._read_long(UNPUBLISHED)]

    async def ended_in_threads(self, since: int) -> list[Match]:
        """Return the matches that ended after a time in ms and were played in a thread of their own."""
        return [Match(*row) for row in await self._read(ENDED_IN_THREADS, since)]

    async def members(self) -> list[tuple[int, int]]:
        """Return (match, user) of everybody who has a seat at an open match with a place."""
        rows = await self._read(f"{MEMBERS} ORDER BY match, user")
        return [(match, user) for match, user in rows]

    async def left(self, user: int) -> list[int]:
        """Return the open matches that a person has left, also if they have come back, oldest first."""
        return [match for (match,) in await self._read(LEFT, user)]

    async def posts(self, match: int) -> list[Post]:
        """Return the messages of a match, by kind and number."""
        rows = await self._read("SELECT * FROM posts WHERE match = ? ORDER BY kind, number", match)
        return [Post(*row) for row in rows]

    async def save_post(self, post: Post) -> None:
        """Keep a message, in place of the one with its match, kind and number. Do nothing for a match without a place,
        such as one whose person was erased while the message was sent."""
        await self._writer.write(
            lambda db: db.execute(
                "INSERT INTO posts SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 FROM matches"
                " WHERE id = ?1 AND channel <> 0 ON CONFLICT (match, kind, number) DO UPDATE SET"
                " channel = excluded.channel, message = excluded.message, old = excluded.old,"
                " final = excluded.final, copies = excluded.copies, asleep = excluded.asleep",
                astuple(post),
            )
        )

    async def delete_post(self, post: Post) -> None:
        """Forget the message with this match, kind and number."""
        await self._writer.write(
            lambda db: db.execute(
                "DELETE FROM posts WHERE match = ? AND kind = ? AND number = ?",
                (post.match, post.kind, post.number),
            )
        )


async def create_match(db: Database, match: NewMatch, entries: Sequence[LogRow]) -> Match:
    """Add a lobby with its first entries, in the transaction that is open. Return its row."""
    rows = await db.fetch(
        "INSERT INTO matches (game, rules, options, seed, guild, channel, host, opened, rematch_of)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING *",
        astuple(match),
    )
    (created,) = (Match(*row) for row in rows)
    await add_entries(db, created.id, entries)
    return created


async def set_columns(db: Database, match: int, **columns: str | int | None) -> None:
    """Set the columns that are not None. Raises StoreFailed when there is no such match."""
    given = {column: value for column, value in columns.items() if value is not None}
    if not given:
        return
    marks = ", ".join(f"{column} = {_OF_PLACE if column in ('place', 'card') else '?'}" for column in given)
    query = f"UPDATE matches SET {marks} WHERE id = ?"  # noqa: S608 - the columns are our own keywords
    if not await db.change(query, (*given.values(), match)):
        raise StoreFailed(f"This was not saved: there is no match {match}.")
