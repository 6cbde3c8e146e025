"""Painter of a score sheet: a row for each player, those of the leaders in gold."""

from typing import Final

from PIL import Image

from bot.pictures.blank import INK
from bot.pictures.painting import (
    CREAM,
    FAINT,
    NIGHT,
    WIDTH,
    card_height,
    paint_card,
    paint_plate,
    width_of,
    with_palette,
    write,
)
from bot.pictures.raster import sprite
from bot.pictures.scene import ScoreSheet

EDGE: Final = 24
ROW: Final = 84
GAP: Final = 10
TITLE: Final = 76
HEADS: Final = 46
NAME: Final = 0.36
"""Part of a row for the player's name."""
CARD: Final = 74
"""Width of a card."""
CARD_STEP: Final = 80
TALL: Final = 128
"""Height of a row with a mark and a name above its numbers."""
UPPER: Final = 40
"""Height of the middle of the mark and the name in such a row."""
LOWER: Final = 94
MARK: Final = 52
HEAD: Final = 33
"""Font size of headings."""
SMALL: Final = 36
"""Font size of the numbers in a row with a mark."""
STAMP: Final = 640
"""Width of the stamp."""


def paint(sheet: ScoreSheet) -> Image.Image:
    """Paint the picture, with a palette."""
    row = card_height(CARD) + 16 if sheet.hands else TALL if sheet.marks else ROW
    top = TITLE + HEADS
    below = top + len(sheet.rows) * (row + GAP)
    stamp = None if sheet.stamp is None else sprite(sheet.stamp.svg, STAMP)
    image = Image.new("RGB", (WIDTH, below + (stamp.height if stamp else 0) + EDGE), NIGHT)
    write(image, sheet.title, WIDTH // 2, TITLE // 2 + 6, 44, CREAM, anchor=0.5, width=WIDTH - 2 * EDGE)
    rights = _right_edges(sheet)
    for head, right in zip(sheet.headings[1:], rights, strict=True):
        write(image, head, right, TITLE + HEADS // 2, HEAD, FAINT, anchor=1, weight="Medium")
    for number, cells in enumerate(sheet.rows):
        _paint_row(image, sheet, number, cells, top + number * (row + GAP), row, rights)
    if stamp:
        image.paste(stamp, ((WIDTH - STAMP) // 2, below), stamp)
    return with_palette(image, (card.svg for card in sheet.cards()))


def _right_edges(sheet: ScoreSheet) -> list[int]:
    """Return the right edges of the columns of numbers."""
    if sheet.marks:
        return _spread(sheet)
    cards = max((len(row) for row in sheet.hands), default=0) * CARD_STEP
    left = EDGE + int((WIDTH - 2 * EDGE - cards) * NAME)
    room = WIDTH - EDGE - 24 - cards - left
    count = len(sheet.headings) - 1
    return [left + room * (place + 1) // count for place in range(count)]


def _spread(sheet: ScoreSheet) -> list[int]:
    """Return the right edges of columns that fill the width, with equal distances between them."""
    widths = [
        max(width_of(head, HEAD, weight="Medium"), *(width_of(cell, SMALL) for cell in cells))
        for head, *cells in list(zip(sheet.headings, *sheet.rows, strict=True))[1:]
    ]
    left, right = EDGE + 20, WIDTH - EDGE - 20
    between = (right - left - sum(widths)) / max(len(widths) - 1, 1)
    return [int(left + sum(widths[: place + 1]) + place * between) for place in range(len(widths))]


def _paint_row(
    image: Image.Image,
    sheet: ScoreSheet,
    number: int,
    cells: tuple[str, ...],
    y: int,
    high: int,
    rights: list[int],
) -> None:
    leads = number in sheet.leaders
    colour = INK if leads else CREAM
    paint_plate(image, EDGE, y, WIDTH - 2 * EDGE, high, "turn" if leads else "out")
    left = EDGE + 24
    name = int((rights[-1] - left) * NAME) if len(rights) > 1 else rights[-1] - left - 120
    upper = lower = y + high // 2
    if sheet.marks:
        upper, lower = y + UPPER, y + LOWER
        paint_card(image, sheet.marks[number], left, upper - MARK // 2, MARK)
        left += MARK + 12
        name = rights[-1] - left
    write(image, cells[0], left, upper, 38, colour, width=name, otherwise=f"Player {number + 1}")
    for cell, right in zip(cells[1:], rights, strict=True):
        write(image, cell, right, lower, SMALL if sheet.marks else 40, colour, anchor=1)
    if sheet.hands:
        for place, card in enumerate(sheet.hands[number]):
            x = rights[-1] + 24 + place * CARD_STEP
            paint_card(image, card, x, y + 8, CARD)
