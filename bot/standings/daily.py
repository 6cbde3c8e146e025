"""The daily deal: the game of a day, its seed, the end of a day, comparisons and streaks.

A day is the number of days since 1970-01-01, UTC. Times are in ms since the Unix epoch.
"""

import hashlib
import hmac
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final, NamedTuple

from bot.store import LATEST_DAYS, Attempt
from games import GAMES, AnyGame, Options
from games.strategies import strategy_of

DAY: Final = 86_400_000
SHORTEST_OUTAGE: Final = 30 * 60_000
"""Ms of an outage up to which no day becomes longer."""
FIRST_DAY: Final = date(2026, 1, 1)
"""The day of daily number 1."""
_UNIX_EPOCH: Final = date(1970, 1, 1).toordinal()
ENOUGH_FOR_PERCENT: Final = 10
"""Number of other people from which on a comparison is a percentage; of fewer it says little."""


@dataclass(frozen=True, slots=True)
class DailyTerms:
    """The game of a day, with its options and number of seats. All seats but one are for computers."""

    slug: str
    seats: int
    minutes: int
    """Length of a typical deal alone, at about eight seconds a decision: the computers answer at once."""
    changed: Mapping[str, Any] = field(default_factory=dict)
    """Options that differ from their defaults."""

    @property
    def game(self) -> AnyGame:
        return GAMES[self.slug]

    @property
    def options(self) -> Options:
        options: Options = self.game.Options(**self.changed)
        return options


# Four seats, so that a placing means something, and about 20 to 30 decisions. Twin It! is missing, a game of speed,
# and Discord is not equally fast for everybody; and Hand and Foot: one deal of it has too many decisions. The published
# list of a year names the games, so a change here must wait for a new year and needs a new version in `_SEED`.
ROTATION: Final = (
    DailyTerms("palace", 4, 4),
    DailyTerms("thirty-one", 4, 2, {"tokens": 1}),
    DailyTerms("twin-palms", 4, 3, {"rounds": 4}),
    DailyTerms("palmer", 4, 3, {"limit": 30}),
    DailyTerms("charms", 4, 4, {"hands": 2}),
)
"""The games in the order of days."""
_SEED: Final = "palmhouse-daily-1|{day}|{game}"


# Days


def day_of(ms: int) -> int:
    return ms // DAY


def date_of(day: int) -> date:
    """Return the date of a day, UTC."""
    return date.fromordinal(_UNIX_EPOCH + day)


def number_of(day: int) -> int:
    """Return the number of a daily: 1 for 1 January 2026."""
    return (date_of(day) - FIRST_DAY).days + 1


def terms_of(day: int) -> DailyTerms:
    """Return the game of a day."""
    return ROTATION[day % len(ROTATION)]


def days_of_year(year: int) -> range:
    first, last = (date(each, 1, 1).toordinal() - _UNIX_EPOCH for each in (year, year + 1))
    return range(first, last)


class PastOutage(NamedTuple):
    """A time in which the bot was away."""

    since: int
    until: int


def ends(day: int, outages: Iterable[PastOutage]) -> int:
    """Return the time until which the deal of a day can be begun: 24:00 UTC, or later after an outage of more than 30
    minutes: the day becomes longer by the time that it has lost."""
    begin, end = day * DAY, (day + 1) * DAY
    counted = begin
    for since, until in sorted(outages):
        lost = until - max(since, counted)
        if since < end and lost > SHORTEST_OUTAGE:
            end += lost
        counted = max(counted, until)  # shards can be away at the same time
    return end


def closes(day: int, outages: Sequence[PastOutage]) -> int:
    """Return the time until which a deal that was begun can be finished: the end of the next day."""
    return max(ends(day, outages), ends(day + 1, outages))


def open_days(now: int, outages: Sequence[PastOutage]) -> list[int]:
    """Return the days whose deals can be begun, today first."""
    today = day_of(now)
    return [day for day in range(today, today - LATEST_DAYS - 1, -1) if ends(day, outages) > now]


# Seeds


def seed(secret: str, day: int) -> str:
    """Return the seed of a day: HMAC-SHA256 with the secret of its year (hexadecimal), over version, date and game."""
    message = _SEED.format(day=date_of(day).isoformat(), game=terms_of(day).slug)
    return hmac.new(bytes.fromhex(secret), message.encode(), hashlib.sha256).hexdigest()


def yearly_list(secret: str, year: int) -> str:
    """Return the text to which a year is committed: for each day its date, its game and the SHA-256 of its seed."""
    lines = [
        f"{date_of(day).isoformat()} {terms_of(day).slug} {sha256(seed(secret, day))}"
        for day in days_of_year(year)
    ]
    return "".join(f"{line}\n" for line in lines)


def sha256(content: str) -> str:
    """Return the SHA-256 of a text in UTF-8, in hexadecimal."""
    return hashlib.sha256(content.encode()).hexdigest()


# Comparisons


def merit(attempt: Attempt) -> tuple[int, int]:
    """Return the key of a finished attempt by which it is compared, lowest first: its placing among the computers, then
    its score."""
    assert attempt.placing is not None
    assert attempt.score is not None
    return attempt.placing, attempt.score if low_wins(attempt.day) else -attempt.score


def low_wins(day: int) -> bool:
    """Return whether low scores are good in the game of a day."""
    strategy = strategy_of(terms_of(day).game)
    return strategy is not None and strategy.low_wins


def percentage(own: Attempt, others: Sequence[Attempt]) -> int | None:
    """Return the percentage of other finished attempts that are worse, where equal ones count half; None for fewer
    than ENOUGH_FOR_PERCENT."""
    if len(others) < ENOUGH_FOR_PERCENT:
        return None
    mine, theirs = merit(own), [merit(other) for other in others]
    halves = sum(2 * (mine < other) + (mine == other) for other in theirs)
    return 50 * halves // len(theirs)


def compared(own: Attempt, others: Sequence[Attempt]) -> str:
    """Return "ahead of 73 % of 41 others"; of a few others, their number: "ahead of 2 of 4 others, level with 1".
    Return "" without others."""
    mine, theirs = merit(own), [merit(other) for other in others]
    if not theirs:
        return ""
    worse, level, count = sum(mine < other for other in theirs), theirs.count(mine), len(theirs)
    for part, word in ((worse, "ahead of"), (level, "level with"), (count - worse - level, "behind")):
        if part == count:
            return f"{word} {_all(count)}"
    if (percent := percentage(own, others)) is not None:
        return f"ahead of {percent} % of {count} others"
    if not worse:
        return f"level with {level} of {count} others, behind the rest"
    return f"ahead of {worse} of {count} others{f', level with {level}' if level else ''}"


def _all(others: int) -> str:
    return {1: "the only other player", 2: "both others"}.get(others, f"all {others} others")


def ranking(attempts: Iterable[Attempt]) -> list[tuple[int, Attempt]]:
    """Return finished attempts with their places, best first; equal ones share a place (1, 1, 3)."""
    ordered = sorted(attempts, key=lambda attempt: (merit(attempt), attempt.ended or 0, attempt.user))
    merits = [merit(attempt) for attempt in ordered]
    return [(merits.index(merit(attempt)) + 1, attempt) for attempt in ordered]


# Streaks


def streak(finished: Collection[int], today: int, pending: Collection[int] = ()) -> int:
    """Return the number of finished days in a row up to today.

    The first missed day of each month (UTC) does not end the row. The days in `pending` can still be finished, so they
    are not missed."""
    days, forgiven, length = {*finished}, set[tuple[int, int]](), 0
    for day in range(today, min(days, default=today) - 1, -1):
        month = date_of(day).year, date_of(day).month
        if day in days:
            length += 1
        elif day in pending:
            continue
        elif month in forgiven:
            break
        else:
            forgiven.add(month)
    return length


def year_of(day: int) -> int:
    """Return the year of a day, UTC."""
    return date_of(day).year
