"""Fit the constants of the rating pools to matches among computers, and test how well ratings forecast placings.

    python -m research.ratings [GAME] [MATCHES]

The first half of the matches is for fitting, the second half for testing. In each half some computers stay computers,
and the others stand for PEOPLE people. Their ratings begin at the start and change match by match, as at real tables.
Each of these people has a hidden strength. A third learn: in the course of the half they play more and more often at
the next strength. Without them the best tau would be 0, and people would come in three sorts only, which no rating by
a normal distribution can forecast well.

A forecast is the probability that one of two seats is placed before the other, from their ratings before the match.
Forecasts between two computers do not count. A shared placing counts as half.
"""

import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, combinations, pairwise, permutations, product
from pathlib import Path
from random import Random
from statistics import fmean, median
from typing import Final, NamedTuple

from bench.report import say, table
from bot.standings import ratings
from bot.standings.pools import Constants
from bot.standings.ratings import COMPUTER_SIGMA, START_MU, START_SIGMA, RatedMatch, RatedSeat, Rating
from games import GAMES
from games.advice import STRENGTHS, Strength
from research.rated_matches import RECORDS, Record, played, tables

MATCHES: Final = 2_000
LEAST: Final = 20
PEOPLE: Final = 30
LEARNERS: Final = 3
"""One person in so many learns."""
COMPUTERS: Final = 0.25
"""Share of the seats that stay computers."""
CASTS: Final = 2
"""Number of times that people are seated anew in the same matches, to depend less on who sits where."""
LIBRARY_BETA: Final = 25 / 6
LIBRARY_TAU: Final = 25 / 300
BETAS: Final = tuple(LIBRARY_BETA * 2 ** (step / 2) for step in range(-2, 5))
"""With a larger beta, people would stay provisional for more than about thirty matches."""
TAUS: Final = tuple(LIBRARY_TAU * factor for factor in (1 / 2, 1, 2, 4))
BINS: Final = 10
SLACK: Final = 0.003
"""Difference in log-loss that is given up for forecasts whose bins are closer to the shares."""
START: Final = Rating(START_MU, START_SIGMA, 0, 0)


@dataclass(frozen=True)
class LogLoss:
    """Mean log-loss of forecasts on the matches for testing; lower is better."""

    coin: float
    defaults: float
    """With openskill's beta and tau, and computers' constants that fit these."""
    fitted: float
    known: float
    """If the strength of every seat were known. No rating can be much better."""


@dataclass(frozen=True)
class Bin:
    """A tenth of the forecasts, the lowest in the first bin. Each pair counts once from either side."""

    forecast: float
    """Mean forecast in percent."""
    share: float
    """Share of these pairs in percent in which the seat was placed before the other one."""


@dataclass(frozen=True)
class Pool:
    """Constants of one pool, and their test."""

    matches: int
    beta: float
    tau: float
    computers: Mapping[Strength, float]
    """Fixed mu by strength, from all matches. The test uses those of the matches for fitting."""
    log_loss: LogLoss
    worst_bin: float
    """Greatest difference between forecast and share in a bin, in percentage points."""
    bins: Mapping[str, Bin]
    settled_after: float | None
    """Matches until sigma allows a settled rating, median of the people; None when fewer than half came to that."""


@dataclass(frozen=True)
class Ratings:
    """Results by pool."""

    pools: Mapping[str, Pool]


class Forecast(NamedTuple):
    """Forecast for a pair of seats, and the result for the first one: 1 before the other, 0.5 shared, 0 behind."""

    chance: float
    result: float


class Cast(NamedTuple):
    """A match with its people: numbers from 0 by seat, None for a computer."""

    match: RatedMatch
    strengths: tuple[Strength, ...]
    people: tuple[int | None, ...]


class Person(NamedTuple):
    """A simulated person."""

    strength: Strength
    learned: Strength
    """Strength at the end; the same for those who do not learn."""

    def weight(self, strength: Strength, progress: float) -> float:
        """Return how often the person plays at a strength, 0 to 1. `progress` is the part of the time that is over."""
        return (strength == self.strength) * (1 - progress) + (strength == self.learned) * progress


def measure(game: str | None = None, matches: int = MATCHES, folder: Path = RECORDS) -> Ratings:
    """Play the matches that are not stored yet, then fit and test the pools of one game or of all.

    Raises ValueError for an unknown game, or for too few matches to fit and to test.
    """
    if game not in (None, *GAMES):
        raise ValueError(f"There is no game {game}; there are {', '.join(GAMES)}.")
    if matches < LEAST:
        raise ValueError(f"Ratings need at least {LEAST} matches, not {matches}.")
    pools = [pool for pool, table in tables().items() if game in (None, table.game)]
    return Ratings({pool: _pool(pool, played(pool, matches, folder)) for pool in pools})


def _pool(pool: str, records: Sequence[Record]) -> Pool:
    say(f"{pool}: fitting")
    half = len(records) // 2
    fitting, testing = _casts(pool, records[:half]), _casts(pool, records[half:])
    strengths = _strengths(records[:half])
    beta, tau = _beta_and_tau(fitting, strengths)
    constants = _constants(beta, tau, strengths)
    final = _constants(beta, tau, _strengths(records))
    found = _all_forecasts(testing, constants)
    bins = list(_bins(found))
    defaults = _all_forecasts(testing, _constants(LIBRARY_BETA, LIBRARY_TAU, strengths))
    return Pool(
        matches=len(records),
        beta=round(beta, 3),
        tau=round(tau, 4),
        computers={strength: round(mu, 2) for strength, mu in final.computers.items()},
        log_loss=LogLoss(
            coin=round(math.log(2), 4),
            defaults=round(_log_loss(defaults), 4),
            fitted=round(_log_loss(found), 4),
            known=round(_log_loss(_known(chain(*testing), strengths)), 4),
        ),
        worst_bin=_worst(bins),
        bins={f"{number}": each for number, each in enumerate(bins, 1)},
        settled_after=_settled_after(testing, constants),
    )


def _beta_and_tau(
    casts: Sequence[Sequence[Cast]], strengths: Mapping[Strength, float]
) -> tuple[float, float]:
    """Return the pair with the best worst bin among those whose log-loss is within SLACK of the best."""
    found = {}
    for beta, tau in product(BETAS, TAUS):
        forecasts = _all_forecasts(casts, _constants(beta, tau, strengths))
        found[beta, tau] = _log_loss(forecasts), _worst(_bins(forecasts))
    best = min(loss for loss, _ in found.values())
    return min((worst, loss, pair) for pair, (loss, worst) in found.items() if loss <= best + SLACK)[2]


def _constants(beta: float, tau: float, strengths: Mapping[Strength, float]) -> Constants:
    """Return the constants with which two computers' forecasts are those of their strengths."""
    computers = {each: START_MU + math.sqrt(2) * beta * logit for each, logit in strengths.items()}
    return Constants(beta, tau, computers)


def _strengths(records: Iterable[Record]) -> dict[Strength, float]:
    """Return the logarithm of each computer's Bradley-Terry strength, 0 for a steady one.

    Source: Hunter, "MM algorithms for generalized Bradley-Terry models", The Annals of Statistics 32 (2004).
    """
    # One tie each, so that no strength is infinite.
    beaten = dict.fromkeys(permutations(STRENGTHS, 2), 0.5)
    for record in records:
        seats = zip(record.strengths, record.placings, strict=True)
        for (one, first), (other, second) in permutations(seats, 2):
            if one != other:
                beaten[one, other] += _result(first, second)
    found = dict.fromkeys(STRENGTHS, 1.0)
    for _ in range(500):
        found = {each: _improved(each, found, beaten) for each in STRENGTHS}
    return {each: math.log(found[each] / found["steady"]) for each in STRENGTHS}


def _improved(
    one: Strength, found: Mapping[Strength, float], beaten: Mapping[tuple[Strength, Strength], float]
) -> float:
    others = [other for other in STRENGTHS if other != one]
    met = sum((beaten[one, other] + beaten[other, one]) / (found[one] + found[other]) for other in others)
    return sum(beaten[one, other] for other in others) / met


def _result(own: int, other: int) -> float:
    """Return 1 for the better placing, 0.5 for the same, 0 for the worse."""
    return (own < other) + (own == other) / 2


def _casts(pool: str, records: Sequence[Record]) -> list[list[Cast]]:
    """Return the same matches CASTS times, with people seated anew."""
    return [[*_cast(pool, records, Random(f"{pool} {number}"))] for number in range(CASTS)]


def _cast(pool: str, records: Sequence[Record], rng: Random) -> Iterator[Cast]:
    people = _people(records)
    for number, record in enumerate(records):
        free = {*range(len(people))}
        seated: list[int | None] = []
        for strength in record.strengths:
            weights = {each: people[each].weight(strength, number / len(records)) for each in sorted(free)}
            person = None
            if rng.random() >= COMPUTERS and any(weights.values()):
                (person,) = rng.choices([*weights], [*weights.values()])
                free.remove(person)
            seated.append(person)
        yield Cast(_rated_match(pool, record, seated), record.strengths, tuple(seated))


def _people(records: Sequence[Record]) -> list[Person]:
    """Return PEOPLE people: as many of each strength as it has seats, in proportion."""
    seats = sorted(strength for record in records for strength in record.strengths)
    strengths = [seats[(2 * number + 1) * len(seats) // (2 * PEOPLE)] for number in range(PEOPLE)]
    stronger: dict[Strength, Strength] = {"casual": "steady", "steady": "sharp", "sharp": "sharp"}
    return [
        Person(each, each if number % LEARNERS else stronger[each]) for number, each in enumerate(strengths)
    ]


def _rated_match(pool: str, record: Record, people: Sequence[int | None]) -> RatedMatch:
    seats = [
        RatedSeat(seat, placing, strength if person is None else None, False)
        for seat, (placing, strength, person) in enumerate(
            zip(record.placings, record.strengths, people, strict=True)
        )
    ]
    return RatedMatch(pool, tuple(seats))


def _log_loss(forecasts: Iterable[Forecast]) -> float:
    return -fmean(
        result * math.log(chance) + (1 - result) * math.log(1 - chance) for chance, result in forecasts
    )


def _all_forecasts(casts: Iterable[Sequence[Cast]], constants: Constants) -> list[Forecast]:
    return [each for cast in casts for each in _forecasts(cast, constants)]


def _forecasts(cast: Iterable[Cast], constants: Constants) -> Iterator[Forecast]:
    """Yield the forecasts before each match. People begin at the start; no time passes between matches."""
    known: dict[int, Rating] = {}
    for each in cast:
        before = _before(each, known)
        skills = [_skill(rating, each.strengths[seat], constants) for seat, rating in enumerate(before)]
        for one, other in _pairs(each):
            (mu, sigma), (other_mu, other_sigma) = skills[one], skills[other]
            chance = ratings.chance(mu - other_mu, sigma**2 + other_sigma**2, constants.beta)
            yield Forecast(chance, _result_of(each, one, other))
        _rate(each, before, known, constants)


def _known(cast: Iterable[Cast], strengths: Mapping[Strength, float]) -> Iterator[Forecast]:
    """Yield the same forecasts from the strengths of the seats."""
    for each in cast:
        for one, other in _pairs(each):
            lead = strengths[each.strengths[one]] - strengths[each.strengths[other]]
            yield Forecast(1 / (1 + math.exp(-lead)), _result_of(each, one, other))


def _pairs(cast: Cast) -> list[tuple[int, int]]:
    """Return the pairs of seats with at least one person."""
    people = cast.people
    pairs = combinations(range(len(people)), 2)
    return [(one, other) for one, other in pairs if (people[one], people[other]) != (None, None)]


def _result_of(cast: Cast, one: int, other: int) -> float:
    return _result(cast.match.seats[one].placing, cast.match.seats[other].placing)


def _before(cast: Cast, known: Mapping[int, Rating]) -> list[Rating | None]:
    return [None if person is None else known.get(person, START) for person in cast.people]


def _skill(rating: Rating | None, strength: Strength, constants: Constants) -> tuple[float, float]:
    if rating is None:
        return constants.computers[strength], COMPUTER_SIGMA
    return rating.mu, rating.sigma


def _rate(
    cast: Cast, before: Sequence[Rating | None], known: dict[int, Rating], constants: Constants
) -> None:
    """Change the known ratings by a match."""
    for person, change in zip(cast.people, ratings.rate(cast.match, before, 0, constants), strict=True):
        if person is not None and change is not None:
            known[person] = change.after


def _worst(bins: Iterable[Bin]) -> float:
    return round(max(abs(each.forecast - each.share) for each in bins), 1)


def _bins(forecasts: Iterable[Forecast]) -> Iterator[Bin]:
    both = [*forecasts]
    both += [Forecast(1 - each.chance, 1 - each.result) for each in both]
    both.sort()
    for begin, end in pairwise(len(both) * number // BINS for number in range(BINS + 1)):
        yield Bin(
            round(100 * fmean(each.chance for each in both[begin:end]), 1),
            round(100 * fmean(each.result for each in both[begin:end]), 1),
        )


def _settled_after(casts: Iterable[Sequence[Cast]], constants: Constants) -> float | None:
    """Return the median of the matches after which people's ratings are no longer provisional."""
    found: list[float] = []
    for cast in casts:
        known: dict[int, Rating] = {}
        settled: dict[int, float] = dict.fromkeys(
            (p for each in cast for p in each.people if p is not None), math.inf
        )
        for each in cast:
            _rate(each, _before(each, known), known, constants)
            for person, rating in known.items():
                if not ratings.is_provisional(rating, 0):
                    settled[person] = min(settled[person], rating.matches)
        found += settled.values()
    middle = median(found)
    return middle if middle < math.inf else None


def main() -> None:
    """Fit the pools of the game that is named, or of all; another number sets the matches."""
    games = [each for each in sys.argv[1:] if not each.isdecimal()]
    numbers = [int(each) for each in sys.argv[1:] if each.isdecimal()]
    print(table(asdict(measure(*games or [None], *numbers))))


if __name__ == "__main__":
    main()
