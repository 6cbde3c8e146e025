"""Decisions of computer players. A computer gets the view of its seat and nothing else.

The same view, strength and seed give the same action, unless a time limit ends the search early.
"""

import importlib
import importlib.util
from random import Random
from typing import Any, Final, Literal, TypeAlias, get_args

from games.advice import Advice, Expired, Mind, Reflexes, never
from games.contract import AnyGame

Strength: TypeAlias = Literal["casual", "steady", "sharp"]
STRENGTHS: Final[tuple[Strength, ...]] = get_args(Strength)
"""All strengths, the weakest first."""

SLIPS: Final = 0.4
"""Share of a casual computer's decisions in which it makes a beginner's mistake."""


def mind_of(game: AnyGame) -> Mind[Any] | None:
    """Return the mind of a game; None when its package has no module `advice`."""
    package = type(game).__module__.rpartition(".")[0]
    name = f"{package}.advice"
    if importlib.util.find_spec(name) is None:
        return None
    mind: Mind[Any] = importlib.import_module(name).MIND
    return mind


def reflexes(game: AnyGame, view: Any, strength: Strength, seed: str) -> Reflexes[Any] | None:
    """Return a computer in the seat of `view` that acts without being awaited; None in games without such actions."""
    mind = mind_of(game) if game.real_time else None
    return None if mind is None else mind.reflexes(view, strength, seed)


def choose(game: AnyGame, view: Any, strength: Strength, seed: int | str, expired: Expired = never) -> int:
    """Return the action of an awaited computer that sees `view`. In a game without advice it is the fallback."""
    return advise(game, view, strength, seed, expired).action


def advise(game: AnyGame, view: Any, strength: Strength, seed: int | str, expired: Expired = never) -> Advice:
    """Return the action of a computer of this strength, and the reason. `seed` is for this one decision."""
    rng = Random(seed)  # noqa: S311 - not secret
    world = game.imagine(view, rng)
    legal = game.legal(world, view.seat)
    mind = mind_of(game)
    if len(legal) == 1:
        return Advice(legal[0], "Nothing else is allowed.")
    if mind is None:
        return Advice(game.fallback(world, view.seat), "It does no harm.")
    if strength == "sharp":
        return mind.think(view, legal, rng, expired)
    if strength == "casual" and rng.random() < SLIPS:
        return Advice(mind.blunder(view, legal, rng), "It looked good at first sight.")
    return mind.advise(view, legal)
