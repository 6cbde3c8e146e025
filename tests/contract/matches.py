"""Matches of random play for the laws to look at, each made from the few numbers that Hypothesis draws."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from hypothesis import strategies as st

from games.contract import Event, Options
from tests.contract.subjects import Subject

NAMES = tuple(f"{seat}" + "W" * 31 for seat in range(8))
"""Display names as long as Discord allows."""


@dataclass(frozen=True)
class Draw:
    """What a match and a moment in it follow from. `options` and `seats` choose among those possible, `choices`
    is the seed of whoever plays, `part` says how much has been played, in percent of a typical match."""

    options: int
    seats: int
    seed: int
    choices: int
    part: int


DRAWS = st.builds(
    Draw,
    options=st.integers(0, 99),
    seats=st.integers(0, 99),
    seed=st.integers(10**15, 10**16),  # so long that it stands out wherever it should not be
    choices=st.integers(0, 10**6),
    part=st.integers(0, 110),
)


class Match:
    """A match being played: `log` has (seat, action), `told` the events of `new` and then of each action."""

    def __init__(self, subject: Subject, options: Options, seats: int, seed: int | str) -> None:
        self.game = subject.game
        self.options = options
        self.seats = range(seats)
        self.seed = seed
        self.log: list[tuple[int, int]] = []
        self.state: Any
        self.state, first = self.game.new(options, seats, seed)
        self.told: list[list[Event]] = [first]

    @property
    def onlookers(self) -> tuple[int | None, ...]:
        """Everybody who may look at it: a watcher and the seats."""
        return (None, *self.seats)

    def act(self, seat: int, action: int) -> list[Event]:
        events = self.game.apply(self.state, seat, action)
        self.log.append((seat, action))
        self.told.append(events)
        return events

    def actors(self) -> list[int]:
        """The seats that may do something, awaited or not."""
        return [seat for seat in self.seats if self.game.legal(self.state, seat)]


def begin(subject: Subject, draw: Draw) -> Match:
    """The match of `draw` before the first action."""
    sets = subject.secrets.options()
    options = sets[draw.options % len(sets)]
    allowed = subject.game.seats(options)
    return Match(subject, options, allowed[draw.seats % len(allowed)], draw.seed)


def random_move(match: Match, rng: Random) -> tuple[int, int]:
    """(seat, action) of somebody who is awaited."""
    seat = rng.choice(match.game.awaited(match.state))
    return seat, rng.choice(match.game.legal(match.state, seat))


def finished(match: Match, rng: Random) -> Match:
    """The match after random play of the awaited seats to its end, which must come within `longest`."""
    while match.game.awaited(match.state):
        match.act(*random_move(match, rng))
        assert len(match.log) <= match.game.longest, "random play takes longer than the game says"
    return match


def moment(subject: Subject, draw: Draw) -> Match:
    """The match of `draw` somewhere between its first state and its end. Now and then a seat acts that may but
    is not awaited."""
    match, rng = begin(subject, draw), Random(draw.choices)
    for _ in range(_length(subject, match.options, len(match.seats)) * draw.part // 100):
        if not match.game.awaited(match.state):
            break
        seat, action = random_move(match, rng)
        if rng.random() < 0.1:
            seat = rng.choice(match.actors())
            action = rng.choice(match.game.legal(match.state, seat))
        match.act(seat, action)
    return match


@cache
def _length(subject: Subject, options: Options, seats: int) -> int:
    return len(finished(Match(subject, options, seats, "length"), Random(0)).log)


def visible(events: Sequence[Event], seat: int | None) -> list[Event]:
    """Those of `events` that `seat` (None: a watcher) may learn of."""
    return [event for event in events if event.to is None or event.to == seat]
