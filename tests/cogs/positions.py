"""Positions of every game, taken from random matches, for the tests of pictures."""

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any, NamedTuple

from games import GAMES, AnyGame, Event


class Moment(NamedTuple):
    """A moment of a match."""

    game: AnyGame
    state: Any
    events: list[Event]
    """The events that led to `state`."""


@cache
def positions(slug: str, seats: int, seed: int) -> tuple[Moment, ...]:
    """Return positions of a random match under the usual options: the first eight, then every 17th, each one after a
    round's end, and the last."""
    return tuple(_positions(GAMES[slug], seats, seed))


def _positions(game: AnyGame, seats: int, seed: int) -> Iterator[Moment]:
    rng = Random(seed)
    state, events = game.new(_options_for(game, seats), seats, seed)
    step = 0
    while True:
        awaited = game.awaited(state)
        if step % 17 == 0 or not awaited or step < 8:
            yield Moment(game, state.copy(), events)
        if not awaited:
            return
        seat = rng.choice(awaited)
        events = game.apply(state, seat, rng.choice(game.legal(state, seat)))
        if len(events) > 3:
            yield Moment(game, state.copy(), events)
        step += 1


def _options_for(game: AnyGame, seats: int) -> Any:
    """Return the first options that allow this number of seats."""
    modes = [{}, {"mode": "extreme"}]
    for mode in modes:
        try:
            options = game.Options(**mode)
        except ValueError:
            continue
        if seats in game.seats(options):
            return options
    raise ValueError(f"{game.title} is not played by {seats}")
