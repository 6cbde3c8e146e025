"""Painter of a banner: a game's title and a few of its cards on felt."""

from typing import Final

from PIL import Image

from bot.pictures.painting import CREAM, WIDTH, card_height, felt_table, paint_card, with_palette, write
from bot.pictures.scene import Banner

HEIGHT: Final = 270
EDGE: Final = 50
TITLE: Final = 84
TITLE_WIDTH: Final = 440
"""Width of the title beside as many cards as possible."""
GAP: Final = 20
CARD: Final = 138
"""Width of a card."""
STEP: Final = 0.86
"""Largest distance between the left edges of two cards, in card widths."""
RISE: Final = 10
"""Pixels by which the cards stand above and below the middle, in turn."""


def paint(banner: Banner) -> Image.Image:
    """Paint the picture, with a palette."""
    image = felt_table(HEIGHT, 0)
    room = WIDTH - 2 * EDGE - TITLE_WIDTH
    step = min(STEP * CARD, (room - CARD) / max(len(banner.cards) - 1, 1))
    left = WIDTH - EDGE - CARD - step * (len(banner.cards) - 1)
    width = max(TITLE_WIDTH, int(left) - EDGE - GAP)  # few cards leave room for a longer title
    write(image, banner.title, EDGE, HEIGHT // 2, TITLE, CREAM, width=width)
    top = (HEIGHT - card_height(CARD)) // 2
    for place, card in enumerate(banner.cards):
        paint_card(image, card, int(left + place * step), top + (RISE if place % 2 else -RISE), CARD)
    return with_palette(image, (card.svg for card in banner.cards))
