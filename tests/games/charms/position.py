"""Positions of Charms, written as text.

    hand 2, Ben leads, trump K, Alice dealt
    Alice | shows C 7 | C L 5 8 | bid 3 | won 2 | 4 points
    Ben   | shows K 1 | R R 2 3
    Cleo  | shows L 7 | K 5 5 6

The first line names the trump. It may name the hand of the match (default 1), who leads (default the first seat) and
who dealt (default the last). Then follows a line for each seat: name, the cards it shows, the cards in its hand,
and, if they matter, the bid (default 0), the tricks won and the points (default 0). The number of finished tricks
follows from the number of cards missing from thirteen. When nobody shows anything, it is the first trick.

Actions are lines as in a golden game, "Alice: play C", separated by semicolons.
"""

import re
from collections.abc import Iterable
from random import Random
from typing import Any

from games.charms import GAME
from games.charms.cards import TEXTS
from games.charms.options import CharmsOptions
from games.charms.state import State
from games.contract import Outcome
from games.types import SEATS, Seat, with_seats
from tests.games.position import ScriptedMatch, named, number, table
from tests.seats import FIRST

KIND = {text: kind for kind, text in enumerate(TEXTS)}
DEALT_ANEW = 46
"""A seed with which one of four players is first dealt a bad hand."""


class Position(ScriptedMatch[State]):
    game = GAME

    def legal(self, name: str) -> list[str]:
        """Return the legal plays without the word "play": C, 7, C 7."""
        return [text.removeprefix("play ") for text in super().legal(name)]

    def hand(self, name: str) -> str:
        return texts(self.state.hands[self.seat(name)])

    def imagined(self, name: str | None, worlds: int = 50) -> list[State]:
        """Return matches that `name` (None: a watcher) considers possible."""
        view = GAME.view(self.state, None if name is None else self.seat(name))
        return [GAME.imagine(view, Random(number)) for number in range(worlds)]

    def outcome(self) -> Outcome:
        outcome = GAME.outcome(self.state)
        assert outcome is not None
        return outcome


def texts(cards: Iterable[int]) -> str:
    return " ".join(TEXTS[card] for card in cards)


def position(text: str, **options: Any) -> Position:
    """Return the position that a text describes."""
    head, cells = table(text)
    names = [row[0] for row in cells]
    dealer = named(r"(\w+) dealt", head, names, SEATS[len(names) - 1])
    state = State(CharmsOptions(**options), len(names), "position", dealer)
    state.hand = number(r"hand (\d+)", head, 1)
    state.leader = state.turn = named(r"(\w+) leads", head, names, FIRST)
    state.trump = KIND[_text(r"trump (\w)", head)]
    state.turned = [state.trump]
    state.bids = [number(r"bid (\d+)", "|".join(row), 0) for row in cells]
    state.points = [number(r"(\d+) point", "|".join(row), 0) for row in cells]
    state.winners = [
        seat for seat, row in with_seats(cells) for _ in range(number(r"won (\d+)", "|".join(row), 0))
    ]
    for seat, row in with_seats(cells):
        _show(state, seat, row)
    state.give([sorted(KIND[card] for card in row[1 + ("shows" in row[1])].split()) for row in cells])
    state.trick = 1 if "shows" not in text else 13 - len(state.hands[state.leader])
    return Position(state, names)


opened, after_random_moves = Position.opened, Position.after_random_moves


def _show(state: State, seat: Seat, row: list[str]) -> None:
    if "shows" in row[1]:
        _, suit, number = row[1].split()
        state.suits[seat] = KIND[suit]
        state.numbers[seat] = int(number)


def _text(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    assert found, f"{pattern} is missing"
    return found[1]
