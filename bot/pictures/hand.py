"""Painter of a hand: the table as a strip, below it the player's own cards, as large as the width allows, and the
sides' cards on the table as narrow bands.

Cards that can be played now are lifted.
"""

from typing import Final

from PIL import Image

from bot.pictures import bands, strip
from bot.pictures.painting import (
    CREAM,
    FAINT,
    FELT,
    WIDTH,
    card_height,
    paint_card,
    paint_slot,
    with_palette,
    write,
)
from bot.pictures.scene import Group, HandScene

EDGE: Final = 24
LARGEST: Final = {False: 178, True: 228}
"""Largest width of a card, by whether the player wants large cards."""
GAP: Final = 14
BETWEEN: Final = 0.65
"""Distance between two groups of a line, in card widths."""
CAPTION: Final = 50
WORDS: Final = 36
"""Font size of captions. `write` takes five sixths of it for long texts: 12 pixels on a phone 390 pixels wide."""
LIFT: Final = 26
BAND_GAP: Final = 8
"""Distance between two bands."""


def paint(hand: HandScene) -> Image.Image:
    """Paint the picture, with a palette."""
    card = min(LARGEST[hand.large], *(_fitting_width(line) for line in hand.lines))
    lift = LIFT * any(each.lifted for each in hand.own_cards())
    heights = [_height(line, card, lift) for line in hand.lines]
    above = strip.height(hand.strip) if hand.strip else 0
    below = sum(bands.height(band, narrow=True) + BAND_GAP for band in hand.bands)
    image = Image.new("RGB", (WIDTH, above + sum(heights) + 2 * EDGE + below), FELT)
    if hand.strip:
        strip.paint(image, hand.strip)
    y = above + EDGE
    for line, height in zip(hand.lines, heights, strict=True):
        _paint_line(image, line, y, card, lift)
        y += height
    y += EDGE
    for band in hand.bands:
        bands.paint(image, band, y, narrow=True)
        y += bands.height(band, narrow=True) + BAND_GAP
    return with_palette(image, (svg for each in hand.cards() for svg in each.drawings()))


def _columns(group: Group) -> int:
    return max((1, *map(len, group.rows)))  # an empty place is as wide as a card


def _fitting_width(line: tuple[Group, ...]) -> int:
    """Return the width of a card at which the line is as wide as the picture."""
    columns = sum(map(_columns, line))
    return int((WIDTH - 2 * EDGE - (columns - len(line)) * GAP) / (columns + BETWEEN * (len(line) - 1)))


def _height(line: tuple[Group, ...], card: int, lift: int) -> int:
    rows = max(1, *(len(group.rows) for group in line))
    return CAPTION + rows * (card_height(card) + lift + GAP)


def _paint_line(image: Image.Image, line: tuple[Group, ...], y: int, card: int, lift: int) -> None:
    widths = [_columns(group) * (card + GAP) - GAP for group in line]
    between = int(BETWEEN * card)
    x = (WIDTH - sum(widths) - between * (len(line) - 1)) // 2
    for group, wide in zip(line, widths, strict=True):
        write(
            image,
            group.caption,
            x + wide // 2,
            y + 18,
            WORDS,
            CREAM if group.rows else FAINT,
            anchor=0.5,
            weight="Medium",
            width=wide + between if len(line) > 1 else WIDTH - 2 * EDGE,
        )
        for row, cards in enumerate(group.rows):
            left = x + (wide - len(cards) * (card + GAP) + GAP) // 2
            top = y + CAPTION + row * (card_height(card) + lift + GAP) + lift
            for place, each in enumerate(cards):
                paint_card(image, each, left + place * (card + GAP), top - lift * each.lifted, card)
        if not group.rows or not group.rows[0]:
            paint_slot(image, x, y + CAPTION + lift, card)
        x += wide + between
