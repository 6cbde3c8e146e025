"""From a path to a database fit for use: looked at without a touch, then refused or brought up to date."""

import errno
import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import aiosqlite

from bot.store.errors import StoreRefused
from bot.store.sqlite.faults import FAULTS, fault

MIGRATIONS = Path(__file__).parent / "migrations"
APPLICATION = 0x50616C6D
"""Marks a database as ours: "Palm", in the header's application id."""
ANSWERABLE = 1_500
"""Ms that reads and writes wait for another process that holds the file: whoever clicked is answered within three
seconds, or never."""

PATIENCE = 5.0
"""Seconds to wait while another process writes."""


def prepare(path: Path, migrations: Path = MIGRATIONS) -> None:
    """Check the file and bring it up to date, made where there is none. Raises StoreRefused.

    A file that is refused for what is in it stays as it is, byte for byte.
    """
    steps = {int(step.name[:4]): step for step in migrations.glob("*.sql")}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if path.exists():
            _inspect_at_rest(path, newest=max(steps))
        _migrate(path, steps)
    except OSError as error:
        raise StoreRefused(
            f"No database can be kept at {path}: {error.strerror}. Name another file in DATABASE_PATH."
        ) from error
    except sqlite3.Error as error:
        raise StoreRefused(f"The database {path} cannot be used: {fault(error)}.") from error


async def connect(path: Path, *, query_only: bool = False) -> aiosqlite.Connection:
    """A connection to a prepared file. Statements outside BEGIN and COMMIT are transactions of their own.

    Raises StoreRefused: what could be used a moment ago may be gone."""
    try:
        connection = await aiosqlite.connect(path, isolation_level=None, timeout=PATIENCE)
        await connection.executescript(
            f"PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA query_only = {query_only:d};"
            f"PRAGMA busy_timeout = {ANSWERABLE};"
        )
    except sqlite3.Error as error:
        raise StoreRefused(f"The database {path} cannot be used: {fault(error)}.") from error
    return connection


def _inspect_at_rest(path: Path, newest: int) -> None:
    """Inspect it, and again when another start has changed it under our eyes: half a change looks like damage."""
    while True:
        before = _traces(path)
        try:
            return _inspect(path, newest)
        except (StoreRefused, sqlite3.Error):
            if _traces(path) == before:
                raise


def _traces(path: Path) -> tuple[object, ...]:
    state = path.stat()
    beside = (path.with_name(path.name + ending).exists() for ending in ("-wal", "-journal"))
    return state.st_size, state.st_mtime_ns, *beside


def _inspect(path: Path, newest: int) -> None:
    with closing(_look(path)) as db:
        db.execute("BEGIN")  # one moment for all that is read
        (application,) = db.execute("PRAGMA application_id").fetchone()
        (version,) = db.execute("PRAGMA user_version").fetchone()
        (tables,) = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        if application != APPLICATION and (application or version or tables):
            raise StoreRefused(
                f"The database {path} belongs to another program and was left alone. "
                "Name another file in DATABASE_PATH."
            )
        if version > newest:
            raise StoreRefused(
                f"The database {path} was written by a newer Palmhouse (version {version}; this one knows "
                f"{newest}) and was left alone. Start the newer one, or name another file in DATABASE_PATH."
            )
        # A fifth of a second for 100 MB, the log of two million moves: cheap beside play on a torn page.
        (verdict,) = db.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise StoreRefused(f"The database {path} cannot be used: {FAULTS[sqlite3.SQLITE_CORRUPT]}.")


def _look(path: Path) -> sqlite3.Connection:
    """A connection that leaves no trace. What a killed process left beside the file belongs to it."""
    if path.with_name(f"{path.name}-wal").exists():
        mode = "ro"
    elif path.with_name(f"{path.name}-journal").exists():
        mode = "rw"  # the very first start was killed: what it had begun is rolled back
    else:
        mode = "ro&immutable=1"  # else SQLite would put files of its own beside it
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}", uri=True, isolation_level=None, timeout=PATIENCE
    )


def _migrate(path: Path, steps: dict[int, Path]) -> None:
    with closing(sqlite3.connect(path, isolation_level=None, timeout=PATIENCE)) as db:
        _write_ahead(db)
        while _take(db, steps):
            pass


def _write_ahead(db: sqlite3.Connection) -> None:
    """Switch the log on. SQLite does not wait by itself when another start is just doing the same."""
    patient_until = time.monotonic() + PATIENCE
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > patient_until:
                raise
            time.sleep(0.01)
        else:
            return


def _take(db: sqlite3.Connection, steps: dict[int, Path]) -> bool:
    """Take the next step the database lacks, in one transaction with its number. False if there is none."""
    db.execute("BEGIN IMMEDIATE")  # two processes that start together do not take the same step
    try:
        (version,) = db.execute("PRAGMA user_version").fetchone()
        step = steps.get(version + 1)
        if step is not None:
            for statement in _statements(step.read_text(encoding="utf-8")):
                db.execute(statement)
            db.execute(f"PRAGMA application_id = {APPLICATION}")
            version += 1
        # Written in any case: what a kill left beside a file lets it be opened, and even BEGIN IMMEDIATE, on a disk
        # that takes no write.
        db.execute(f"PRAGMA user_version = {version}")
        db.execute("COMMIT")
    except sqlite3.Error:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
    return step is not None


def _statements(script: str) -> list[str]:
    """The statements of a script, each ending its line. (`executescript` would commit on its own.)"""
    statements = [""]
    for line in script.splitlines(keepends=True):
        statements[-1] += line
        if sqlite3.complete_statement(statements[-1]):
            statements.append("")
    return statements
