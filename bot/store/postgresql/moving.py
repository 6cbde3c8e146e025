"""Copy everything in a SQLite file to an empty PostgreSQL database, in one transaction."""

import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

import psycopg

from bot.program import PROGRAM
from bot.store.errors import InDoubt, StoreFailed, StoreRefused
from bot.store.personal import TABLES
from bot.store.postgresql.database import BlockingDatabase, alone
from bot.store.postgresql.faults import GONE, fault
from bot.store.rows import Recounted, Redo
from bot.store.sql.recount import recount_within
from bot.store.sqlite import faults as sqlite_faults
from bot.store.sqlite.contents import Contents, contents

Progress: TypeAlias = Callable[[int, int], None]
"""Function that is called with what is done and what there is to do. It may raise to stop the work."""

BY_ITSELF: Final = "facts", "alive", "outages"
"""Tables that a bot fills before anybody has used it."""


class Moved(NamedTuple):
    """Figures of a finished copy."""

    rows: int
    matches: int
    recounted: Recounted


def move(path: Path, url: str, redo: Redo, copying: Progress, counting: Progress) -> Moved:
    """Copy all rows of a file that `check_newest` accepts and nobody writes, and recount. The database has all tables,
    and no bot uses it. `copying` gets rows, `counting` matches.

    Raises StoreRefused, StoreFailed, and whatever the progress raises. Then the database is as it was, unless it is
    InDoubt."""
    is_copied = False
    try:
        with contents(path) as file, alone(url) as db:
            moved = _moved(file, db, redo, copying, counting)
            is_copied = True
            return moved
    except sqlite3.Error as error:
        raise StoreFailed(f"{path} cannot be read: {sqlite_faults.fault(error)}.") from error
    except psycopg.Error as error:
        raise _failed(error, in_doubt=is_copied) from error


def _failed(error: psycopg.Error, *, in_doubt: bool) -> StoreFailed:
    """Return the sentence for an error of the database."""
    if isinstance(error, psycopg.DataError | psycopg.IntegrityError):
        said = str(error).splitlines()[0]  # further lines quote the row
        return StoreFailed(
            f"PostgreSQL refuses a row: {said}. Run `{PROGRAM} check` to see whether the file is sound."
        )
    if fault(error) != GONE:
        return StoreFailed(f"This was not saved: {fault(error)}.")
    lost = "The connection to the PostgreSQL database was lost"
    if in_doubt:
        return InDoubt(
            f"{lost} at the end, so it has everything or nothing. Run this again: if it says that the database is in "
            "use already, everything was moved."
        )
    return StoreFailed(f"{lost}. Run this again when it is back.")


def _moved(file: Contents, db: BlockingDatabase, redo: Redo, copying: Progress, counting: Progress) -> Moved:
    _clear(db)
    counts = file.counts()
    total, done = sum(counts.values()), 0
    copying(0, total)
    for table in TABLES:
        for rows in file.batches(table):
            db.copy(
                table, rows
            )  # a batch each: the server keeps their checks of references in memory until its end
            done += len(rows)
            copying(done, total)
    _compare(db, counts)
    for table, number in file.highest():
        db.execute("SELECT setval(pg_get_serial_sequence(?, 'id'), ?)", (table, number))
    db.execute("ANALYZE")  # the server would get to know the tables only later
    return Moved(total, counts["matches"], recount_within(db, redo, counting))


def _clear(db: BlockingDatabase) -> None:
    """Delete what a bot that nobody has used has written. Raises StoreRefused when somebody has."""
    for_people = (table for table in TABLES if table not in BY_ITSELF)
    rows = " UNION ALL ".join(f"SELECT 1 FROM {table}" for table in for_people)  # noqa: S608 - our own names
    if db.execute(f"SELECT 1 WHERE EXISTS ({rows})").fetchone():
        raise StoreRefused(
            "The PostgreSQL database is in use already: it has matches or settings. Name an empty one. If all was "
            "moved there before, set DATABASE_URL and start the bot."
        )
    for table in BY_ITSELF:
        db.execute(f"DELETE FROM {table}")  # noqa: S608 - our own names


def _compare(db: BlockingDatabase, counts: Mapping[str, int]) -> None:
    """Raise StoreFailed when a table has not as many rows as were copied."""
    for table, wanted in counts.items():
        ((found,),) = db.execute(f"SELECT count(*) FROM {table}").fetchall()  # noqa: S608 - our own names
        if found != wanted:
            raise StoreFailed(f"The table {table} has {found:,} rows instead of {wanted:,}.")
