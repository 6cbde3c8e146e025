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


DEFAULT: Final = _constants(25 / 6, 25 / 300, 22.0, 27.0)
"""Constants of pools that are not in POOLS, such as those of a new game. `beta` and `tau` are openskill's defaults."""

POOLS: Final[Mapping[str, Constants]] = MappingProxyType({})
"""Constants by pool."""


def constants_of(pool: str) -> Constants:
    """Return the constants of a pool; DEFAULT for an unknown one."""
    return POOLS.get(pool, DEFAULT)
