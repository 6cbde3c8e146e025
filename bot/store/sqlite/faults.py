"""SQLite's errors, explained to the person who runs the bot."""

import sqlite3
from typing import Final

from bot.program import PROGRAM

FULL: Final = "the disk is full; free some space"
NO_ROOM_BESIDE: Final = sqlite3.SQLITE_IOERR_SHMOPEN, sqlite3.SQLITE_IOERR_SHMSIZE
"""Codes of a disk without room for the file by which processes share the database. What is in it can be read."""

FAULTS: Final = {
    sqlite3.SQLITE_FULL: FULL,
    sqlite3.SQLITE_BUSY: "another process is holding the file; stop it, or wait until it is done",
    sqlite3.SQLITE_READONLY: "this process may not write the file; give it the right to, and to the folder",
    sqlite3.SQLITE_CANTOPEN: "this process may not open the file; give it the right to, and to the folder",
    sqlite3.SQLITE_NOTADB: "the file is not a database; name another one, or move it away to start afresh",
    sqlite3.SQLITE_CORRUPT: (
        f"the file is damaged; put a backup in its place (`{PROGRAM} restore PATH`), or move it away to start afresh"
    ),
    sqlite3.SQLITE_IOERR: "the disk cannot be read or written; check it",
    **dict.fromkeys(NO_ROOM_BESIDE, FULL),
}


def fault(error: Exception) -> str:
    """Return the fault and the remedy, as the end of a sentence."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK)
    # The upper bits give details, nearly always of the same fault.
    return FAULTS.get(code) or FAULTS.get(code & 0xFF, str(error))
