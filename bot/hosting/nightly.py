"""The bot's own backup of every night: made, restored for trial, and deleted when it is old.

A worker process does the work, with the lowest priority, so that clicks are answered meanwhile:
`python -m bot.hosting.nightly DATABASE`. It inherits no environment variable but Python's path.
"""

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Callable, Collection, Hashable, Sequence
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen
from typing import Final

from bot.hosting.backup import BackupRefused, back_up_and_try
from bot.hosting.backup_files import FOLDER, backups
from bot.program import PROGRAM
from bot.store import StoreRefused
from bot.store.sqlite.backup import utc_minute
from bot.worker_process import command, environment

log = logging.getLogger(__name__)

NIGHT: Final = time(3, 10, tzinfo=UTC)
"""Time from which a new backup is due."""
FIRST: Final = 600.0
"""Seconds from the start of the bot, which is busy then, to the first check whether a backup is due."""
PAUSE: Final = 600.0
"""Seconds between two checks whether a backup is due."""
RETRY: Final = 6 * 3600.0
"""Seconds after which a backup that failed is tried again."""
NICENESS: Final = 19
"""Niceness of the process: others that want the processor get nearly all of it."""

KEPT: Final[tuple[tuple[int, Callable[[datetime], Hashable]], ...]] = (
    (7, lambda made: made.date()),
    (4, lambda made: made.isocalendar()[:2]),
    (6, lambda made: (made.year, made.month)),
)
"""Numbers of days, weeks and months of which the last backup is kept."""


# Files


def outdated(made: Collection[datetime], now: datetime) -> set[datetime]:
    """Return the minutes of the backups to delete: all but the last one of each of the newest 7 days, 4 weeks and 6
    months that have one."""
    # What is later than `now` stays, and does not count: the clock may have jumped.
    past = sorted((each for each in made if each <= now), reverse=True)
    kept = set()
    for number, period in KEPT:
        last = {period(each): each for each in reversed(past)}
        kept |= {*sorted(last.values(), reverse=True)[:number]}
    return {*past} - kept


def delete_outdated(path: Path, now: datetime) -> int:
    """Delete old backups that the bot made of this database, and return their number. Raises OSError."""
    made = backups(path, "nightly-")
    old = outdated(made, now)
    for each in old:
        made[each].unlink()
    return len(old)


def _delete_faulty(path: Path, newest: Path) -> None:
    """Delete the copies with faults, except the newest. Raises OSError."""
    for each in backups(path, "faulty-").values():
        if each != newest:
            each.unlink()


# In the bot


async def back_up_nightly(
    path: Path, first: float = FIRST, process: Sequence[str] = command(__name__)
) -> None:
    """Make a backup by `process` whenever one is due, until cancelled, beginning after `first` seconds. Failures are
    logged."""
    pause = first
    while True:
        await asyncio.sleep(pause)
        pause = PAUSE if await _is_done(path, process) else RETRY


def is_due(path: Path, now: datetime) -> bool:
    """Return whether the bot has made no backup since the last night began. Raises OSError."""
    tonight = datetime.combine(now, NIGHT)
    # After a night in which the machine was off, a backup is due at once.
    night = tonight if tonight <= now else tonight - timedelta(days=1)
    return not any(night <= made <= now for made in backups(path, "nightly-"))


async def _is_done(path: Path, process: Sequence[str]) -> bool:
    """Make a backup if one is due, and log the outcome. Return whether all is well."""
    try:
        if not is_due(path, datetime.now(UTC)):
            return True
        status, said = await _ask_process(path, process)
    except OSError as error:
        status, said = 1, f"{error.filename or 'A process'}: {error.strerror}."
    if status == 0:
        log.info("%s", said)
        return True
    said = said or f"The process has died. Run `{PROGRAM} backup` to see why."
    log.warning("the nightly backup failed, and is tried again in %d hours. %s", RETRY / 3600, said)
    return False


async def _ask_process(path: Path, command: Sequence[str]) -> tuple[int, str]:
    """Make a backup in a process. Return its exit status and its report. Raises OSError."""
    process = Popen(  # noqa: S603, ASYNC220 - our own module; starting it takes milliseconds
        (*command, str(path)),
        env=environment(),
        stdin=DEVNULL,
        stdout=PIPE,
        stderr=DEVNULL,  # a traceback might name cards
        start_new_session=True,  # else a terminal's Ctrl+C would end it first
        text=True,
    )
    try:
        said, _ = await asyncio.to_thread(process.communicate)
    except asyncio.CancelledError:
        process.terminate()  # then the thread ends, too
        raise
    return process.returncode, said


# In the process


def main(path: Path) -> int:
    """Make a backup, and write a report to stdout. Return the exit status: 0 when all is well. SIGTERM ends it and
    leaves no half file."""
    os.nice(NICENESS)
    # Checked to have room. The folder for temporary files may be small, or not writable in a container.
    os.environ["SQLITE_TMPDIR"] = str(path.parent / FOLDER)
    try:
        status, said = asyncio.run(_until_terminated(path))
    except asyncio.CancelledError:
        return 1
    sys.stdout.write(said)
    return status


async def _until_terminated(path: Path) -> tuple[int, str]:
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    return await make(path)


async def make(path: Path) -> tuple[int, str]:
    """Make a backup, restore it for trial, and delete old ones. Return the exit status and a report."""
    good, faulty = (
        path.parent / FOLDER / f"{path.stem}-{mark}-{utc_minute()}{path.suffix}"
        for mark in ("nightly", "faulty")
    )
    try:
        faults = await back_up_and_try(path, good, faulty)
        _delete_faulty(path, faulty)
        if faults:
            return 1, (
                f"{faults[0]} The copy is kept as {faulty.name}, and good backups stay. Run `{PROGRAM} check` "
                "to see all faults."
            )
        deleted = delete_outdated(path, datetime.now(UTC))
    except (BackupRefused, StoreRefused) as refusal:
        return 1, str(refusal)
    except OSError as error:
        return 1, f"Old backups cannot be deleted: {error.strerror} ({error.filename})."
    return 0, f"backed up to {good}, restored it for trial, and deleted {deleted} old backups"


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
