"""The order of people on a leaderboard: by success, or by rating in one pool, also of all servers. Pure."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from bot.standings.ratings import (
    DAY,
    PROVISIONAL_MATCHES,
    PROVISIONAL_SIGMA,
    Rating,
    is_provisional,
    lower_bound,
    rating_of,
    uncertainty,
)
from bot.store import Participant, RatingRow, Standing
from games.phrases import counted

RECENT_DAYS: Final = 30
RECENT: Final = RECENT_DAYS * DAY
"""Time in ms since the last rated match on the board, after which a person is no longer ranked by rating."""
CERTAIN_MATCHES: Final = 5
"""Matches before a person is ranked by the share of people placed behind them."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A person with their place. Place 1 is the best; people who are equal share a place (1, 1, 3). Place 0 is
    none: too uncertain."""

    place: int
    standing: Standing
    rating: Rating | None = None
    """Present rating in the pool; None when people are ranked by wins."""


def by_wins(standings: Iterable[Standing]) -> list[Ranked]:
    """Rank everybody by `share`, then by mean placing. People with fewer than CERTAIN_MATCHES come last, in that order,
    too, with place 0."""
    ranked: list[Ranked] = []
    uncertain: list[Ranked] = []
    for standing in standings:
        (ranked if standing.matches >= CERTAIN_MATCHES else uncertain).append(Ranked(0, standing))
    return [*_placed(ranked, _merit), *sorted(uncertain, key=_merit)]


def share(standing: Standing) -> float:
    """Return the share of the people met in matches that were placed behind, not in front; computers do not count."""
    return standing.ahead / max(1, standing.met)


def by_rating(standings: Iterable[Standing], ratings: Mapping[int, RatingRow], now: int) -> list[Ranked]:
    """Rank the people to whom nothing is `missing`: highest lower bound of the rating first. People with a provisional
    rating and a recent match here come last, in that order, too, with place 0."""
    rated = {user: rating_of(row) for user, row in ratings.items()}
    people = [Ranked(0, each, rated.get(each.user)) for each in standings]
    uncertain = [
        each
        for each in people
        if each.rating and is_provisional(each.rating, now) and each.standing.last > now - RECENT
    ]
    return [*_by_rating(people, now), *sorted(uncertain, key=lambda each: _bound(each, now))]


def everywhere(participants: Iterable[Participant], now: int) -> list[Ranked]:
    """Rank the participants of all servers to whom nothing is `missing`, as `by_rating` does.

    Their matches are all their rated matches in the pool. Wins and placings are not read, and are 0.
    """
    people = (
        Ranked(
            0,
            Standing(each.user, each.alias, each.matches, 0, 0.0, each.at, 0, 0),
            Rating(each.mu, each.sigma, each.matches, each.at),
        )
        for each in participants
    )
    return _by_rating(people, now)


def _by_rating(people: Iterable[Ranked], now: int) -> list[Ranked]:
    ranked = [each for each in people if not missing(each.standing, each.rating, now)]
    return _placed(ranked, lambda each: _bound(each, now))


def _bound(person: Ranked, now: int) -> float:
    assert person.rating is not None
    # Ratings of people with equal results can differ in the last digits.
    return -round(lower_bound(person.rating, now), 6)


def missing(standing: Standing | None, rating: Rating | None, now: int) -> str:
    """Return what a person still needs to be ranked by rating: "4 more rated matches", or "" if nothing.

    `standing` is of the person's rated matches in the pool on this server, `rating` is their present rating there.
    """
    return _missing(standing.last if standing else None, rating, now, " here")


def missing_everywhere(rating: Rating | None, now: int) -> str:
    """Like `missing`, for the leaderboard of all servers."""
    return _missing(rating.at if rating else None, rating, now, "")


def _missing(last: int | None, rating: Rating | None, now: int, where: str) -> str:
    """Return what is missing. `last` is the end of the last match that counts, `where` says where that must be."""
    recent = last is not None and last > now - RECENT
    certain = rating is not None and uncertainty(rating, now) <= PROVISIONAL_SIGMA
    matches = max(
        PROVISIONAL_MATCHES - (rating.matches if rating else 0),
        0 if recent and certain else 1,
    )
    if matches == 0:
        return ""
    # The results decide how fast a rating becomes certain, so the number of matches is a lower limit.
    needed = f"{'at least ' * (not certain)}{counted(matches, 'more rated match')}"
    lately = f"{', one of them' * (matches > 1)}{where} within {RECENT_DAYS} days"
    return f"{needed}{lately * (not recent)}"


def _merit(person: Ranked) -> tuple[float, float]:
    return -share(person.standing), person.standing.mean_placing


def _placed(people: Iterable[Ranked], merit: Callable[[Ranked], Any]) -> list[Ranked]:
    """Return the people sorted by merit, lowest first, with their places. Equal merits share a place."""
    placed: list[Ranked] = []
    place, before = 0, None
    for number, person in enumerate(sorted(people, key=lambda each: (merit(each), each.standing.user)), 1):
        own = merit(person)
        place, before = (place if own == before else number), own
        placed.append(Ranked(place, person.standing, person.rating))
    return placed
