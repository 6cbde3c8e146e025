"""Checks of the database: the file itself, the bot that uses it, the last backup."""

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from bot.hosting.backup_files import FOLDER, OLD, last_good_backup
from bot.hosting.doctor.finding import Finding, Level, split
from bot.program import PROGRAM
from bot.store.errors import StoreRefused
from bot.store.sqlite.backup import faults_of_header, size_of
from bot.store.sqlite.faults import fault
from bot.store.sqlite.opening import check_place, inspect, is_in_use, look

STALE: Final = 60
"""Seconds after which a heartbeat is old; a bot that is connected to Discord has one every 5 seconds."""
NEXT: Final = 6
"""Seconds within which the next heartbeat comes."""
WAIT: Final = 1_000
"""Ms to wait for another program that holds the file."""
NO_BOT: Final = Finding("bot", Level.OK, "No bot uses the database now.")


def database(path: Path) -> Finding:
    """Check the file as a start does, and that no other program holds it. A bot may use it meanwhile."""
    try:
        if _is_missing(path):
            return Finding("database", Level.OK, f"There is none at {path} yet; the first start creates it.")
        inspect(path)
        if not is_in_use(path):
            _try_to_write(path)
    except StoreRefused as refusal:
        return split("database", str(refusal))
    except (sqlite3.Error, OSError) as error:
        return split("database", f"The database {path} cannot be used: {fault(error)}.")
    return Finding("database", Level.OK, f"{path} is sound ({size_of(path) / 1e6:,.1f} MB).")


def _is_missing(path: Path) -> bool:
    """Return whether there is no database yet. Raises StoreRefused when none can be there."""
    check_place(path)
    return not path.exists() or not path.stat().st_size


def _try_to_write(path: Path) -> None:
    """Begin a transaction that would write. Raises sqlite3.Error."""
    with closing(
        sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None)
    ) as db:
        db.execute(f"PRAGMA busy_timeout = {WAIT}")
        db.execute("BEGIN IMMEDIATE")
        db.execute("ROLLBACK")


def readable(path: Path) -> Finding:
    """Check that the database can be read, without reading all of it."""
    try:
        if _is_missing(path):
            return Finding("database", Level.OK, f"There is none at {path} yet; the first start creates it.")
        with closing(look(path)) as db:
            faults = faults_of_header(db)
    except StoreRefused as refusal:
        return split("database", str(refusal))
    except (sqlite3.Error, OSError) as error:
        return split("database", f"The database {path} cannot be used: {fault(error)}.")
    if faults:
        what = f"The database {path} cannot be used. {faults[0]}"
        return Finding("database", Level.FAULT, what, "Name another file in DATABASE_PATH.")
    return Finding("database", Level.OK, f"{path} can be read ({size_of(path) / 1e6:,.1f} MB).")


def bot(path: Path, now: float | None = None, wait: Callable[[float], None] = time.sleep) -> Finding:
    """Check that the bot which uses the database is well, if one does. `now`: seconds since the Unix epoch."""
    try:
        if not is_in_use(path):
            return NO_BOT
    except OSError as error:
        return Finding(
            "bot",
            Level.WARNING,
            f"This process may not read {error.filename}, and so not tell whether a bot runs.",
            "Run the doctor as the user of the bot.",
        )
    query = "SELECT at FROM alive"
    return at_work(_value(path, query), lambda: _value(path, query), now, wait)


def at_work(
    beat: int | None,
    read: Callable[[], int | None],
    now: float | None = None,
    wait: Callable[[float], None] = time.sleep,
) -> Finding:
    """Check that a bot which uses the database is at work. `beat`: its last heartbeat in ms, by Discord's time; `read`
    returns that after `wait` has let some seconds pass."""
    if beat is None:
        return Finding("bot", Level.OK, "A bot or a task uses the database.")
    if (age := _age(beat, now)) <= STALE:
        return _running(age)
    wait(NEXT)
    after = read()
    if after is None or after == beat:
        return Finding(
            "bot",
            Level.FAULT,
            f"A bot or a task uses the database, but no bot is at work; {_last(age)}.",
            "Read its log: it may wait for Discord, or hang. If it hangs, start it again; no match is lost by that.",
        )
    if (fresh := _age(after, now)) <= STALE:  # it has just started after a pause, or goes on after a freeze
        return _running(fresh)
    return Finding(
        "bot",
        Level.WARNING,
        f"A bot is running, but this machine's clock differs from Discord's by {int(fresh)} s.",
        "Set it by the network (NTP). The bot goes by Discord's time.",
    )


def _age(beat: int, now: float | None) -> float:
    """Return the seconds between a heartbeat (ms) and now."""
    return abs((time.time() if now is None else now) - beat / 1000)


def _last(age: float) -> str:
    return f"last heartbeat {_ago(timedelta(seconds=age))}"


def _running(age: float) -> Finding:
    return Finding("bot", Level.OK, f"A bot is running; {_last(age)}.")


def backup(path: Path, now: datetime | None = None) -> Finding:
    """Check that there is a backup which is not too old."""
    now = now or datetime.now(UTC)
    if readable(path).state is Level.FAULT:
        return Finding("backup", Level.SKIPPED, "Not checked, because the database cannot be read.")
    last = _newest_backup(path)
    if last is not None and now - last < OLD:
        return Finding("backup", Level.OK, f"The last one is from {_ago(now - last)}.")
    if not needs_backup(path, now):
        return Finding("backup", Level.OK, "None is needed yet.")
    said = "There is none" if last is None else f"The last one is from {_ago(now - last)}"
    return Finding(
        "backup",
        Level.WARNING,
        f"{said} (looked in {path.parent / FOLDER}).",
        f"Run `{PROGRAM} backup`, and keep copies on another machine.",
    )


def needs_backup(path: Path, now: datetime) -> bool:
    """Return whether the first match of a database is old enough that there should be a backup."""
    first = _value(path, "SELECT opened FROM matches ORDER BY id LIMIT 1")
    return first is not None and now - datetime.fromtimestamp(first / 1000, UTC) >= OLD


def _newest_backup(path: Path) -> datetime | None:
    try:
        return last_good_backup(path)
    except OSError:
        return None


def last_application(path: Path) -> str | None:
    """Return the id of the application that used the database last, if it is known."""
    value = _value(path, "SELECT value FROM facts WHERE key = 'application'")
    return None if value is None else str(value)


def is_of_sandbox(path: Path) -> bool | None:
    """Return whether the database was last used on a sandbox, not on Discord. Return None if it is not known."""
    value = _value(path, "SELECT value FROM facts WHERE key = 'at discord'")
    return None if value is None else value == "0"


def _value(path: Path, query: str) -> Any:
    """Return the first value of the first row; None without one, and when the database cannot be read."""
    try:
        if not path.is_file():
            return None
        with closing(look(path)) as db:
            row = db.execute(query).fetchone()
    except (sqlite3.Error, OSError):
        return None
    return row[0] if row else None


def _ago(age: timedelta) -> str:
    seconds = age.total_seconds()
    for length, unit in ((86_400, "days"), (3_600, "hours"), (60, "minutes")):
        if seconds >= 2 * length:
            return f"{seconds // length:,.0f} {unit} ago"
    return f"{seconds:.0f} s ago"
