"""Compute the results, ratings and milestones of all finished matches again, in one transaction."""

from bisect import bisect_right, insort
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from operator import attrgetter, itemgetter
from typing import Final, TypeAlias

from bot.store.rows import Finished, Match, ProgressRow, RatingRow, Recounted, Redo, Result
from bot.store.sql.connections import Connections
from bot.store.sql.database import Blocking
from bot.store.sql.logs import ENTRIES, entries
from bot.store.sql.privacy import erased_since

Past: TypeAlias = defaultdict[tuple[str, int], list[tuple[int, frozenset[int]]]]
"""By pool and person: when their rated matches ended, in ascending order, and the people in each."""

AT_ONCE: Final = 500
"""Number of matches that are read at once."""


class RecountStore(Connections):
    """All that follows from finished matches, computed anew."""

    async def recount(self, redo: Redo, progress: Callable[[int, int], None]) -> Recounted:
        """Compute the results, ratings and milestones of all finished matches anew, in the order in which they were
        counted, and store what differs: all of it or nothing. `progress` is called with the matches done and their
        number.

        Nothing else may use the database meanwhile."""
        try:
            return await self._long(lambda db: recount(db, redo, progress), self._alone())
        except Exception as error:
            raise self._not_saved(error) from error


def recount(db: Blocking, redo: Redo, progress: Callable[[int, int], None]) -> Recounted:
    """Compute every counted match again, in the order of counting, in the transaction that is open. Undo it when
    nothing differs. Raises Unreadable for a damaged log, errors of the database, and whatever `redo` raises."""
    found = recount_within(db, redo, progress)
    if not (found.results or found.ratings or found.progress or _inputs_differ(db)):
        db.rollback()
    return found


def recount_within(db: Blocking, redo: Redo, progress: Callable[[int, int], None]) -> Recounted:
    """Compute every counted match again, in the transaction that is open. Call it once in a connection."""
    db.execute("CREATE TEMP TABLE old_results AS SELECT * FROM results")
    db.execute("CREATE TEMP TABLE old_ratings AS SELECT * FROM ratings")
    db.execute("CREATE TEMP TABLE old_progress AS SELECT * FROM progress")
    db.execute("CREATE TEMP TABLE old_rated AS SELECT id AS match, rated FROM matches")
    db.execute("DELETE FROM ratings")
    db.execute("DELETE FROM progress")
    matches = _count_all(db, redo, progress)
    return Recounted(
        matches,
        _differing(db, "results"),
        _differing(db, "ratings"),
        _differing(db, "progress", "user"),
    )


def _count_all(db: Blocking, redo: Redo, progress: Callable[[int, int], None]) -> int:
    (total,) = db.execute("SELECT count(*) FROM matches WHERE counted IS NOT NULL").fetchone()
    ratings: defaultdict[str, dict[int, RatingRow]] = defaultdict(dict)
    past: Past = defaultdict(list)
    people: dict[int, ProgressRow] = {}
    progress(0, total)
    for done, match in enumerate(_counted(db), start=1):
        finished = _count(db, match, redo, ratings, past)
        if finished.earn is not None:
            people.update((row.user, row) for row in finished.earn(people))
        if done % AT_ONCE == 0 or done == total:
            progress(done, total)
    _insert(db, "progress", [*people.values()])
    return int(total)


def _counted(db: Blocking) -> Iterator[Match]:
    """Yield the counted matches in their order. They may be changed meanwhile."""
    last = 0
    while rows := db.execute(
        "SELECT * FROM matches WHERE counted > ? ORDER BY counted LIMIT ?", (last, AT_ONCE)
    ).fetchall():
        for row in rows:
            match = Match(*row)
            assert match.counted is not None
            last = match.counted
            yield match


def _count(
    db: Blocking,
    match: Match,
    redo: Redo,
    ratings: defaultdict[str, dict[int, RatingRow]],
    past: Past,
) -> Finished:
    """Count one match after those before it, whose ratings are in `ratings`, and whose people in `past`."""
    query = "SELECT * FROM results WHERE match = ? ORDER BY seat"
    results = [Result(*row) for row in db.execute(query, (match.id,))]
    log = entries(match.id, db.execute(ENTRIES, (match.id, 0)))
    finished = redo(match, log, results)
    if [*finished.results] != results:
        db.execute("DELETE FROM results WHERE match = ?", (match.id,))
        _insert(db, "results", finished.results)
    if finished.rated != match.rated:
        db.execute("UPDATE matches SET rated = ? WHERE id = ?", (finished.rated, match.id))
    if finished.rate is not None:
        known = ratings[finished.pool]
        users = [result.user for result in finished.results]
        people, ended = frozenset(users), finished.results[0].ended
        nth = 1 + max(_together(past[finished.pool, user], people, finished.since, ended) for user in users)
        rows = finished.rate({user: known[user] for user in users if user in known}, nth)
        for user in users:
            insort(past[finished.pool, user], (ended, people), key=itemgetter(0))
        known.update((row.user, row) for row in rows)
        _insert(db, "ratings", rows)
    return finished


def _together(
    past: Sequence[tuple[int, frozenset[int]]], people: frozenset[int], since: int, ended: int
) -> int:
    """Return what TOGETHER in `bot.store.sql.standings` counts, for one person."""
    lowest = erased_since(ended)
    recent = past[bisect_right(past, since, key=itemgetter(0)) :]
    return sum(
        len(each) == len(people) and (each == people or all(lowest <= user < 0 for user in each - people))
        for _, each in recent
    )


def _insert(db: Blocking, table: str, rows: Sequence[Result | RatingRow | ProgressRow]) -> None:
    if rows:
        columns = [field.name for field in fields(rows[0])]
        marks = ", ".join("?" * len(columns))
        # `astuple` would copy each value, and take a tenth of a recount's time.
        values = map(attrgetter(*columns), rows)
        db.executemany(f"INSERT INTO {table} VALUES ({marks})", values)  # noqa: S608 - our own names


def _differing(db: Blocking, table: str, of: str = "match") -> list[int]:
    """Return the matches (or the values of another column `of`) whose rows in a table are not what they were."""
    query = (
        f"SELECT {of} FROM (SELECT * FROM {table} EXCEPT SELECT * FROM old_{table}) AS new"  # noqa: S608 - our own names
        f" UNION SELECT {of} FROM (SELECT * FROM old_{table} EXCEPT SELECT * FROM {table}) AS old ORDER BY {of}"
    )
    return [number for (number,) in db.execute(query)]


def _inputs_differ(db: Blocking) -> bool:
    query = "SELECT EXISTS (SELECT match, rated FROM old_rated EXCEPT SELECT id, rated FROM matches)"
    return bool(db.execute(query).fetchone()[0])
