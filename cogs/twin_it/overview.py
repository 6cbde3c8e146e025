"""A whole spread at a glance: every face small, with its number, for everybody to follow a race on the board."""

from functools import partial
from typing import Final

from PIL import Image, ImageDraw

from bot.pictures import Picture, font, sprite
from cogs.twin_it.colours import WHITE
from cogs.twin_it.designs import drawing
from cogs.twin_it.spread import FELT, LINE, WIDTH, Spread, alt

COLUMNS: Final = 12
_CELL: Final = WIDTH // COLUMNS
_FACE: Final = 72
_ROW: Final = _FACE + 28


def picture(spread: Spread, acted: int) -> Picture:
    """Drawn when it is sent. The alt text has as many faces as fit; `acted`, how many actions there were, tells
    pictures apart whose words are the same."""
    return Picture(f"spread-{acted}.png", alt(spread), partial(paint, spread))


def paint(spread: Spread) -> Image.Image:
    """Twelve faces to a row, each with its number below."""
    rows = -(-len(spread.tiles) // COLUMNS)
    image = Image.new("RGB", (WIDTH, rows * _ROW + 16), FELT)
    pen = ImageDraw.Draw(image)
    for spot, tile in enumerate(spread.tiles):
        x, y = spot % COLUMNS * _CELL + (_CELL - _FACE) // 2, spot // COLUMNS * _ROW + 10
        if tile is None:
            pen.rectangle((x, y, x + _FACE - 1, y + _FACE - 1), outline=LINE, width=2)
            continue
        face = sprite(drawing(tile.design), _FACE)
        image.paste(face, (x, y), face)
        pen.text((x + _FACE // 2, y + _FACE + 13), str(tile.number), WHITE, font(21), "mm")
    return image
