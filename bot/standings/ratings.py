"""Ratings of people: the change by one match, and how a rating is shown.

The model is `openskill`'s BradleyTerryFull: each side of a match is compared with each other side by their placings.
Source: Weng and Lin, "A Bayesian Approximation Method for Online Ranking", Journal of Machine Learning Research 12
(2011), algorithm 1.

Computers are fixed points: their constants (`bot.standings.pools`) never change. They make people comparable who never
meet. Matches of the same people lose weight when they pile up (`weight`), so that two accounts gain little by losing to
each other. All functions are pure, so rating the same matches in the same order gives the same ratings, bit for bit.
"""

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from types import NoneType
from typing import Any, Final, Self, TypeAlias

from openskill.models import BradleyTerryFull

from bot.standings.pools import Constants, constants_of
from bot.store import RatingRow
from games.advice import STRENGTHS, Strength
from games.phrases import gained, ordinal

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
PILE: Final = 30 * DAY
"""Time in ms within which rated matches of the same people, and nobody else, pile up."""
FULL: Final = 10
"""Number of these matches that count in full."""


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
    """Placing of its side, 1 is best; the last one for a person who is replaced. 0 for a side that is not compared:
    computers in a match that ended when the last person left. Only the order of the sides' placings matters."""
    strength: Strength | None
    """Strength of the computer in this seat; None for a person."""
    replaced: bool
    """True for a person who is rated as last: they left, or did not make half of the moves."""


SEAT_KINDS: Final = {(int, int, NoneType, bool), (int, int, str, bool)}
"""Types of a RatedSeat's values in JSON."""


@dataclass(frozen=True, slots=True)
class RatedMatch:
    """A finished match, as ratings see it."""

    pool: str
    seats: tuple[RatedSeat, ...]
    left: tuple[int, ...] = ()
    """The seats that others left in which somebody has played on: one for each of these people, who are numbered after
    the seats (see `Result.seat`)."""

    def to_json(self) -> str:
        """Return the match as compact JSON. Equal matches give equal texts."""
        rows = [[seat.side, seat.placing, seat.strength, seat.replaced] for seat in self.seats]
        left = {"left": self.left} if self.left else {}
        return json.dumps({"pool": self.pool, "seats": rows} | left, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the match that `to_json` wrote. Raises ValueError for any other text."""
        match json.loads(text):
            case {"pool": str(pool), "seats": [*rows], **others} if others.keys() <= {"left"}:
                return cls(pool, tuple(map(_seat, rows)), _left(others.get("left", []), len(rows)))
        raise ValueError(f"not a rated match: {text[:80]}")

    @property
    def people(self) -> list[RatedSeat]:
        """Everybody in the match, computers too, by `Result.seat`: the seats, then those who left one of them."""
        last = max(seat.placing for seat in self.seats)
        return [*self.seats, *(replace(self.seats[seat], placing=last, replaced=True) for seat in self.left)]


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
    match: RatedMatch,
    before: Sequence[Rating | None],
    at: int,
    constants: Constants | None = None,
    nth: int = 1,
) -> list[Change | None]:
    """Return the change of everybody's rating by a match that ended at `at`, in ms; None for a computer.

    `before` has the ratings of `match.people`: None for a person without a rated match in this pool, and for a
    computer. `constants` are by default those of the pool. `nth` is as in `weight`. The match must have at least two
    sides.

    A side comes last when all its people were replaced. If only some were, the replaced ones are rated as if the side
    had come last, the others with its placing. Whoever left a seat in which somebody has played on is rated as if they
    had kept it and their side had come last.
    """
    changes = partial(_changes, at=at, constants=constants or constants_of(match.pool), share=weight(nth))
    people, seats = match.people, len(match.seats)
    rated = changes(match.seats, before[:seats])
    for number, seat in enumerate(match.left, seats):
        kept, known = [*match.seats], [*before[:seats]]
        kept[seat], known[seat] = people[number], before[number]
        rated.append(changes(kept, known)[seat])
    return rated


def weight(nth: int) -> float:
    """Return the weight of a match that is the n-th rated one of exactly its people, in its pool and within PILE.

    Up to FULL it is 1. All matches within PILE together weigh less than twice FULL, however many there are.
    """
    return min(1.0, (FULL / nth) ** 2)


def _changes(
    seats: Sequence[RatedSeat], before: Sequence[Rating | None], at: int, constants: Constants, share: float
) -> list[Change | None]:
    """Return the change of each seat's rating, as in `rate`. `share` is the weight of the match."""
    persons = [
        None if seat.strength else _at_end(rating, at) for seat, rating in zip(seats, before, strict=True)
    ]
    skills = [_skill(seat, rating, constants) for seat, rating in zip(seats, persons, strict=True)]
    sides = sides_of(seats)
    assert len(sides) > 1, "a match with one side has no result to rate"
    after = _after(seats, sides, skills, constants)
    expected = dict(_expected(sides, skills, constants.beta))
    return [
        None if person is None else Change(person, _counted(person, skill, at, share), expected[seat])
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


def reason(
    change: Change,
    placing: int,
    sides: int,
    *,
    team: bool = False,
    verb: str = "came",
    last: str = "",
    nth: int = 1,
) -> str:
    """Return one line on a change: "+12: expected place 2.4 of 4, came 1st". A first
    rating has no expected place: "came 1st · first rating 1660, still uncertain".

    `placing` is the person's, among `sides` sides. `team`: sides have several members. `verb` is "counts as" where
    people are rated with other placings than at the table, `last` says why the person is rated as last, "" if not.
    `nth` is as in `weight`.
    """
    came = f"{verb} {ordinal(placing)}" + f" because {last}" * bool(last)
    if weight(nth) < 1:
        came += f"; the {ordinal(nth)} match of just these people in 30 days, which counts {weight(nth):.0%}"
    rating = change.after
    if change.before.matches == 0:
        return f"{came} · first rating {shown(rating)}, still uncertain"
    moved = _points(change) or "No change"
    return f"{moved}: expected place {change.expected:.1f} of {sides}{' sides' * team}, {came}"


def new_label(change: Change) -> str:
    """Return the rating after a match and its change: "1540 +12", or "1540" when it did not change or is the first."""
    return f"{label(change.after, change.after.at)} {_points(change)}".rstrip()


def _points(change: Change) -> str:
    """Return "+12" or "−12"; "" for no change, and for a first rating."""
    points = shown(change.after) - shown(change.before) if change.before.matches else 0
    return gained(points) if points else ""


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


def _left(seats: Any, number: int) -> tuple[int, ...]:
    if isinstance(seats, list) and all(type(seat) is int and 0 <= seat < number for seat in seats):
        return tuple(seats)
    raise ValueError(f"not seats of a rated match: {seats!r:.80}")


def sides_of(seats: Sequence[RatedSeat]) -> list[list[int]]:
    """Return the seats of each side that is compared with the others."""
    found: dict[int, list[int]] = {}
    for number, seat in enumerate(seats):
        if seat.placing:
            found.setdefault(seat.side, []).append(number)
    return list(found.values())


def _after(
    seats: Sequence[RatedSeat],
    sides: Sequence[Sequence[int]],
    skills: Sequence[Skill],
    constants: Constants,
) -> list[Skill]:
    """Return the new skill of each seat."""
    model = _model(constants.beta, constants.tau)
    placings = [placing_of([seats[seat] for seat in side]) for side in sides]
    after = _updated(model, sides, skills, placings)
    for number, side in enumerate(sides):
        replaced = [seat for seat in side if seats[seat].replaced]
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


def as_rated(seats: Sequence[RatedSeat]) -> tuple[RatedSeat, ...]:
    """Return seats with the placings with which they are rated, from those of the game: a person who is replaced comes
    last, with their side if that has nobody else. Without anybody else at all, the placings stay."""
    sides = {seats[side[0]].side: placing_of([seats[seat] for seat in side]) for side in sides_of(seats)}
    if {*sides.values()} == {math.inf}:
        return tuple(seats)
    ranks = {side: 1 + sum(other < own for other in sides.values()) for side, own in sides.items()}
    last = max(ranks.values(), default=0)
    return tuple(replace(seat, placing=last if seat.replaced else ranks.get(seat.side, 0)) for seat in seats)


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
    """Return the weight of one comparison in the decrease of sigma squared."""
    # With more than four sides, the sum of all comparisons must stay below 1: one match never takes away all
    # uncertainty. openskill's own gamma forecasts no better, and ratings in games with much luck stay provisional for a
    # hundred matches (`python -m research.ratings`).
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


def _counted(before: Rating, after: Skill, at: int, share: float) -> Rating:
    """Return the rating after a match of which only a share counts."""
    mu, sigma = after
    if share < 1:
        mu = before.mu + share * (mu - before.mu)
        sigma = math.sqrt(before.sigma**2 + share * (sigma**2 - before.sigma**2))
    # tau can add more uncertainty than a match takes away.
    return Rating(mu, min(sigma, START_SIGMA), before.matches + 1, at)
