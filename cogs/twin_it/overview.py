"""A whole spread at a glance: every face small, with its number, for everybody to follow a race on the board."""

from functools import partial
from typing import Final

from PIL import Image, ImageDraw

from bot.pictures import Picture, sprite
from bot.pictures.painting import write
from cogs.twin_it.colours import FELT, LINE, WHITE
from cogs.twin_it.designs import drawing
from cogs.twin_it.palette import flat
from cogs.twin_it.spread import WIDTH, Spread, alt

COLUMNS: Final = 12
_CELL: Final = WIDTH // COLUMNS
FACE: Final = 72
_ROW: Final = FACE + 28


def picture(spread: Spread, acted: int) -> Picture:
    """Drawn when it is sent. The alt text has as many faces as fit; `acted`, how many actions there were, tells
    pictures apart whose words are the same."""
    return Picture(f"spread-{acted}.png", alt(spread), partial(paint, spread))


def paint(spread: Spread) -> Image.Image:
    """Twelve faces to a row, each with its number below, with the palette."""
    rows = -(-len(spread.tiles) // COLUMNS)
    image = Image.new("RGB", (WIDTH, rows * _ROW + 16), FELT)
    pen = ImageDraw.Draw(image)
    for spot, tile in enumerate(spread.tiles):
        x, y = spot % COLUMNS * _CELL + (_CELL - FACE) // 2, spot // COLUMNS * _ROW + 10
        if tile is None:
            pen.rectangle((x, y, x + FACE - 1, y + FACE - 1), outline=LINE, width=2)
            continue
        face = sprite(drawing(tile.design), FACE)
        image.paste(face, (x, y), face)
        write(image, str(tile.number), x + FACE // 2, y + FACE + 13, 26, WHITE, anchor=0.5)
    return flat(image)
