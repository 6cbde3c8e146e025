"""Painter of the strip at the top of a hand: the cards on the table, small, under the names of their players."""

from itertools import count
from typing import Final, TypeAlias

from PIL import Image

from bot.pictures.blank import GOLD, INK
from bot.pictures.painting import CREAM, NIGHT, WIDTH, card_height, paint_card, paint_plate, paint_slot, write
from bot.pictures.scene import DrawnCard, LaidCards, Strip

Row: TypeAlias = tuple[LaidCards, ...]

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
ABREAST: Final = 5
"""Maximum number of places in a row: each has room for the name of a computer."""
THREE: Final = 3
BESIDE: Final = (WIDTH - 2 * EDGE) // THREE - LARGEST - 3 * GAP
"""Width of the words beside a card, with three players in a row."""
_THREE_HEIGHT: Final = card_height(LARGEST) + GAP
STEP: Final = 1.06
"""Largest distance between the left edges of two cards, in card widths."""
LEAST_STEP: Final = 0.72
"""Least distance of two overlapping cards, in card widths: the left column of each, even of a 10, stays visible."""


def height(strip: Strip) -> int:
    """Return the height of the strip in pixels."""
    caption = LINE * bool(strip.caption)
    if strip.in_threes:
        return 2 * EDGE + caption + -(-len(strip.laid) // THREE) * _THREE_HEIGHT
    return 2 * EDGE + caption + sum(_row_height(strip, row) for row in _rows(strip))


def paint(image: Image.Image, strip: Strip) -> None:
    """Paint the strip across the top of `image`."""
    image.paste(NIGHT, (0, 0, WIDTH, height(strip)))
    if strip.caption:
        y = EDGE + LINE // 2
        write(image, strip.caption, WIDTH // 2, y, WORDS, GOLD, anchor=0.5, width=WIDTH - 2 * EDGE)
    paint_places = _paint_in_threes if strip.in_threes else _paint_places
    paint_places(image, strip, EDGE + LINE * bool(strip.caption))


def _paint_in_threes(image: Image.Image, strip: Strip, y: int) -> None:
    wide = (WIDTH - 2 * EDGE) // THREE
    for number, laid in enumerate(strip.laid):
        x, top = EDGE + number % THREE * wide, y + number // THREE * _THREE_HEIGHT
        _paint_cards(image, laid.cards, x + LARGEST // 2, top, LARGEST, LARGEST)
        left, middle = x + LARGEST + 2 * GAP, top + card_height(LARGEST) * 3 // 5
        upper, lower, otherwise = middle - LINE // 2, middle + LINE // 2, f"Player {number + 1}"
        write(image, laid.name, left, upper, WORDS, CREAM, width=BESIDE, otherwise=otherwise)
        write(image, laid.detail, left, lower, WORDS, CREAM, weight="Medium", width=BESIDE)


def _paint_places(image: Image.Image, strip: Strip, y: int) -> None:
    for first, row in zip(count(0, _columns(strip)), _rows(strip), strict=False):
        wide, high = _place_width(strip), _row_height(strip, row)
        x = (WIDTH - len(row) * (wide + GAP) + GAP) // 2
        for number, laid in enumerate(row, first):
            if laid.best:
                paint_plate(image, x, y, wide, high, "turn")
            _paint_place(image, laid, number, (x, y), wide, _card_width(strip))
            x += wide + GAP
        y += high


def _paint_place(
    image: Image.Image, laid: LaidCards, number: int, corner: tuple[int, int], wide: int, card: int
) -> None:
    x, y = corner
    middle, room = x + wide // 2, wide - 2 * INSET
    colour = INK if laid.best else CREAM
    otherwise = f"Player {number + 1}"
    # There is a gap beside the place, so a name may be wider than the cards.
    write(image, laid.name, middle, y + LINE // 2, WORDS, colour, anchor=0.5, width=wide, otherwise=otherwise)
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


def _columns(strip: Strip) -> int:
    """Return the number of places in a row, with rows as equal as can be."""
    rows = max(1, -(-len(strip.laid) // ABREAST))
    return max(1, -(-len(strip.laid) // rows))


def _rows(strip: Strip) -> list[Row]:
    columns = _columns(strip)
    return [strip.laid[first : first + columns] for first in range(0, len(strip.laid), columns)]


def _place_width(strip: Strip) -> int:
    needed = int(LARGEST * (1 + STEP * (_most_cards(strip) - 1))) + 2 * INSET
    widest = ALONE if len(strip.laid) == 1 else WIDEST
    return min(max(widest, needed), (WIDTH - 2 * EDGE + GAP) // _columns(strip) - GAP)


def _card_width(strip: Strip) -> int:
    room = _place_width(strip) - 2 * INSET
    return min(LARGEST, int(room / (1 + LEAST_STEP * (_most_cards(strip) - 1))))


def _row_height(strip: Strip, row: Row) -> int:
    cards = card_height(_card_width(strip)) * any(laid.cards or laid.slot for laid in row)
    below = LINE * any(_words_below(laid) for laid in row)
    return LINE + cards + (below or INSET)
