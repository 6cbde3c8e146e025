"""Matches of random play for the laws to look at, each made from the few numbers that Hypothesis draws."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, NamedTuple

from hypothesis import strategies as st

from games.contract import Event, Options
from tests.contract.subjects import Subject

NAMES = tuple(f"{seat}" + "W" * 31 for seat in range(8))
"""Display names as long as Discord allows."""

TOO_LONG = "random play takes longer than the game says"
PAUSES = (0, 0, 30, 300, 1500)
"""Ms that pass between two things that happen."""


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


class Done(NamedTuple):
    """An entry of a match's log: an action of a seat, or, without a seat, a tick. `at` is in ms."""

    seat: int | None
    action: int
    at: int


class Match:
    """A match being played: `log` has what was done, `told` the events of `new` and then of each entry, `now` the
    time."""

    def __init__(self, subject: Subject, options: Options, seats: int, seed: int | str) -> None:
        self.game = subject.game
        self.options = options
        self.seats = range(seats)
        self.seed = seed
        self.now = 0
        self.log: list[Done] = []
        self.state: Any
        self.state, first = self.game.new(options, seats, seed)
        self.told: list[list[Event]] = [first]

    @property
    def onlookers(self) -> tuple[int | None, ...]:
        """Everybody who may look at it: a watcher and the seats."""
        return (None, *self.seats)

    @property
    def is_open(self) -> bool:
        """Whether it waits for somebody or for time."""
        return bool(self.game.awaited(self.state)) or self.game.due(self.state) is not None

    @property
    def actions(self) -> int:
        """How many actions there have been, ticks not counted."""
        return sum(done.seat is not None for done in self.log)

    def do(self, done: Done) -> list[Event]:
        """One entry more."""
        self.now = done.at
        events = after(self, self.state, done)
        self.log.append(done)
        self.told.append(events)
        return events

    def act(self, seat: int, action: int) -> list[Event]:
        return self.do(Done(seat, action, self.now))

    def actors(self) -> list[int]:
        """The seats that may do something, awaited or not."""
        return [seat for seat in self.seats if self.game.legal(self.state, seat)]


def after(match: Match, state: Any, done: Done) -> list[Event]:
    """Change a state of the match's game by an entry, and tell what happened."""
    if done.seat is None:
        return match.game.tick(state, done.at)
    return match.game.apply(state, done.seat, done.action, done.at)


def begin(subject: Subject, draw: Draw) -> Match:
    """The match of `draw` before the first action."""
    sets = subject.secrets.options()
    options = sets[draw.options % len(sets)]
    allowed = subject.game.seats(options)
    return Match(subject, options, allowed[draw.seats % len(allowed)], draw.seed)


def coming(match: Match, rng: Random) -> Done:
    """What comes next after a pause: a tick once something is due; else an action of somebody who is awaited, or who
    may act while the match waits for time alone."""
    game, now = match.game, match.now + rng.choice(PAUSES)
    due, awaited = game.due(match.state), game.awaited(match.state)
    actors = awaited or match.actors()
    if due is not None and (due <= now or not actors):
        return Done(None, 0, max(due, match.now))
    seat = rng.choice(actors)
    return Done(seat, rng.choice(game.legal(match.state, seat)), now)


def proceed(match: Match, rng: Random) -> list[Event]:
    """Let happen what comes next."""
    return match.do(coming(match, rng))


def finished(match: Match, rng: Random) -> Match:
    """The match after random play to its end. However it came to be where it is (a choice may have been changed, or
    taken back by an earlier copy), that takes no more actions from here than the whole."""
    entries, actions = len(match.log), match.actions
    while match.is_open:
        proceed(match, rng)
        assert len(match.log) - entries <= 2 * match.game.longest, TOO_LONG
    assert match.actions - actions <= match.game.longest, TOO_LONG
    return match


def moment(subject: Subject, draw: Draw) -> Match:
    """The match of `draw` somewhere between its first state and its end. Now and then a seat acts that may but
    is not awaited."""
    match, rng = begin(subject, draw), Random(draw.choices)
    for _ in range(_length(subject, match.options, len(match.seats)) * draw.part // 100):
        if not match.is_open:
            break
        done = coming(match, rng)
        if done.seat is not None and rng.random() < 0.1:
            seat = rng.choice(match.actors())
            done = Done(seat, rng.choice(match.game.legal(match.state, seat)), done.at)
        match.do(done)
    return match


@cache
def _length(subject: Subject, options: Options, seats: int) -> int:
    return len(finished(Match(subject, options, seats, "length"), Random(0)).log)


def visible(events: Sequence[Event], seat: int | None) -> list[Event]:
    """Those of `events` that `seat` (None: a watcher) may learn of."""
    return [event for event in events if event.to is None or event.to == seat]
