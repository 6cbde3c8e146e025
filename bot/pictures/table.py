"""Painting a table: seats around the felt, the cards before them, piles and the state of the match in the middle."""

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
    felt,
    flat,
    lay,
    plate,
    slot,
    stamp,
    write,
)
from bot.pictures.scene import Card, Seat, Table

EDGE: Final = 14
PLATE: Final = 116
NARROW: Final = 300
"""On a plate less wide the score goes to the second line, without its mark: there is room for name and words."""
MARGIN: Final = 14
"""Of a plate's words from its edge."""
NAME: Final = 42
WORDS: Final = 38
"""How high all other words are written: 15 pixels of a phone 390 wide."""
LARGEST: Final = 136
"""A card's width where there is room: 48 pixels of a phone 360 wide."""
GAP: Final = 12
TITLE: Final = 62
CAPTION: Final = 54
PILE_STEP: Final = 0.34


@dataclass(frozen=True, slots=True)
class _Plan:
    """Where things go: how large a card is, how high the zones are, in pixels."""

    columns: int
    card: int
    zone: int
    middle: int

    @property
    def plate(self) -> int:
        """How wide a name plate is."""
        return min((WIDTH - 2 * EDGE) // self.columns - GAP, 460)

    @property
    def height(self) -> int:
        return 2 * (EDGE + PLATE + self.zone + 2 * GAP) + self.middle


def paint(table: Table) -> Image.Image:
    """The whole table, with a palette."""
    plan = _plan(table)
    image = felt(plan.height, EDGE + PLATE // 2)
    _paint_middle(image, table, plan)
    for number, (seat, x, top) in enumerate(_around(table), 1):
        _paint_seat(image, table, seat, number, x, top, plan)
    return flat(image, [table.mark, *(svg for card in table.cards() for svg in (card.face, card.under))])


def _plan(table: Table) -> _Plan:
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


def _around(table: Table) -> Iterator[tuple[Seat, int, bool]]:
    """Each seat with the middle of its place and whether it sits at the top: clockwise from the bottom left."""
    below = len(table.seats) // 2
    above = len(table.seats) - below
    top = [(WIDTH * (2 * place + 1) // (2 * above), True) for place in range(above)]
    bottom = [(WIDTH * (2 * place + 1) // (2 * below), False) for place in range(below)]
    for seat, (x, is_top) in zip(table.seats, [bottom[0], *top, *reversed(bottom[1:])], strict=True):
        yield seat, x, is_top


def _paint_seat(
    image: Image.Image, table: Table, seat: Seat, number: int, x: int, top: bool, plan: _Plan
) -> None:
    y = EDGE if top else plan.height - EDGE - PLATE
    _paint_plate(image, table.mark, seat, number, x - plan.plate // 2, y, plan.plate)
    zone = EDGE + PLATE + GAP if top else plan.height - EDGE - PLATE - GAP - plan.zone
    for row, cards in enumerate(seat.rows):
        _paint_row(image, cards, x, zone + row * (card_height(plan.card) + 8), plan.card, table.step)


def _paint_plate(image: Image.Image, mark: str, seat: Seat, number: int, x: int, y: int, wide: int) -> None:
    """Name, score, and a line of words under them."""
    gold, narrow = seat.turn or seat.first, wide < NARROW
    colour = INK if gold else FAINT if seat.out else CREAM
    plate(image, x, y, wide, PLATE, "turn" if gold else "out" if seat.out else "seat")
    detail = seat.detail or "to act" * seat.turn
    upper, lower = y + (36 if detail or narrow else PLATE // 2), y + 82
    left = x + MARGIN
    ends = [x + wide - MARGIN] * 2
    if seat.score:
        right, middle = ends[narrow], lower if narrow else upper
        size = WORDS if narrow else NAME
        right -= write(image, seat.score, right, middle, size, INK if gold else GOLD, anchor=1) + 8
        if mark and not narrow:
            stamp(image, mark, right - 20, middle + 1, 40)
            right -= 48
        ends[narrow] = right
    write(image, seat.name, left, upper, NAME, colour, width=ends[0] - left, otherwise=f"Seat {number}")
    write(image, detail, left, lower, WORDS, colour, weight="Medium", width=ends[1] - left)


def _paint_row(image: Image.Image, cards: tuple[Card, ...], x: int, y: int, wide: int, step: float) -> None:
    left = x - int(wide * (1 + (len(cards) - 1) * step)) // 2
    for place, card in enumerate(cards):
        lay(image, card, left + int(place * step * wide), y, wide)


def _paint_middle(image: Image.Image, table: Table, plan: _Plan) -> None:
    y = EDGE + PLATE + plan.zone + 2 * GAP
    write(image, table.title, WIDTH // 2, y + TITLE // 2, NAME, CREAM, anchor=0.5, width=WIDTH - 80)
    y += TITLE
    wide = LARGEST - 20
    cell = (WIDTH - 2 * EDGE) // max(len(table.piles), 1)
    for place, pile in enumerate(table.piles):
        x = WIDTH // 2 + int((place - (len(table.piles) - 1) / 2) * min(cell, 320))
        if pile.cards:
            _paint_row(image, pile.cards, x, y, wide, PILE_STEP)
        else:
            slot(image, x - wide // 2, y, wide)
        write(image, pile.caption, x, y + card_height(wide) + 26, WORDS, CREAM, weight="Medium", anchor=0.5)
    if table.note:
        y += (card_height(wide) + CAPTION) * bool(table.piles)
        write(
            image, table.note, WIDTH // 2, y + 20, WORDS, GOLD, anchor=0.5, weight="Medium", width=WIDTH - 80
        )
