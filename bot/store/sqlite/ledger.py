"""The ledger of erasures beside a SQLite file, and the erasing of a person in that file.

A person is erased in three steps: a line in the ledger, one transaction that overwrites ids and names, and hours later
a scrub, which rebuilds the file so that no old byte remains. An interrupted erasure goes on at the next start; of one
that fails, the line is taken back. The ledger is no part of a backup, so what a backup brings back is erased again.
"""

import os
from collections.abc import Iterable
from errno import ENOSPC
from pathlib import Path
from typing import Final

from bot.store.errors import InDoubt, StoreFailed
from bot.store.sql import privacy
from bot.store.sql.database import Database
from bot.store.sql.privacy import Erasure, id_columns
from bot.store.sqlite.backup import SCRUBBED, TO_SCRUB, sync_folder

UNSCRUBBED: Final = "SELECT 1 FROM erasures WHERE scrubbed = 0 UNION SELECT 1 FROM facts WHERE key = ?"
"""Query with a row if the file may have bytes of what was erased; its value is TO_SCRUB."""


def ledger_of(path: Path) -> Path:
    """Return the path of the ledger of a database file."""
    return path.with_name(f"{path.name}.erased")


def write_down(path: Path, erasure: Erasure) -> int:
    """Append a line to the ledger of a database file. Return its length before, for `take_back`. Raises StoreFailed."""
    try:
        ledger = os.open(ledger_of(path), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            length = os.fstat(ledger).st_size
            try:
                # The first line break ends a line that a cut of the power has left in part.
                line = f"\n{erasure.key} {erasure.hash}\n".encode()
                if os.write(ledger, line) < len(line):
                    raise OSError(ENOSPC, os.strerror(ENOSPC))
                os.fsync(ledger)
                if not length:
                    sync_folder(path.parent)
            except OSError:
                os.ftruncate(ledger, length)
                raise
        finally:
            os.close(ledger)
    except OSError as error:
        raise StoreFailed(
            f"This was not saved: {ledger_of(path)} cannot be written: {error.strerror}."
        ) from error
    return length


def take_back(path: Path, length: int) -> None:
    """Shorten the ledger of a database file to an earlier length, which works on a full disk, too. Raises InDoubt."""
    try:
        with ledger_of(path).open("r+b") as ledger:
            ledger.truncate(length)
            os.fsync(ledger.fileno())
    except OSError as error:
        raise InDoubt(
            f"An erasure failed, and {ledger_of(path)} cannot be shortened: {error.strerror}. The next start erases "
            "that person after all, unless you delete the last line of this file before."
        ) from error


def lines(path: Path) -> list[Erasure]:
    """Return the lines of the ledger of a database file; none if there is no ledger. Raises StoreFailed."""
    try:
        written = ledger_of(path).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError) as error:
        raise StoreFailed(f"The ledger of erasures, {ledger_of(path)}, cannot be read: {error}.") from error
    parts = (line.split() for line in written)
    return [Erasure(*each) for each in parts if [*map(len, each)] == [64, 64]]


async def erase(db: Database, user: int, erasure: Erasure, at: int) -> list[int]:
    """Replace a person in all tables, in the transaction that is open. Return the matches that have changed."""
    matches = await privacy.erase(db, user, at)
    await db.execute(
        "INSERT INTO erasures VALUES (?, ?, 0) ON CONFLICT (id) DO UPDATE SET at = excluded.at, scrubbed = 0",
        (erasure.hash, at),
    )
    return matches


async def apply(db: Database, erasures: Iterable[Erasure], at: int) -> None:
    """Carry out the erasures that this file lacks, as after a restore from a backup. Call it in a transaction."""
    done = {hashed for (hashed,) in await db.fetch("SELECT id FROM erasures")}
    missing = [erasure for erasure in erasures if erasure.hash not in done]
    people = await _people(db) if missing else set()
    for erasure in missing:
        for user in filter(erasure.is_of, people):
            await erase(db, user, erasure, at)
        await db.execute("INSERT INTO erasures VALUES (?, ?, 1) ON CONFLICT DO NOTHING", (erasure.hash, at))


async def _people(db: Database) -> set[int]:
    """Return the ids of all people."""
    queries = [f"SELECT {column} FROM {table}" for table, column in id_columns()]  # noqa: S608 - our own names
    queries += [
        "SELECT CAST(body AS INTEGER) FROM log WHERE kind = 'offer'",
        "SELECT CAST(substr(body, instr(body, '<@') + 2) AS INTEGER) FROM log"
        " WHERE kind = 'close' AND instr(body, '<@')",
    ]
    rows = await db.fetch(" UNION ".join(queries))
    return {user for (user,) in rows if user is not None and user > 0}


async def empty_log(db: Database) -> None:
    """Keep that the file is to be scrubbed, and empty its write-ahead log, which is fast: then the erased rows are
    overwritten in the file. Call it outside of a transaction. Raises as `scrub` does."""
    await db.execute("INSERT INTO facts VALUES (?, '') ON CONFLICT DO NOTHING", (TO_SCRUB,))
    await _empty_log(db)


async def scrub(db: Database) -> None:
    """Rebuild the file, which is slow, and empty its write-ahead log: no byte of what was erased remains. Call it
    outside of a transaction. Raises StoreFailed while another process reads the file."""
    # SQLite overwrites deleted rows, but not the copies that it left in a page when it moved rows to another one.
    await db.execute("VACUUM")
    await _empty_log(db)
    for statement in SCRUBBED:
        await db.execute(statement)


async def _empty_log(db: Database) -> None:
    ((busy, _, _),) = await db.fetch("PRAGMA wal_checkpoint(TRUNCATE)")
    if busy:
        raise StoreFailed("Another process reads the file.")
