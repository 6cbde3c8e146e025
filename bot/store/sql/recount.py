"""Compute the results, ratings and milestones of all finished matches anew, in one transaction."""

from bisect import bisect_right, insort
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from operator import attrgetter
from typing import Final

from bot.store.rows import Finished, Match, ProgressRow, RatingRow, Recounted, Redo, Result
from bot.store.sql.database import Blocking
from bot.store.sql.logs import ENTRIES, entries

AT_ONCE: Final = 500
"""Number of matches that are read at once."""


def recount(db: Blocking, redo: Redo, progress: Callable[[int, int], None]) -> Recounted:
    """Compute every counted match anew, in the order in which they were counted, in the transaction that is open. Undo
    it when nothing differs. Raises Unreadable for a damaged log, errors of the database, and whatever `redo` raises."""
    found = recount_within(db, redo, progress)
    if not (found.results or found.ratings or found.progress or _inputs_differ(db)):
        db.rollback()
    return found


def recount_within(db: Blocking, redo: Redo, progress: Callable[[int, int], None]) -> Recounted:
    """Compute every counted match anew, in the transaction that is open. Call it once in a connection."""
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
    ends: defaultdict[tuple[str, frozenset[int]], list[int]] = defaultdict(list)
    people: dict[int, ProgressRow] = {}
    progress(0, total)
    for done, match in enumerate(_counted(db), start=1):
        finished = _count(db, match, redo, ratings, ends)
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
    ends: defaultdict[tuple[str, frozenset[int]], list[int]],
) -> Finished:
    """Count one match after those before it, whose ratings are in `ratings`. `ends` has the times at which matches of
    exactly the same people ended, in ascending order."""
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
        before = ends[finished.pool, frozenset(users)]
        nth = len(before) - bisect_right(before, finished.since) + 1
        rows = finished.rate({user: known[user] for user in users if user in known}, nth)
        insort(before, finished.results[0].ended)
        known.update((row.user, row) for row in rows)
        _insert(db, "ratings", rows)
    return finished


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
