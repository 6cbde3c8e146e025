"""The store: everything that outlives the process. Matches, their logs, deadlines, messages and results.

May import nothing of the bot. Offers `Store` (the contract), the rows and errors, and `open_store`, which opens the one
implementation there is: a SQLite file (`bot.store.sqlite`).
"""

from pathlib import Path

from bot.store.errors import StoreFailed, StoreRefused, Unreadable
from bot.store.personal import FORMER, TABLES, Erasing, Personal
from bot.store.protocol import Store
from bot.store.rows import (
    AloneResult,
    Attempt,
    Beaten,
    ClosedSeason,
    Earn,
    FactValues,
    Finished,
    FinishedMatch,
    GuildSettings,
    GuildStandings,
    Imported,
    LogRow,
    Match,
    NewMatch,
    Participant,
    Person,
    Placed,
    Played,
    Post,
    PostKind,
    Preferences,
    ProgressRow,
    Rate,
    RatingRow,
    RatingStep,
    Recounted,
    Redo,
    Result,
    Season,
    SeasonResult,
    SeasonRow,
    Selection,
    Standing,
    StoreHealth,
    Tabulate,
    Write,
)
from bot.store.sqlite.store import SQLiteStore

__all__ = [
    "FORMER",
    "TABLES",
    "AloneResult",
    "Attempt",
    "Beaten",
    "ClosedSeason",
    "Earn",
    "Erasing",
    "FactValues",
    "Finished",
    "FinishedMatch",
    "GuildSettings",
    "GuildStandings",
    "Imported",
    "LogRow",
    "Match",
    "NewMatch",
    "Participant",
    "Person",
    "Personal",
    "Placed",
    "Played",
    "Post",
    "PostKind",
    "Preferences",
    "ProgressRow",
    "Rate",
    "RatingRow",
    "RatingStep",
    "Recounted",
    "Redo",
    "Result",
    "Season",
    "SeasonResult",
    "SeasonRow",
    "Selection",
    "Standing",
    "Store",
    "StoreFailed",
    "StoreHealth",
    "StoreRefused",
    "Tabulate",
    "Unreadable",
    "Write",
    "open_store",
]


async def open_store(path: Path) -> Store:
    """Open a database file, making it or bringing it up to date first. Raises StoreRefused."""
    return await SQLiteStore.open(path)
