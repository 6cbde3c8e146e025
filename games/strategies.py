"""Computer players: choose an action from a view, at one of three strengths.

The same view, strength and seed give the same action, unless a time limit ends the search early.
"""

import importlib
import importlib.util
from random import Random
from typing import Any, Final

from games.advice import Advice, Expired, RealTimePlayer, Strategy, Strength, never
from games.contract import AnyGame
from games.types import Action

BLUNDER_RATE: Final = 0.4
"""Probability that a casual computer makes a beginner's choice."""


def strategy_of(game: AnyGame) -> Strategy[Any] | None:
    """Return the strategy of a game; None when its package has no module `advice`."""
    package = type(game).__module__.rpartition(".")[0]
    name = f"{package}.advice"
    if importlib.util.find_spec(name) is None:
        return None
    strategy: Strategy[Any] = importlib.import_module(name).STRATEGY
    return strategy


def real_time_player(game: AnyGame, view: Any, strength: Strength, seed: str) -> RealTimePlayer[Any] | None:
    """Return a computer that acts unasked in the seat of `view`; None unless this is a game of speed."""
    strategy = strategy_of(game) if game.real_time else None
    return None if strategy is None else strategy.real_time_player(view, strength, seed)


def choose(game: AnyGame, view: Any, strength: Strength, seed: int | str, expired: Expired = never) -> Action:
    """Return the action of the computer that is awaited and sees `view`; without a strategy, the game's fallback."""
    return advise(game, view, strength, seed, expired).action


def advise(game: AnyGame, view: Any, strength: Strength, seed: int | str, expired: Expired = never) -> Advice:
    """Return the action of a computer of this strength, with its reason. Use a new `seed` for each decision."""
    rng = Random(seed)  # noqa: S311 - only a computer's taste, nothing secret
    world = game.imagine(view, rng)
    legal = game.legal(world, view.seat)
    strategy = strategy_of(game)
    if len(legal) == 1:
        return Advice(legal[0], "This is the only move you can make.")
    if strategy is None:
        return Advice(game.fallback(world, view.seat), "This is a safe move.")
    if strength == "sharp":
        return strategy.think(view, legal, rng, expired)
    if strength == "casual" and rng.random() < BLUNDER_RATE:
        return Advice(strategy.blunder(view, legal, rng), "It looked good at first sight.")
    return strategy.advise(view, legal)
