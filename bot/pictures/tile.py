"""A card as an emoji, as SVG: a square tile on which rank and pip are as large as they can be. It is read at 22 pixels,
where a whole card would be a speck.
"""

from typing import Final

from bot.pictures.blank import EDGE, PAPER, placed
from bot.pictures.lettering import HEIGHT, width, written

SIDE: Final = 100
SUNNY: Final = "#ffe08a"
"""The paper of what is special."""
_PEN: Final = 17
_TALL: Final = 54
_WIDE: Final = 52
"""A rank's height, and the most that it is wide."""


def tile(*drawn: str, paper: str = PAPER) -> str:
    """A whole emoji as an SVG document."""
    ground = f'<rect x="2.5" y="2.5" width="95" height="95" rx="20" fill="{paper}" stroke="{EDGE}" stroke-width="5"/>'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIDE} {SIDE}">'
    return f"{head}{ground}{''.join(drawn)}</svg>"


def ranked(rank: str, colour: str, pip: str, *, paper: str = PAPER) -> str:
    """A rank at the upper left, a pip at the lower right."""
    height = min(_TALL, _WIDE * (HEIGHT + _PEN) / width(rank, _PEN))
    letters = written(rank, 9, 9, height, colour, pen=_PEN, halo=paper)
    return tile(placed(pip, 71, 70, 52), letters, paper=paper)
