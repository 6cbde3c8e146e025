"""Open a database file: inspect it without changing it, then refuse it or migrate it to the newest version."""

import contextlib
import errno
import fcntl
import logging
import os
import sqlite3
import stat
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import aiosqlite

from bot.store.errors import StoreRefused
from bot.store.sql.versions import SCRIPTS, versions
from bot.store.sqlite.faults import FAULTS, fault

log = logging.getLogger(__name__)

APPLICATION = 0x50616C6D
"""Marks a database as ours: "Palm", in the header's application id."""
# With SQLite's own 2 MB each page of the leaderboard of all servers would read parts of a large file again.
CACHE = 16_384
"""Maximum KiB of the file that the reading connection keeps in memory."""

PRIVATE = 0o600
"""Mode of the file: only its owner may read the hands and secrets in it."""
BESIDE = ("-wal", "-shm", "-journal")
"""Endings of the files that SQLite keeps beside the database. A new one gets the mode of the database."""

SHARED = 32_768
"""Least bytes of the file `-shm` while a process has the write-ahead log open."""

LOCK = ".lock"
"""Ending of the empty file beside the database that `alone` locks. It stays; only its lock means something."""
LOCK_WAIT = 1.0
"""Seconds that `alone` waits for a process that is about to end."""


@dataclass(frozen=True, slots=True)
class Waits:
    """Seconds that a bot waits for another process that holds the file."""

    start: float = 5.0
    """Seconds that the start waits while another process writes."""
    answer: float = 1.5
    """Seconds that reads and writes wait: well below the three in which Discord wants an answer to a click."""
    scrub: float = 6 * 3600.0
    """Seconds from an erasure to the scrub of the file, and to the next try while another process reads it."""


USUAL = Waits()


def prepare(path: Path, scripts: Path = SCRIPTS, *, wait: float = USUAL.start) -> None:
    """Check the file and migrate it to the newest version; create it when there is none. While another process writes,
    wait up to `wait` seconds. Raises StoreRefused.

    A file that is refused for its content is not changed by a single byte.
    """
    steps = versions(scripts)
    check_place(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            _inspect_at_rest(path, max(steps), wait)
        _make_private(path)
        _migrate(path, steps, wait)
    except OSError as error:
        raise StoreRefused(
            f"No database can be kept at {path}: {error.strerror}. Name another file in DATABASE_PATH."
        ) from error
    except sqlite3.Error as error:
        raise StoreRefused(f"The database {path} cannot be used: {fault(error)}.") from error


def check_place(path: Path) -> None:
    """Raise StoreRefused when no database can be at `path`: what is there is no file, a file is in the place of one of
    its folders, or this process may not enter one of them."""
    place = nearest_existing(path.parent)
    if not place.is_dir():
        reason = f"{place} is a file, not a folder"
    elif not os.access(place, os.X_OK, effective_ids=os.access in os.supports_effective_ids):
        user = os.geteuid()
        raise StoreRefused(
            f"No database can be kept at {path}: this process (user {user}) may not enter {place}. Run the bot as the "
            "owner of that folder, or name another file in DATABASE_PATH."
        )
    elif path.is_dir():
        reason = os.strerror(errno.EISDIR)
    elif is_seen(path) and not path.is_file():  # root would take `/dev/null` from all others
        reason = "a device, a pipe or a socket is there"
    else:
        return
    raise StoreRefused(f"No database can be kept at {path}: {reason}. Name another file in DATABASE_PATH.")


def nearest_existing(folder: Path) -> Path:
    """Return the folder, or the nearest one around it that exists and is seen by this process."""
    folder = folder.absolute()
    return next(each for each in (folder, *folder.parents) if is_seen(each))


def is_seen(path: Path) -> bool:
    """Return whether a file exists and this process may see it. `Path.exists` would raise PermissionError."""
    return os.path.exists(path)  # noqa: PTH110


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Keep other bots and tasks that call this away from the database during the block.

    The system releases the lock when this process ends in any way. Raises StoreRefused when another process is in such
    a block.
    """
    check_place(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(_lock_of(path), os.O_RDWR | os.O_CREAT, PRIVATE)
    except OSError as error:
        raise StoreRefused(
            f"No database can be kept at {path}: {error.strerror}. Name another file in DATABASE_PATH."
        ) from error
    try:
        if os.geteuid() == 0:  # root may run a task for a bot that is not root
            owner = (path if path.exists() else path.parent).stat()
            os.fchown(file, owner.st_uid, owner.st_gid)
        _lock(file, path)
        yield
    finally:
        os.close(file)


def is_in_use(path: Path) -> bool:
    """Return whether another process is in a block of `alone` for this database. Raises OSError when this process may
    not read the lock."""
    try:
        file = os.open(_lock_of(path), os.O_RDONLY)
    except (FileNotFoundError, NotADirectoryError):
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(file)
    return False


def _lock_of(path: Path) -> Path:
    return path.with_name(f"{path.name}{LOCK}")


def _lock(file: int, path: Path) -> None:
    give_up_at = time.monotonic() + LOCK_WAIT
    while True:
        try:
            return fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > give_up_at:
                raise StoreRefused(
                    f"Another bot or task uses the database {path}. Stop it, or name another file in DATABASE_PATH."
                ) from None
            time.sleep(0.05)
        except OSError as error:  # some network drives have no locks
            return log.warning(
                "%s cannot be locked (%s): take care that only one bot uses the database",
                path,
                error.strerror,
            )


async def connect(path: Path, waits: Waits = USUAL, *, query_only: bool = False) -> aiosqlite.Connection:
    """Return a connection to a prepared file. Statements outside BEGIN and COMMIT are transactions of their own.

    Raises StoreRefused: the file may have become unusable since `prepare`.
    """
    try:
        async with AsyncExitStack() as stack:
            connection = await aiosqlite.connect(path, isolation_level=None, timeout=waits.start)
            stack.push_async_callback(connection.close)  # else its thread would keep this process
            await connection.executescript(
                f"PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA query_only = {query_only:d};"
                f"PRAGMA busy_timeout = {waits.answer * 1000:.0f}; PRAGMA secure_delete = ON;"
            )
            if query_only:
                await connection.execute(f"PRAGMA cache_size = {-CACHE}")
            stack.pop_all()
    except sqlite3.Error as error:
        raise StoreRefused(f"The database {path} cannot be used: {fault(error)}.") from error
    return connection


def inspect(path: Path) -> None:
    """Check the file without changing it. Raises StoreRefused, sqlite3.Error or OSError."""
    _inspect_at_rest(path, newest=newest_version())


def newest_version() -> int:
    """Return the newest version of a database."""
    return max(versions(SCRIPTS))


def empty() -> sqlite3.Connection:
    """Return an empty database of the newest version in memory."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    for step in versions(SCRIPTS).values():
        db.executescript(step.read_text(encoding="utf-8"))
    return db


def _make_private(path: Path) -> None:
    """Create the file if there is none, and let only its owner read it and the files beside it."""
    with contextlib.suppress(OSError):  # SQLite says in one sentence what is wrong
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE))
    for each in (path, *(path.with_name(path.name + ending) for ending in BESIDE)):
        # A file may be gone, or belong to somebody else who lets this process write it.
        with contextlib.suppress(OSError):
            mode = stat.S_IMODE(each.stat().st_mode)
            if mode & ~PRIVATE:
                each.chmod(mode & PRIVATE)


def _inspect_at_rest(path: Path, newest: int, wait: float = USUAL.start) -> None:
    """Inspect the file, and again if another process changed it meanwhile."""
    while True:
        before = _fingerprint(path)
        try:
            return _inspect(path, newest, wait)
        except (StoreRefused, sqlite3.Error):
            # A half-done change of another process looks like damage.
            if _fingerprint(path) == before:
                raise


def _fingerprint(path: Path) -> tuple[object, ...]:
    state = path.stat()
    beside = (path.with_name(path.name + ending).exists() for ending in ("-wal", "-journal"))
    return state.st_size, state.st_mtime_ns, *beside


def _inspect(path: Path, newest: int, wait: float) -> None:
    with closing(look(path, wait)) as db:
        db.execute("BEGIN")  # all reads below see the same snapshot
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
        # Takes 0.2 s for 100 MB, the log of two million moves. Play on a damaged file would cost more.
        (verdict,) = db.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise StoreRefused(f"The database {path} cannot be used: {FAULTS[sqlite3.SQLITE_CORRUPT]}.")


def look(path: Path, wait: float = USUAL.start) -> sqlite3.Connection:
    """Return a connection that creates no files. Files that a killed process left beside the database are read, too."""
    if _has_log(path):
        mode = "ro"
    elif path.with_name(f"{path.name}-journal").exists():
        mode = "rw"  # the first start ever was killed: SQLite rolls its changes back
    else:
        mode = "ro&immutable=1"  # else SQLite would create files beside it
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}", uri=True, isolation_level=None, timeout=wait
    )


def _has_log(path: Path) -> bool:
    """Return whether a write-ahead log has content, or some process may have it open."""
    log, shared = (_size(path.with_name(f"{path.name}{ending}")) for ending in ("-wal", "-shm"))
    # An open that a full disk has refused leaves less of the shared file, and could not be repeated.
    return log > 0 or shared >= SHARED


def _size(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0


def _migrate(path: Path, steps: dict[int, Path], wait: float) -> None:
    with closing(sqlite3.connect(path, isolation_level=None, timeout=wait)) as db:
        _write_ahead(db, wait)
        while _migrate_once(db, steps):
            pass


def _write_ahead(db: sqlite3.Connection, wait: float) -> None:
    """Switch to the write-ahead log. Retry while another process does so."""
    give_up_at = time.monotonic() + wait
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > give_up_at:
                raise
            time.sleep(0.01)  # SQLite itself does not wait for that
        else:
            return


def _migrate_once(db: sqlite3.Connection, steps: dict[int, Path]) -> bool:
    """Run the next missing migration and store its number, in one transaction. Return whether there was one."""
    db.execute("BEGIN IMMEDIATE")  # two processes that start together do not run the same migration
    try:
        (version,) = db.execute("PRAGMA user_version").fetchone()
        step = steps.get(version + 1)
        if step is not None:
            # Not `executescript`, which would commit on its own.
            for statement in _statements(step.read_text(encoding="utf-8")):
                db.execute(statement)
            db.execute(f"PRAGMA application_id = {APPLICATION}")
            version += 1
        # Written even without a migration, to find a disk that takes no writes. With the files that a kill has left,
        # opening and BEGIN IMMEDIATE succeed even there.
        db.execute(f"PRAGMA user_version = {version}")
        db.execute("COMMIT")
    except sqlite3.Error:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
    return step is not None


def _statements(script: str) -> list[str]:
    """Return the statements of a script, each of which ends its line."""
    statements = [""]
    for line in script.splitlines(keepends=True):
        statements[-1] += line
        if sqlite3.complete_statement(statements[-1]):
            statements.append("")
    return statements
