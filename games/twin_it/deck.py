"""The 135 cards of Twin It!, as the designs of their 270 sides.

A design is an int from 0 to 118. A card is its place in the shuffled deck, 0 the first dealt, so its number tells
nothing; its two sides are 2 * card and 2 * card + 1, and the even one is up when the match begins.
"""

from collections.abc import Sequence
from functools import cache
from itertools import count
from typing import Final

from games.chance import shuffled

CARDS: Final = 135
DESIGNS: Final = 119
SIDES: Final = 2 * CARDS

_ORDER: Final = shuffled(range(DESIGNS), "twin-it", "copies")
"""Fixed for ever: the first designs in it are on one face, the last on three. Families of near-twins have
neighbouring numbers and shall not have the same number of copies."""


@cache
def copies(singles: int) -> tuple[int, ...]:
    """On how many faces each design is: `singles` on one, `singles` + 32 on three, the others on two."""
    found = [2] * DESIGNS
    for design in _ORDER[:singles]:
        found[design] = 1
    for design in _ORDER[-(singles + 32) :]:
        found[design] = 3
    return tuple(found)


def deal(singles: int, seed: int | str, number: int) -> bytes:
    """The design of every side. Sides are paired at random, all anew until no card has the same twice: two tries on
    average. `number` counts the deals of a match."""
    sides = [design for design, faces in enumerate(copies(singles)) for _ in range(faces)]
    for attempt in count():
        dealt = shuffled(sides, seed, f"deal {number}", attempt)
        if differ(dealt):
            return bytes(dealt)
    raise AssertionError("unreachable: some try succeeds")


def differ(sides: Sequence[int]) -> bool:
    """Whether the two sides of every card are different."""
    return all(up != down for up, down in zip(sides[::2], sides[1::2], strict=True))
