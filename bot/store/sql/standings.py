"""The tables `results`, `ratings` and `progress`."""

import json
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import astuple, fields
from typing import Any, Final

from bot.store.errors import StoreFailed
from bot.store.rows import Finished, Participant, ProgressRow, RatingRow, RatingStep, Standing
from bot.store.sql.connections import Connections
from bot.store.sql.database import Database
from bot.store.sql.privacy import erased_since

CURRENT: Final = (
    "SELECT ratings.* FROM ratings JOIN (SELECT user, max(n) AS n FROM ratings WHERE pool = ?1"
    " AND user IN (SELECT value FROM json_each(?2)) GROUP BY user) AS latest USING (user, n) WHERE pool = ?1"
)
"""Query for the present ratings in a pool (see `current`)."""


# CROSS JOIN keeps the order of the tables: first the few people with an alias, then the last rating of each.
PARTICIPANTS: Final = (
    "SELECT p.user, p.alias, r.mu, r.sigma, r.n, r.at FROM preferences AS p CROSS JOIN ratings AS r"
    " ON r.user = p.user AND r.pool = ?1"
    " AND r.n = (SELECT max(n) FROM ratings AS last WHERE last.user = p.user AND last.pool = ?1)"
    " WHERE p.alias <> '' AND r.n >= ?2 AND r.at >= ?3 ORDER BY p.user"
)
"""Query for `Store.participants`."""


TOGETHER: Final = (
    "SELECT count(*) FROM ratings AS r WHERE user = ?1 AND pool = ?2 AND n <= ?3 AND at > ?4"
    " AND (SELECT count(*) FROM ratings WHERE match = r.match) = ?5 AND NOT EXISTS (SELECT 1 FROM ratings"
    " WHERE match = r.match AND user NOT IN (SELECT value FROM json_each(?6)) AND user NOT BETWEEN ?7 AND -1)"
)
"""Query for the number of rated matches of a person with exactly the same people (see `_together`). Whoever was erased
before is anybody, as they may be one of these people under another id."""


_STEPS: Final = (
    "SELECT * FROM ratings AS now LEFT JOIN ratings AS before"
    " ON before.user = now.user AND before.pool = now.pool AND before.n = now.n - 1"
    " WHERE now.match = ? ORDER BY now.seat"
)
"""Query for the ratings after and before a match."""


# Without its last condition, the inner query could not use the index of counted matches.
COUNT: Final = (
    "UPDATE matches SET rated = ?,"
    " counted = (SELECT coalesce(max(counted), 0) + 1 FROM matches WHERE counted IS NOT NULL)"
    " WHERE id = ? AND counted IS NULL"
)
"""Statement that gives a finished match its place in the order."""


PROGRESS: Final = "SELECT * FROM progress WHERE user IN (SELECT value FROM json_each(?))"
"""Query for the progress of people."""

_KEEP_PROGRESS: Final = (
    "INSERT INTO progress VALUES (?, ?, ?)"
    " ON CONFLICT (user) DO UPDATE SET counts = excluded.counts, earned = excluded.earned"
)
"""Statement that keeps the progress of a person."""


# SQLite would read all matches of the person if it chose another index.
FINISHES: Final = (
    "SELECT finished FROM results INDEXED BY results_by_user WHERE user = ? AND ended >= ?"
    " ORDER BY ended DESC, match DESC LIMIT ?"
)
"""Query for `Store.finishes`."""


class StandingStore(Connections):
    """Results, ratings and milestones of people; `HistoryStore` has the queries over one person's matches."""

    async def leaderboard(
        self, guild: int, game: str | None = None, *, pool: str | None = None, since: int = 0
    ) -> list[Standing]:
        """Return the standings of everybody with a match in a guild that ended at `since` or later: most wins first,
        then best mean placing, then most matches, then lowest user.

        With `game` only matches of that game count. With `pool` only those that were rated in that pool of the game.
        """
        query, values = leaderboard_query(guild, game, pool, since)
        return [Standing(*row) for row in await self._read_long(query, *values)]

    async def ratings(self, pool: str, users: Iterable[int]) -> dict[int, RatingRow]:
        """Return the present ratings of those of `users` who have one in this pool."""
        rows = await self._read(CURRENT, *current(pool, users))
        return _ratings(rows)

    async def participants(self, pool: str, *, matches: int, since: int) -> list[Participant]:
        """Return the people on the leaderboard of all servers, by user: those with an alias and at least `matches`
        rated matches in this pool, of which the last ended at `since` or later."""
        rows = await self._read(PARTICIPANTS, pool, matches, since)
        return [*map(Participant._make, rows)]

    async def rating_steps(self, match: int) -> list[RatingStep]:
        """Return the changes of ratings by a match, by seat; none if it is not rated."""
        half = len(fields(RatingRow))
        return [
            RatingStep(RatingRow(*row[half:]) if row[half] is not None else None, RatingRow(*row[:half]))
            for row in await self._read(_STEPS, match)
        ]

    async def together(self, ratings: Sequence[RatingRow], since: int) -> int:
        """Return the place of a rated match among those of exactly its people, in its pool, that ended after `since`: 1
        for the first. `ratings` are all ratings after it; 1 if there are none."""
        if not ratings:
            return 1
        users = [row.user for row in ratings]
        return await _together(
            lambda query, values: self._read(query, *values), users, ratings, since, ratings[0].at
        )

    async def progress(self, users: Iterable[int]) -> dict[int, ProgressRow]:
        """Return the progress of those of `users` who have some, by user."""
        return _progress(await self._read(PROGRESS, json.dumps([*users])))

    async def finishes(self, user: int, *, since: int, limit: int) -> list[bool]:
        """Return for each of the person's matches that ended at `since` or later, the latest first and `limit` at most,
        whether the person finished it (see `Result.finished`)."""
        return [bool(done) for (done,) in await self._read(FINISHES, user, since, limit)]


def leaderboard_query(
    guild: int, game: str | None, pool: str | None, since: int
) -> tuple[str, list[str | int]]:
    """Return the query for a leaderboard, and its values."""
    values: list[str | int] = [guild, since]
    of_game = of_pool = ""
    if game is not None:
        values.append(game)
        of_game = f" AND r.game = ?{len(values)}"
    if pool is not None:
        values.append(pool)
        of_pool = " CROSS JOIN ratings AS n ON n.match = r.match AND n.seat = r.seat"
        of_pool += f" AND n.pool = ?{len(values)}"
    return (
        # One pass over the pairs of people in each match, with themselves, too: a query for each result takes longer.
        # The name is read afterwards: PostgreSQL would sort all names.
        "SELECT user, (SELECT name FROM results AS latest INDEXED BY results_by_user WHERE latest.user = s.user"  # noqa: S608
        " AND latest.ended = s.last AND latest.guild = ?1 LIMIT 1) AS name, matches, wins,"
        " CAST(placings AS DOUBLE PRECISION) / matches AS mean, last, beaten, others"
        " FROM (SELECT r.user, count(*) FILTER (WHERE o.seat = r.seat) AS matches,"
        " count(*) FILTER (WHERE o.seat = r.seat AND r.placing = 1) AS wins,"
        " sum(r.placing) FILTER (WHERE o.seat = r.seat) AS placings, max(r.ended) AS last,"
        " count(*) FILTER (WHERE o.placing > r.placing) AS beaten,"
        " count(*) FILTER (WHERE o.placing <> r.placing) AS others"
        f" FROM results AS r{of_pool} CROSS JOIN results AS o ON o.match = r.match"
        f" WHERE r.guild = ?1 AND r.ended >= ?2{of_game} GROUP BY r.user) AS s"
        " ORDER BY wins DESC, mean, matches DESC, user"
    ), values


async def check_people(db: Database, match: int, finished: Finished) -> None:
    """Raise StoreFailed if another process has erased somebody since a result was computed from the log."""
    people = {result.user for result in finished.results}
    erased = "SELECT 1 FROM log WHERE match = ? AND user < 0"
    logged = await db.fetch(f"SELECT user FROM log WHERE match = ? AND EXISTS ({erased})", (match, match))  # noqa: S608
    if logged and not people <= {user for (user,) in logged}:
        raise StoreFailed("This was not saved: somebody was erased meanwhile. Try again.")


async def count_match(db: Database, match: int, finished: Finished) -> None:
    """Count a match: store its place in the order, its results, the new ratings and milestones."""
    if not await db.change(COUNT, (finished.rated, match)):
        raise StoreFailed(f"This was not saved: match {match} is counted already.")
    await db.execute_many(
        "INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", map(astuple, finished.results)
    )
    users = [result.user for result in finished.results]
    if finished.rate is not None:
        before = _ratings(await db.fetch(CURRENT, current(finished.pool, users)))
        ended = finished.results[0].ended
        earlier = await _together(db.fetch, users, [*before.values()], finished.since, ended)
        await db.execute_many(
            "INSERT INTO ratings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            map(astuple, finished.rate(before, earlier + 1)),
        )
    if finished.earn is not None:
        achieved = _progress(await db.fetch(PROGRESS, [json.dumps(users)]))
        await db.execute_many(_KEEP_PROGRESS, map(astuple, finished.earn(achieved)))


async def _together(
    fetch: Callable[[str, tuple[int | str, ...]], Awaitable[Sequence[Any]]],
    users: Sequence[int],
    ratings: Iterable[RatingRow],
    since: int,
    ended: int,
) -> int:
    """Return the number of rated matches of exactly these people up to `ratings`, each with its own, that ended after
    `since`: the greatest one of them, in the eyes of a match that ended at `ended`."""
    people, numbers = json.dumps([*users]), [0]
    for row in ratings:
        values = (row.user, row.pool, row.n, since, len(users), people, erased_since(ended))
        ((number,),) = await fetch(TOGETHER, values)
        numbers.append(int(number))
    return max(numbers)


def current(pool: str, users: Iterable[int]) -> tuple[str, str]:
    """Return the values of CURRENT for these people."""
    return pool, json.dumps([*users])


def _ratings(rows: Iterable[Any]) -> dict[int, RatingRow]:
    """Return rows of CURRENT by user."""
    return {row[0]: RatingRow(*row) for row in rows}


def _progress(rows: Iterable[Any]) -> dict[int, ProgressRow]:
    """Return rows of PROGRESS by user."""
    return {row[0]: ProgressRow(*row) for row in rows}
