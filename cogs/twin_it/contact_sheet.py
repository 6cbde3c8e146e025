"""A picture of all designs with their names, one family in a row: `python -m cogs.twin_it.contact_sheet FILE`."""

import sys
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw

from bot.pictures.encoding import encode
from bot.pictures.fonts import font
from bot.pictures.raster import sprite
from cogs.twin_it.designs import FAMILIES, drawing
from games.twin_it.designs import NAMES

SIZE: Final = 150
"""Width of a design in pixels."""
GAP: Final = 16
LABEL: Final = 24


def contact_sheet() -> Image.Image:
    """Paint all designs. A family has seven members, one for each column."""
    columns = len(FAMILIES[0].members)
    rows = -(-len(NAMES) // columns)
    image = Image.new("RGB", (GAP + columns * (SIZE + GAP), GAP + rows * (SIZE + LABEL + GAP)), "#f4f1ea")
    pen = ImageDraw.Draw(image)
    for design, name in enumerate(NAMES):
        x = GAP + design % columns * (SIZE + GAP)
        y = GAP + design // columns * (SIZE + LABEL + GAP)
        shape = sprite(drawing(design), SIZE)
        image.paste(shape, (x, y), shape)
        pen.text((x + SIZE / 2, y + SIZE + 5), name, "#3b3a44", font(15, "Medium"), "ma")
    return image


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(encode(contact_sheet()))
