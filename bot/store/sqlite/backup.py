"""Copy a database file, check it, and put a copy in its place. Each function works on a file, not on an open store."""

import errno
import fcntl
import os
import sqlite3
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import fields
from itertools import count
from pathlib import Path
from typing import Any, Final, TypeAlias

from bot.store.errors import StoreFailed, Unreadable
from bot.store.rows import LogRow, Match
from bot.store.seeds import new_seed
from bot.store.sql.packing import unpack
from bot.store.sql.restored import IS_SEALED, IS_TO_COME, RESTORED, cut_anew, night_secret
from bot.store.sqlite.opening import (
    APPLICATION,
    BESIDE,
    PRIVATE,
    USUAL,
    empty,
    look,
    newest_version,
)

Progress: TypeAlias = Callable[[int, int], None]
"""Function that is called with what is done and what there is to do. It may raise to stop the work."""
Replay: TypeAlias = Callable[[Match, Sequence[LogRow]], str | None]
"""Function that replays a match from its log, and returns a sentence about what is wrong with it."""

MB: Final = 1_000_000
STEPS: Final = 100_000
"""Number of steps of SQLite's virtual machine between two calls of a Progress: some milliseconds."""
MOST_FAULTS: Final = 20
"""Maximum number of lines that SQLite writes about a damaged file."""

ASIDE: Final = ".before-"
"""Part of the name of a database that was replaced, before the time of that."""
LOCKED_BYTES: Final = 0x40000002, 510
"""Offset and number of the bytes that each connection to a database locks for reading, from SQLite's os.h."""
NO_LINKS: Final = errno.EPERM, errno.ENOTSUP, errno.ENOSYS
"""Errors of a link on a disk without hard links. Whoever may not link has been refused before."""


TO_SCRUB: Final = "to scrub"
"""Key of the store's fact that something was erased since the last scrub (`bot.store.sqlite.ledger`)."""
SCRUBBED: Final = (
    "UPDATE erasures SET scrubbed = 1 WHERE scrubbed = 0",
    f"DELETE FROM facts WHERE key = '{TO_SCRUB}'",  # noqa: S608 - our own text
)
"""Statements that keep of a file that it has no byte of what was erased."""


class InUse(Exception):
    """Another process has the database open."""


def size_of(path: Path) -> int:
    """Return the size of a database in bytes, with its write-ahead log."""
    size = path.stat().st_size
    with suppress(FileNotFoundError):
        size += path.with_name(f"{path.name}-wal").stat().st_size
    return size


def copy_database(path: Path, target: Path, progress: Progress, *, at_rest: bool = False) -> None:
    """Write the database as it is at one moment to a new file, and wait until that is on the disk. Other processes may
    read and write the database meanwhile, unless it is `at_rest`. `progress` gets megabytes.

    Raises OSError, also when there is a target already, sqlite3.Error, and whatever `progress` raises. Then the target
    may be there in part."""
    # SQLite writes into an empty file, too, but would create one that everybody may read.
    with os.fdopen(os.open(target, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE), "rb") as file:
        with closing(look(path) if at_rest else _connected(path)) as db:
            _vacuum_into(db, target, -(-size_of(path) // MB), progress)
        with closing(_connected(target)) as db:
            # The copy has no old bytes. To rebuild it when it is opened would take as much room again.
            for statement in SCRUBBED:
                db.execute(statement)
        os.fsync(file.fileno())


def _connected(path: Path) -> sqlite3.Connection:
    # An address, as a plain path would create the file when it has just gone.
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None, timeout=USUAL.start
    )


def _vacuum_into(db: sqlite3.Connection, target: Path, total: int, progress: Progress) -> None:
    stopped: list[BaseException] = []

    def show() -> bool:
        """Return True to interrupt the copy."""
        try:
            progress(min(target.stat().st_size // MB, total - 1), total)
        except BaseException as error:
            stopped.append(error)
        return bool(stopped)

    db.execute("SELECT 1 FROM sqlite_schema").fetchone()  # its errors have details, those of VACUUM have none
    db.set_progress_handler(show, STEPS)
    progress(0, total)
    try:
        db.execute("VACUUM INTO ?", (str(target),))
    except sqlite3.Error:
        if stopped:
            raise stopped[0] from None
        raise
    progress(total, total)


# Faults


def faults_of_file(path: Path, *, at_rest: bool) -> list[str]:
    """Return a sentence for each fault of the file: another program's, a newer version's, damage, rows without the row
    that they refer to, missing indexes. It is not changed. Other processes may use it, unless it is `at_rest`."""
    try:
        with closing(look(path) if at_rest else _connected(path)) as db:
            db.execute("PRAGMA query_only = ON")
            db.execute("BEGIN")  # all reads see the same snapshot
            return faults_of_header(db) or [*_damage(db), *_orphans(db), *_missing(db)]
    except sqlite3.Error as error:
        return [f"{path} cannot be read ({error})."]


def faults_of_header(db: sqlite3.Connection) -> list[str]:
    """Return a sentence for each fault of the first page: another program's database, or a newer version's."""
    if _pragma(db, "application_id") != APPLICATION:
        return ["It is not a database of Palmhouse."]
    version, newest = _pragma(db, "user_version"), newest_version()
    if version > newest:
        return [f"A newer Palmhouse has written it (version {version}; this one knows {newest})."]
    return []


def _damage(db: sqlite3.Connection) -> Iterator[str]:
    for (line,) in db.execute(f"PRAGMA integrity_check({MOST_FAULTS})"):
        if line != "ok":
            yield f"SQLite finds damage: {' '.join(line.split())}."


def _orphans(db: sqlite3.Connection) -> Iterator[str]:
    rows = [(table, parent) for table, _, parent, _ in db.execute("PRAGMA foreign_key_check")]
    for table, parent in dict.fromkeys(rows):
        number = rows.count((table, parent))
        yield f"Rows of {table} refer to rows of {parent} that are not there ({number:,})."


def _missing(db: sqlite3.Connection) -> Iterator[str]:
    """Yield a sentence for each table, index and trigger that is not there. Older versions lack some by right."""
    if _pragma(db, "user_version") == newest_version():
        query = "SELECT type, name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name"
        present = {*db.execute(query)}
        with closing(empty()) as model:
            expected = model.execute(query).fetchall()
        for kind, name in expected:
            if (kind, name) not in present:
                yield f"The {kind} {name} is missing."


def _pragma(db: sqlite3.Connection, name: str) -> int:
    return int(db.execute(f"PRAGMA {name}").fetchone()[0])


def faults_of_live_matches(path: Path, replay: Replay, progress: Progress, newest: int = -1) -> list[str]:
    """Replay the matches in the lobby or in play from their logs, or only the `newest` of them, in a file that no other
    process uses. Return a sentence for each fault. Raises sqlite3.Error, and whatever `progress` raises."""
    with closing(look(path)) as db:
        db.row_factory = sqlite3.Row
        rows = db.execute(
            "SELECT * FROM matches WHERE phase IN ('lobby', 'play') ORDER BY id DESC LIMIT ?", (newest,)
        ).fetchall()
        found = []
        progress(0, len(rows))
        for done, row in enumerate(rows, start=1):
            match = _match(row)
            found.append(replay(match, _log(db, match.id)))
            progress(done, len(rows))
    return [fault for fault in found if fault is not None]


def faults_of_packed_logs(path: Path, progress: Progress) -> list[str]:
    """Return a sentence for each packed log that cannot be read, in a file of the newest version that no other process
    uses. Raises sqlite3.Error, and whatever `progress` raises."""
    found = []
    with closing(look(path)) as db:
        (total,) = db.execute("SELECT count(*) FROM packed_logs").fetchone()
        progress(0, total)
        for done, (match, value) in enumerate(db.execute("SELECT match, log FROM packed_logs"), start=1):
            try:
                unpack(match, value)
            except Unreadable as error:
                found.append(str(error))
            progress(done, total)
    return found


def _match(row: sqlite3.Row) -> Match:
    """Return a match of this or an older version, which lacks columns."""
    there: Collection[str] = row.keys()
    values: list[Any] = [row[each.name] if each.name in there else None for each in fields(Match)]
    return Match(*values)


def _log(db: sqlite3.Connection, match: int) -> list[LogRow]:
    # The log of a live match is never packed.
    query = "SELECT n, kind, seat, user, body, at FROM log WHERE match = ? ORDER BY n"
    return [LogRow(*row) for row in db.execute(query, (match,))]


# Putting a copy in the place of the database


def settle(path: Path) -> None:
    """Write the write-ahead log into a database that no other process uses. A file that cannot be read stays as it is.
    Raises InUse."""
    try:
        with closing(_connected(path)) as db:
            db.execute("PRAGMA busy_timeout = 0")
            db.execute("PRAGMA locking_mode = EXCLUSIVE")
            db.execute("BEGIN EXCLUSIVE")
            db.execute("COMMIT")
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error as error:
        if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
            raise InUse from None


def keep_given(path: Path, copy: Path) -> None:
    """Let a copy know what the database has given since: numbers, such as those of matches, whose messages stand in
    Discord with buttons; secrets of daily deals that people have played, and which were closed; and roles of winners,
    which the bot takes away later. Do nothing when the database cannot be read. Raises sqlite3.Error."""
    try:
        with closing(look(path)) as db:
            numbers = db.execute("SELECT name, seq FROM sqlite_sequence").fetchall()
            dailies = db.execute("SELECT * FROM facts WHERE key LIKE 'daily %'").fetchall()
            # The first version has no such table.
            (has_roles,) = db.execute("SELECT count(*) FROM pragma_table_info('night_roles')").fetchone()
            query = "SELECT guild, user, role, until FROM night_roles"
            roles = db.execute(query).fetchall() if has_roles else []
    except sqlite3.Error:
        return
    with closing(_connected(copy)) as db:
        db.executemany("INSERT INTO facts VALUES (?, ?) ON CONFLICT DO NOTHING", dailies)
        db.executemany(
            "INSERT INTO night_roles (guild, user, role, until) VALUES (?, ?, ?, ?)"
            " ON CONFLICT (guild, user, role) DO UPDATE SET until = excluded.until",
            roles,
        )
        for name, number in numbers:
            (highest,) = db.execute("SELECT max(seq) FROM sqlite_sequence WHERE name = ?", (name,)).fetchone()
            db.execute("DELETE FROM sqlite_sequence WHERE name = ?", (name,))
            db.execute(
                "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (name, max(highest or 0, number))
            )


def note_restored(copy: Path) -> None:
    """Tell a copy that it goes on in place of the database (`bot.store.sql.restored`). Raises sqlite3.Error."""
    with closing(_connected(copy)) as db:
        db.create_function("new_seed", 0, new_seed)
        db.create_function("cut_anew", 2, cut_anew)
        db.create_function("night_secret", 0, night_secret)
        db.execute("BEGIN")
        for statement in RESTORED:
            db.execute(statement)
        db.execute(f"UPDATE matches SET seed = new_seed() WHERE {IS_SEALED}")  # noqa: S608 - our own text
        db.execute(
            f"UPDATE log SET body = cut_anew(seed, body) FROM matches"  # noqa: S608 - our own text
            f" WHERE match = id AND kind = 'cut' AND {IS_SEALED}"
        )
        db.execute(f"UPDATE nights SET secret = night_secret() WHERE {IS_TO_COME}")  # noqa: S608 - our own text
        db.execute("COMMIT")


def name_aside(path: Path) -> Path:
    """Return a new path beside the database, for what is there now."""
    return unused(path.with_name(f"{path.name}{ASIDE}"))


def unused(start: Path, ending: str = "") -> Path:
    """Return a path where nothing is: `start`, the present second in UTC, or the next one that is free, and `ending`.
    By name, the paths are in the order of time."""
    seconds = (time.strftime("%Y-%m-%dT%H%M%SZ", time.gmtime(at)) for at in count(time.time()))
    named = (start.with_name(f"{start.name}{second}{ending}") for second in seconds)
    return next(each for each in named if not each.exists())


def replace_database(path: Path, copy: Path, aside: Path) -> None:
    """Rename `copy` to `path`, and keep what was there as `aside` (see `name_aside`), with the files beside it.

    A process that is killed here leaves the old or the new database at `path`. Raises InUse, OSError, sqlite3.Error,
    and StoreFailed for a disk without hard links."""
    with closing(_connected(copy)) as db:
        # To close it does that, too, but says nothing of a full disk. What is left in its log would be lost.
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with _locked(path):
        _forget_interrupted(path)
        pairs = [
            (path.with_name(path.name + end), aside.with_name(aside.name + end)) for end in ("", *BESIDE)
        ]
        there = [(old, new) for old, new in pairs if old.exists()]
        for old, new in there:
            try:
                os.link(old, new)  # a rename would leave no database here for a moment
            except OSError as error:
                if error.errno not in NO_LINKS:
                    raise
                raise StoreFailed(
                    f"The disk of {path} has no hard links, by which a restore keeps what is there. Move all files "
                    f"{path}* to another disk, name the new place in DATABASE_PATH, and restore there."
                ) from None
        # The log of the old database must not be read as that of the new one. That of a sound database is empty now.
        for old, _ in there:
            if old != path:
                old.unlink()
        sync_folder(path.parent)
        copy.replace(path)
        sync_folder(path.parent)


def _forget_interrupted(path: Path) -> None:
    """Delete the second names of the present database that a killed process has left."""
    for each in path.parent.iterdir():
        if each.name.startswith(f"{path.name}{ASIDE}") and path.exists() and each.samefile(path):
            each.unlink()


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Let no other process use the database, if there is one. Raises InUse when one does."""
    if not path.exists():
        yield
        return
    # SQLite's own lock goes with its connection, which would delete the files beside the new database when it closes.
    start, length = LOCKED_BYTES
    with path.open("r+b") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, length, start)
        except BlockingIOError:
            raise InUse from None
        yield


def sync_folder(folder: Path) -> None:
    """Wait until the new name of a file in the folder is on the disk."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    except OSError as error:
        if error.errno != errno.EINVAL:  # as some network drives and shared folders sync no folders
            raise
    finally:
        os.close(opened)


@contextmanager
def only_here(folder: Path) -> Iterator[None]:
    """Keep other processes out of this block for the same folder. Raises BlockingIOError while one is in it."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise
        except OSError:  # a network drive may lock no folders
            pass
        yield
    finally:
        os.close(opened)


def utc_minute() -> str:
    """Return the present minute for names of files: "2026-11-22T0310Z"."""
    return time.strftime("%Y-%m-%dT%H%MZ", time.gmtime(time.time()))
