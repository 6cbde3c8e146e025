"""The blank card on which all decks are drawn, and the parts that they share, as SVG.

A card is 200 wide and 280 high. The left column has everything that identifies it (rank, small pip, letter), so it can
be read when other cards cover the rest. The large pip is at the right.
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
"""Width of the plain paper around a drawing that fills the card."""

_BLANK: Final = (
    f'<rect x="3" y="3" width="194" height="274" rx="{RADIUS}" '
    f'fill="{PAPER}" stroke="{EDGE}" stroke-width="5"/>'
)


def on_blank_card(*shapes: str) -> str:
    """Return a card as an SVG document: the shapes on the blank card."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">'
    return f"{head}{_BLANK}{''.join(shapes)}</svg>"


def pip_at(pip: str, x: float, y: float, size: float) -> str:
    """Return the pip `size` wide, with its middle at x, y. A pip is SVG from -50 to 50 in both directions."""
    return f'<g transform="translate({x:g} {y:g}) scale({size / 100:g})">{pip}</g>'


def left_column(rank: str, pip: str, letter: str, colour: str) -> str:
    """Return rank, small pip and letter, one below the other."""
    return (
        written(rank, 18, 18, 106, colour)
        + pip_at(pip, 44, 164, 54)
        + written(letter, 44, 212, 46, colour, pen=17, anchor=0.5)
    )


def star_pip(fill: str, edge: str, line: float = 8) -> str:
    """Return a star with five points as a pip: the mark of a wild card. `line` is the width of its outline."""
    corners = [(50 - 28 * (turn % 2), math.pi * turn / 5) for turn in range(10)]
    points = " ".join(f"{far * math.sin(angle):.1f},{-far * math.cos(angle):.1f}" for far, angle in corners)
    return f'<polygon points="{points}" fill="{fill}" stroke="{edge}" stroke-width="{line:g}" stroke-linejoin="round"/>'


def rays(x: float, y: float) -> str:
    """Return sunbeams from x, y to the card's margin: the background of special cards."""
    beams = "".join(
        f'<polygon points="{x:g},{y:g} {_at_margin(x, y, turn)} {_at_margin(x, y, turn + 1)}"/>'
        for turn in range(0, 28, 2)
    )
    return f'<g fill="#ffe6a8">{beams}</g>'


def _at_margin(x: float, y: float, turn: int) -> str:
    """Return the point at which a line from x, y meets the margin. `turn` is its direction in 28ths of a circle."""
    across, down = math.cos(math.pi * turn / 14), math.sin(math.pi * turn / 14)
    reach = min(
        ((WIDTH - MARGIN if across > 0 else MARGIN) - x) / across if abs(across) > 1e-9 else math.inf,
        ((HEIGHT - MARGIN if down > 0 else MARGIN) - y) / down if abs(down) > 1e-9 else math.inf,
    )
    return f"{x + reach * across:.1f},{y + reach * down:.1f}"


def card_back(colour: str, light: str, pip: str) -> str:
    """Return the back of a deck: a lattice of two colours with a pip in the middle."""
    lattice = "".join(
        f'<path d="M{x} {y - 9}L{x + 9} {y} {x} {y + 9} {x - 9} {y}Z"/>'
        for row, y in enumerate(range(30, 260, 22))
        for x in range(34 if row % 2 else 45, 172, 22)
    )
    ground = f'<rect x="16" y="16" width="168" height="248" rx="16" fill="{colour}"/>'
    medal = f'<circle cx="100" cy="140" r="52" fill="{PAPER}" stroke="{light}" stroke-width="7"/>'
    return on_blank_card(
        ground, f'<g fill="{light}" opacity="0.45">{lattice}</g>', medal, pip_at(pip, 100, 140, 68)
    )
