"""The first day of a season: what a manager may write, and what is suggested."""

from datetime import UTC, datetime

import pytest

from bot.match.refusal import Refusal
from bot.standings.ratings import DAY
from cogs.standings.first_day import FAR, first_days, first_moment


def ms(year: int, month: int, day: int, hour: int = 0, minute: int = 0) -> int:
    return int(datetime(year, month, day, hour, minute, tzinfo=UTC).timestamp() * 1000)


NOON = ms(2026, 11, 22, 12)
"""A Sunday."""


@pytest.mark.parametrize(
    ("typed", "starts"),
    [
        ("2026-12-01", ms(2026, 12, 1)),
        (" 2026-12-1 ", ms(2026, 12, 1)),
        ("2028-02-29", None),
        ("2026-11-23", ms(2026, 11, 23)),
        ("2026-11-22", NOON),
        ("2026-11-21", None),
        ("2027-11-23", ms(2027, 11, 23)),
        ("2027-11-24", None),
    ],
)
def test_a_season_begins_at_midnight_utc_or_now_within_a_year(typed: str, starts: int | None) -> None:
    if starts is None:
        with pytest.raises(Refusal):
            first_moment(typed, NOON)
    else:
        assert first_moment(typed, NOON) == starts


@pytest.mark.parametrize(
    ("now", "days"),
    [
        (NOON, ["2026-11-23", "2026-11-23", "2026-12-01"]),
        (ms(2026, 11, 23), ["2026-11-24", "2026-11-30", "2026-12-01"]),
        (ms(2026, 12, 31, 23, 59), ["2027-01-01", "2027-01-04", "2027-01-01"]),
        (ms(2027, 1, 31), ["2027-02-01", "2027-02-01", "2027-02-01"]),
    ],
)
def test_tomorrow_next_monday_and_the_first_of_next_month_are_suggested(now: int, days: list[str]) -> None:
    assert [*first_days(now).values()] == days
    assert all(now < first_moment(day, now) < now + FAR * DAY for day in days)
