"""Positions of Palmer, written as text.

    deal 2, Alice dealt, Ben plays, pile QS 9H, stock 5D 3C
    Alice | 7S (QH) / (10D) KC | 34
    Ben   | (2S) (3S) / (4S) (5S)
    Cleo  | out in deal 1 | 55

The first line may name the deal (default 1), who dealt (default the first seat) and who plays (default the next seat
still in). It has the pile and may have the stock, both with the top first; the rest of the pack lies under the
stock. Then follows a line for each seat: name, square (top row / bottom row, face-down cards in brackets), and the
total if it is not 0.

Actions are lines as in a golden game, "Alice: take BL", separated by semicolons.
"""

import re
from collections.abc import Iterable

from games.elimination import left_of
from games.french import CARD, PACK, TEXT
from games.palmer import GAME
from games.palmer.actions import ALL_UP
from games.palmer.options import PalmerOptions
from games.palmer.state import State
from games.types import Seat, with_seats
from tests.games.position import NAMES, ScriptedMatch, named, number, pile, table
from tests.seats import FIRST


class Position(ScriptedMatch[State]):
    game = GAME

    def square(self, name: str) -> str:
        """Return the square as it is written in a position."""
        seat = self.seat(name)
        one, two, three, four = (
            TEXT[card] if self.state.up[seat] >> place & 1 else f"({TEXT[card]})"
            for place, card in enumerate(self.state.squares[seat])
        )
        return f"{one} {two} / {three} {four}"

    def pile(self) -> str:
        """Return the pile, the top first."""
        return " ".join(TEXT[card] for card in reversed(self.state.pile))


def position(text: str, limit: int = 50) -> Position:
    """Return the position that a text describes."""
    head, cells = table(text)
    names = [row[0] for row in cells]
    state = State(
        PalmerOptions(limit=limit), len(names), "position", named(r"(\w+) dealt", head, names, FIRST)
    )
    state.deal = number(r"deal (\d+)", head, 1)
    for seat, row in with_seats(cells):
        _seat(state, seat, row)
    state.turn = named(r"(\w+) plays", head, names, left_of(state.dealer, state.out))
    state.pile = pile("pile", head)
    stock = pile("stock", head)
    known = {*state.pile, *stock, *(card for square in state.squares for card in square)}
    state.stock = [card for card in PACK if card not in known] + stock
    return Position(state, names)


opened = Position.opened


def last_turn(*squares: str, totals: Iterable[int] = (), deal: int = 1, limit: int = 50) -> Position:
    """Return a deal of Alice, Ben, ... that ends when Alice turns over her bottom right card."""
    names = NAMES[: len(squares)]
    held = [*totals] or [0] * len(squares)
    rows = [f"{name} | {square} | {total}" for name, square, total in zip(names, squares, held, strict=True)]
    rows[0] = re.sub(r"(\w+) \|(?=[^|]*$)", r"(\1) |", rows[0])
    head = f"deal {deal}, {names[-1]} dealt, Alice plays, pile 2C"
    ready = position("\n".join([head, *rows]), limit)
    assert ready.legal("Alice") == ["draw", "take BR", "turn BR"]
    return ready


def _seat(state: State, seat: Seat, row: list[str]) -> None:
    out = re.match(r"out in deal (\d+)", row[1])
    words = [] if out else row[1].replace("/", " ").split()
    state.out[seat] = int(out[1]) if out else 0
    state.squares[seat] = [CARD[word.strip("()")] for word in words]
    state.up[seat] = (
        sum(1 << place for place, word in enumerate(words) if "(" not in word) if words else ALL_UP
    )
    state.totals[seat] = int(row[2]) if len(row) > 2 else 0
