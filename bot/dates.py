"""Dates in words."""

from datetime import UTC, datetime
from typing import Final

MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def day(ms: int) -> str:
    """Return a date (UTC) in words: "9 Nov 2026"."""
    date = datetime.fromtimestamp(ms / 1000, UTC)
    return f"{date.day} {MONTHS[date.month - 1]} {date.year}"
