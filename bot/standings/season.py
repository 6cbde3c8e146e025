"""Seasons: the matches that belong to one, the time at which it closes, and its table. Pure.

A season's table adds up each person's points from their best matches. A match counts when it is rated (see
`bot.match.results`): practice, and matches of one side, compare nobody.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, TypeVar

from bot.standings.ratings import DAY, RatedMatch, placing_of, sides_of
from bot.store import Season, SeasonResult, SeasonRow

BEST: Final = 20
"""Number of matches of each person that give points."""
MOST: Final = 100
"""Points of a match for a person whose side is before all others."""
PATIENCE: Final = 7 * DAY
"""Longest time in ms that the end of a season waits for its last matches."""
# A match that started, or ended, in the last moment that counts may be stored a moment later.
SETTLING: Final = 60_000
"""Shortest time in ms between the end of a season, or of its patience, and its closing."""

M = TypeVar("M", float, tuple[int, int])


def belongs(season: Season, started: int) -> bool:
    """Return whether a match that started at this time belongs to the season."""
    return season.starts <= started < season.ends


def may_close(season: Season, now: int) -> bool:
    """Return whether the season closes once none of its matches is in play."""
    return season.closed is None and now >= season.ends + SETTLING


def must_close(season: Season, now: int) -> bool:
    """Return whether the season closes even while matches are in play, which then do not count."""
    return may_close(season, now) and now >= season.ends + PATIENCE + SETTLING


def running(seasons: Iterable[Season], now: int) -> Season | None:
    """Return the season to which a match belongs that starts now; None between seasons."""
    return next((season for season in seasons if season.closed is None and belongs(season, now)), None)


def clash(seasons: Iterable[Season], starts: int, ends: int) -> Season | None:
    """Return the earliest season that overlaps the time from `starts` until before `ends`; None when it is free."""
    overlapping = (season for season in seasons if season.starts < ends and season.ends > starts)
    return min(overlapping, key=lambda season: season.starts, default=None)


def present(seasons: Sequence[Season], now: int) -> Season | None:
    """Return the season that runs; else the last one that waits for its matches; else the next one that is planned."""
    ahead = [season for season in seasons if season.closed is None and now < season.ends]
    waiting = [season for season in seasons if season.closed is None and now >= season.ends]
    return (
        running(ahead, now)
        or max(waiting, key=lambda season: season.starts, default=None)
        or min(ahead, key=lambda season: season.starts, default=None)
    )


def points(match: RatedMatch, seat: int) -> int:
    """Return the points of a person for a match: the share of the other sides that came after theirs (see `share`).

    As in a rating, a person who is replaced comes last.
    """
    person = match.people[seat]
    placings = {
        match.seats[side[0]].side: placing_of([match.seats[each] for each in side])
        for side in sides_of(match.seats)
    }
    own = placings.pop(person.side)
    placing = math.inf if person.replaced else own
    # A share, so that tables of all sizes give equal points on average.
    return share(-placing, [-other for other in placings.values()])


def share(own: M, others: Sequence[M]) -> int:
    """Return MOST times the share of others that are less than `own`, an equal one as half, rounded, a half up."""
    halves = sum(2 * (other < own) + (other == own) for other in others)
    return (MOST * halves + len(others)) // (2 * len(others))


@dataclass(slots=True)
class _Person:
    user: int
    name: str = ""
    last: int = 0
    """End of the last of their matches."""
    wins: int = 0
    points: list[int] = field(default_factory=list)
    """Points of each match."""

    @property
    def total(self) -> int:
        return sum(sorted(self.points, reverse=True)[:BEST])


def tabulate(results: Sequence[SeasonResult]) -> list[SeasonRow]:
    """Return the table of a season: most points first. People with equal points share a place (1, 1, 3)."""
    people: dict[int, _Person] = {}
    for result in results:
        person = people.setdefault(result.user, _Person(result.user))
        if result.ended >= person.last:
            person.name, person.last = result.name, result.ended
        gained, won = _scores(result.rated)[result.seat]
        person.points.append(gained)
        person.wins += won
    return _placed(sorted(people.values(), key=lambda person: (-person.total, person.user)))


def _placed(people: Iterable[_Person]) -> list[SeasonRow]:
    rows: list[SeasonRow] = []
    for number, person in enumerate(people, 1):
        total = person.total
        place = rows[-1].place if rows and rows[-1].points == total else number
        rows.append(SeasonRow(person.user, person.name, place, total, person.wins, len(person.points)))
    return rows


@lru_cache(1024)
def _scores(rated: str) -> tuple[tuple[int, bool], ...]:
    """Return for each seat of a match its points, and True for a win. Many matches have the same text."""
    match = RatedMatch.from_json(rated)
    return tuple(
        (points(match, number), person.placing == 1) if person.strength is None else (0, False)
        for number, person in enumerate(match.people)
    )
