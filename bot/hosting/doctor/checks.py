"""Lists of the checks that need no network. `at_discord.py` has those that ask Discord."""

from collections.abc import Iterator
from pathlib import Path

from bot.hosting.doctor import database, machine
from bot.hosting.doctor.finding import Finding, Level


def before_start(path: Path | None) -> Iterator[Finding]:
    """Check what opening the database does not check by itself. `path`: its file; None for PostgreSQL."""
    yield machine.python()
    yield machine.libraries()
    if path is None:
        return
    yield machine.folder(path)
    yield machine.disk(path)
    yield machine.file_system(path)
    yield database.backup(path)


def quick(path: Path) -> Iterator[Finding]:
    """Check within a second whether a running bot is well, or in some seconds if it seems to stand still. Needs no
    library that takes long to import."""
    folder = machine.folder(path)
    yield folder
    yield machine.disk(path)
    if folder.state is not Level.FAULT:  # else the same fault would be named twice
        yield database.readable(path)
    yield database.bot(path)
    yield database.backup(path)


def of_machine(path: Path) -> Iterator[Finding]:
    """Check everything but Discord."""
    yield machine.python()
    yield machine.libraries()
    yield machine.zones()
    folder = machine.folder(path)
    yield folder
    yield machine.disk(path)
    yield machine.file_system(path)
    if folder.state is not Level.FAULT:  # as in `quick`
        yield database.database(path)
    yield database.bot(path)
    yield database.backup(path)
