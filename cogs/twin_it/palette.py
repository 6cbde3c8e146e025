"""The palette of all pictures of Twin It!"""

from functools import cache
from itertools import combinations, product

from PIL import Image

from bot.pictures.palette import palette, quantized
from cogs.twin_it.colours import FELT, LINE, PAINTS, QUIET, WHITE


def with_palette(image: Image.Image) -> Image.Image:
    """Return the picture with the palette. The colours of `colours.py` do not change."""
    return quantized(image, _palette())


@cache
def _palette() -> Image.Image:
    # One mixture for each two colours that can meet is enough for the edges of designs at this size. Words have thin
    # lines and need three mixtures with their background.
    edges = ((one, other, 0.5) for one, other in combinations((FELT, *PAINTS), 2))
    words = product((WHITE, QUIET), (FELT, LINE), (0.25, 0.5, 0.75))
    return palette((FELT, LINE, QUIET, *PAINTS), (*edges, *words))
