"""Cups drawn at random so that they could have made the bids of their players."""

from collections.abc import Sequence
from random import Random
from typing import Final

from games.liars_dice.actions import FACE, FACES
from games.liars_dice.thumb import support

# Between what steady computers do, who never bid without a matching die, and sharp ones, who often do.
WEIGHT: Final = (0.3, 0.3, 1.0, 2.5, 3.8, 3.8)
"""Frequency of bids on a face by the number of matching dice in the cup, relative to two of them."""
TRIES: Final = 12
"""Cups that are drawn at most until one fits the bids; the last one counts."""


def drawn_support(dice: int, bids: Sequence[int], rng: Random, *, wild: bool) -> list[int]:
    """Return the matching dice by face of a cup of this size that could have made these bids."""
    faces = {FACE[action] for action in bids}
    own = _rolled(dice, rng, wild=wild)
    for _ in range(TRIES if faces else 0):
        weight = 1.0
        for face in faces:
            weight *= WEIGHT[own[face]] / WEIGHT[-1]
        if rng.random() < weight:
            break
        own = _rolled(dice, rng, wild=wild)
    return own


def _rolled(dice: int, rng: Random, *, wild: bool) -> list[int]:
    return support(rng.choices(FACES, k=dice), wild=wild)
