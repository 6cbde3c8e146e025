"""Profiles and histories: queries over the matches of one person.

Each function that returns a query returns its values after it. All queries begin at an index by person or by match.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final, TypeAlias

from bot.store.rows import Beaten, FactValues, Placed, Played, RatingRow, Result, Selection
from bot.store.sql.connections import Connections
from bot.store.sql.seasons import COUNTS

Query: TypeAlias = tuple[Any, ...]
"""An SQL text, and the values of its parameters."""

# SQLite would choose the index by server and game for some selections, and read all matches of the server.
_OWN: Final = "results AS r INDEXED BY results_by_user"
_OTHER: Final = (
    "EXISTS (SELECT 1 FROM results AS o INDEXED BY results_by_user"
    " WHERE o.user = ? AND o.ended = r.ended AND o.match = r.match{})"
)
_RESULT: Final = "{0}.match, {0}.seat, {0}.guild, {0}.game, {0}.user, {0}.name, {0}.placing, {0}.score"
_COLUMNS: Final = f"{_RESULT}, {{0}}.players, {{0}}.ended, {{0}}.facts, {{0}}.finished"
"""Columns of a Result, in the order of its fields."""
_RESULT_LENGTH: Final = 12
_RATING_LENGTH: Final = 9


class HistoryStore(Connections):
    """Profiles and histories of people."""

    async def placings(self, selection: Selection) -> list[Placed]:
        """Return the person's placings in these matches, the earliest match first."""
        return [*map(Placed._make, await self._read(*placings_query(selection)))]

    async def history(self, selection: Selection, limit: int, skipped: int = 0) -> tuple[int, list[Played]]:
        """Return the number of these matches, and `limit` of them: the latest first, without the first `skipped`."""
        ((total,),) = await self._read(*number_query(selection))
        matches = [row[0] for row in await self._read(*page_query(selection, limit, skipped))]
        results = await self._read(*results_query(matches))
        ratings = await self._read(*ratings_query(selection.user, matches))
        return total, played(matches, results, ratings)

    async def fact_values(self, selection: Selection) -> list[FactValues]:
        """Return the values of the person's facts over these matches, by game and key."""
        return [FactValues(*row) for row in await self._read(*fact_values_query(selection))]

    async def best_win(self, selection: Selection, matches: int, sigma: float) -> Beaten | None:
        """Return the highest rated person whom this person has beaten by a first place in one of these matches.

        Only people count whose rating after the match had at least `matches` matches and at most `sigma`."""
        rows = await self._read(*best_win_query(selection, matches, sigma))
        return next(map(beaten, rows), None)

    async def rating_course(self, user: int, pool: str) -> list[tuple[int, float]]:
        """Return the person's rating after each rated match in a pool, in order: end of the match in ms, and mu."""
        rows = await self._read(
            "SELECT at, mu FROM ratings WHERE user = ? AND pool = ? ORDER BY n", user, pool
        )
        return [(at, mu) for at, mu in rows]


def placings_query(selection: Selection) -> Query:
    """Return the query for `Store.placings`."""
    return _over("SELECT game, placing, ended {} ORDER BY ended, match", selection)


def number_query(selection: Selection) -> Query:
    """Return the query for the number of matches."""
    return _over("SELECT count(*) {}", selection)


def page_query(selection: Selection, limit: int, skipped: int) -> Query:
    """Return the query for the numbers of the matches on one page."""
    return (
        *_over("SELECT match {} ORDER BY ended DESC, match DESC LIMIT ? OFFSET ?", selection),
        limit,
        skipped,
    )


def results_query(matches: Sequence[int]) -> Query:
    """Return the query for the results of matches, each with the place of its match."""
    return (
        f"SELECT place, {_COLUMNS.format('r')} FROM results AS r JOIN matches ON id = r.match"  # noqa: S608
        " WHERE r.match IN (SELECT value FROM json_each(?)) ORDER BY r.match, r.placing, r.seat",
        json.dumps([*matches]),
    )


def ratings_query(user: int, matches: Sequence[int]) -> Query:
    """Return the query for a person's ratings after and before matches."""
    return (
        "SELECT a.*, b.* FROM ratings AS a LEFT JOIN ratings AS b"
        " ON b.user = a.user AND b.pool = a.pool AND b.n = a.n - 1"
        " WHERE a.match IN (SELECT value FROM json_each(?)) AND a.user = ?",
        json.dumps([*matches]),
        user,
    )


def played(matches: Sequence[int], results: Iterable[Any], ratings: Iterable[Any]) -> list[Played]:
    """Return the matches in the order of their numbers, from the rows of `results_query` and `ratings_query`."""
    people: dict[int, list[Result]] = {match: [] for match in matches}
    places: dict[int, int | None] = {}
    for place, *columns in results:
        result = Result(*columns)
        places[result.match] = place
        people[result.match].append(result)
    changes = {row[3]: (_rating(row[_RATING_LENGTH:]), _rating(row[:_RATING_LENGTH])) for row in ratings}
    return [
        Played(
            match,
            people[match][0].guild,
            people[match][0].game,
            people[match][0].ended,
            places[match],
            people[match],
            *changes.get(match, (None, None)),
        )
        for match in matches
    ]


def fact_values_query(selection: Selection) -> Query:
    """Return the query for `Store.fact_values`."""
    return _over(
        "SELECT game, key, CAST(sum(value) AS BIGINT), max(value), min(value), count(*) FILTER (WHERE value > 0)"
        " {} GROUP BY game, key ORDER BY game, key",
        selection,
        ", json_each(r.facts)",
    )


def best_win_query(selection: Selection, matches: int, sigma: float) -> Query:
    """Return the query for `Store.best_win`."""
    return (
        *_over(
            f"SELECT {_COLUMNS.format('o')}, a.* {{}} AND r.placing = 1 AND o.placing > 1"
            " AND a.n >= ? AND a.sigma <= ? ORDER BY a.mu DESC, r.ended LIMIT 1",
            selection,
            # CROSS JOIN keeps the order of the tables.
            " CROSS JOIN ratings AS a ON a.match = r.match"
            " CROSS JOIN results AS o ON o.match = a.match AND o.seat = a.seat",
        ),
        matches,
        sigma,
    )


def beaten(row: Sequence[Any]) -> Beaten:
    """Return a row of `best_win_query`."""
    return Beaten(Result(*row[:_RESULT_LENGTH]), RatingRow(*row[_RESULT_LENGTH:]))


def _rating(columns: Sequence[Any]) -> RatingRow | None:
    return None if columns[0] is None else RatingRow(*columns)


def _over(query: str, selection: Selection, joined: str = "") -> Query:
    """Put FROM with the tables, and WHERE with the conditions of a selection, into a query in the place of {}.

    `joined` follows the table of results, whose name in the query is r."""
    conditions = [*_conditions(selection)]
    where = " AND ".join(condition for condition, _ in conditions)
    return query.format(f"FROM {_OWN}{joined} WHERE {where}"), *(
        value for _, values in conditions for value in values
    )


def _conditions(selection: Selection) -> Iterable[tuple[str, tuple[Any, ...]]]:
    """Yield each condition with its values."""
    yield "r.user = ?", (selection.user,)
    for condition, value in (
        ("r.guild = ?", selection.guild),
        ("r.game = ?", selection.game),
        ("r.placing = ?", selection.placing),
        ("r.ended >= ?", selection.since),
        ("r.ended <= ?", selection.until),
        (
            "EXISTS (SELECT 1 FROM ratings WHERE match = r.match AND seat = r.seat AND pool = ?)",
            selection.pool,
        ),
        (COUNTS, selection.season),
    ):
        if value is not None:
            yield condition, (value,)
    yield from _met(selection)
    yield from _with_fact(selection)


def _met(selection: Selection) -> Iterable[tuple[str, tuple[Any, ...]]]:
    if selection.other is None:
        return
    if selection.ahead is None:
        yield _OTHER.format(""), (selection.other,)
    else:
        ahead = (
            " AND CASE WHEN o.placing > r.placing THEN 1 WHEN o.placing < r.placing THEN -1 ELSE 0 END = ?"
        )
        yield _OTHER.format(ahead), (selection.other, selection.ahead)


def _with_fact(selection: Selection) -> Iterable[tuple[str, tuple[Any, ...]]]:
    if selection.fact is None:
        return
    path = f'$."{selection.fact}"'
    if selection.value is None:
        yield "json_extract(r.facts, ?) > 0", (path,)
    else:
        yield "json_extract(r.facts, ?) = ?", (path, selection.value)
