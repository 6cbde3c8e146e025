"""Positions of Liar's Dice, written as text.

    round 4, Ben plays, palifico, Alice 2x3, Ben 3x5
    Alice | 1 3 3 5 6
    Ben   | 2 2
    Cleo  | out in round 2

The first line may name the round (default 1), who plays (default the seat to the left of the last bidder, or the first
seat that is in), that it is palifico, and the bids so far. Then follows a line for each seat: name and cup, and perhaps
the round in which the seat had its palifico: "Ben | 2 2 | palifico in round 3".

Actions are lines as in a golden game, "Alice: bid 7x5", separated by semicolons.
"""

import re
from typing import Any

from games.elimination import left_of
from games.liars_dice import GAME
from games.liars_dice.actions import bid
from games.liars_dice.options import LiarsDiceOptions
from games.liars_dice.state import State
from games.types import SEATS, Seat, with_seats
from tests.games.position import ScriptedMatch, named, number, table
from tests.seats import FIRST


class Position(ScriptedMatch[State]):
    game = GAME

    def dice(self) -> list[int]:
        return self.state.dice

    def bids_of(self, name: str) -> list[str]:
        """Return the legal bids of a player: "7x5"."""
        return [text.removeprefix("bid ") for text in self.legal(name) if text.startswith("bid")]


def position(text: str, **options: Any) -> Position:
    """Return the position that a text describes."""
    head, cells = table(text)
    names = [row[0] for row in cells]
    state = State(LiarsDiceOptions(**options), len(names), "position", FIRST)
    state.round = number(r"round (\d+)", head, 1)
    state.palifico = "palifico" in head
    for seat, row in with_seats(cells):
        _seat(state, seat, row)
    state.bids = [
        (SEATS[names.index(name)], bid(int(quantity), int(face)))
        for name, quantity, face in re.findall(r"(\w+) (\d+)x(\d)", head)
    ]
    first = left_of(state.bids[-1][0], state.out) if state.bids else SEATS[state.out.index(0)]
    state.turn = named(r"(\w+) plays", head, names, first)
    return Position(state, names)


opened = Position.opened


def _seat(state: State, seat: Seat, row: list[str]) -> None:
    state.out[seat] = number(r"out in round (\d+)", row[1], 0)
    state.cups[seat] = [] if state.out[seat] else sorted(map(int, row[1].split()))
    state.dice[seat] = len(state.cups[seat])
    state.had[seat] = number(r"palifico in round (\d+)", " ".join(row[2:]), 0)
