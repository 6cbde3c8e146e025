"""Games of speed among computers, with no house around them: time goes from one moment to the next."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from bot.match.deadlines import Times
from games import AnyGame
from games.advice import Reflexes
from games.minds import Strength, reflexes


def play(game: AnyGame, state: Any, line_up: Sequence[Strength], seed: str) -> list[list[float]]:
    """Play a match to its end. Who is asked something answers harmlessly, after a computer's usual time.

    Returns what each act took of the processor's time, in ms, by seat."""
    match = Match(game, state, line_up, seed)
    match.play()
    return match.times


class Match:
    """A match of computers."""

    def __init__(self, game: AnyGame, state: Any, line_up: Sequence[Strength], seed: str) -> None:
        self.game = game
        self.state = state
        self.now = 0
        self.times: list[list[float]] = [[] for _ in line_up]
        self._rng = Random(seed)
        self._seats = range(len(line_up))
        self._players: list[Reflexes[Any]] = []
        for seat, view in enumerate(self._views()):
            player = reflexes(game, view, line_up[seat], f"{seed} {seat}")
            assert player is not None, f"{game.title} is no game of speed"
            self._players.append(player)
        self._asked: dict[int, tuple[Sequence[int], int]] = {}
        """By awaited seat: what it may do, and when it answers."""

    def play(self) -> None:
        """To the end."""
        while self.game.outcome(self.state) is None:
            views = self._views()
            bells = [*self._moments(views), *self._answers()]
            due = self.game.due(self.state)
            if due is not None and all(due <= at for at, _ in bells):
                self.now = max(self.now, due)
                self.game.tick(self.state, self.now)
            else:
                at, seat = min(bells)
                self.now = max(self.now, at)
                self._act(seat, views[seat])

    def _views(self) -> list[Any]:
        """By seat. All that shows lies open in games of speed, so they differ by the seat alone."""
        view = self.game.view(self.state, 0)
        return [replace(view, seat=seat) for seat in self._seats]

    def _moments(self, views: Sequence[Any]) -> Iterator[tuple[int, int]]:
        for seat, player in enumerate(self._players):
            at = player.moment(views[seat], self.now)
            if at is not None:
                yield at, seat

    def _answers(self) -> Iterator[tuple[int, int]]:
        """A question is a new one when the choices have changed."""
        before, self._asked = self._asked, {}
        for seat in self.game.awaited(self.state):
            legal = self.game.legal(self.state, seat)
            same = seat in before and before[seat][0] == legal
            at = before[seat][1] if same else self.now + self._rng.randrange(*Times().computer)
            self._asked[seat] = legal, at
            yield at, seat

    def _act(self, seat: int, view: Any) -> None:
        begin = time.process_time()
        actions = self._players[seat].act(view, self.now)
        self.times[seat].append((time.process_time() - begin) * 1000)
        if not actions and seat in self._asked and self._asked[seat][1] <= self.now:
            actions = [self.game.fallback(self.state, seat)]
        for action in actions:
            if action in self.game.legal(self.state, seat):
                self.game.apply(self.state, seat, action, self.now)
