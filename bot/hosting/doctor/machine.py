"""Checks of the machine: Python, libraries, the folder of the database, its disk and file system."""

import os
import re
import shutil
import socket
import sys
import tomllib
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from typing import Final
from zoneinfo import available_timezones

from bot.hosting.doctor.finding import Finding, Level
from bot.hosting.doctor.mounts import NETWORK, Mount, loss, mount_of
from bot.store.sqlite.backup import size_of
from bot.store.sqlite.ledger import ledger_of
from bot.store.sqlite.opening import BESIDE, LOCK, is_seen, nearest_existing

OLDEST_PYTHON: Final = (3, 11)
PACKAGE: Final = "palmhouse"
PYPROJECT: Final = Path(__file__).parents[3] / "pyproject.toml"

LOCALHOST: Final = "127.0.0.1"

MB: Final = 1_000_000
LEAST_FREE: Final = 20 * MB
"""Free bytes below which the database may take no more moves at any time."""
ENOUGH_FREE: Final = 200 * MB
"""Free bytes that suffice for a small database, its backups and logs."""
COPIES: Final = 2.2
"""Size of a backup and of the copy that checks it, as a multiple of the size of the database."""


# Python and libraries


def python(version: tuple[int, ...] = sys.version_info[:3]) -> Finding:
    """Check the version of Python."""
    shown = ".".join(map(str, version))
    if version < OLDEST_PYTHON:
        oldest = ".".join(map(str, OLDEST_PYTHON))
        return Finding(
            "Python",
            Level.FAULT,
            f"This is Python {shown}; the bot needs {oldest} or newer.",
            "Install a newer one, then delete and create the folder .venv again.",
        )
    return Finding("Python", Level.OK, f"{shown}.")


def libraries(ranges: Iterable[str] | None = None) -> Finding:
    """Check the versions of the installed libraries against ranges like "aiohttp<4,>=3.11"; by default against those of
    the project. A version that is too new is a warning, as the bot may play with it."""
    wanted = [*(required() if ranges is None else ranges)]
    wrong = [fault for each in wanted if (fault := _fault(each))]
    if wrong:
        return Finding(
            "libraries",
            Level.FAULT if Level.FAULT in {state for state, _ in wrong} else Level.WARNING,
            f"{'; '.join(said for _, said in wrong)}.",
            "Install them again: `.venv/bin/pip install --require-hashes -r requirements.txt`.",
        )
    if not wanted:
        return Finding("libraries", Level.SKIPPED, "Not checked: nothing says which versions are needed.")
    return Finding("libraries", Level.OK, f"{len(wanted)}, each in a version that suits.")


def zones(known: Collection[str] | None = None) -> Finding:
    """Check whether the machine knows time zones; `known` are their names."""
    if found := available_timezones() if known is None else known:
        return Finding("time zones", Level.OK, f"{len(found)} are known.")
    return Finding(
        "time zones",
        Level.WARNING,
        "The machine knows none, so nobody can set `/hours`.",
        "Install the package `tzdata` of the system, or `.venv/bin/pip install tzdata`.",
    )


def required() -> list[str]:
    """Return the ranges of the libraries that the bot needs: of pyproject.toml beside it, else of its package."""
    with suppress(OSError, ValueError, KeyError):
        project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
        if project["name"] == PACKAGE:
            return [*project["dependencies"]]
    try:
        # Ranges with a condition are of extras.
        return [each for each in metadata.requires(PACKAGE) or () if ";" not in each]
    except metadata.PackageNotFoundError:
        return []


def _fault(wanted: str) -> tuple[Level, str] | None:
    """Return how bad the fault of a library is, and a part of a sentence about it; None without a fault."""
    found = re.match(r"[\w.-]+", wanted)
    assert found is not None
    name, limits = found[0], re.findall(r"(>=|<)\s*([\d.]+)", wanted)
    try:
        installed = metadata.version(name)
    except metadata.PackageNotFoundError:
        return Level.FAULT, f"{name} is not installed"
    for sign, limit in limits:
        if sign == ">=" and _numbers(installed) < _numbers(limit):
            return Level.FAULT, f"{name} {installed} is too old ({limit} or newer is needed)"
        if sign == "<" and _numbers(installed) >= _numbers(limit):
            return Level.WARNING, f"{name} {installed} is too new (tested below {limit})"
    return None


def _numbers(version: str) -> list[int]:
    release = re.match(r"[\d.]*", version)
    return [int(part) for part in (release[0] if release else "").split(".") if part]


# The place of the database


def folder(path: Path) -> Finding:
    """Check that this process may write the database, its folder, and the files that are there."""
    place = nearest_existing(path.parent)
    if not place.is_dir():
        return Finding(
            "folder",
            Level.FAULT,
            f"{place} is a file, not a folder.",
            "Name another file in DATABASE_PATH.",
        )
    beside = (path.with_name(path.name + ending) for ending in (*BESIDE, LOCK))
    files = (path, ledger_of(path), *beside)
    refused = [each for each in (place, *files) if is_seen(each) and not _may_write(each)]
    if not refused:
        return Finding("folder", Level.OK, f"{place} can be written by this process (user {os.geteuid()}).")
    if os.statvfs(place).f_flag & os.ST_RDONLY:
        return Finding(
            "folder",
            Level.FAULT,
            f"{place} is mounted read-only.",
            "Mount it so that the bot may write, or name another file in DATABASE_PATH.",
        )
    names = " ".join(map(str, refused))
    return Finding(
        "folder",
        Level.FAULT,
        f"This process (user {os.geteuid()}) may not write {names}.",
        f"Run the bot as the owner, or give it the right: `sudo chown {os.geteuid()} {names}`.",
    )


def _may_write(path: Path) -> bool:
    needed = os.W_OK | os.R_OK | (os.X_OK if path.is_dir() else 0)
    return os.access(path, needed, effective_ids=os.access in os.supports_effective_ids)


def disk(path: Path) -> Finding:
    """Check the free space for the database and a backup of it."""
    place = nearest_existing(path.parent)
    space = shutil.disk_usage(place)
    if not space.total:  # as of /proc, and of memory without a limit
        return Finding("disk", Level.FAULT, f"{place} is on no disk.", "Name a file on one in DATABASE_PATH.")
    return free_space(space.free, size_of(path) if is_seen(path) else 0, place)


def free_space(free: int, size: int, place: Path) -> Finding:
    """Check the free bytes of the disk of `place` for a database of that size in bytes."""
    needed = max(ENOUGH_FREE, int(size * COPIES))
    said = f"{_mb(free)} free on the disk of {place}"
    if free < LEAST_FREE:
        return Finding("disk", Level.FAULT, f"Only {said}.", "Free some space: the bot cannot save moves.")
    if free < needed:
        return Finding(
            "disk",
            Level.WARNING,
            f"Only {said}.",
            f"Free some space: the bot and its backups need about {_mb(needed)}.",
        )
    return Finding("disk", Level.OK, f"{said}.")


def _mb(size: int) -> str:
    return f"{size / MB:,.0f} MB"


def file_system(path: Path, environment: Mapping[str, str] = os.environ) -> Finding:
    """Check that the file system of the database lasts and can lock files."""
    return suitable(mount_of(path), environment)


def suitable(mount: Mount | None, environment: Mapping[str, str]) -> Finding:
    """Check a file system for a database."""
    if mount is not None and mount.type in NETWORK:
        return Finding(
            "file system",
            Level.WARNING,
            f"The database lies on a network drive ({mount.type} at {mount.point}), whose locks may fail.",
            "Name a file on a disk of this machine in DATABASE_PATH, as SQLite may damage the file there.",
        )
    if said := loss(mount, environment):
        return Finding(
            "file system",
            Level.WARNING,
            f"The database does not last: {said}.",
            "Name a file on a lasting disk or volume in DATABASE_PATH, else all matches and standings are lost.",
        )
    if mount is None:
        return Finding("file system", Level.SKIPPED, "Not checked: this system does not tell.")
    return Finding("file system", Level.OK, f"{mount.type} at {mount.point}.")


# The port for metrics


def metrics_port(port: int, *, is_used: bool) -> Finding:
    """Check that the port for metrics is free, or that a bot may hold it: one uses the database (`is_used`)."""
    try:
        # With SO_REUSEADDR, as the bot does: a port that was just closed counts as free.
        socket.create_server((LOCALHOST, port)).close()
    except OSError:
        if not is_used:
            return unusable_port(port)
        return Finding(
            "metrics", Level.OK, f"Port {port} on {LOCALHOST} is in use, as it is while the bot runs."
        )
    return Finding("metrics", Level.OK, f"Port {port} on {LOCALHOST} is free.")


def unusable_port(port: int) -> Finding:
    """Return the fault of a port on which the bot cannot listen."""
    return Finding(
        "metrics",
        Level.FAULT,
        f"METRICS_PORT: port {port} on {LOCALHOST} cannot be used. Another program has it, or it is below 1024 and "
        "only for root.",
        "Choose another one.",
    )
