"""Small stored databases, one of each version of the schema, and the hashes of the migrations that made them.

    python -m tests.stored.schemas < statements.sql

stores a database of the next version and the hash of its migration. It is the last stored database, migrated, with the
rows that the statements add in the new tables and columns. Stored files and hashes are never written again: people have
databases of these versions, so a mistake in a migration is corrected by another migration. Only those of a version that
nobody has run yet may be deleted, and stored again.
"""

import hashlib
import lzma
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from bot.store.sqlite.opening import MIGRATIONS, prepare

FOLDER: Final = Path(__file__).parent / "schemas"
HASHES: Final = FOLDER / "migrations.sha256"


def migrations() -> dict[int, Path]:
    """Return the migrations by the version that they make."""
    return {int(path.name[:4]): path for path in sorted(MIGRATIONS.glob("*.sql"))}


def stored_versions() -> list[int]:
    """Return the versions that have a stored file."""
    return sorted(int(path.name[:4]) for path in FOLDER.glob("*.sqlite3.xz"))


def unpack(version: int, file: Path) -> Path:
    """Write the stored database of a version to `file`, and return that."""
    file.write_bytes(lzma.decompress((FOLDER / f"{version:04}.sqlite3.xz").read_bytes()))
    return file


def migrate(file: Path, version: int) -> None:
    """Migrate a database to a version."""
    with TemporaryDirectory() as folder:
        for number, path in migrations().items():
            if number <= version:
                shutil.copy(path, folder)
        prepare(file, Path(folder))


def digest(migration: Path) -> str:
    """Return the hash of a migration."""
    return hashlib.sha256(migration.read_bytes()).hexdigest()


def hashes() -> dict[str, str]:
    """Return the stored hashes by the name of the migration."""
    lines = (line.split() for line in HASHES.read_text().splitlines())
    return {name: found for found, name in lines}


def keep(file: Path, version: int) -> None:
    """Store a database as the file of its version, and the hash of its migration."""
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        db.executescript("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE; VACUUM")
    (FOLDER / f"{version:04}.sqlite3.xz").write_bytes(lzma.compress(file.read_bytes(), preset=9))
    with HASHES.open("a") as lines:
        lines.write(f"{digest(migrations()[version])}  {migrations()[version].name}\n")


def main(statements: str) -> None:
    version = stored_versions()[-1] + 1
    if version not in migrations():
        sys.exit(f"Every migration has its stored file; there is none of version {version}.")
    with TemporaryDirectory() as folder:
        file = unpack(version - 1, Path(folder) / "stored.sqlite3")
        migrate(file, version)
        with closing(sqlite3.connect(file)) as db:
            db.executescript(statements)
        keep(file, version)


if __name__ == "__main__":
    main(sys.stdin.read())
