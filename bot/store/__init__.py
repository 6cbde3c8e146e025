"""The store: everything that outlives the process. Matches, their logs, deadlines, messages and results.

Offers `Store`, the rows and errors, and `open_store`, which opens a SQLite file (`bot.store.sqlite`) or a PostgreSQL
database (`bot.store.postgresql`).
"""

from pathlib import Path

from bot.store.errors import InDoubt as InDoubt
from bot.store.errors import StoreFailed as StoreFailed
from bot.store.errors import StoreRefused as StoreRefused
from bot.store.errors import Unreadable as Unreadable
from bot.store.personal import FORMER as FORMER
from bot.store.personal import TABLES as TABLES
from bot.store.personal import Erasing as Erasing
from bot.store.personal import Personal as Personal
from bot.store.rows import LATEST_DAYS as LATEST_DAYS
from bot.store.rows import AloneResult as AloneResult
from bot.store.rows import Attempt as Attempt
from bot.store.rows import Beaten as Beaten
from bot.store.rows import ClosedSeason as ClosedSeason
from bot.store.rows import Earn as Earn
from bot.store.rows import FactValues as FactValues
from bot.store.rows import Finished as Finished
from bot.store.rows import FinishedMatch as FinishedMatch
from bot.store.rows import GuildSettings as GuildSettings
from bot.store.rows import GuildStandings as GuildStandings
from bot.store.rows import Imported as Imported
from bot.store.rows import LogRow as LogRow
from bot.store.rows import Match as Match
from bot.store.rows import NewMatch as NewMatch
from bot.store.rows import Participant as Participant
from bot.store.rows import Person as Person
from bot.store.rows import Placed as Placed
from bot.store.rows import Played as Played
from bot.store.rows import Post as Post
from bot.store.rows import PostKind as PostKind
from bot.store.rows import Preferences as Preferences
from bot.store.rows import ProgressRow as ProgressRow
from bot.store.rows import Rate as Rate
from bot.store.rows import RatingRow as RatingRow
from bot.store.rows import RatingStep as RatingStep
from bot.store.rows import Recounted as Recounted
from bot.store.rows import Result as Result
from bot.store.rows import Season as Season
from bot.store.rows import SeasonResult as SeasonResult
from bot.store.rows import SeasonRow as SeasonRow
from bot.store.rows import Selection as Selection
from bot.store.rows import Standing as Standing
from bot.store.rows import StoreHealth as StoreHealth
from bot.store.sql.store import Store as Store
from bot.store.sqlite.opening import USUAL, Waits
from bot.store.sqlite.store import SQLiteStore


async def open_store(
    where: Path | str, *, waits: Waits = USUAL, is_alone: bool = True, is_shared: bool = False
) -> Store:
    """Open a database file, or the database at a PostgreSQL address. Make it or bring it up to date first.

    `waits`: how long to wait for others that hold the file. `is_alone`: let no other bot or task use the database at an
    address meanwhile; `bot.store.sqlite.opening.alone` does that for a file. With `is_shared` only other processes that
    share it are let in. Raises StoreRefused."""
    if isinstance(where, Path):
        return await SQLiteStore.open(where, waits)
    try:
        from bot.store.postgresql.store import PostgreSQLStore  # here, as few need psycopg
    except ImportError as error:
        raise StoreRefused(
            f"A PostgreSQL database needs the package {error.name}, which is missing. Install the packages of "
            "requirements.txt again."
        ) from None
    return await PostgreSQLStore.open(where, is_alone=is_alone, is_shared=is_shared)
