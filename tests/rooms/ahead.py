"""Laws about what people decide ahead: it is in the log once, and is played when their turn comes if it is legal then,
unless they act themselves before."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from bot.match.entries import Ahead, Caretaker, Move, Overdue, Remind, Take
from bot.match.log import read
from bot.match.state import LogEntry, TableState
from bot.match.times import Times
from bot.store import LogRow, Match
from games import AnyGame
from games.types import SEATS
from tests.rooms.attempt import Attempt

LATE = 2_500
"""Ms after the beginning of a turn in which what was decided ahead is played: after a pause, and the end of a round."""


@dataclass
class Choices:
    """The choices made ahead at a table, as far as its rules still let it be played."""

    chosen: dict[int, str] = field(default_factory=dict)
    """By seat."""
    since: dict[int, int] = field(default_factory=dict)
    """By seat: the time in ms at which its turn came."""
    rounds: int = 0

    def faults(
        self,
        entry: LogEntry,
        row: LogRow,
        before: TableState,
        times: Times,
        is_excused: Callable[[int], bool],
    ) -> Iterator[str]:
        """Yield a sentence for each thing in an entry that the earlier ones do not allow. `is_excused` returns whether
        something could not be done between a time in ms and now."""
        match entry:
            case Ahead(seat, _, text) if text and seat in before.awaited():
                yield f"seat {seat} decides ahead in its own turn"
            case Ahead(seat) if seat in self.since and row.at > self.since[seat] + LATE:
                if not is_excused(self.since[seat]):
                    yield f"what seat {seat} has decided ahead was not played since {self.since[seat]}"
            case Move(seat, text, user) if user and seat in self.chosen:
                if text != self.chosen[seat]:
                    yield f"seat {seat} has decided {self.chosen[seat]!r} ahead"
                elif row.at < self.since[seat] + times.computer[0]:
                    yield f"what seat {seat} has decided ahead came at once"
            case Remind(_, seats) | Overdue(_, seats) | Caretaker(seats):
                for late in self.chosen.keys() & {*seats}:
                    yield f"seat {late} is late, and had decided {self.chosen[late]!r} ahead"

    def add(self, entry: LogEntry, row: LogRow, state: TableState) -> None:
        """Take in an entry. `state` is the table after it; what was decided ahead is not read from it."""
        match entry:
            case Ahead(seat, _, ""):
                self.chosen.pop(seat, None)
            case Ahead(seat, _, text):
                self.chosen[seat] = text
            case Move(seat) | Take(seat):
                self.chosen.pop(seat, None)
        if state.rounds != self.rounds or state.phase != "play":
            self.chosen.clear()
        self.rounds = state.rounds
        self.chosen = {seat: text for seat, text in self.chosen.items() if self._is_possible(state, seat)}
        self.since = {seat: self.since.get(seat, row.at) for seat in self.chosen if seat in state.awaited()}

    def _is_possible(self, state: TableState, seat: int) -> bool:
        own, action = SEATS[seat], state.game.parse(self.chosen[seat])
        may = state.legal(own) if own in state.awaited() else state.game.ahead(state.game_state, own)
        return not state.strength_at(own) and action in may


def without_those_played_ahead(match: Match, game: AnyGame, log: Sequence[LogRow]) -> list[LogRow]:
    """Return a log without the moves that were decided ahead, and made by no click."""
    if not any(row.kind == "ahead" for row in log):
        return [*log]
    state, choices, kept = TableState.of(match, game), Choices(), list[LogRow]()
    for row in log:
        logged = read(row)
        is_played = isinstance(logged.entry, Move) and logged.entry.seat in choices.chosen
        state.apply(logged)
        choices.add(logged.entry, row, state)
        if not (is_played and row.user):
            kept.append(row)
    return kept


def unexplained_choices(attempts: Sequence[Attempt], log: Sequence[LogRow]) -> list[str]:
    """Return a sentence for each acknowledged choice that is not in the log, and for each one in the log that nobody
    has made."""
    rows = [row for row in log if row.kind == "ahead"]
    found = [
        f"what {each.user} has decided ahead after entry {each.after}, {each.text!r}, is lost"
        for each in attempts
        if each.acknowledged and not any((row.user, row.body) == (each.user, each.text) for row in rows)
    ]
    by_hand = {(row.n, row.user, row.seat) for row in log if row.kind == "move"}
    left = [*attempts]
    for row in rows:
        earlier = [each for each in left if each.user == row.user and each.after < row.n]
        made = next((each for each in earlier if each.text == row.body), None)
        if made is None and not row.body:  # too late for another choice, which takes back the one before
            made = next((each for each in earlier if not each.acknowledged), None)
        if made is not None:
            left.remove(made)
        elif row.body or (row.n + 1, row.user, row.seat) not in by_hand:
            found.append(f"entry {row.n} ({row.body!r}) was decided ahead by no click")
    return found
