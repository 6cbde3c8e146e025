"""Positions of Charms as text.

    hand 2, Ben leads, trump K, Alice dealt
    Alice | shows C 7 | C L 5 8 | bid 3 | won 2 | 4 points
    Ben   | shows K 1 | R R 2 3
    Cleo  | shows L 7 | K 5 5 6

The first line names the trump and may name the hand of the match (else 1), who leads (else the first) and who dealt
(else the last). Then a line for each seat: name, what it shows, its cards, and if they matter the bid (else 0), the
tricks won and the points (else 0). As many tricks lie behind as cards are missing from thirteen; it is the first trick
when nobody shows anything.

Actions are lines as in a golden game, "Alice: play C", one or several separated by semicolons.
"""

import re
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from games.charms import GAME
from games.charms.cards import TEXTS
from games.charms.options import CharmsOptions
from games.charms.state import State
from games.contract import Event, Illegal, Outcome

KIND = {text: kind for kind, text in enumerate(TEXTS)}
NAMES = ["Alice", "Ben", "Cleo", "Dan"]
DEALT_ANEW = 46
"""A seed with which somebody among four is dealt a bad hand first."""


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

    def narrated(self, events: Iterable[Event]) -> list[str]:
        return [text for event in events if (text := GAME.narrate(event, self.names))]

    def refusal(self, action: str) -> str:
        """The sentence with which an action is refused."""
        with pytest.raises(Illegal) as refusal:
            self._apply(action)
        return str(refusal.value)

    def legal(self, name: str) -> list[str]:
        """The plays without the word: C, 7, C 7."""
        seat = self.names.index(name)
        return [GAME.text(action).removeprefix("play ") for action in GAME.legal(self.state, seat)]

    def awaited(self) -> list[str]:
        return [self.names[seat] for seat in GAME.awaited(self.state)]

    def hand(self, name: str) -> str:
        return texts(self.state.hands[self.names.index(name)])

    def describe(self, name: str | None) -> str:
        seat = None if name is None else self.names.index(name)
        return GAME.describe(GAME.view(self.state, seat), self.names)

    def imagined(self, name: str | None, worlds: int = 50) -> list[State]:
        """Matches that `name` (None: a watcher) thinks possible."""
        view = GAME.view(self.state, None if name is None else self.names.index(name))
        return [GAME.imagine(view, Random(number)) for number in range(worlds)]

    def outcome(self) -> Outcome:
        outcome = GAME.outcome(self.state)
        assert outcome is not None
        return outcome

    def _apply(self, line: str) -> list[Event]:
        name, _, action = line.strip().partition(": ")
        return GAME.apply(self.state, self.names.index(name), GAME.parse(action))


def texts(cards: Iterable[int]) -> str:
    return " ".join(TEXTS[card] for card in cards)


def position(text: str, **options: Any) -> Position:
    """The position a text describes."""
    head, *rows = [line.strip() for line in text.strip().splitlines()]
    cells = [[cell.strip() for cell in row.split("|")] for row in rows]
    names = [row[0] for row in cells]
    state = State(
        CharmsOptions(**options), len(names), "position", _named(head, names, "dealt", len(names) - 1)
    )
    state.hand = _number(r"hand (\d+)", head, 1)
    state.leader = state.turn = _named(head, names, "leads", 0)
    state.trump = KIND[_text(r"trump (\w)", head)]
    state.turned = [state.trump]
    state.bids = [_number(r"bid (\d+)", "|".join(row), 0) for row in cells]
    state.points = [_number(r"(\d+) point", "|".join(row), 0) for row in cells]
    state.winners = [
        seat for seat, row in enumerate(cells) for _ in range(_number(r"won (\d+)", "|".join(row), 0))
    ]
    for seat, row in enumerate(cells):
        _show(state, seat, row)
    state.give([sorted(KIND[card] for card in row[1 + ("shows" in row[1])].split()) for row in cells])
    state.trick = 1 if "shows" not in text else 13 - len(state.hands[state.leader])
    return Position(state, names)


def opened(seats: int = 3, seed: int | str = 1, **options: Any) -> Position:
    """A match just begun."""
    state, events = GAME.new(CharmsOptions(**options), seats, seed)
    opening = Position(state, NAMES[:seats])
    opening.events = events
    return opening


def played(seats: int, seed: int, moves: int, **options: Any) -> Position:
    """A match after so many random actions of those who are awaited."""
    seen, rng = opened(seats, seed, **options), Random(seed)
    for _ in range(moves):
        seat = rng.choice(GAME.awaited(seen.state))
        seen.events += GAME.apply(seen.state, seat, rng.choice(GAME.legal(seen.state, seat)))
    return seen


def _show(state: State, seat: int, row: list[str]) -> None:
    if "shows" in row[1]:
        _, suit, number = row[1].split()
        state.suits[seat] = KIND[suit]
        state.numbers[seat] = int(number)


def _named(head: str, names: list[str], verb: str, otherwise: int) -> int:
    found = re.search(rf"(\w+) {verb}", head)
    return names.index(found[1]) if found else otherwise


def _number(pattern: str, text: str, otherwise: int) -> int:
    found = re.search(pattern, text)
    return int(found[1]) if found else otherwise


def _text(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    assert found, f"{pattern} is missing"
    return found[1]
