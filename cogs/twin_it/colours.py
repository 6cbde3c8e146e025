"""The colours: few and bright for the designs, dark for the table.

Where two colours distinguish near-twins, they differ clearly in lightness.
"""

from typing import Final

CREAM: Final = "#fff4d9"
WHITE: Final = "#ffffff"
SUN: Final = "#ffd12e"
ORANGE: Final = "#ff8a1f"
CORAL: Final = "#ff5c62"
RED: Final = "#e3312d"
PINK: Final = "#ff8ac2"
ROSE: Final = "#d81e78"
PLUM: Final = "#8c1257"
VIOLET: Final = "#6a35cc"
LILAC: Final = "#dccbff"
NAVY: Final = "#1d2671"
BLUE: Final = "#1668dc"
SKY: Final = "#66d0ff"
AQUA: Final = "#b9f2e4"
TEAL: Final = "#0b9489"
GREEN: Final = "#128049"
LEAF: Final = "#7cc81a"
LIME: Final = "#b9e33f"
INK: Final = "#17163a"

_WARM: Final = (CREAM, WHITE, SUN, ORANGE, CORAL, RED, PINK, ROSE, PLUM)
_COLD: Final = (VIOLET, LILAC, NAVY, BLUE, SKY, AQUA, TEAL, GREEN, LEAF, LIME, INK)
PAINTS: Final = _WARM + _COLD
"""All colours of designs, hands and players' marks."""

FELT: Final = "#16332d"
LINE: Final = "#29544a"
QUIET: Final = "#a9c7bd"
