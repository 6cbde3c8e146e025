"""Positions of Palace as text.

    pile 5 9 7 | stock J 4 | Ben plays to the right
    Alice | hand 3 4 4 | up K 2 | down 5 . 6
    Ben   | hand 9 9 A

The first line has the pile from bottom to top, the stock in the order in which it is drawn, and who plays (else the
first seat), to the left unless it says to the right. Then a line for each seat: its hand, its face-up cards, and its
face-down cards by place, a point for one that has gone. What is not named is empty; who has nothing at all has gone
out, in the order of the lines.

Actions are lines as in a golden game, "Alice: play 4 4", one or several separated by semicolons.
"""

from collections.abc import Iterable

import pytest

from games.contract import Event, Illegal
from games.palace import GAME
from games.palace.cards import FREE, RANKS, SEVEN, counts, expand, ranks
from games.palace.options import PalaceOptions
from games.palace.state import GONE, State


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

    def awaited(self) -> str:
        return " ".join(self.names[seat] for seat in GAME.awaited(self.state))

    def hand(self, name: str) -> str:
        return ranks(expand(self.state.hands[self.names.index(name)]))

    def known(self, name: str) -> str:
        """The cards in a hand that everybody saw it take up."""
        return ranks(expand(self.state.known[self.names.index(name)]))

    def pile(self) -> str:
        return ranks(self.state.pile)

    def gone(self) -> str:
        return ranks(expand(self.state.gone))

    def placings(self) -> tuple[int, ...] | None:
        outcome = GAME.outcome(self.state)
        return None if outcome is None else outcome.placings

    def _apply(self, line: str) -> list[Event]:
        name, _, action = line.strip().partition(": ")
        return GAME.apply(self.state, self.names.index(name), GAME.parse(action))


def position(text: str, **options: bool) -> Position:
    """The position a text describes, at a table with these options."""
    head, *rows = [_cells(line) for line in text.strip().splitlines()]
    names = [row[0][0] for row in rows]
    state = State(PalaceOptions(**options), len(names), "position", dealer=0)
    state.turn = 0
    for key, *rest in head:
        if key == "pile":
            state.pile = _kinds(rest)
            state.top = next((kind for kind in reversed(state.pile) if kind != SEVEN), FREE)
        elif key == "stock":
            state.stock = _kinds(rest)[::-1]
        else:
            state.turn = names.index(key)
            state.direction = -1 if rest[-1] == "right" else 1
    for seat, (_, *zones) in enumerate(rows):
        _lay_out(state, seat, {zone: cards for zone, *cards in zones})
    state.finished = [seat for seat in range(len(names)) if not state.cards_left(seat)]
    return Position(state, names)


def _cells(line: str) -> list[list[str]]:
    return [cell.split() for cell in line.split("|") if cell.strip()]


def _lay_out(state: State, seat: int, zones: dict[str, list[str]]) -> None:
    state.hands[seat] = counts(_kinds(zones.get("hand", [])))
    state.shown[seat] = counts(_kinds(zones.get("up", [])))
    state.blind[seat] = [GONE if card == "." else RANKS.index(card) for card in zones.get("down", [])]


def _kinds(cards: Iterable[str]) -> list[int]:
    return [RANKS.index(card) for card in cards]


def opened(seats: int = 3, seed: int | str = 1, **options: bool) -> Position:
    """A match just begun."""
    state, events = GAME.new(PalaceOptions(**options), seats, seed)
    opening = Position(state, ["Alice", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gina", "Hal"][:seats])
    opening.events = events
    return opening


def all_choose(seen: Position) -> None:
    """Everybody lays face up what an absent player would."""
    for seat in GAME.awaited(seen.state):
        seen.act(f"{seen.names[seat]}: {GAME.text(GAME.fallback(seen.state, seat))}")
