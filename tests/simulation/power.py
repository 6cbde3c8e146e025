"""A cut of the power: what was written to the log of a database and not synced is lost, or half of it, or rubbish."""

import sqlite3
import struct
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

HEADER, OF_FRAME, OF_INDEX = 32, 24, 48
"""Bytes of the header of a log, of the header of each page in it, and of the header of its index."""
FULL = 2
"""The level from which SQLite syncs each commit."""
INDEX = struct.Struct("=14xHI12x8s56xI")
"""Page size, number of frames, salt, and number of frames that the database has; as SQLite keeps them in its -shm."""


class Connection(sqlite3.Connection):
    """A connection that waits neither for a lock, as its queue does, nor for the disk: what is there is simulated."""

    syncs = True
    """True if it is to sync each commit."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        with suppress(sqlite3.Error):  # the first statement will say what is wrong with the file
            self.execute("PRAGMA synchronous = OFF")

    def executescript(self, script: str) -> sqlite3.Cursor:
        done = super().executescript(script)
        if "synchronous" in script:
            ((level,),) = self.execute("PRAGMA synchronous")
            self.syncs = level >= FULL
            self.execute("PRAGMA synchronous = OFF")
        self.execute("PRAGMA busy_timeout = 0")  # SQLite would stop the only thread
        return done


@dataclass(frozen=True)
class Written:
    """How much of a write-ahead log is there. Another salt means another log."""

    salt: bytes
    frames: int
    copied: int
    """Number of frames that are in the database, too; they were synced before."""
    size: int
    """Bytes of a frame."""

    @classmethod
    def of(cls, database: Path) -> "Written | None":
        """Read what is there now; None without an index."""
        index = _index(database)
        if not index:
            return None
        page, frames, salt, copied = INDEX.unpack(index)
        return cls(salt, frames, copied, page + OF_FRAME)


def latest_commit(database: Path) -> bytes:
    """Return what tells each commit to a database from all others: the header of the index of its log. It is b"" while
    there is no index."""
    return _index(database)[:OF_INDEX]


def _index(database: Path) -> bytes:
    try:
        with open(f"{database}-shm", "rb", buffering=0) as file:  # noqa: PTH123 - twice as fast as a Path
            found = file.read(INDEX.size)
    except FileNotFoundError:
        return b""
    return found if len(found) == INDEX.size else b""  # a full disk may have kept it from its first bytes


def torn(log: bytes, synced: Written, now: Written, chance: Random) -> bytes:
    """Return what is left of a log of which `synced` was on the disk when the power failed."""
    kept = max(now.copied, synced.frames if synced.salt == now.salt else 0)
    end = min(len(log), HEADER + now.frames * now.size)
    first = min(end, HEADER + kept * now.size if kept else 0)
    cut = chance.choice((first, chance.randint(first, end), end))
    rest = end - cut
    return log[:cut] + chance.choice((b"", bytes(rest), chance.randbytes(rest)))
