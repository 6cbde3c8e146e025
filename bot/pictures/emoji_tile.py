"""Cards as emojis: square SVG tiles on which rank and pip are as large as possible, to be read at 22 pixels."""

from typing import Final

from bot.pictures.blank import EDGE, PAPER, pip_at
from bot.pictures.lettering import HEIGHT, width, written

SIDE: Final = 100
SUNNY: Final = "#ffe08a"
"""Paper of special cards."""
_PEN: Final = 17
"""Stroke width of a rank, in the units of `bot.pictures.lettering`."""
_TALL: Final = 54
"""Largest height of a rank."""
_WIDE: Final = 52
"""Largest width of a rank."""


def emoji_tile(*shapes: str, paper: str = PAPER) -> str:
    """Return an emoji as an SVG document: the shapes on a tile."""
    ground = f'<rect x="2.5" y="2.5" width="95" height="95" rx="20" fill="{paper}" stroke="{EDGE}" stroke-width="5"/>'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIDE} {SIDE}">'
    return f"{head}{ground}{''.join(shapes)}</svg>"


def rank_tile(rank: str, colour: str, pip: str, *, paper: str = PAPER) -> str:
    """Return an emoji with a rank at the upper left and a pip at the lower right."""
    height = min(_TALL, _WIDE * (HEIGHT + _PEN) / width(rank, _PEN))
    letters = written(rank, 9, 9, height, colour, pen=_PEN, halo=paper)
    return emoji_tile(pip_at(pip, 71, 70, 52), letters, paper=paper)
