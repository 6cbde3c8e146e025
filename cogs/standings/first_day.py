"""The first day of a season, as a manager of the server writes it. Days begin at 0:00 UTC."""

from datetime import UTC, datetime, timedelta
from typing import Final

from bot.match.refusal import Refusal
from bot.standings.ratings import DAY

FAR: Final = 366
"""Maximum number of days between now and the first day."""


def first_days(now: int) -> dict[str, str]:
    """Return days on which a season may begin, such as "2026-12-01", by their words."""
    today = datetime.fromtimestamp(now / 1000, UTC).date()
    month = (today.replace(day=1) + timedelta(days=32)).replace(day=1)
    days = {
        "tomorrow": today + timedelta(days=1),
        "next Monday": today + timedelta(days=7 - today.weekday()),
        "the first of next month": month,
    }
    return {words: day.isoformat() for words, day in days.items()}


def first_moment(typed: str, now: int) -> int:
    """Return the time at which a season begins: 0:00 UTC of the day, or now if the day is today. Raises Refusal."""
    try:
        day = datetime.strptime(typed.strip(), "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError as error:
        raise Refusal(
            "There is no such day. Write the first day as year, month and day, such as 2026-12-01, or leave `from:` "
            "out to begin now."
        ) from error
    starts = int(day.timestamp() * 1000)
    if starts + DAY <= now:
        raise Refusal("That day is over (in UTC). Choose a later one, or leave `from:` out to begin now.")
    if starts > now + FAR * DAY:
        raise Refusal(f"That day is too far ahead. Choose one within {FAR} days.")
    return max(starts, now)
