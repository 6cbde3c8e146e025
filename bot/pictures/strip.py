"""Painting the strip at the top of a hand: what lies on the table, small, under the names of its players."""

from typing import Final

from PIL import Image

from bot.pictures.blank import GOLD, INK
from bot.pictures.painting import CREAM, NIGHT, WIDTH, card_height, lay, plate, slot, write
from bot.pictures.scene import Card, Laid, Strip

EDGE: Final = 10
GAP: Final = 8
"""Between two places."""
INSET: Final = 10
"""Of the cards from the edge of their place."""
WORDS: Final = 40
"""How high words are written. They are cut at five sixths of that: 13 pixels of a phone 390 wide."""
LINE: Final = 54
LARGEST: Final = 112
"""A card's width where there is room."""
WIDEST: Final = 330
"""A place's width where there is room and its cards need no more."""
STEP: Final = 1.06
LEAST_STEP: Final = 0.72
"""From one card to the next, in widths of a card. What tells a card stands at its left, a 10 being widest, so it may
be covered up to there."""


def height(strip: Strip) -> int:
    """Pixels that the strip takes."""
    caption = LINE * bool(strip.caption)
    return 2 * EDGE + caption + (_place_height(strip) if strip.laid else 0)


def paint(image: Image.Image, strip: Strip) -> None:
    """Paint it across the top of `image`."""
    image.paste(NIGHT, (0, 0, WIDTH, height(strip)))
    if strip.caption:
        y = EDGE + LINE // 2
        write(image, strip.caption, WIDTH // 2, y, WORDS, GOLD, anchor=0.5, width=WIDTH - 2 * EDGE)
    if strip.laid:
        _paint_places(image, strip, EDGE + LINE * bool(strip.caption))


def _paint_places(image: Image.Image, strip: Strip, y: int) -> None:
    wide, card = _place_width(strip), _card_width(strip)
    x = (WIDTH - len(strip.laid) * (wide + GAP) + GAP) // 2
    for number, laid in enumerate(strip.laid):
        if laid.best:
            plate(image, x, y, wide, _place_height(strip), "turn")
        _paint_place(image, laid, number, (x, y), wide, card)
        x += wide + GAP


def _paint_place(
    image: Image.Image, laid: Laid, number: int, corner: tuple[int, int], wide: int, card: int
) -> None:
    x, y = corner
    middle, room = x + wide // 2, wide - 2 * INSET
    colour = INK if laid.best else CREAM
    otherwise = f"Player {number + 1}"
    write(image, laid.name, middle, y + LINE // 2, WORDS, colour, anchor=0.5, width=room, otherwise=otherwise)
    y += LINE
    if laid.cards:
        _paint_cards(image, laid.cards, middle, y, room, card)
    else:
        slot(image, middle - card // 2, y, card)
    y += card_height(card) + LINE // 2
    write(image, _below(laid), middle, y, WORDS, colour, anchor=0.5, weight="Medium", width=room)


def _below(laid: Laid) -> str:
    return " · ".join(filter(None, ["best" * laid.best, laid.detail]))


def _paint_cards(
    image: Image.Image, cards: tuple[Card, ...], middle: int, y: int, room: int, card: int
) -> None:
    step = min(STEP * card, (room - card) / max(len(cards) - 1, 1))
    left = middle - (card + step * (len(cards) - 1)) / 2
    for place, each in enumerate(cards):
        lay(image, each, int(left + place * step), y, card)


def _longest(strip: Strip) -> int:
    """The number of cards in the longest row."""
    return max(1, *(len(laid.cards) for laid in strip.laid))


def _place_width(strip: Strip) -> int:
    needed = int(LARGEST * (1 + STEP * (_longest(strip) - 1))) + 2 * INSET
    return min(max(WIDEST, needed), (WIDTH - 2 * EDGE + GAP) // len(strip.laid) - GAP)


def _card_width(strip: Strip) -> int:
    room = _place_width(strip) - 2 * INSET
    return min(LARGEST, int(room / (1 + LEAST_STEP * (_longest(strip) - 1))))


def _place_height(strip: Strip) -> int:
    below = LINE * any(_below(laid) for laid in strip.laid)
    return LINE + card_height(_card_width(strip)) + (below or INSET)
