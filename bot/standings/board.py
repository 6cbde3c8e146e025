"""The order of people on a leaderboard: by wins, or by rating in one pool, also of all servers. Pure."""

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


@dataclass(frozen=True, slots=True)
class Ranked:
    """A person with their place. Place 1 is the best; people who are equal share a place (1, 1, 3)."""

    place: int
    standing: Standing
    rating: Rating | None = None
    """Present rating in the pool; None when people are ranked by wins."""


def by_wins(standings: Iterable[Standing]) -> list[Ranked]:
    """Rank everybody: most wins first, then best mean placing, then most matches."""
    return _placed((Ranked(0, standing) for standing in standings), _merit)


def by_rating(standings: Iterable[Standing], ratings: Mapping[int, RatingRow], now: int) -> list[Ranked]:
    """Rank the people to whom nothing is `missing`: highest lower bound of the rating first."""
    rated = {user: rating_of(row) for user, row in ratings.items()}
    return _by_rating((Ranked(0, each, rated.get(each.user)) for each in standings), now)


def on_the_way(standings: Iterable[Standing], ratings: Mapping[int, RatingRow], now: int) -> list[Ranked]:
    """Return the people with a provisional rating and a recent match here, those with most rated matches first.

    Their place is 0."""
    rated = {user: rating_of(row) for user, row in ratings.items()}
    waiting = [
        Ranked(0, each, rated[each.user])
        for each in standings
        if each.user in rated and is_provisional(rated[each.user], now) and each.last > now - RECENT
    ]
    return sorted(waiting, key=lambda each: (-rated[each.standing.user].matches, each.standing.user))


def everywhere(participants: Iterable[Participant], now: int) -> list[Ranked]:
    """Rank the participants of all servers to whom nothing is `missing`, in the same order.

    Their matches are all their rated matches in the pool. Wins and placings are not read, and are 0.
    """
    people = (
        Ranked(
            0,
            Standing(each.user, each.alias, each.matches, 0, 0.0, each.at),
            Rating(each.mu, each.sigma, each.matches, each.at),
        )
        for each in participants
    )
    return _by_rating(people, now)


def _by_rating(people: Iterable[Ranked], now: int) -> list[Ranked]:
    ranked = [each for each in people if not missing(each.standing, each.rating, now)]

    def bound(person: Ranked) -> float:
        assert person.rating is not None
        # Ratings of people with equal results can differ in the last digits.
        return -round(lower_bound(person.rating, now), 6)

    return _placed(ranked, bound)


def missing(standing: Standing | None, rating: Rating | None, now: int) -> str:
    """Return what a person still needs to be ranked by rating: "4 more rated matches", or "" if nothing.

    `standing` is of the person's rated matches in the pool on this server, `rating` is their present rating there.
    """
    return _missing(standing.last if standing else None, rating, now, " here")


def missing_everywhere(rating: Rating | None, now: int) -> str:
    """Return the same as `missing`, for the leaderboard of all servers."""
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


def _merit(person: Ranked) -> tuple[int, float, int]:
    standing = person.standing
    return -standing.wins, standing.mean_placing, -standing.matches


def _placed(people: Iterable[Ranked], merit: Callable[[Ranked], Any]) -> list[Ranked]:
    """Return the people sorted by merit, lowest first, with their places. Equal merits share a place."""
    placed: list[Ranked] = []
    place, before = 0, None
    for number, person in enumerate(sorted(people, key=lambda each: (merit(each), each.standing.user)), 1):
        own = merit(person)
        place, before = (place if own == before else number), own
        placed.append(Ranked(place, person.standing, person.rating))
    return placed
