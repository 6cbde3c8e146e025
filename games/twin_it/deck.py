"""The 135 cards of Twin It!, as the designs of their 270 sides.

A design is an int from 0 to 118. A card is its place in the shuffled deck, 0 the first dealt, so the number of a card
gives no hint about its designs. Its sides are 2 * card, which is up when the match begins, and 2 * card + 1.
"""

from collections.abc import Sequence
from functools import cache
from itertools import count
from typing import Final

from games.chance import shuffled

CARDS: Final = 135
DESIGNS: Final = 119
SIDES: Final = 2 * CARDS

# Random: near-twins have neighbouring numbers, and should not all have equally many copies.
_ORDER: Final = shuffled(range(DESIGNS), "twin-it", "copies")
"""The designs in a fixed order: the first ones are on one face, the last ones on three. It must never change."""


@cache
def copies(singles: int) -> tuple[int, ...]:
    """Return the number of faces of each design: `singles` have one, `singles` + 32 have three, the others two."""
    found = [2] * DESIGNS
    for design in _ORDER[:singles]:
        found[design] = 1
    for design in _ORDER[-(singles + 32) :]:
        found[design] = 3
    return tuple(found)


def sides(singles: int) -> list[int]:
    """Return the designs of all sides, ascending."""
    return [design for design, faces in enumerate(copies(singles)) for _ in range(faces)]


def deal(singles: int, seed: int | str, number: int) -> bytes:
    """Return the design of every side for deal `number` of a match.

    Sides are paired at random until no card has the same design twice: two tries on average."""
    for attempt in count():
        dealt = shuffled(sides(singles), seed, f"deal {number}", attempt)
        if differ(dealt):
            return bytes(dealt)
    raise AssertionError("unreachable: some try succeeds")


def differ(dealt: Sequence[int]) -> bool:
    """Return whether the two sides of every card are different."""
    return all(up != down for up, down in zip(dealt[::2], dealt[1::2], strict=True))
