"""Painting a banner: a game's title and a few of its cards on a strip of felt."""

from typing import Final

from PIL import Image

from bot.pictures.painting import CREAM, WIDTH, card_height, felt, flat, lay, write
from bot.pictures.scene import Banner

HEIGHT: Final = 270
EDGE: Final = 50
TITLE: Final = 84
TITLE_WIDTH: Final = 440
CARD: Final = 138
STEP: Final = 0.86
"""From one card to the next, in widths of a card, where there is room."""
RISE: Final = 10
"""Every second card stands so much higher, and the others so much lower."""


def paint(banner: Banner) -> Image.Image:
    """The whole banner, with a palette."""
    image = felt(HEIGHT, 0)
    write(image, banner.title, EDGE, HEIGHT // 2, TITLE, CREAM, width=TITLE_WIDTH)
    room = WIDTH - 2 * EDGE - TITLE_WIDTH
    step = min(STEP * CARD, (room - CARD) / max(len(banner.cards) - 1, 1))
    left = WIDTH - EDGE - CARD - step * (len(banner.cards) - 1)
    top = (HEIGHT - card_height(CARD)) // 2
    for place, card in enumerate(banner.cards):
        lay(image, card, int(left + place * step), top + (RISE if place % 2 else -RISE), CARD)
    return flat(image, (card.face for card in banner.cards))
