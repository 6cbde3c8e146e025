"""Ratings of people: the change by one match, and how a rating is shown.

The model is `openskill`'s BradleyTerryFull: each side of a match is compared with each other side by their placings.
Source: Weng and Lin, "A Bayesian Approximation Method for Online Ranking", Journal of Machine Learning Research 12
(2011), algorithm 1.

Computers are fixed points: their constants (`bot.standings.pools`) never change. They make people comparable who never
meet. All functions are pure, so rating the same matches in the same order gives the same ratings, bit for bit.
"""

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from types import NoneType
from typing import Any, Final, Self, TypeAlias

from openskill.models import BradleyTerryFull

from bot.standings.pools import Constants, constants_of
from bot.store import RatingRow
from games.advice import STRENGTHS, Strength
from games.phrases import ordinal

START_MU: Final = 25.0
START_SIGMA: Final = 25 / 3
"""Uncertainty of a person without a rated match, and the upper limit of all uncertainties."""
COMPUTER_SIGMA: Final = 1e-6
DAY: Final = 86_400_000
"""One day in ms."""
GROWTH: Final = 25 / 365
"""Increase of sigma squared per day without a match. After a year, sigma is at least 5: 60 % of START_SIGMA."""
PROVISIONAL_MATCHES: Final = 10
"""Rated matches before a rating can be settled."""
PROVISIONAL_SIGMA: Final = 0.6 * START_SIGMA
"""Uncertainty above which a rating is provisional."""


@dataclass(frozen=True, slots=True)
class Rating:
    """Rating of one person in one pool."""

    mu: float
    sigma: float
    """Uncertainty of `mu` at the time `at`."""
    matches: int
    """Number of rated matches in the pool."""
    at: int
    """Time in ms at which the last of these matches ended."""


@dataclass(frozen=True, slots=True)
class RatedSeat:
    """Result of one seat, with all that its rating depends on."""

    side: int
    placing: int
    """Placing of its side, 1 is best. Only the order of the sides' placings matters."""
    strength: Strength | None
    """Strength of the computer in this seat; None for a person."""
    replaced: bool
    """True when a caretaker made more than half of the person's moves."""


SEAT_KINDS: Final = {(int, int, NoneType, bool), (int, int, str, bool)}
"""Types of a RatedSeat's values in JSON."""


@dataclass(frozen=True, slots=True)
class RatedMatch:
    """A finished match, as ratings see it."""

    pool: str
    seats: tuple[RatedSeat, ...]

    def to_json(self) -> str:
        """Return the match as compact JSON. Equal matches give equal texts."""
        rows = [[seat.side, seat.placing, seat.strength, seat.replaced] for seat in self.seats]
        return json.dumps({"pool": self.pool, "seats": rows}, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the match that `to_json` wrote. Raises ValueError for any other text."""
        match json.loads(text):
            case {"pool": str(pool), "seats": [*rows], **others} if not others:
                return cls(pool, tuple(map(_seat, rows)))
        raise ValueError(f"not a rated match: {text[:80]}")


@dataclass(frozen=True, slots=True)
class Change:
    """Change of one person's rating by one match."""

    before: Rating
    """Rating at the end of the match, before it counts: absence has already increased its sigma."""
    after: Rating
    expected: float
    """Expected mean placing of the person's side among the sides, 1 is best."""


Skill: TypeAlias = tuple[float, float]
"""mu and sigma of one seat."""


def rating_of(row: RatingRow) -> Rating:
    """Return the rating in a row of the store."""
    return Rating(row.mu, row.sigma, row.n, row.at)


def rate(
    match: RatedMatch, before: Sequence[Rating | None], at: int, constants: Constants | None = None
) -> list[Change | None]:
    """Return the change of each seat's rating by a match that ended at `at`, in ms; None for a computer.

    `before` has each seat's rating: None for a person without a rated match in this pool, and for a computer.
    `constants` are by default those of the pool. The match must have at least two sides.

    A side comes last when all its people were replaced. If only some were, the replaced ones are rated as if the side
    had come last, the others with its placing.
    """
    constants = constants or constants_of(match.pool)
    persons = [
        None if seat.strength else _at_end(rating, at)
        for seat, rating in zip(match.seats, before, strict=True)
    ]
    skills = [_skill(seat, rating, constants) for seat, rating in zip(match.seats, persons, strict=True)]
    sides = sides_of(match)
    assert len(sides) > 1, "a match with one side has no result to rate"
    after = _after(match, sides, skills, constants)
    expected = dict(_expected(sides, skills, constants.beta))
    return [
        None if person is None else Change(person, _counted(person, skill, at), expected[seat])
        for seat, (person, skill) in enumerate(zip(persons, after, strict=True))
    ]


def shown(rating: Rating) -> int:
    """Return the rating as people see it: 1500 at the start."""
    return round(1500 + 40 * (rating.mu - START_MU))


def uncertainty(rating: Rating, now: int) -> float:
    """Return sigma at `now`, in ms: it grows with the time since the last rated match, up to START_SIGMA."""
    days = max(0, now - rating.at) / DAY
    return min(START_SIGMA, math.sqrt(rating.sigma**2 + GROWTH * days))


def is_provisional(rating: Rating, now: int) -> bool:
    """Return whether the rating is still, or again, too uncertain to rely on."""
    return rating.matches < PROVISIONAL_MATCHES or uncertainty(rating, now) > PROVISIONAL_SIGMA


def label(rating: Rating, now: int) -> str:
    """Return "1540", or "1540?" while the rating is provisional."""
    return f"{shown(rating)}{'?' * is_provisional(rating, now)}"


def lower_bound(rating: Rating, now: int) -> float:
    """Return the mu that the person very probably has at least. Tables rank by it."""
    return rating.mu - 2 * uncertainty(rating, now)


def reason(change: Change, placing: int, sides: int, *, team: bool = False, replaced: bool = False) -> str:
    """Return one line on a change: "+12: expected place 2.4 of 4, came 1st". A first rating has no expected place.

    `placing` is that of the person's side among `sides` sides. `team`: sides have several members. `replaced` is as in
    RatedSeat.
    """
    came = f"came {ordinal(placing)}"
    if replaced:
        came += ", rated as last because a computer made most of the moves"
    rating = change.after
    if change.before.matches == 0:
        return f"{label(rating, rating.at)} after the first rated match, {came}"
    moved = _points(change) or "No change"
    return f"{moved}: expected place {change.expected:.1f} of {sides}{' sides' * team}, {came}"


def new_label(change: Change) -> str:
    """Return the rating after a match and its change: "1540 +12", or "1540" when it did not change or is the first."""
    return f"{label(change.after, change.after.at)} {_points(change)}".rstrip()


def _points(change: Change) -> str:
    """Return "+12" or "−12"; "" for no change, and for a first rating."""
    points = shown(change.after) - shown(change.before) if change.before.matches else 0
    return f"{points:+}".replace("-", "−") if points else ""


def _seat(row: Any) -> RatedSeat:
    kinds = tuple(map(type, row)) if isinstance(row, list) else ()
    if kinds in SEAT_KINDS and row[2] in (None, *STRENGTHS):
        return RatedSeat(*row)
    raise ValueError(f"not a rated seat: {row!r:.80}")


def _at_end(rating: Rating | None, at: int) -> Rating:
    """Return a person's rating at the end of a match, before it counts."""
    if rating is None:
        return Rating(START_MU, START_SIGMA, 0, at)
    return Rating(rating.mu, uncertainty(rating, at), rating.matches, at)


def _skill(seat: RatedSeat, person: Rating | None, constants: Constants) -> Skill:
    if person is not None:
        return person.mu, person.sigma
    assert seat.strength is not None
    return constants.computers[seat.strength], COMPUTER_SIGMA


def sides_of(match: RatedMatch) -> list[list[int]]:
    """Return the seats of each side."""
    found: dict[int, list[int]] = {}
    for number, seat in enumerate(match.seats):
        found.setdefault(seat.side, []).append(number)
    return list(found.values())


def _after(
    match: RatedMatch, sides: Sequence[Sequence[int]], skills: Sequence[Skill], constants: Constants
) -> list[Skill]:
    """Return the new skill of each seat."""
    model = _model(constants.beta, constants.tau)
    placings = [placing_of([match.seats[seat] for seat in side]) for side in sides]
    after = _updated(model, sides, skills, placings)
    for number, side in enumerate(sides):
        replaced = [seat for seat in side if match.seats[seat].replaced]
        if replaced and placings[number] < math.inf:
            as_last = [math.inf if each == number else placing for each, placing in enumerate(placings)]
            other = _updated(model, sides, skills, as_last)
            for seat in replaced:
                after[seat] = other[seat]
    return after


def placing_of(side: Sequence[RatedSeat]) -> float:
    """Return the placing that a side is rated with: infinity, which is last, when all its people were replaced."""
    people = [seat for seat in side if seat.strength is None]
    if people and all(seat.replaced for seat in people):
        return math.inf
    return float(min(seat.placing for seat in side))


def _updated(
    model: BradleyTerryFull,
    sides: Sequence[Sequence[int]],
    skills: Sequence[Skill],
    placings: list[float],
) -> list[Skill]:
    after = [*skills]
    rated = model.rate([[model.rating(*skills[seat]) for seat in side] for side in sides], placings)
    for side, ratings in zip(sides, rated, strict=True):
        for seat, rating in zip(side, ratings, strict=True):
            after[seat] = rating.mu, rating.sigma
    return after


@cache
def _model(beta: float, tau: float) -> BradleyTerryFull:
    return BradleyTerryFull(mu=START_MU, sigma=START_SIGMA, beta=beta, tau=tau, gamma=_gamma)


def _gamma(c: float, sides: int, *_: object) -> float:  # noqa: ARG001
    """Return the weight of one comparison in the decrease of sigma squared.

    Up to four sides it is 1: each comparison counts in full. With more, 4 / sides keeps the sum of all comparisons
    below 1, so that one match never takes away all uncertainty. openskill's own gamma forecasts no better, and with it
    ratings in games with much luck stay provisional for a hundred matches (`python -m bench ratings`).
    """
    return min(1.0, 4 / sides)


def _expected(
    sides: Sequence[Sequence[int]], skills: Sequence[Skill], beta: float
) -> Iterator[tuple[int, float]]:
    """Yield each seat with the expected mean placing of its side."""
    mus = [sum(skills[seat][0] for seat in side) for side in sides]
    variances = [sum(skills[seat][1] ** 2 for seat in side) for side in sides]
    for own, side in enumerate(sides):
        ahead = sum(
            chance(mus[other] - mus[own], variances[own] + variances[other], beta)
            for other in range(len(sides))
            if other != own
        )
        yield from ((seat, 1 + ahead) for seat in side)


def chance(lead: float, variance: float, beta: float) -> float:
    """Return the model's probability that a side is placed before another one.

    `lead` is its mu minus the other's; `variance` is the sum of both sides' sigma squared.
    """
    return 1 / (1 + math.exp(-lead / math.sqrt(variance + 2 * beta**2)))


def _counted(before: Rating, after: Skill, at: int) -> Rating:
    mu, sigma = after
    # tau can add more uncertainty than a match takes away.
    return Rating(mu, min(sigma, START_SIGMA), before.matches + 1, at)
