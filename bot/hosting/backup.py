"""`python -m bot backup`, `check` and `restore`: copies of the database that are known to work."""

import asyncio
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from bot.hosting.backup_files import FOLDER
from bot.hosting.recount import corrections, progress_bar, redo
from bot.hosting.transfer import Progress, Stopping
from bot.match.log import read
from bot.match.state import TableState
from bot.match.tables import game_of
from bot.program import PROGRAM
from bot.store import Finished, LogRow, Match, Result, StoreFailed, StoreRefused, open_store
from bot.store.sql.recount import recount
from bot.store.sqlite import database
from bot.store.sqlite.backup import (
    InUse,
    copy_database,
    faults_of_file,
    faults_of_live_matches,
    faults_of_packed_logs,
    keep_given,
    name_aside,
    note_restored,
    only_here,
    replace_database,
    settle,
    size_of,
    sync_folder,
    unused,
)
from bot.store.sqlite.faults import NO_ROOM_BESIDE, fault
from bot.store.sqlite.ledger import ledger_of
from bot.store.sqlite.opening import BESIDE, alone, inspect, prepare

T = TypeVar("T")

REPLAYED: Final = 20
"""Number of live matches, the newest first, that are replayed from a new backup."""
SPARE: Final = 1.1
"""Free space that a copy needs, as a multiple of the size of the database."""

Bars = Callable[[str], Progress]
"""Function that returns a function which shows progress. Its argument is what is counted."""


class BackupRefused(Exception):
    """A task on backups cannot be done. The sentence gives the reason and the remedy."""


def bar(of: str) -> Progress:
    """Return a progress bar on stderr."""
    return progress_bar(of=of)


def silent(_: str) -> Progress:
    """Return a function that shows no progress."""
    return lambda *_: None


# Backup


async def back_up(path: Path, named: Path | None, bars: Bars = bar) -> str:
    """Copy the database to a new file, which may be `named`, or go into a folder of that name. A bot may use the
    database meanwhile. Return a report.

    Raises BackupRefused and StoreRefused. Then there is no new file, and older backups are as they were."""
    return await _in_thread(partial(_back_up, path, named), bars)


def _target(path: Path, named: Path | None) -> Path:
    """Return the path of a new backup: unless another file is named, the database's name with the second in UTC."""
    if named is not None and not named.is_dir():
        return named
    return unused((named or path.parent / FOLDER) / f"{path.stem}-", path.suffix)


def _back_up(path: Path, named: Path | None, bars: Bars) -> str:
    with _refusals(named or path):
        target = _target(path, named)
    with _checked_copy(path, target, bars) as copy:
        _refuse(faults_of_live_matches(copy, replay, bars("live matches"), REPLAYED))
        _give_name(copy, target)
    return f"Backed up to {target}, and checked. It has secrets and names of people: keep it private."


async def back_up_and_try(path: Path, good: Path, faulty: Path, bars: Bars = silent) -> list[str]:
    """Copy the database to the new file `good`, and restore that for trial first. A bot may use the database meanwhile.
    Return a sentence for each live match that does not replay. If there is one, the copy is `faulty` instead.

    Raises BackupRefused and StoreRefused. Then there is no new file."""
    return await _in_thread(partial(_back_up_and_try, path, good, faulty), bars)


def _back_up_and_try(path: Path, good: Path, faulty: Path, bars: Bars) -> list[str]:
    with _checked_copy(path, good, bars, copies=2) as copy:
        faults = _faults_of_trial(path, copy, bars)
        _give_name(copy, faulty if faults else good)
    return faults


def _faults_of_trial(path: Path, copy: Path, bars: Bars) -> list[str]:
    """Open a copy of the copy as the start after a restore does, then replay its live matches. Return their faults.
    Raises StoreRefused."""
    with _part(copy.with_name(f"{path.name}.trial")) as trial:
        copy_database(copy, trial, bars("MB"), at_rest=True)
        if ledger_of(path).exists():
            shutil.copy(ledger_of(path), ledger_of(trial))  # the folder may be on another disk, so no link
        asyncio.run(_open_once(trial))
        return faults_of_live_matches(trial, replay, bars("live matches"), REPLAYED)


@contextmanager
def _checked_copy(path: Path, target: Path, bars: Bars, copies: int = 1) -> Iterator[Path]:
    """Copy the database to a file beside `target`, in which SQLite finds no fault, and yield its path. Delete it at the
    end unless it was renamed. Raises BackupRefused, also when the disk has no room for `copies` of the database."""
    with _refusals(target):
        inspect(path)
        if target.parent == path.parent / FOLDER and not os.path.lexists(target.parent):
            target.parent.mkdir(mode=0o700)
            _give_to_owner(target.parent, path.parent)
        if not target.parent.is_dir():
            raise BackupRefused(f"There is no folder {target.parent}. Create it, or name another place.")
        with _only_one(target.parent), _part(target.with_name(path.name)) as part:
            if target.exists():  # also one that another process has made just now
                raise BackupRefused(f"{target} is there already. Name another file.")
            _check_space(path, part.parent, copies)
            _copy(path, part, bars)
            _refuse(faults_of_file(part, at_rest=True))
            yield part


def _copy(path: Path, part: Path, bars: Bars) -> None:
    """Copy the database to a new file, also from a full disk if no other process uses it."""
    try:
        copy_database(path, part, bars("MB"))
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode not in NO_ROOM_BESIDE:
            raise
        part.unlink()
        with alone(path):
            copy_database(path, part, bars("MB"), at_rest=True)


def _refuse(faults: Sequence[str]) -> None:
    """Raise BackupRefused when there is a fault."""
    if faults:
        raise BackupRefused(
            f"The copy was deleted, as it has a fault. {faults[0]} Older backups are as they were. Run "
            f"`{PROGRAM} check` to see all faults of the database."
        )


def _give_name(copy: Path, target: Path) -> None:
    copy.replace(target)
    sync_folder(target.parent)


# Check


async def check(path: Path, bars: Bars = bar) -> list[str]:
    """Return a sentence for each fault of the database; none when all is well. A bot may use it meanwhile.

    A copy beside the database is checked as well, and deleted: it is opened as at a start, every live match is replayed
    from its log, and everything is recounted.

    Raises BackupRefused and StoreRefused."""
    return await _in_thread(partial(_check, path), bars)


def _check(path: Path, bars: Bars) -> list[str]:
    found = faults_of_file(path, at_rest=False)
    with _refusals(path), _only_one(path.parent), _part(path.with_name(f"{path.name}.check")) as copy:
        _check_space(path, copy.parent)
        try:
            copy_database(path, copy, bars("MB"))
            prepare(copy)
        except (sqlite3.Error, StoreRefused):
            if found:
                return found  # too damaged to be copied
            raise
        found += faults_of_live_matches(copy, replay, bars("live matches"))
        damaged = faults_of_packed_logs(copy, bars("packed logs"))
        found += damaged or _faults_of_standings(copy, bars("matches"))  # a recount needs every log
    return found


def _faults_of_standings(copy: Path, progress: Progress) -> list[str]:
    """Return the faults that a recount finds. It changes the file."""
    found: list[str] = []

    def redo_or_note(match: Match, log: Sequence[LogRow], results: Sequence[Result]) -> Finished:
        try:
            return redo(match, log, results)
        except StoreFailed as error:
            found.append(str(error))
            return redo(match, (), results)

    with database.alone(copy) as db:
        recounted = recount(db, redo_or_note, progress)
    if recounted.results or recounted.ratings or recounted.progress:
        found.append(
            f"The standings are not what a recount finds. It would correct {corrections(recounted)}. Stop the bot, "
            f"and run `{PROGRAM} recount`."
        )
    return found


def replay(match: Match, log: Sequence[LogRow]) -> str | None:
    """Replay a live match. Return a sentence about its fault; None when there is none, and for a match that began
    under older rules, which the bot closes when it starts."""
    game = game_of(match)
    if game is None:
        return None
    n = 0
    try:
        state = TableState.of(match, game)
        for n, row in enumerate(log, start=1):
            if row.n != n:
                return f"The log of match {match.id} has no entry {n}."
            state.apply(read(row))
    except Exception as error:
        # Its text may have somebody's cards.
        return f"The log of match {match.id} does not replay: entry {n} is refused ({type(error).__name__})."
    if n < match.published:
        return (
            f"The log of match {match.id} ends with entry {n}, but its messages show entry {match.published}."
        )
    if state.phase != match.phase:
        return f"By its log match {match.id} is in phase {state.phase}, by its row in phase {match.phase}."
    return None


# Restore


async def restore(path: Path, source: Path, bars: Bars = bar) -> str:
    """Put a backup in the place of the database, and keep what was there under another name. Return a report.

    Raises BackupRefused and StoreRefused. Then the present database is as it was."""
    aside = name_aside(path)
    await _in_thread(partial(_restore, path, source, aside), bars)
    kept = f" What was there before is {aside}." if aside.exists() else ""
    return f"Restored {source} to {path}.{kept}"


def _restore(path: Path, source: Path, aside: Path, bars: Bars) -> None:
    with _refusals(path):
        _check_source(path, source)
        restored = path.with_name(f"{path.name}.restored")
        with alone(path), _only_one(path.parent), _part(restored) as part:
            _settle(path)
            _check_space(source, part.parent)
            copy_database(source, part, bars("MB"), at_rest=True)
            if ledger_of(path).exists():
                shutil.copy(ledger_of(path), ledger_of(part))  # not every disk has hard links
            asyncio.run(_open_once(part))
            _give_to_owner(part, path if path.exists() else path.parent)
            _settle(path)  # another program may have written since
            keep_given(path, part)
            note_restored(part)
            replace_database(path, part, aside)


def _settle(path: Path) -> None:
    if path.exists():
        settle(path)


async def _open_once(part: Path) -> None:
    """Open and close a database: that migrates it, and erases everybody in its ledger. Raises StoreRefused."""
    await (await open_store(part)).close()


def _check_source(path: Path, source: Path) -> None:
    if os.path.isdir(source):  # noqa: PTH112 - it raises no error where the folder above may not be entered
        raise BackupRefused(f"{source} is a folder. Name a backup.")
    may_read = os.access(source, os.R_OK, effective_ids=os.access in os.supports_effective_ids)
    if not (may_read and source.is_file()):
        raise BackupRefused(
            f"There is no file {source} that this process (user {os.geteuid()}) may read. Name a backup that it may "
            "read."
        )
    if path.exists() and source.samefile(path):
        raise BackupRefused(f"{source} is the database itself. Name a backup.")
    faults = faults_of_file(source, at_rest=True)
    if faults:
        raise BackupRefused(f"{source} is no sound backup. {faults[0]} Name another one.")


def _give_to_owner(part: Path, former: Path) -> None:
    """Give the file to the owner of the present database."""
    if os.geteuid() == 0:  # it may restore for a bot that is not root
        owner = former.stat()
        os.chown(part, owner.st_uid, owner.st_gid)


# Together


async def _in_thread(work: Callable[[Bars], T], bars: Bars) -> T:
    """Run `work` in a thread, which ends when this task is cancelled."""
    with Stopping() as stopping:
        return await asyncio.to_thread(work, lambda of: stopping.watched(bars(of)))


@contextmanager
def _part(target: Path) -> Iterator[Path]:
    """Return a path beside `target` for a file that is not whole yet. Delete it at the end, and at first what a killed
    process has left there."""
    part = target.with_name(f"{target.name}.part")
    files = [part, ledger_of(part), *(part.with_name(part.name + ending) for ending in BESIDE)]
    try:
        for file in files:
            file.unlink(missing_ok=True)
        yield part
    finally:
        for file in files:
            file.unlink(missing_ok=True)


@contextmanager
def _only_one(folder: Path) -> Iterator[None]:
    try:
        with only_here(folder):
            yield
    except BlockingIOError:
        raise BackupRefused(f"Another process makes or restores a backup in {folder}.") from None


def _check_space(path: Path, folder: Path, copies: int = 1) -> None:
    """Raise BackupRefused unless the folder has room for that many copies of the database."""
    needed, free = int(size_of(path) * SPARE * copies), shutil.disk_usage(folder).free
    if free < needed:
        what = "a copy needs" if copies == 1 else f"{copies} copies need"
        raise BackupRefused(
            f"The disk of {folder} has {_mb(free)} free, and {what} {_mb(needed)}. Free some space."
        )


def _mb(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"


@contextmanager
def _refusals(target: Path) -> Iterator[None]:
    """Turn errors of files and of SQLite into BackupRefused."""
    try:
        yield
    except PermissionError as error:
        user, file = os.geteuid(), Path(error.filename or target)
        if os.access(file.parent, os.W_OK | os.X_OK, effective_ids=os.access in os.supports_effective_ids):
            raise BackupRefused(
                f"This process (user {user}) may not open {file}. Run it as the owner of that file, or give it the "
                f"file: `sudo chown {user} {file}`."
            ) from error
        raise BackupRefused(
            f"This process (user {user}) may not write into {file.parent}. Name another place, or give it the "
            f"folder: `sudo chown {user} {file.parent}`."
        ) from error
    except OSError as error:
        raise BackupRefused(
            f"{target} cannot be written: {error.strerror}. Name a place elsewhere, or free some space."
        ) from error
    except sqlite3.Error as error:
        raise BackupRefused(f"The copy failed: {fault(error)}.") from error
    except InUse:
        raise BackupRefused(f"A bot or another program uses {target}. Stop it, and try again.") from None
    except StoreFailed as error:
        raise BackupRefused(str(error)) from error
