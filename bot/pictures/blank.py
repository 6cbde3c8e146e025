"""The blank card on which every deck of the house is drawn, as SVG: one shape, one paper, one place for everything.

A card is 200 wide and 280 high. What tells it (rank, small pip, letter) stands in the left column, so that fanned cards
say all they have to say; the large pip stands at the right.
"""

import math
from typing import Final

from bot.pictures.lettering import written

WIDTH: Final = 200
HEIGHT: Final = 280
PAPER: Final = "#fffaf0"
EDGE: Final = "#cdbf9f"
INK: Final = "#1d2433"
GOLD: Final = "#ffc53d"
RADIUS: Final = 26
MARGIN: Final = 13
"""What stays paper around what is drawn all over a card."""

_SHEET: Final = (
    f'<rect x="3" y="3" width="194" height="274" rx="{RADIUS}" '
    f'fill="{PAPER}" stroke="{EDGE}" stroke-width="5"/>'
)


def sheet(*drawn: str) -> str:
    """A whole card as an SVG document."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">'
    return f"{head}{_SHEET}{''.join(drawn)}</svg>"


def placed(drawn: str, x: float, y: float, size: float) -> str:
    """A pip, drawn from -50 to 50 both ways, `size` wide with its middle at x, y."""
    return f'<g transform="translate({x:g} {y:g}) scale({size / 100:g})">{drawn}</g>'


def column(rank: str, pip: str, letter: str, colour: str) -> str:
    """The left column: rank, small pip, letter."""
    return (
        written(rank, 18, 18, 106, colour)
        + placed(pip, 44, 164, 54)
        + written(letter, 44, 212, 46, colour, pen=17, anchor=0.5)
    )


def starred(fill: str, edge: str, line: float = 8) -> str:
    """A star of five points, as a pip: the mark of a wild card."""
    corners = [(50 - 28 * (turn % 2), math.pi * turn / 5) for turn in range(10)]
    points = " ".join(f"{far * math.sin(angle):.1f},{-far * math.cos(angle):.1f}" for far, angle in corners)
    return f'<polygon points="{points}" fill="{fill}" stroke="{edge}" stroke-width="{line:g}" stroke-linejoin="round"/>'


def rays(x: float, y: float) -> str:
    """Sunbeams from x, y, within a margin, behind what makes a card special."""
    beams = "".join(
        f'<polygon points="{x:g},{y:g} {_at_margin(x, y, turn)} {_at_margin(x, y, turn + 1)}"/>'
        for turn in range(0, 28, 2)
    )
    return f'<g fill="#ffe6a8">{beams}</g>'


def _at_margin(x: float, y: float, turn: int) -> str:
    """Where the edge of a beam ends."""
    across, down = math.cos(math.pi * turn / 14), math.sin(math.pi * turn / 14)
    reach = min(
        ((WIDTH - MARGIN if across > 0 else MARGIN) - x) / across if abs(across) > 1e-9 else math.inf,
        ((HEIGHT - MARGIN if down > 0 else MARGIN) - y) / down if abs(down) > 1e-9 else math.inf,
    )
    return f"{x + reach * across:.1f},{y + reach * down:.1f}"


def back(colour: str, light: str, pip: str) -> str:
    """The back of a deck: a lattice of two colours and a pip in the middle."""
    lattice = "".join(
        f'<path d="M{x} {y - 9}L{x + 9} {y} {x} {y + 9} {x - 9} {y}Z"/>'
        for row, y in enumerate(range(30, 260, 22))
        for x in range(34 if row % 2 else 45, 172, 22)
    )
    ground = f'<rect x="16" y="16" width="168" height="248" rx="16" fill="{colour}"/>'
    medal = f'<circle cx="100" cy="140" r="52" fill="{PAPER}" stroke="{light}" stroke-width="7"/>'
    return sheet(ground, f'<g fill="{light}" opacity="0.45">{lattice}</g>', medal, placed(pip, 100, 140, 68))
