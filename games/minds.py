"""Computer players: what a computer of some strength does, given a view of its seat and nothing else.

The same view, strength and seed give the same action, unless a time limit cut the thinking short.
"""

import importlib
import importlib.util
from random import Random
from typing import Any, Final, Literal, TypeAlias, get_args

from games.advice import Advice, Expired, Mind, Reflexes, never
from games.contract import AnyGame

Strength: TypeAlias = Literal["casual", "steady", "sharp"]
STRENGTHS: Final[tuple[Strength, ...]] = get_args(Strength)
"""From the weakest to the strongest."""

SLIPS: Final = 0.4
"""How often a casual player does what tempts a beginner."""


def mind_of(game: AnyGame) -> Mind[Any] | None:
    """The mind of a game; None when its package has no `advice`."""
    package = type(game).__module__.rpartition(".")[0]
    name = f"{package}.advice"
    if importlib.util.find_spec(name) is None:
        return None
    mind: Mind[Any] = importlib.import_module(name).MIND
    return mind


def reflexes(game: AnyGame, view: Any, strength: Strength, seed: str) -> Reflexes[Any] | None:
    """A computer in the seat of `view`, for what it does when nobody asks it; None where it then does nothing."""
    mind = mind_of(game) if game.real_time else None
    return None if mind is None else mind.reflexes(view, strength, seed)


def choose(game: AnyGame, view: Any, strength: Strength, seed: int | str, expired: Expired = never) -> int:
    """The action of a computer that is awaited and sees `view`. A game without advice is played harmlessly."""
    return advise(game, view, strength, seed, expired).action


def advise(game: AnyGame, view: Any, strength: Strength, seed: int | str, expired: Expired = never) -> Advice:
    """What a computer of this strength does, and why. `seed` belongs to this one decision."""
    rng = Random(seed)  # noqa: S311 - a player's whim, no secret
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
