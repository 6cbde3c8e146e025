"""Painter of a table on which sides have many cards: the piles, and below them a band for each side."""

from typing import Final

from PIL import Image

from bot.pictures import bands
from bot.pictures.blank import GOLD
from bot.pictures.painting import (
    CREAM,
    FELT,
    WIDTH,
    card_height,
    paint_card,
    paint_slot,
    with_palette,
    write,
)
from bot.pictures.scene import BandedTable, Pile

EDGE: Final = 20
TITLE: Final = 62
NAME: Final = 42
WORDS: Final = 38
CARD: Final = 104
"""Width of a card of a pile."""
STEP: Final = 0.84
"""Distance between the left edges of two cards of a pile, in card widths: even a 10 stays visible."""
CAPTION: Final = 62
NARROWEST: Final = 220
"""Smallest width of a pile: its caption must have room."""
BETWEEN: Final = 12
"""Distance between two bands."""


def paint(table: BandedTable) -> Image.Image:
    """Paint the picture, with a palette."""
    top = TITLE + (card_height(CARD) + CAPTION) * bool(table.piles)
    height = top + sum(bands.height(band) + BETWEEN for band in table.bands)
    image = Image.new("RGB", (WIDTH, height), FELT)
    _paint_title(image, table)
    _paint_piles(image, table.piles)
    y = top
    for band in table.bands:
        bands.paint(image, band, y)
        y += bands.height(band) + BETWEEN
    return with_palette(image, (card.svg for card in table.cards()))


def _paint_title(image: Image.Image, table: BandedTable) -> None:
    right = write(
        image, table.note, WIDTH - EDGE, TITLE // 2, WORDS, GOLD, weight="Medium", anchor=1, width=WIDTH // 2
    )
    write(image, table.title, EDGE, TITLE // 2, NAME, CREAM, width=WIDTH - 3 * EDGE - right)


def _paint_piles(image: Image.Image, piles: tuple[Pile, ...]) -> None:
    """Paint the piles side by side, with equal distances."""
    widths = [max(NARROWEST, _width(pile)) for pile in piles]
    between = (WIDTH - sum(widths)) // (len(piles) + 1)
    x = between
    for pile, wide in zip(piles, widths, strict=True):
        _paint_pile(image, pile, x + wide // 2)
        x += wide + between


def _width(pile: Pile) -> int:
    return int(CARD * (1 + STEP * (len(pile.cards) - 1)))


def _paint_pile(image: Image.Image, pile: Pile, middle: int) -> None:
    left = middle - _width(pile) // 2
    for place, card in enumerate(pile.cards):
        paint_card(image, card, left + int(place * STEP * CARD), TITLE, CARD)
    if not pile.cards:
        paint_slot(image, middle - CARD // 2, TITLE, CARD)
    y = TITLE + card_height(CARD) + CAPTION // 2
    write(image, pile.caption, middle, y, WORDS, CREAM, weight="Medium", anchor=0.5)
