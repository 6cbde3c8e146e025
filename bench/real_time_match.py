"""Play real-time games among computers without a bot or a clock: time jumps from one event to the next."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from bot.match.times import Times
from games import AnyGame
from games.advice import RealTimePlayer, Strength
from games.strategies import real_time_player
from games.types import SEATS, Action, Seat, with_seats


def play(game: AnyGame, state: Any, line_up: Sequence[Strength], seed: str) -> list[list[float]]:
    """Play a match to its end, and return the processor time of each action in ms, by seat.

    An awaited player makes the game's fallback move after a computer's usual delay.
    """
    match = Match(game, state, line_up, seed)
    match.play()
    return match.times


class Match:
    """A match in play."""

    def __init__(self, game: AnyGame, state: Any, line_up: Sequence[Strength], seed: str) -> None:
        self.game = game
        self.state = state
        self.now = 0
        self.times: list[list[float]] = [[] for _ in line_up]
        self._rng = Random(seed)
        self._seats = SEATS[: len(line_up)]
        self._players: list[RealTimePlayer[Any]] = []
        for seat, view in with_seats(self._views()):
            player = real_time_player(game, view, line_up[seat], f"{seed} {seat}")
            assert player is not None, f"{game.title} is no game of speed"
            self._players.append(player)
        self._asked: dict[Seat, tuple[Sequence[Action], int]] = {}
        """Legal actions and time of the answer, by awaited seat."""

    def play(self) -> None:
        """Play to the end."""
        while self.game.outcome(self.state) is None:
            views = self._views()
            events = [*self._moments(views), *self._answers()]
            due = self.game.due(self.state)
            if due is not None and all(due <= at for at, _ in events):
                self.now = max(self.now, due)
                self.game.tick(self.state, self.now)
            else:
                at, seat = min(events)
                self.now = max(self.now, at)
                self._act(seat, views[seat])

    def _views(self) -> list[Any]:
        """Return the views by seat. In real-time games all cards are open, so views differ only in the seat."""
        view = self.game.view(self.state, SEATS[0])
        return [replace(view, seat=seat) for seat in self._seats]

    def _moments(self, views: Sequence[Any]) -> Iterator[tuple[int, Seat]]:
        for seat, player in with_seats(self._players):
            at = player.observe(views[seat], self.now)
            if at is not None:
                yield at, seat

    def _answers(self) -> Iterator[tuple[int, Seat]]:
        """Yield time and seat of each answer. A question is new when its legal actions have changed."""
        before, self._asked = self._asked, {}
        for seat in self.game.awaited(self.state):
            legal = self.game.legal(self.state, seat)
            same = seat in before and before[seat][0] == legal
            at = before[seat][1] if same else self.now + self._rng.randrange(*Times().computer)
            self._asked[seat] = legal, at
            yield at, seat

    def _act(self, seat: Seat, view: Any) -> None:
        begin = time.process_time()
        actions = self._players[seat].act(view, self.now)
        self.times[seat].append((time.process_time() - begin) * 1000)
        if not actions and seat in self._asked and self._asked[seat][1] <= self.now:
            actions = [self.game.fallback(self.state, seat)]
        for action in actions:
            if action in self.game.legal(self.state, seat):
                self.game.apply(self.state, seat, action, self.now)
