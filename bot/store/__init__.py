"""What outlives the process: matches, their logs, deadlines and results, in one SQLite file."""

from bot.store.opening import StoreRefused
from bot.store.rows import LogRow, Match, Post, PostKind, Preferences, Result, Standing
from bot.store.store import Store
from bot.store.writer import StoreFailed, Unreadable

__all__ = [
    "LogRow",
    "Match",
    "Post",
    "PostKind",
    "Preferences",
    "Result",
    "Standing",
    "Store",
    "StoreFailed",
    "StoreRefused",
    "Unreadable",
]
