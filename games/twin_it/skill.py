"""Speed and accuracy of computers in Twin It!, with the source of each number."""

from dataclasses import dataclass
from math import exp
from random import Random
from typing import Final

from games.advice import Strength

LEAST: Final = 450
"""Shortest reaction time in ms: nobody can see a match, decide and tap faster."""
SPREAD: Final = 0.4
"""Standard deviation of the logarithm of a reaction time. Most times are near the middle and some are much longer, as
with people (Palmer, Horowitz, Torralba and Wolfe, "What are the shapes of response time distributions in visual
search?", 2011)."""


@dataclass(frozen=True)
class Skill:
    """Skill of a computer of some strength. All times are in ms."""

    base: int
    """Time for a look over all faces, apart from `item`."""
    item: int
    """Added to the time of a look for every face.

    When nothing makes a search easy, its time grows by 25 to 30 ms or more per item (Wolfe, Palmer and Horowitz,
    "Reaction time distributions constrain models of visual search", 2010), and near-twins make it no easier."""
    sees: float
    """Probability that a look finds a match; otherwise another look follows."""
    errs: float
    """Probability to take two near-twins for a match, once for each two of them."""
    second: int
    """Time between the first and the second hand, or less where hands lift sooner."""
    pace: float
    """Factor on people's times in a race."""

    def reaction_time(self, faces: int, rng: Random) -> int:
        """Return the time in ms until the computer has found a match among `faces` faces and lays a hand."""
        looks = 1
        while rng.random() >= self.sees:
            looks += 1
        return max(LEAST, int(looks * (self.base + self.item * faces) * exp(rng.gauss(0, SPREAD))))


SKILLS: Final[dict[Strength, Skill]] = {
    "casual": Skill(base=1_800, item=70, sees=0.65, errs=0.02, second=1_100, pace=1.6),
    "steady": Skill(base=1_200, item=40, sees=0.8, errs=0.004, second=800, pace=1.0),
    "sharp": Skill(base=800, item=25, sees=0.9, errs=0.0, second=500, pace=0.7),
}
"""Skill by strength. Steady is an ordinary adult with a phone, which gets the picture a moment later; sharp is somebody
who has played a lot."""
