"""Matches of random play for the laws to check, each built from a few numbers that Hypothesis generates."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, Final, NamedTuple

from hypothesis import strategies as st

from games.contract import Event, Options
from games.types import SEATS, Action, Seat
from tests.contract.subjects import Subject

NAMES = tuple(f"{seat}" + "W" * 31 for seat in SEATS[:8])
"""Display names of the greatest length Discord allows."""

TOO_LONG = "random play takes longer than the game says"
PAUSES = (0, 0, 30, 300, 1500)
"""Possible pauses between two log entries, in ms."""


@dataclass(frozen=True)
class Draw:
    """The numbers that determine a match and a moment in it. `options` and `seats` index the possible values;
    `choices` seeds the random moves; `part` is the portion already played, in percent of a typical match."""

    options: int
    seats: int
    seed: int
    choices: int
    part: int


DRAWS = st.builds(
    Draw,
    options=st.integers(0, 99),
    seats=st.integers(0, 99),
    seed=st.integers(10**15, 10**16),  # long, so that it is easy to find where it must not appear
    choices=st.integers(0, 10**6),
    part=st.integers(0, 110),
)


NO_ACTION: Final = Action(0)
"""Action of a tick."""


class LogEntry(NamedTuple):
    """One entry of a match's log: an action of a seat, or a tick (seat None). `at` is in ms."""

    seat: Seat | None
    action: Action
    at: int


class Match:
    """A match being played. `log` has the entries so far, `events` those of `new` and then of each entry, `now` the
    time."""

    def __init__(self, subject: Subject, options: Options, seats: int, seed: int | str) -> None:
        self.game = subject.game
        self.options = options
        self.seats = SEATS[:seats]
        self.seed = seed
        self.now = 0
        self.log: list[LogEntry] = []
        self.state: Any
        self.state, first = self.game.new(options, seats, seed)
        self.events: list[list[Event]] = [first]

    @property
    def viewers(self) -> tuple[Seat | None, ...]:
        """Everybody who may look at the match: a watcher (None) and all seats."""
        return (None, *self.seats)

    @property
    def is_open(self) -> bool:
        """True while the match waits for a player or for time to pass."""
        return bool(self.game.awaited(self.state)) or self.game.due(self.state) is not None

    @property
    def actions(self) -> int:
        """Number of actions so far, not counting ticks."""
        return sum(entry.seat is not None for entry in self.log)

    def do(self, entry: LogEntry) -> list[Event]:
        """Append one entry and return its events."""
        self.now = entry.at
        events = apply_entry(self, self.state, entry)
        self.log.append(entry)
        self.events.append(events)
        return events

    def act(self, seat: Seat, action: Action) -> list[Event]:
        return self.do(LogEntry(seat, action, self.now))

    def active_seats(self) -> list[Seat]:
        """Return the seats that may act, awaited or not."""
        return [seat for seat in self.seats if self.game.legal(self.state, seat)]


def apply_entry(match: Match, state: Any, entry: LogEntry) -> list[Event]:
    """Apply an entry to a state of the match's game and return the events."""
    if entry.seat is None:
        return match.game.tick(state, entry.at)
    return match.game.apply(state, entry.seat, entry.action, entry.at)


def begin(subject: Subject, draw: Draw) -> Match:
    """Return the match of `draw` before its first action."""
    sets = subject.secrets.options()
    options = sets[draw.options % len(sets)]
    allowed = subject.game.seats(options)
    return Match(subject, options, allowed[draw.seats % len(allowed)], draw.seed)


def next_entry(match: Match, rng: Random) -> LogEntry:
    """Return a possible next entry after a random pause: a tick if one is due, else an action of an awaited seat.
    While the match waits only for time, any seat that may act is chosen."""
    game, now = match.game, match.now + rng.choice(PAUSES)
    due, awaited = game.due(match.state), game.awaited(match.state)
    active_seats = awaited or match.active_seats()
    if due is not None and (due <= now or not active_seats):
        return LogEntry(None, NO_ACTION, max(due, match.now))
    seat = rng.choice(active_seats)
    return LogEntry(seat, rng.choice(game.legal(match.state, seat)), now)


def play_next_entry(match: Match, rng: Random) -> list[Event]:
    """Append one possible next entry."""
    return match.do(next_entry(match, rng))


def play_to_the_end(match: Match, rng: Random) -> Match:
    """Play at random to the end and return the match. It may take at most `longest` actions from here, even when the
    state was replaced on the way (an imagined state, an earlier copy)."""
    entries, actions = len(match.log), match.actions
    while match.is_open:
        play_next_entry(match, rng)
        assert len(match.log) - entries <= 2 * match.game.longest, TOO_LONG
    assert match.actions - actions <= match.game.longest, TOO_LONG
    return match


def finished_match(subject: Subject, number: int) -> Match:
    """Return a finished match of random play; `number` selects options, seats and moves."""
    draw = Draw(options=number, seats=number, seed=number, choices=number, part=100)
    return play_to_the_end(begin(subject, draw), Random(number))


def moment(subject: Subject, draw: Draw) -> Match:
    """Return the match of `draw` at some moment between its first state and its end. Now and then a seat acts that
    is allowed to but not awaited."""
    match, rng = begin(subject, draw), Random(draw.choices)
    for _ in range(_length(subject, match.options, len(match.seats)) * draw.part // 100):
        if not match.is_open:
            break
        entry = next_entry(match, rng)
        if entry.seat is not None and rng.random() < 0.1:
            seat = rng.choice(match.active_seats())
            entry = LogEntry(seat, rng.choice(match.game.legal(match.state, seat)), entry.at)
        match.do(entry)
    return match


@cache
def _length(subject: Subject, options: Options, seats: int) -> int:
    return len(play_to_the_end(Match(subject, options, seats, "length"), Random(0)).log)


def visible(events: Sequence[Event], seat: Seat | None) -> list[Event]:
    """Return those of `events` that `seat` (None: a watcher) may learn."""
    return [event for event in events if event.to is None or event.to == seat]


def public(match: Match) -> list[Event]:
    """Return all public events of the match so far, in order."""
    return [event for events in match.events for event in visible(events, None)]
