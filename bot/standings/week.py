"""A week of a server: when it begins, who gained most, and how close its matches were. Pure.

Weeks are numbered from that which began on Monday, 5 January 1970, at 12:00 UTC. Times are in ms since the Unix epoch.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from bot.standings.ratings import DAY
from bot.standings.season import tabulate
from bot.store import FinishedMatch, Result, SeasonResult, SeasonRow

WEEK: Final = 7 * DAY
FIRST: Final = 9 * DAY // 2
"""Beginning of week 0."""
BEST: Final = 3
"""Number of people who are named."""


def week_of(at: int) -> int:
    """Return the number of the week to which a time belongs."""
    return (at - FIRST) // WEEK


def begin(week: int) -> int:
    """Return the time at which a week begins."""
    return FIRST + week * WEEK


def risen(matches: Iterable[FinishedMatch]) -> list[SeasonRow]:
    """Return the people with the most points of a week, as a season counts them. Former players are left out."""
    results = [
        SeasonResult(match.id, each.seat, each.user, each.name, each.ended, match.rated)
        for match, found in matches
        for each in found
        if match.rated is not None
    ]
    return [row for row in tabulate(results) if row.user > 0 and row.points][:BEST]


def closest(matches: Iterable[FinishedMatch]) -> list[FinishedMatch]:
    """Return the rated matches that everybody has finished, the closest first; of equal ones that with more people,
    then the latest."""
    rated = [
        each for each in matches if each.match.rated is not None and all(own.finished for own in each.results)
    ]
    return sorted(rated, key=lambda each: (gap(each.results), -len(each.results), -each.match.id))


def gap(results: Sequence[Result]) -> float:
    """Return by which share of the larger score those who were placed first and next differ; 0 if all are equal."""
    by_placing = {each.placing: each.score for each in results}
    first, *others = (by_placing[placing] for placing in sorted(by_placing))
    if not others:
        return 0.0
    return abs(first - others[0]) / max(abs(first), abs(others[0]), 1)
