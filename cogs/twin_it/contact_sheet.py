"""`python -m cogs.twin_it.contact_sheet FILE`: all designs on one picture, a family to a row, each with its name."""

import sys
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw

from bot.pictures import encode, font, sprite
from cogs.twin_it.designs import FAMILIES, drawing
from games.twin_it.designs import NAMES

SIZE: Final = 150
"""Pixels of a face."""
GAP: Final = 16
LABEL: Final = 24


def contact_sheet() -> Image.Image:
    """Seven columns, as a family has seven members."""
    columns = len(FAMILIES[0].members)
    rows = -(-len(NAMES) // columns)
    sheet = Image.new("RGB", (GAP + columns * (SIZE + GAP), GAP + rows * (SIZE + LABEL + GAP)), "#f4f1ea")
    pen = ImageDraw.Draw(sheet)
    for design, name in enumerate(NAMES):
        x = GAP + design % columns * (SIZE + GAP)
        y = GAP + design // columns * (SIZE + LABEL + GAP)
        face = sprite(drawing(design), SIZE)
        sheet.paste(face, (x, y), face)
        pen.text((x + SIZE / 2, y + SIZE + 5), name, "#3b3a44", font(15, "Medium"), "ma")
    return sheet


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(encode(contact_sheet()))
