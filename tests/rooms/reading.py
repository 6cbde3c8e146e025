"""Looking into the database of a bot."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path


def opened(file: Path) -> sqlite3.Connection:
    """Open a database to read it only: its recovery is left to the next start of the bot."""
    return sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)


@contextmanager
def reading(file: Path) -> Iterator[sqlite3.Connection]:
    """Give a connection that reads a database, for a block."""
    with closing(opened(file)) as db:
        yield db
