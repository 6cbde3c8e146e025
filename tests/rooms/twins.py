"""A match as it goes on with the cards as they lie, and with others in places that somebody has never seen."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import Any
from unittest.mock import patch

from bot.match.state import Logged, TableState
from games import AnyGame, Event
from games.types import Seat
from tests.contract.matches import visible
from tests.contract.structure import structure
from tests.contract.subjects import SUBJECTS
from tests.contract.test_secrecy import shuffled_places, sorted_places

SHUFFLES = 6
MOST = 40
"""Number of moves to try after each shuffle for those that can follow."""

Places = dict[str, list[int]]
Line = tuple[tuple[Seat, str], ...]


@dataclass(frozen=True)
class Twins:
    """Two states of a match that the seat `by` (None: a watcher) cannot tell apart, nor after some more moves."""

    n: int
    """Number of the log entry from which on one of them is played."""
    states: tuple[Any, Any]
    """As the cards lie, and with others."""
    moves: Line
    """By seat and text: legal in both."""

    @classmethod
    def of(cls, state: TableState, by: Seat | None, most: int) -> "Twins":
        """Shuffle cards that a seat has not seen, so that up to `most` moves can follow."""
        found = list[Twins]()
        for chance in map(Random, range(SHUFFLES)):
            for other in _shuffled(state, by, chance):
                pair = state.game_state.copy(), other
                found.append(cls(state.n, pair, _Search(state.game, by, chance).line(pair, most)))
                if len(found[-1].moves) == most:
                    return found[-1]
        return max(found, key=lambda each: len(each.moves))

    @contextmanager
    def played(self, *, swapped: bool) -> Iterator[None]:
        """Let one of them be played during the block, also by a bot that reads the log anew."""
        usual = TableState.apply

        def apply(state: TableState, logged: Logged) -> list[Event]:
            events = usual(state, logged)
            if logged.n == self.n:
                state.game_state = self.states[swapped].copy()
            return events

        with patch.object(TableState, "apply", apply):
            yield


def _shuffled(state: TableState, by: Seat | None, chance: Random) -> Iterator[Any]:
    """Yield the state with the cards shuffled that a seat has not seen, but for some of each hand, by which people can
    play on."""
    secrets = SUBJECTS[state.game.slug].secrets
    places = secrets.unseen(state.game_state, by)
    moved = shuffled_places({name: lying[::2] for name, lying in places.items()}, chance)
    anew = {name: moved[name] + lying[1::2] for name, lying in places.items()}
    # One may leave each card where it was, in another order.
    if sorted_places(anew) != sorted_places(places):
        yield secrets.put(state.game_state, anew)


@dataclass
class _Search:
    """Looks for moves after which a seat still cannot tell two states apart."""

    game: AnyGame
    by: Seat | None
    chance: Random
    left: int = MOST

    def line(self, pair: tuple[Any, Any], most: int) -> Line:
        """Return the longest line of such moves that is found."""
        best: Line = ()
        for seat, text in self._common(pair):
            if len(best) == most or not self.left:
                break
            self.left -= 1
            (one, seen), (other, also) = (self._after(each, seat, text) for each in pair)
            if seen == also:
                best = max(best, ((seat, text), *self.line((one, other), most - 1)), key=len)
        return best

    def _common(self, pair: tuple[Any, Any]) -> list[tuple[Seat, str]]:
        one, other = ({*self._legal(state)} for state in pair)
        return self.chance.sample(sorted(one & other), len(one & other))

    def _legal(self, state: Any) -> Iterator[tuple[Seat, str]]:
        for seat in self.game.awaited(state):
            yield from ((seat, self.game.text(action)) for action in self.game.legal(state, seat))

    def _after(self, state: Any, seat: Seat, text: str) -> tuple[Any, str]:
        """Return a state after a move, and all that the seat knows then."""
        game, after, events = self.game, state.copy(), list[Event]()
        game.step(after, seat, game.parse(text), events)
        public = [game.view(after, self.by), game.awaited(after), game.outcome(after)]
        return after, structure([visible(events, self.by), *public])
