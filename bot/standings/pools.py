"""Constants of the rating pools."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from games.advice import Strength


@dataclass(frozen=True, slots=True)
class Constants:
    """Constants of one pool, on the scale of `Rating.mu`."""

    beta: float
    """Influence of luck on one match. The larger, the less a placing says about skill."""
    tau: float
    """Uncertainty added before each match, as people learn."""
    computers: Mapping[Strength, float]
    """Fixed mu of the computers. A steady one has the mu with which people start."""


def _constants(beta: float, tau: float, casual: float, sharp: float) -> Constants:
    return Constants(beta, tau, MappingProxyType({"casual": casual, "steady": 25.0, "sharp": sharp}))


DEFAULT: Final = _constants(8.333, 0.1667, 10.0, 40.0)
"""For pools without fitted constants, as of a new game: about the median of POOLS."""

POOLS: Final[Mapping[str, Constants]] = MappingProxyType(
    {
        # Fitted by `python -m research.ratings` to 2,000 matches each; twin-palms to 1,800, charms to 1,200, liars-dice
        # to 1,000.
        "charms": _constants(16.667, 0.0833, 8.95, 76.7),
        "hand-and-foot": _constants(11.785, 0.0833, -1.52, 31.17),
        "liars-dice": _constants(11.785, 0.1667, 17.67, 51.76),
        "palace": _constants(16.667, 0.3333, 5.11, 28.84),
        "palmer": _constants(11.785, 0.3333, 11.2, 41.49),
        "thirty-one": _constants(11.785, 0.0833, -2.38, 27.71),
        "twin-it": _constants(4.167, 0.3333, 16.27, 46.1),
        "twin-it-race": _constants(5.893, 0.1667, 4.89, 41.4),
        "twin-palms": _constants(8.333, 0.3333, 0.37, 51.42),
    }
)


def constants_of(pool: str) -> Constants:
    """Return the constants of a pool; DEFAULT for an unknown one."""
    return POOLS.get(pool, DEFAULT)
