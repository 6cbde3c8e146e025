"""The store: everything that outlives the process. Matches, their logs, deadlines, messages and results.

Offers `Store`, the rows and errors, and `open_store`, which opens a SQLite file (`bot.store.sqlite`) or a PostgreSQL
database (`bot.store.postgresql`).
"""
# What this package offers is imported here.
# mypy: implicit-reexport
# ruff: noqa: F401

from pathlib import Path

from bot.store.errors import Closed, Damaged, InDoubt, StoreFailed, StoreRefused, Unreadable
from bot.store.personal import FORMER, TABLES, Erasing, Personal
from bot.store.rows import (
    HAS_LEFT,
    LATEST_DAYS,
    WAS_AWAY,
    AloneResult,
    Attempt,
    Beaten,
    BoardPost,
    Bulletin,
    BulletinKind,
    ClosedSeason,
    Earn,
    FactValues,
    Finished,
    FinishedMatch,
    GuildSettings,
    GuildStandings,
    Hours,
    Imported,
    LogRow,
    Match,
    NewMatch,
    NewNight,
    Night,
    NightPerson,
    NightRole,
    NightSeat,
    NightTableRow,
    Participant,
    Person,
    Placed,
    Played,
    Post,
    PostKind,
    Preferences,
    Preset,
    ProgressRow,
    Rate,
    RatingRow,
    RatingStep,
    Recounted,
    Result,
    Season,
    SeasonResult,
    SeasonRow,
    Seek,
    Selection,
    Standing,
    StoreHealth,
    Summons,
)
from bot.store.sql.store import Store
from bot.store.sqlite.opening import USUAL, Waits
from bot.store.sqlite.store import SQLiteStore


async def open_store(
    where: Path | str,
    *,
    waits: Waits = USUAL,
    is_alone: bool = True,
    is_shared: bool = False,
    is_task: bool = False,
) -> Store:
    """Open a database file, or the database at a PostgreSQL address. Make it or bring it up to date first.

    `waits`: how long to wait for others that hold the file. `is_alone`: let no other bot or task use the database at an
    address meanwhile; `bot.store.sqlite.opening.alone` does that for a file. With `is_shared` only other processes that
    share it are let in. `is_task`: no bot opens it, and what is known of time in which nobody could act stays for the
    next one. Raises StoreRefused."""
    if isinstance(where, Path):
        return await SQLiteStore.open(where, waits)
    try:
        from bot.store.postgresql.store import PostgreSQLStore  # here, as few need psycopg
    except ImportError as error:
        raise StoreRefused(
            f"A PostgreSQL database needs the package {error.name}, which is missing. Install the packages of "
            "requirements.txt again."
        ) from None
    return await PostgreSQLStore.open(where, is_alone=is_alone, is_shared=is_shared, is_task=is_task)
