"""Positions of Palmer as text.

    deal 2, Alice dealt, Ben plays, pile QS 9H, stock 5D 3C
    Alice | 7S (QH) / (10D) KC | 34
    Ben   | (2S) (3S) / (4S) (5S)
    Cleo  | out in deal 1 | 55

The first line may name the deal (else 1), who dealt (else the first) and who plays (else the next still in); it has
the pile and may have the stock, the top first (under it lies the rest of the pack). Then a line for each seat: name,
square (top row / bottom row, what lies face down in brackets), and the total, if it is not 0.

Actions are lines as in a golden game, "Alice: take BL", one or several separated by semicolons.
"""

import re
from collections.abc import Iterable

import pytest

from games.contract import Event, Illegal
from games.elimination import left_of
from games.french import CARD, PACK, TEXT
from games.palmer import GAME
from games.palmer.actions import ALL_UP
from games.palmer.options import PalmerOptions
from games.palmer.state import State


class Position:
    """A match at some moment, asked and played in words."""

    def __init__(self, state: State, names: list[str]) -> None:
        self.state = state
        self.names = names
        self.events: list[Event] = []
        """Everything that happened since."""

    def act(self, script: str) -> list[str]:
        """Do what the lines say; returns what everybody is told."""
        events: list[Event] = []
        for line in re.split(r"[;\n]", script.strip()):
            events += self._apply(line)
        self.events += events
        return self.narrated(event for event in events if event.to is None)

    def heard(self, name: str) -> list[str]:
        """What only `name` was told since."""
        return self.narrated(event for event in self.events if event.to == self.names.index(name))

    def narrated(self, events: Iterable[Event]) -> list[str]:
        return [text for event in events if (text := GAME.narrate(event, self.names))]

    def refusal(self, action: str) -> str:
        """The sentence with which an action is refused."""
        with pytest.raises(Illegal) as refusal:
            self._apply(action)
        return str(refusal.value)

    def legal(self, name: str) -> list[str]:
        return [GAME.text(action) for action in GAME.legal(self.state, self.names.index(name))]

    def awaited(self) -> list[str]:
        return [self.names[seat] for seat in GAME.awaited(self.state)]

    def square(self, name: str) -> str:
        """As in a position."""
        seat = self.names.index(name)
        one, two, three, four = (
            TEXT[card] if self.state.up[seat] >> place & 1 else f"({TEXT[card]})"
            for place, card in enumerate(self.state.squares[seat])
        )
        return f"{one} {two} / {three} {four}"

    def pile(self) -> str:
        """The top first."""
        return " ".join(TEXT[card] for card in reversed(self.state.pile))

    def describe(self, name: str | None) -> str:
        seat = None if name is None else self.names.index(name)
        return GAME.describe(GAME.view(self.state, seat), self.names)

    def _apply(self, line: str) -> list[Event]:
        name, _, action = line.strip().partition(": ")
        return GAME.apply(self.state, self.names.index(name), GAME.parse(action))


def position(text: str, limit: int = 50) -> Position:
    """The position a text describes."""
    head, *rows = [line.strip() for line in text.strip().splitlines()]
    cells = [[cell.strip() for cell in row.split("|")] for row in rows]
    names = [row[0] for row in cells]
    dealer = re.search(r"(\w+) dealt", head)
    state = State(PalmerOptions(limit=limit), len(names), "position", names.index(dealer[1]) if dealer else 0)
    deal = re.search(r"deal (\d+)", head)
    state.deal = int(deal[1]) if deal else 1
    for seat, row in enumerate(cells):
        _seat(state, seat, row)
    plays = re.search(r"(\w+) plays", head)
    state.turn = names.index(plays[1]) if plays else left_of(state.dealer, state.out)
    state.pile = _cards(head, "pile")
    known = {*state.pile, *_cards(head, "stock"), *(card for square in state.squares for card in square)}
    state.stock = [card for card in PACK if card not in known] + _cards(head, "stock")
    return Position(state, names)


def opened(seats: int = 3, seed: int | str = 1, limit: int = 50) -> Position:
    """A match just begun."""
    state, events = GAME.new(PalmerOptions(limit=limit), seats, seed)
    opening = Position(state, ["Alice", "Ben", "Cleo", "Dan", "Eve", "Finn"][:seats])
    opening.events = events
    return opening


def last_turn(*squares: str, totals: Iterable[int] = (), deal: int = 1, limit: int = 50) -> Position:
    """A deal of Alice, Ben, ... that ends as soon as Alice turns over her bottom right card."""
    names = ["Alice", "Ben", "Cleo", "Dan", "Eve", "Finn"][: len(squares)]
    held = [*totals] or [0] * len(squares)
    rows = [f"{name} | {square} | {total}" for name, square, total in zip(names, squares, held, strict=True)]
    rows[0] = re.sub(r"(\w+) \|(?=[^|]*$)", r"(\1) |", rows[0])
    head = f"deal {deal}, {names[-1]} dealt, Alice plays, pile 2C"
    ready = position("\n".join([head, *rows]), limit)
    assert ready.legal("Alice") == ["draw", "take BR", "turn BR"]
    return ready


def _seat(state: State, seat: int, row: list[str]) -> None:
    out = re.match(r"out in deal (\d+)", row[1])
    words = [] if out else row[1].replace("/", " ").split()
    state.out[seat] = int(out[1]) if out else 0
    state.squares[seat] = [CARD[word.strip("()")] for word in words]
    state.up[seat] = (
        sum(1 << place for place, word in enumerate(words) if "(" not in word) if words else ALL_UP
    )
    state.totals[seat] = int(row[2]) if len(row) > 2 else 0


def _cards(head: str, where: str) -> list[int]:
    found = re.search(rf"{where}((?: \w+)+)", head)
    return [CARD[text] for text in reversed(found[1].split())] if found else []
