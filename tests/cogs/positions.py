"""Positions of every game from random matches, for tests of their pictures."""

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any, NamedTuple

from games import GAMES, AnyGame, Event


class Seen(NamedTuple):
    """A moment of a match."""

    game: AnyGame
    state: Any
    events: list[Event]
    """The events of the move that led to it."""


@cache
def positions(slug: str, seats: int, seed: int) -> tuple[Seen, ...]:
    """Return positions of a random match: its first moves, then every 17th, all ends of rounds, and its end."""
    return tuple(_positions(GAMES[slug], seats, seed))


def _positions(game: AnyGame, seats: int, seed: int) -> Iterator[Seen]:
    rng = Random(seed)
    state, events = game.new(_widest(game, seats), seats, seed)
    step = 0
    while True:
        awaited = game.awaited(state)
        if step % 17 == 0 or not awaited or step < 8:
            yield Seen(game, game.copy(state), events)
        if not awaited:
            return
        seat = rng.choice(awaited)
        events = game.apply(state, seat, rng.choice(game.legal(state, seat)))
        if len(events) > 3:
            yield Seen(game, game.copy(state), events)
        step += 1


def _widest(game: AnyGame, seats: int) -> Any:
    """Return the first of a few options under which this number of seats can play."""
    modes = [{}, {"mode": "extreme"}]
    for mode in modes:
        try:
            options = game.Options(**mode)
        except ValueError:
            continue
        if seats in game.seats(options):
            return options
    raise ValueError(f"{game.title} is not played by {seats}")
