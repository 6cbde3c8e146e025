"""The board of a race: a picture of the whole spread, with all faces small, for everybody who follows it."""

from dataclasses import replace
from typing import Final

from PIL import Image, ImageDraw

from bot.pictures.painting import write
from bot.pictures.picture import Painting, Picture
from bot.pictures.raster import sprite
from cogs.twin_it.colours import FELT, LINE, WHITE
from cogs.twin_it.designs import drawing
from cogs.twin_it.palette import with_palette
from cogs.twin_it.spread import WIDTH, Spread, alt

COLUMNS: Final = 12
_CELL: Final = WIDTH // COLUMNS
FACE: Final = 72
"""Width of a face in pixels."""
_ROW: Final = FACE + 28


def picture(spread: Spread) -> Picture:
    """Return the picture. Its alt text has as many faces as fit, and no players: the text below has their points."""
    return Picture("spread", alt(replace(spread, players=())), Painting(__name__, spread))


def paint(spread: Spread) -> Image.Image:
    """Paint the picture, with the palette: rows of twelve faces, each with its number below."""
    rows = -(-len(spread.tiles) // COLUMNS)
    image = Image.new("RGB", (WIDTH, rows * _ROW + 16), FELT)
    pen = ImageDraw.Draw(image)
    for spot, tile in enumerate(spread.tiles):
        x, y = spot % COLUMNS * _CELL + (_CELL - FACE) // 2, spot // COLUMNS * _ROW + 10
        if tile is None:
            pen.rectangle((x, y, x + FACE - 1, y + FACE - 1), outline=LINE, width=2)
            continue
        design = sprite(drawing(tile.design), FACE)
        image.paste(design, (x, y), design)
        write(image, str(tile.number), x + FACE // 2, y + FACE + 13, 26, WHITE, anchor=0.5)
    return with_palette(image)
