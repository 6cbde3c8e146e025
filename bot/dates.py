"""Dates in words."""

from datetime import UTC, datetime, tzinfo
from typing import Final

MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def day(ms: int, zone: tzinfo = UTC) -> str:
    """Return a date in words: "9 Nov 2026"."""
    date = datetime.fromtimestamp(ms / 1000, zone)
    return f"{date.day} {MONTHS[date.month - 1]} {date.year}"
