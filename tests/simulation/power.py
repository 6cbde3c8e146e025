"""A cut of the power: what was written to the log of a database and not synced is lost, or half of it, or rubbish."""

import struct
from dataclasses import dataclass
from pathlib import Path
from random import Random

HEADER, OF_FRAME = 32, 24
"""Bytes of the header of a log, and of the header of each page in it."""
INDEX = struct.Struct("=14xHI12x8s56xI")
"""Page size, number of frames, salt, and number of frames that the database has; as SQLite keeps them in its -shm."""


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
    def of(cls, database: Path) -> "Written":
        """Read what is there now."""
        index = database.with_name(f"{database.name}-shm")
        with index.open("rb") as file:
            page, frames, salt, copied = INDEX.unpack(file.read(INDEX.size))
        return cls(salt, frames, copied, page + OF_FRAME)


def has_index(database: Path) -> bool:
    """Return whether a database has a write-ahead log with its index."""
    return database.with_name(f"{database.name}-shm").exists()


def torn(log: bytes, synced: Written, now: Written, chance: Random) -> bytes:
    """Return what is left of a log of which `synced` was on the disk when the power failed."""
    kept = max(now.copied, synced.frames if synced.salt == now.salt else 0)
    end = min(len(log), HEADER + now.frames * now.size)
    first = min(end, HEADER + kept * now.size if kept else 0)
    cut = chance.choice((first, chance.randint(first, end), end))
    rest = end - cut
    return log[:cut] + chance.choice((b"", bytes(rest), chance.randbytes(rest)))
