"""The hours of people: when somebody is awake, and how their waking time passes. It is pure.

A window is what lies between the two local hours that a person has set, once a day. Zones change their clocks, so its
ends are found anew for each day: an hour that a day does not have begins where its clock jumps, and of an hour that a
day has twice the first one counts. Whoever has set no hours is always awake, but for the time in which they are away.
"""

from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from typing import Final

from bot.match.times import Pace
from bot.match.zones import time_in, zone_of
from bot.store import Hours

HOUR: Final = 3_600_000
DAY: Final = 24 * HOUR
"""Lengths of time in ms."""
FEWEST: Final = 4
"""Minimum number of waking hours a day: with fewer, others would wait too long at a relaxed table."""
MOST: Final = 20
"""Maximum number of waking hours that are learned. With more there is no habit."""
LONGEST_AWAY: Final = 30 * DAY
"""Ms from now until which a person may be away at most, and for which a table waits while somebody sleeps or is away
whom it has asked."""
EVER: Final = 2**62
"""A time in ms that no deadline reaches."""

COUNTED: Final = 32
"""Count that an hour adds in which a person has acted. Each time all that was counted loses one part of as many, so
half of a habit is forgotten after 22 such hours."""
ENOUGH: Final = 10 * COUNTED
"""Sum from which a habit is known."""
NEARLY_ALL: Final = 90
"""Percentage of the hours in which a person acts that their learned window holds."""


def local(hours: Hours, at: int) -> datetime:
    """Return a time in ms on a person's own clock."""
    return time_in(hours.zone, at)


def hour_of(hours: Hours, day: date, hour: int) -> int:
    """Return when a person's clock first says an hour of a day, in ms."""
    return int(datetime.combine(day, time(hour), zone_of(hours.zone)).timestamp()) * 1000


def week_later(hours: Hours | None, at: int) -> int:
    """Return when a person's clock says the same a week after `at`, in ms; it may have been changed meanwhile."""
    return int((local(hours or Hours("UTC"), at) + timedelta(weeks=1)).timestamp()) * 1000


def length(hours: Hours | None) -> int:
    """Return the number of waking hours a day."""
    if hours is None or hours.begins is None or hours.ends is None:
        return 24
    return (hours.ends - hours.begins) % 24


def windows(hours: Hours, at: int) -> Iterator[tuple[int, int]]:
    """Yield the windows of a person who has set hours as begin and end in ms, from the first one on that ends after
    `at`."""
    assert hours.begins is not None, "who has set no hours has no windows"
    assert hours.ends is not None, "both are set at once"
    day, known = local(hours, at).date() - timedelta(days=2), 0
    while True:
        ends_on = day + timedelta(days=hours.ends < hours.begins)
        # One hour of a day may be missing between two windows, even both of their ends.
        begin, end = max(known, hour_of(hours, day, hours.begins)), hour_of(hours, ends_on, hours.ends)
        if end > at and end > begin:
            yield begin, end
        day, known = day + timedelta(days=1), end


def wakes(hours: Hours | None, at: int) -> int:
    """Return the next time in ms at which a person is awake and there: `at` if they are."""
    if hours is None:
        return at
    at = max(at, hours.away_until)
    if hours.begins is None:
        return at
    begin, _ = next(windows(hours, at))
    return max(at, begin)


def is_awake(hours: Hours | None, at: int) -> bool:
    """Return whether a person is awake and there at a time in ms."""
    return wakes(hours, at) == at


def later(hours: Hours | None, at: int, ms: int, patience: int = EVER) -> int:
    """Return the first time in ms at which a person is awake and `ms` of their waking time have passed since `at`. All
    time counts from `patience` on."""
    if at >= patience:
        return at + ms
    due = _later(hours, at, ms)
    return due if due <= patience else patience + ms - waking(hours, at, patience)


def _later(hours: Hours | None, at: int, ms: int) -> int:
    at = wakes(hours, at)
    if hours is None or hours.begins is None:
        return at + ms
    left = ms
    for begin, end in windows(hours, at):
        at = max(at, begin)
        if left < end - at:
            break
        left -= end - at
    return at + left


def waking(hours: Hours | None, since: int, until: int, patience: int = EVER) -> int:
    """Return the ms of a person's waking time between two times. All time counts from `patience` on."""
    if until > patience:
        return waking(hours, since, patience) + until - max(since, patience)
    since = wakes(hours, since)
    if hours is None or hours.begins is None:
        return max(0, until - since)
    total = 0
    for begin, end in windows(hours, since):
        if begin >= until:
            break
        total += max(0, min(end, until) - max(begin, since))
    return total


def shared(one: Hours | None, other: Hours | None, at: int) -> float:
    """Return in how many of the 24 hours from `at` on, in ms, two people are both awake."""
    hour = at - at % HOUR
    return sum(a * b for a, b in zip(_awake_by_hour(one, hour), _awake_by_hour(other, hour), strict=True))


def _awake_by_hour(hours: Hours | None, at: int) -> Sequence[float]:
    # Nobody knows when people are awake who have not said so: half of the time.
    if hours is None or hours.begins is None or hours.ends is None:
        return [0.5] * 24
    return _habit(hours.zone, hours.begins, hours.ends, at)


@lru_cache(maxsize=1024)  # many people of a server have the same hours
def _habit(zone: str, begins: int, ends: int, at: int) -> Sequence[float]:
    return [float(is_awake(Hours(zone, begins, ends), at + hour * HOUR)) for hour in range(24)]


def time_up(hours: Hours | None, pace: Pace, at: int, ms: int, patience: int = EVER) -> int:
    """Return when a time of `ms` ends that a table gives a person at `at`. Until `patience` it passes only while they
    are awake; by correspondence, where a move has a day, it is the same part of their own day. A live table waits for
    nobody."""
    if hours is None or pace == "live":
        return at + ms
    return later(hours, at, ms * length(hours) // 24 if pace == "correspondence" else ms, patience)


def moved(
    due: int,
    before: Hours | None,
    after: Hours | None,
    pace: Pace,
    since: int,
    now: int,
    patience: int = EVER,
) -> int:
    """Return a deadline of a person whose hours have changed, or who could not act from `since` until `now`: they keep
    the part of their time that was left."""
    if due <= since or pace == "live":
        return due + now - since
    left = waking(before, since, due, patience)
    own = left * length(after) // length(before) if pace == "correspondence" else left
    return later(after, now, own, patience)


def counted(acts: Sequence[int], hour: int) -> list[int]:
    """Return the 24 counters of the hours in which a person acts, with one more at an hour. Old habits fade."""
    return [
        count - count // COUNTED + COUNTED * (hour == each) for each, count in enumerate(acts or [0] * 24)
    ]


def learned(acts: Sequence[int]) -> tuple[int, int] | None:
    """Return the shortest window that holds nearly all hours in which a person acts, as its hours; None while no habit
    is known."""
    total = sum(acts)
    for size in range(FEWEST, MOST + 1) if total >= ENOUGH else ():
        held = [sum(acts[(begin + hour) % 24] for hour in range(size)) for begin in range(24)]
        if 100 * max(held) >= NEARLY_ALL * total:
            begin = held.index(max(held))
            return begin, (begin + size) % 24
    return None
