"""Positions of Twin Palms as text.

    advanced, round 3, Ben leads
    Alice | P3 P* D4 D4 | bid 2 max | won 1 | 7 dollars
    Ben   | P3 D10 S0 S1 | bid 0
    Cleo  | P0 P0 S* S9 | bid 1 half

The first line has the mode and may name the round (else 1) and who leads (else the first; it is also who holds the
start token). Then a line for each seat: name and cards, and if they matter the bid (a seat without one has yet to
bid), tricks won (else 0) and sand dollars (else 2). As many tricks lie behind as cards are missing from ten.

Actions are lines as in a golden game, "Alice: play P3 P*=8", one or several separated by semicolons.
"""

import re
from collections.abc import Iterable
from typing import Any

import pytest

from games.contract import Event, Illegal
from games.twin_palms import GAME
from games.twin_palms.cards import KINDS, card_text
from games.twin_palms.events import TrickTaken
from games.twin_palms.options import TwinPalmsOptions
from games.twin_palms.state import State, Trick

KIND = {card_text(kind): kind for kind in KINDS}


class Position:
    """A match at some moment, asked and played in words."""

    def __init__(self, state: State, names: list[str]) -> None:
        self.state = state
        self.names = names
        self.events: list[Event] = []
        """Everything that happened since."""

    def act(self, script: str) -> list[str]:
        """Play the actions; returns the narration of what everybody may learn."""
        events = [event for line in script.split(";") for event in self._apply(line)]
        self.events += events
        return self.narrated(event for event in events if event.to is None)

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
        return " ".join(card_text(kind) for kind in self.state.hands[self.names.index(name)])

    def _apply(self, line: str) -> list[Event]:
        name, _, action = line.strip().partition(": ")
        return GAME.apply(self.state, self.names.index(name), GAME.parse(action))


def position(text: str, **options: Any) -> Position:
    """The position a text describes, at a table with these options."""
    head, *rows = [line.strip() for line in text.strip().splitlines()]
    cells = [[cell.strip() for cell in row.split("|")] for row in rows]
    names = [row[0] for row in cells]
    mode = head.split(",")[0]
    start = re.search(r"(\w+) leads", head)
    leader = names.index(start[1]) if start else 0
    state = State(TwinPalmsOptions.model_validate({"mode": mode, **options}), len(names), "position", leader)
    state.round = _number(r"round (\d+)", head, 1)
    state.hands = [sorted(KIND[card] for card in row[1].split()) for row in cells]
    state.bids = [_bid(row) for row in cells]
    state.won = [_number(r"won (\d+)", " ".join(row[2:]), 0) for row in cells]
    state.dollars = [_number(r"(\d+) dollars", " ".join(row[2:]), 2) for row in cells]
    state.tricks = [Trick(leader, (), None)] * ((10 - len(state.hands[leader])) // 2)
    if min(state.bids) >= 0:
        state.turn = leader
    return Position(state, names)


def opened(seats: int = 3, seed: int | str = 1, **options: Any) -> Position:
    """A match just begun."""
    state, events = GAME.new(TwinPalmsOptions(**options), seats, seed)
    opening = Position(state, ["Alice", "Ben", "Cleo", "Dan", "Eve"][:seats])
    opening.events = events
    return opening


def trick(mode: str, plays: str) -> str:
    """Who takes a trick: "Alice P3 P*=3, Ben D3 D3" gives "Alice"; when all cancel, "nobody"."""
    sets = [play.split() for play in plays.split(",")]
    rows = [f"{name} | {re.sub('=[0-9]+', '', ' '.join(cards))} | bid 0" for name, *cards in sets]
    seen = position("\n".join([mode, *rows]))
    seen.act("; ".join(f"{name}: play {' '.join(cards)}" for name, *cards in sets))
    taken = next(event for event in seen.events if isinstance(event, TrickTaken))
    return "nobody" if taken.winner is None else seen.names[taken.winner]


def _number(pattern: str, text: str, otherwise: int) -> int:
    found = re.search(pattern, text)
    return int(found[1]) if found else otherwise


def _bid(row: list[str]) -> int:
    bids = [cell for cell in row[2:] if cell.startswith("bid")]
    return GAME.parse(bids[0]) if bids else -1
