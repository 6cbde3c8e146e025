"""`python -m bot export` and `python -m bot import`: take the standings of a server from one database to another."""

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

from bot.hosting.recount import progress_bar, redo
from bot.hosting.standings_file import FileRefused, write
from bot.store import FORMER, GuildStandings, Imported, Store
from bot.store.sqlite.backup import only_here, sync_folder
from games.phrases import counted

Progress: TypeAlias = Callable[[int, int], None]

PRIVATE: Final = 0o600
"""Mode of the file: only its owner may read it, as it has ids and names of people."""


class Stopped(Exception):
    """The task was cancelled."""


def usual_path(guild: int, database: Path | str) -> Path:
    """Return the path of an export when none is named: beside the file of the database, else in the current folder."""
    # In a container, or as a service, a task may write nowhere else.
    return (database.parent if isinstance(database, Path) else Path()) / f"palmhouse-{guild}.json"


async def export_standings(store: Store, guild: int, path: Path) -> str:
    """Write the standings of a server to a new file, with a progress bar on stderr. Return a report.

    Raises FileRefused, and then there is no file. Raises Unreadable."""
    exporting = _Exporting(path)
    with Stopping() as stopping:
        await store.export_guild(
            guild, lambda standings: exporting.write(standings, stopping.watched(progress_bar()))
        )
    return exporting.report


async def import_standings(store: Store, standings: GuildStandings) -> str:
    """Add standings to the database, with a progress bar on stderr. Return a report. Raises StoreFailed."""
    with Stopping() as stopping:
        done = await store.import_guild(standings, redo, stopping.watched(progress_bar()))
    return imported_report(standings.guild, done)


class Stopping:
    """Ends the work of a thread when the task that waits for it is cancelled. A thread cannot be cancelled itself."""

    def __init__(self) -> None:
        self._stopped = threading.Event()

    def __enter__(self) -> "Stopping":
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()

    def watched(self, progress: Progress) -> Progress:
        """Return a function that shows progress, and raises Stopped after the task was cancelled."""

        def show(done: int, total: int) -> None:
            if self._stopped.is_set():
                raise Stopped
            progress(done, total)

        return show


class _Exporting:
    """Writes one file."""

    def __init__(self, path: Path) -> None:
        if os.path.isdir(path):  # noqa: PTH112 - it raises no error where the folder above may not be entered
            raise FileRefused(f"{path} is a folder. Name a new file in it.")
        self._path = path
        self._part = path.with_name(f"{path.name}.part")
        self.report = ""

    def write(self, standings: GuildStandings, progress: Progress) -> None:
        """Write the file under another name, and rename it when all of it is on the disk."""
        if not (standings.total or standings.seasons):
            raise FileRefused(
                f"The database has no finished match of server {standings.guild}. Copy the id of the server in Discord "
                "(Settings, Advanced, Developer Mode; then in the menu of the server)."
            )
        folder = self._path.absolute().parent
        try:
            with only_here(folder):
                if self._path.exists():
                    raise FileRefused(f"{self._path} is there already. Delete it, or name another file.")
                self._part.unlink(missing_ok=True)
                try:
                    self._write(standings, progress)
                    self._part.replace(self._path)
                finally:
                    self._part.unlink(missing_ok=True)
                sync_folder(folder)
        except BlockingIOError:
            raise FileRefused(f"Another process writes an export or a backup in {folder}.") from None
        except OSError as error:
            raise FileRefused(
                f"{self._path} cannot be written: {error.strerror}. Name a file elsewhere, or free some space."
            ) from error
        self.report = exported_report(standings, self._path)

    def _write(self, standings: GuildStandings, progress: Progress) -> None:
        opened = os.open(self._part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE)
        with os.fdopen(opened, "w", encoding="utf-8") as file:
            progress(0, standings.total)
            for done in write(standings, file, exported=int(time.time() * 1000)):
                progress(done, standings.total)
            file.flush()
            os.fsync(file.fileno())


def exported_report(standings: GuildStandings, path: Path) -> str:
    """Return what was exported, for the person who runs the bot."""
    what = _counted(standings.total, len(standings.seasons))
    sentences = [f"Exported {what} of server {standings.guild} to {path}."]
    sentences += [
        f"Season {name!r} is not closed, so it is not in the file." for name in standings.unfinished
    ]
    return " ".join([*sentences, "The file has ids and names of people: keep it private."])


def imported_report(guild: int, done: Imported) -> str:
    """Return what was imported, for the person who runs the bot."""
    known = _counted(done.known_matches, done.known_seasons)
    if not (done.matches or done.seasons):
        return f"Nothing was imported: {known} of server {guild} were here already."
    sentences = [f"Imported {_counted(len(done.matches), done.seasons)} of server {guild}."]
    if done.known_matches or done.known_seasons:
        sentences.append(f"{known} were here already.")
    if done.erased:
        people = "person was" if done.erased == 1 else "people were"
        sentences.append(f'{done.erased:,} {people} erased here before: "{FORMER}" takes their place.')
    if done.recounted is not None:
        sentences.append("All matches were counted again in the order of their ends.")
        others = len({*done.recounted.ratings} - {*done.matches})
        if others:
            sentences.append(
                f"A rating counts matches on all servers, so ratings changed after "
                f"{counted(others, 'match')} that were here before."
            )
    return " ".join(sentences)


def _counted(matches: int, seasons: int) -> str:
    return f"{counted(matches, 'match')} and {counted(seasons, 'season')}"
