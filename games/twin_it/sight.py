"""How well computers see in Twin It!, each number in one place with its reason."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from math import exp
from random import Random
from typing import Final

from games.strategies import Strength
from games.twin_it.designs import FAMILY
from games.twin_it.state import Face, Hand
from games.twin_it.view import View

LEAST: Final = 450
"""Ms from what shows to a hand: nobody sees two alike, decides and taps faster."""
SPREAD: Final = 0.4
"""Of the logarithm of a time: most are near the middle, and some are much longer, as with people (Palmer, Horowitz,
Torralba and Wolfe, "What are the shapes of response time distributions in visual search?", 2011)."""


@dataclass(frozen=True)
class Sight:
    """Of a computer of some strength.

    A look over all that shows takes `base` ms and `item` more for every face: the time of a search that nothing makes
    easy grows by 25 to 30 ms or more an item (Wolfe, Palmer and Horowitz, "Reaction time distributions constrain
    models of visual search", 2010), and near-twins make it no easier. A look finds two alike with the chance `sees`,
    else another one follows. Near-twins are taken for twins with the chance `errs`, once for each two of them.
    `second` ms after one hand comes the other, or sooner where hands lie shorter. In a race, people's times are
    multiplied by `pace`.
    """

    base: int
    item: int
    sees: float
    errs: float
    second: int
    pace: float

    def until_seen(self, faces: int, rng: Random) -> int:
        """Ms until two alike among so many are seen, and a hand is on its way."""
        looks = 1
        while rng.random() >= self.sees:
            looks += 1
        return max(LEAST, int(looks * (self.base + self.item * faces) * exp(rng.gauss(0, SPREAD))))


SIGHTS: Final[dict[Strength, Sight]] = {
    "casual": Sight(base=1_800, item=70, sees=0.65, errs=0.02, second=1_100, pace=1.6),
    "steady": Sight(base=1_200, item=40, sees=0.8, errs=0.004, second=800, pace=1.0),
    "sharp": Sight(base=800, item=25, sees=0.9, errs=0.0, second=500, pace=0.7),
}
"""Steady is an ordinary adult with a phone, whose picture comes a moment later; sharp, one who has played a lot."""


def lookalikes(view: View, faces: Sequence[Face]) -> Iterator[tuple[Face, Face]]:
    """All twins and near-twins among these faces on which this seat may ever lay its hands, in their order."""
    families: dict[int, list[Face]] = {}
    for face in faces:
        if not is_beyond(view, face):
            families.setdefault(face.design // FAMILY, []).append(face)
    pairs = chain.from_iterable(combinations(family, 2) for family in families.values())
    return (pair for pair in pairs if not pair[0].place == pair[1].place == "set")


def alike(one: Face, other: Face) -> bool:
    """Whether they are twins."""
    return one.design == other.design


def is_beyond(view: View, face: Face) -> bool:
    """Whether a face never matches for this seat: it is barred, or against time on somebody else's set."""
    side = (view.seat or 0) % len(view.sets)
    if view.options.against_time:
        return face.place == "set" and face.owner != side
    return side == view.barred_side and any(
        other.place == "barred" and alike(other, face) for other in view.faces
    )


def lying(view: View) -> tuple[int, Hand] | None:
    """The hand that lies for this seat, with whose it is: its own one, or in a game of turns one of its side's."""
    seat, sides = view.seat or 0, len(view.sets)
    mates = [seat] if view.options.against_time else range(seat % sides, len(view.hands), sides)
    return next(((mate, hand) for mate in mates for hand in view.hands[mate]), None)
