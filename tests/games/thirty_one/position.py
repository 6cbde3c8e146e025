"""Positions of Thirty-One as text.

    deal 2, Alice dealt, Ben plays, Cleo knocked, discards QS 9H, stock 5D 3C
    Alice | 7S QH 10D | 3 tokens
    Ben   | 2S 3S 4S
    Cleo  | out in deal 1

The first line may name the deal (else 1), who dealt (else the first), who plays (else the next still in), who has
knocked, and how many turns are over; it has the discards and may have the stock, the top first (under it lies the
rest of the pack). Then a line for each seat: name and hand, what all know of it in brackets, and the tokens, if they
are not 3.

Actions are lines as in a golden game, "Alice: discard QH", one or several separated by semicolons.
"""

import re
from collections.abc import Iterable
from typing import Any

import pytest

from games.contract import Event, Illegal
from games.elimination import left_of
from games.french import CARD, PACK, TEXT
from games.thirty_one import GAME
from games.thirty_one.events import HadThirtyOne, HandsShown
from games.thirty_one.options import ThirtyOneOptions
from games.thirty_one.state import State

SEED = "no 31 is dealt"
"""Of what is dealt after a position, in the deals that the tests go on to."""
NAMES = ["Alice", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gil", "Hal"]


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

    def hand(self, name: str) -> str:
        return " ".join(TEXT[card] for card in self.state.hands[self.names.index(name)])

    def discards(self) -> str:
        """The top first."""
        return " ".join(TEXT[card] for card in reversed(self.state.discards))

    def end(self) -> HadThirtyOne | HandsShown:
        """How the last deal ended."""
        assert self.state.last is not None
        return self.state.last

    def describe(self, name: str | None) -> str:
        seat = None if name is None else self.names.index(name)
        return GAME.describe(GAME.view(self.state, seat), self.names)

    def _apply(self, line: str) -> list[Event]:
        name, _, action = line.strip().partition(": ")
        return GAME.apply(self.state, self.names.index(name), GAME.parse(action))


def position(text: str, **options: Any) -> Position:
    """The position a text describes."""
    head, *rows = [line.strip() for line in text.strip().splitlines()]
    cells = [[cell.strip() for cell in row.split("|")] for row in rows]
    names = [row[0] for row in cells]
    state = State(ThirtyOneOptions(**options), len(names), SEED, _named(head, names, r"(\w+) dealt", 0))
    state.deal = _number(head, r"deal (\d+)", 1)
    for seat, row in enumerate(cells):
        _seat(state, seat, row)
    state.turn = _named(head, names, r"(\w+) plays", left_of(state.dealer, state.out))
    state.knocker = _named(head, names, r"(\w+) knocked", -1)
    state.turns = _number(head, r"(\d+) turns", 0)
    state.discards = _cards(head, "discards")
    known = {*state.discards, *_cards(head, "stock"), *(card for hand in state.hands for card in hand)}
    state.stock = [card for card in PACK if card not in known] + _cards(head, "stock")
    return Position(state, names)


def opened(seats: int = 3, seed: int | str = 1, **options: Any) -> Position:
    """A match just begun."""
    state, events = GAME.new(ThirtyOneOptions(**options), seats, seed)
    opening = Position(state, NAMES[:seats])
    opening.events = events
    return opening


def after_knock(*hands: str, tokens: Iterable[int] = (), deal: int = 1, **options: Any) -> Position:
    """The end of a deal: Alice has knocked, everybody draws and keeps these hands, and all are shown."""
    held = [*tokens] or [3] * len(hands)
    rows = [f"{NAMES[seat]} | {hand} | {held[seat]} tokens" for seat, hand in enumerate(hands)]
    used = " ".join(hands).split()
    spare = [text for text in ("2C", "3C", "4C", "5C", "6C", "2D", "3D", "4D", "5D") if text not in used]
    top, *stock = spare[: len(hands) + 1]
    head = f"deal {deal}, {NAMES[len(hands) - 1]} dealt, Alice plays, discards {top}, stock {' '.join(stock)}"
    seen = position("\n".join([head, *rows]), **options)
    seen.act("Alice: knock")
    for name, drawn in zip(NAMES[1 : len(hands)], stock, strict=False):
        seen.act(f"{name}: draw; {name}: discard {drawn}")
    return seen


def _seat(state: State, seat: int, row: list[str]) -> None:
    state.out[seat] = _number(row[1], r"out in deal (\d+)", 0)
    words = [] if state.out[seat] else row[1].split()
    state.hands[seat] = sorted(CARD[word.strip("()")] for word in words)
    state.known[seat] = [CARD[word.strip("()")] for word in words if "(" in word]
    state.tokens[seat] = 0 if state.out[seat] else _number(" ".join(row[2:]), r"(\d+) token", 3)


def _named(head: str, names: list[str], pattern: str, otherwise: int) -> int:
    found = re.search(pattern, head)
    return names.index(found[1]) if found else otherwise


def _number(text: str, pattern: str, otherwise: int) -> int:
    found = re.search(pattern, text)
    return int(found[1]) if found else otherwise


def _cards(head: str, where: str) -> list[int]:
    found = re.search(rf"{where}((?: \w+)+)", head)
    return [CARD[text] for text in reversed(found[1].split())] if found else []
