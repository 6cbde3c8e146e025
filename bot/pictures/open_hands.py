"""Painter of several hands, face up: each below the name of its player, as many side by side as fit."""

from typing import Final

from PIL import Image

from bot.pictures.painting import CREAM, NIGHT, WIDTH, card_height, paint_card, width_of, with_palette, write
from bot.pictures.scene import LaidCards, OpenHands

EDGE: Final = 16
LARGEST: Final = 104
"""Largest width of a card."""
SMALLEST: Final = 70
"""Smallest width of a card: 27 pixels on a phone 390 pixels wide. In larger hands cards overlap."""
GAP: Final = 8
BETWEEN: Final = 40
"""Smallest distance between two hands in a row."""
NARROWEST: Final = 210
"""Smallest width of a hand without the detail beside its name: the name must have room."""
SPACE: Final = 12
"""Distance of a detail from the name."""
NAME: Final = 40
"""Font size. `write` takes five sixths of it for long names."""
LINE: Final = 52
"""Height of a name."""
BELOW: Final = 18


def paint(scene: OpenHands) -> Image.Image:
    """Paint the picture, with a palette."""
    card = _card_width(scene)
    rows = _rows(scene, card)
    high = LINE + card_height(card) + BELOW
    image = Image.new("RGB", (WIDTH, EDGE + len(rows) * high), NIGHT)
    number = 0
    for row, hands in enumerate(rows):
        free = WIDTH - sum(_width(hand, card) for hand in hands)
        x = between = free // (len(hands) + 1)
        for hand in hands:
            number += 1
            _paint_hand(image, hand, number, x, EDGE + row * high, card)
            x += _width(hand, card) + between
    return with_palette(image, (each.svg for hand in scene.hands for each in hand.cards))


def _card_width(scene: OpenHands) -> int:
    most = max(len(hand.cards) for hand in scene.hands)
    return max(SMALLEST, min(LARGEST, (WIDTH - 2 * EDGE + GAP) // max(most, 1) - GAP))


def _width(hand: LaidCards, card: int) -> int:
    return min(WIDTH - 2 * EDGE, max(NARROWEST + _beside(hand), len(hand.cards) * (card + GAP) - GAP))


def _beside(hand: LaidCards) -> int:
    """Return the width of the detail beside the name; 0 for none."""
    return SPACE + width_of(f"· {hand.detail}", NAME) if hand.detail else 0


def _rows(scene: OpenHands, card: int) -> list[list[LaidCards]]:
    """Return the hands in rows, in order, as many in each as fit."""
    rows: list[list[LaidCards]] = []
    room = 0
    for hand in scene.hands:
        needed = _width(hand, card) + BETWEEN
        if needed > room:
            rows.append([])
            room = WIDTH - 2 * EDGE + BETWEEN
        rows[-1].append(hand)
        room -= needed
    return rows


def _paint_hand(image: Image.Image, hand: LaidCards, number: int, x: int, y: int, card: int) -> None:
    wide, beside = _width(hand, card), _beside(hand)
    middle, room, line, other = x + (wide - beside) // 2, wide - beside, y + LINE // 2, f"Player {number}"
    right = write(image, hand.name, middle, line, NAME, CREAM, anchor=0.5, width=room, otherwise=other) // 2
    if hand.detail:
        write(image, f"· {hand.detail}", middle + right + SPACE, line, NAME, CREAM)
    count = len(hand.cards)
    step = min(card + GAP, (wide - card) / max(count - 1, 1))
    left = x + (wide - card - step * (count - 1)) / 2
    for place, each in enumerate(hand.cards):
        paint_card(image, each, int(left + place * step), y + LINE, card)
