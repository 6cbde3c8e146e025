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
"""Constants of pools that are not in POOLS, such as those of a new game: about the middle of those."""

POOLS: Final[Mapping[str, Constants]] = MappingProxyType(
    {
        # From 2,000 matches each: `python -m bench ratings`.
        "palace": _constants(16.667, 0.3333, 6.67, 28.92),
        "palmer": _constants(11.785, 0.3333, 10.29, 41.47),
        "thirty-one": _constants(11.785, 0.1667, -1.38, 29.98),
        "twin-it": _constants(4.167, 0.3333, 16.12, 44.94),
        "twin-it-race": _constants(5.893, 0.1667, 5.71, 42.75),
    }
)
"""Constants by pool."""


def constants_of(pool: str) -> Constants:
    """Return the constants of a pool; DEFAULT for an unknown one."""
    return POOLS.get(pool, DEFAULT)
