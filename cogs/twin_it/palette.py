"""The one palette of all pictures of Twin It!"""

from functools import cache
from itertools import combinations, product

from PIL import Image

from bot.pictures.palette import flattened, palette
from cogs.twin_it.colours import FELT, LINE, PAINTS, QUIET, WHITE


def flat(image: Image.Image) -> Image.Image:
    """The picture with the palette. Flat colours stay as they are."""
    return flattened(image, _palette())


@cache
def _palette() -> Image.Image:
    """Where two paints meet, or one meets the felt, there is one step between them: as much as is seen of an edge at
    that size. Words, which are thin, have three to their ground."""
    meetings = ((one, other, 0.5) for one, other in combinations((FELT, *PAINTS), 2))
    words = product((WHITE, QUIET), (FELT, LINE), (0.25, 0.5, 0.75))
    return palette((FELT, LINE, QUIET, *PAINTS), (*meetings, *words))
