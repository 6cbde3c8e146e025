"""Painter of the strip at the top of a hand: the cards on the table, small, under the names of their players."""

from typing import Final

from PIL import Image

from bot.pictures.blank import GOLD, INK
from bot.pictures.painting import CREAM, NIGHT, WIDTH, card_height, paint_card, paint_plate, paint_slot, write
from bot.pictures.scene import DrawnCard, LaidCards, Strip

EDGE: Final = 10
GAP: Final = 8
"""Distance between two places. A place has a name, cards and a detail."""
INSET: Final = 10
"""Distance of the cards from the edge of their place."""
WORDS: Final = 40
"""Font size. `write` takes five sixths of it for long texts: 13 pixels on a phone 390 pixels wide."""
LINE: Final = 54
LARGEST: Final = 112
"""Largest width of a card."""
WIDEST: Final = 330
"""Largest width of a place, unless its cards need more."""
ALONE: Final = 460
"""Largest width of a place that is alone in its strip: its name may be longer."""
THREE: Final = 3
BESIDE: Final = (WIDTH - 2 * EDGE) // THREE - LARGEST - 3 * GAP
"""Width of the words beside a card, with three players in a row."""
STEP: Final = 1.06
"""Largest distance between the left edges of two cards, in card widths."""
LEAST_STEP: Final = 0.72
"""Least distance of two overlapping cards, in card widths: the left column of each, even of a 10, stays visible."""


def height(strip: Strip) -> int:
    """Return the height of the strip in pixels."""
    caption = LINE * bool(strip.caption)
    if not strip.laid:
        return 2 * EDGE + caption
    rows = -(-len(strip.laid) // THREE) if strip.in_threes else 1
    return 2 * EDGE + caption + rows * _place_height(strip)


def paint(image: Image.Image, strip: Strip) -> None:
    """Paint the strip across the top of `image`."""
    image.paste(NIGHT, (0, 0, WIDTH, height(strip)))
    if strip.caption:
        y = EDGE + LINE // 2
        write(image, strip.caption, WIDTH // 2, y, WORDS, GOLD, anchor=0.5, width=WIDTH - 2 * EDGE)
    if strip.laid:
        paint_places = _paint_in_threes if strip.in_threes else _paint_places
        paint_places(image, strip, EDGE + LINE * bool(strip.caption))


def _paint_in_threes(image: Image.Image, strip: Strip, y: int) -> None:
    wide = (WIDTH - 2 * EDGE) // THREE
    for number, laid in enumerate(strip.laid):
        x, top = EDGE + number % THREE * wide, y + number // THREE * _place_height(strip)
        _paint_cards(image, laid.cards, x + LARGEST // 2, top, LARGEST, LARGEST)
        left, middle = x + LARGEST + 2 * GAP, top + card_height(LARGEST) * 3 // 5
        upper, lower, otherwise = middle - LINE // 2, middle + LINE // 2, f"Player {number + 1}"
        write(image, laid.name, left, upper, WORDS, CREAM, width=BESIDE, otherwise=otherwise)
        write(image, laid.detail, left, lower, WORDS, CREAM, weight="Medium", width=BESIDE)


def _paint_places(image: Image.Image, strip: Strip, y: int) -> None:
    wide, card = _place_width(strip), _card_width(strip)
    x = (WIDTH - len(strip.laid) * (wide + GAP) + GAP) // 2
    for number, laid in enumerate(strip.laid):
        if laid.best:
            paint_plate(image, x, y, wide, _place_height(strip), "turn")
        _paint_place(image, laid, number, (x, y), wide, card)
        x += wide + GAP


def _paint_place(
    image: Image.Image, laid: LaidCards, number: int, corner: tuple[int, int], wide: int, card: int
) -> None:
    x, y = corner
    middle, room = x + wide // 2, wide - 2 * INSET
    colour = INK if laid.best else CREAM
    otherwise = f"Player {number + 1}"
    write(image, laid.name, middle, y + LINE // 2, WORDS, colour, anchor=0.5, width=room, otherwise=otherwise)
    y += LINE
    if laid.cards:
        _paint_cards(image, laid.cards, middle, y, room, card)
    elif laid.slot:
        paint_slot(image, middle - card // 2, y, card)
    y += card_height(card) * bool(laid.cards or laid.slot) + LINE // 2
    write(image, _words_below(laid), middle, y, WORDS, colour, anchor=0.5, weight="Medium", width=room)


def _words_below(laid: LaidCards) -> str:
    return " · ".join(filter(None, ["best" * laid.best, laid.detail]))


def _paint_cards(
    image: Image.Image, cards: tuple[DrawnCard, ...], middle: int, y: int, room: int, card: int
) -> None:
    step = min(STEP * card, (room - card) / max(len(cards) - 1, 1))
    left = middle - (card + step * (len(cards) - 1)) / 2
    for place, each in enumerate(cards):
        paint_card(image, each, int(left + place * step), y, card)


def _most_cards(strip: Strip) -> int:
    """Return the number of cards at the place that has most."""
    return max(1, *(len(laid.cards) for laid in strip.laid))


def _place_width(strip: Strip) -> int:
    needed = int(LARGEST * (1 + STEP * (_most_cards(strip) - 1))) + 2 * INSET
    widest = ALONE if len(strip.laid) == 1 else WIDEST
    return min(max(widest, needed), (WIDTH - 2 * EDGE + GAP) // len(strip.laid) - GAP)


def _card_width(strip: Strip) -> int:
    room = _place_width(strip) - 2 * INSET
    return min(LARGEST, int(room / (1 + LEAST_STEP * (_most_cards(strip) - 1))))


def _place_height(strip: Strip) -> int:
    if strip.in_threes:
        return card_height(LARGEST) + GAP
    below = LINE * any(_words_below(laid) for laid in strip.laid)
    return LINE + card_height(_card_width(strip)) + (below or INSET)
