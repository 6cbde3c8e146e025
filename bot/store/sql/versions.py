"""The versions of a database: `schema.sql` makes the first one, and each migration the next one."""

from pathlib import Path
from typing import Final

SCRIPTS: Final = Path(__file__).parent
"""Folder of the scripts that make the versions of a database. They are written for SQLite; `scripted` in
`bot/store/postgresql/dialect.py` translates them."""


def versions(folder: Path) -> dict[int, Path]:
    """Return the script that makes each version, by its number. That of a migration stands in its name, such as
    `migrations/0002_settings.sql`."""
    migrations = sorted((folder / "migrations").glob("*.sql"))
    return {1: folder / "schema.sql"} | {int(each.name[:4]): each for each in migrations}
