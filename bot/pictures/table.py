"""Painter of a table: seats around the felt with their cards, piles and the state of the match in the middle."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from PIL import Image

from bot.pictures.blank import GOLD, INK
from bot.pictures.painting import (
    CREAM,
    FAINT,
    PEEK,
    WIDTH,
    card_height,
    felt_table,
    paint_card,
    paint_pip,
    paint_plate,
    paint_slot,
    with_palette,
    write,
)
from bot.pictures.scene import DrawnCard, SeatedPlayer, TableScene

EDGE: Final = 14
PLATE: Final = 116
"""Height of a name plate."""
NARROW: Final = 300
"""On a plate narrower than this the score goes to the second line, without its mark."""
MARGIN: Final = 14
"""Distance of the words from the edge of their plate."""
NAME: Final = 42
"""Font size of names."""
WORDS: Final = 38
"""Font size of all other words: 15 pixels on a phone 390 pixels wide."""
LARGEST: Final = 136
"""Largest width of a card: 48 pixels on a phone 360 pixels wide."""
GAP: Final = 12
TITLE: Final = 62
CAPTION: Final = 54
PILE_STEP: Final = 0.34
"""Distance between the left edges of two cards of a pile, in card widths."""


@dataclass(frozen=True, slots=True)
class _Plan:
    """Sizes in pixels: width of a card, height of the cards before a seat (`zone`), height of the middle."""

    columns: int
    card: int
    zone: int
    middle: int

    @property
    def plate(self) -> int:
        """Width of a name plate."""
        return min((WIDTH - 2 * EDGE) // self.columns - GAP, 460)

    @property
    def height(self) -> int:
        return 2 * (EDGE + PLATE + self.zone + 2 * GAP) + self.middle


def paint(table: TableScene) -> Image.Image:
    """Paint the picture, with a palette."""
    plan = _plan(table)
    image = felt_table(plan.height, EDGE + PLATE // 2)
    _paint_middle(image, table, plan)
    for number, (seat, x, top) in enumerate(_around(table), 1):
        _paint_seat(image, table, seat, number, x, top, plan)
    return with_palette(image, [table.mark, *(svg for card in table.cards() for svg in card.drawings())])


def _plan(table: TableScene) -> _Plan:
    columns = (len(table.seats) + 1) // 2
    cell = (WIDTH - 2 * EDGE) // columns
    longest = max((len(row) for seat in table.seats for row in seat.rows), default=1)
    rows = max((len(seat.rows) for seat in table.seats), default=1)
    fits = int((cell - 2 * GAP) / (1 + (longest - 1) * table.step))
    card = min(fits, LARGEST, 208 // rows)
    peek = card // PEEK * any(each.under for each in table.cards())
    zone = rows * card_height(card) + (rows - 1) * 8 + peek
    piles = card_height(LARGEST - 20) + CAPTION if table.piles else 0
    return _Plan(columns, card, zone, TITLE + piles + (CAPTION if table.note else 0))


def _around(table: TableScene) -> Iterator[tuple[SeatedPlayer, int, bool]]:
    """Yield each seat with the x of its middle and whether it is at the top, clockwise from the bottom left."""
    below = len(table.seats) // 2
    above = len(table.seats) - below
    top = [(WIDTH * (2 * place + 1) // (2 * above), True) for place in range(above)]
    bottom = [(WIDTH * (2 * place + 1) // (2 * below), False) for place in range(below)]
    for seat, (x, is_top) in zip(table.seats, [bottom[0], *top, *reversed(bottom[1:])], strict=True):
        yield seat, x, is_top


def _paint_seat(
    image: Image.Image, table: TableScene, seat: SeatedPlayer, number: int, x: int, top: bool, plan: _Plan
) -> None:
    y = EDGE if top else plan.height - EDGE - PLATE
    _paint_plate(image, table.mark, seat, number, x - plan.plate // 2, y, plan.plate)
    zone = EDGE + PLATE + GAP if top else plan.height - EDGE - PLATE - GAP - plan.zone
    for row, cards in enumerate(seat.rows):
        _paint_row(image, cards, x, zone + row * (card_height(plan.card) + 8), plan.card, table.step)


def _paint_plate(
    image: Image.Image, mark: str, seat: SeatedPlayer, number: int, x: int, y: int, wide: int
) -> None:
    """Paint a plate with name and score, and a line of words under them."""
    gold, narrow = seat.turn or seat.won, wide < NARROW
    colour = INK if gold else FAINT if seat.out else CREAM
    paint_plate(image, x, y, wide, PLATE, "turn" if gold else "out" if seat.out else "seat")
    detail = seat.detail or "to act" * seat.turn
    upper, lower = y + (36 if detail or narrow else PLATE // 2), y + 82
    left = x + MARGIN
    ends = [x + wide - MARGIN] * 2
    if seat.score:
        right, middle = ends[narrow], lower if narrow else upper
        size = WORDS if narrow else NAME
        right -= write(image, seat.score, right, middle, size, INK if gold else GOLD, anchor=1) + 8
        if mark and not narrow:
            paint_pip(image, mark, right - 20, middle + 1, 40)
            right -= 48
        ends[narrow] = right
    write(image, seat.name, left, upper, NAME, colour, width=ends[0] - left, otherwise=f"Seat {number}")
    write(image, detail, left, lower, WORDS, colour, weight="Medium", width=ends[1] - left)


def _paint_row(
    image: Image.Image, cards: tuple[DrawnCard, ...], x: int, y: int, wide: int, step: float
) -> None:
    left = x - int(wide * (1 + (len(cards) - 1) * step)) // 2
    for place, card in enumerate(cards):
        paint_card(image, card, left + int(place * step * wide), y, wide)


def _paint_middle(image: Image.Image, table: TableScene, plan: _Plan) -> None:
    y = EDGE + PLATE + plan.zone + 2 * GAP
    write(image, table.title, WIDTH // 2, y + TITLE // 2, NAME, CREAM, anchor=0.5, width=WIDTH - 80)
    y += TITLE
    wide = LARGEST - 20
    cell = min((WIDTH - 2 * EDGE) // max(len(table.piles), 1), 320)
    for place, pile in enumerate(table.piles):
        x = WIDTH // 2 + int((place - (len(table.piles) - 1) / 2) * cell)
        if pile.cards:
            _paint_row(image, pile.cards, x, y, wide, PILE_STEP)
        else:
            paint_slot(image, x - wide // 2, y, wide)
        below, room = y + card_height(wide) + 26, cell - GAP
        write(image, pile.caption, x, below, WORDS, CREAM, weight="Medium", anchor=0.5, width=room)
    if table.note:
        y += (card_height(wide) + CAPTION) * bool(table.piles)
        write(
            image, table.note, WIDTH // 2, y + 20, WORDS, GOLD, anchor=0.5, weight="Medium", width=WIDTH - 80
        )
