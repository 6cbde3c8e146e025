"""Positions of Palace, written as text.

    pile 5 9 7 | stock J 4 | Ben plays to the right
    Alice | hand 3 4 4 | up K 2 | down 5 . 6
    Ben   | hand 9 9 A

The first line has the pile from bottom to top, the stock in drawing order, and who plays (default the first seat);
play goes to the left unless the line says "to the right". Then follows a line for each seat: its hand, its face-up
cards, and its face-down cards by place, with a point for one that is gone. Anything not named is empty. A seat with
no cards at all has gone out, in the order of the lines.

Actions are lines as in a golden game, "Alice: play 4 4", separated by semicolons.
"""

from collections.abc import Iterable

from games.palace import GAME
from games.palace.cards import FREE, RANKS, SEVEN, counts, expand, ranks
from games.palace.options import PalaceOptions
from games.palace.state import GONE, State
from games.types import SEATS, Seat, with_seats
from tests.games.position import ScriptedMatch
from tests.seats import FIRST


class Position(ScriptedMatch[State]):
    game = GAME

    def to_act(self) -> str:
        """Return the names of the awaited players, for example "Alice Cleo"."""
        return " ".join(self.awaited())

    def hand(self, name: str) -> str:
        return ranks(expand(self.state.hands[self.seat(name)]))

    def known(self, name: str) -> str:
        """Return the cards in a hand that everybody saw it take up."""
        return ranks(expand(self.state.known[self.seat(name)]))

    def pile(self) -> str:
        return ranks(self.state.pile)

    def gone(self) -> str:
        return ranks(expand(self.state.gone))

    def placings(self) -> tuple[int, ...] | None:
        outcome = GAME.outcome(self.state)
        return None if outcome is None else outcome.placings


def position(text: str, **options: bool) -> Position:
    """Return the position that a text describes, at a table with these options."""
    head, *rows = [_cells(line) for line in text.strip().splitlines()]
    names = [row[0][0] for row in rows]
    state = State(PalaceOptions(**options), len(names), "position", dealer=FIRST)
    state.turn = FIRST
    for key, *rest in head:
        if key == "pile":
            state.pile = _kinds(rest)
            state.top = next((kind for kind in reversed(state.pile) if kind != SEVEN), FREE)
        elif key == "stock":
            state.stock = _kinds(rest)[::-1]
        else:
            state.turn = SEATS[names.index(key)]
            state.direction = -1 if rest[-1] == "right" else 1
    for seat, (_, *zones) in with_seats(rows):
        _lay_out(state, seat, {zone: cards for zone, *cards in zones})
    state.finished = [seat for seat in SEATS[: len(names)] if not state.cards_left(seat)]
    return Position(state, names)


def _cells(line: str) -> list[list[str]]:
    return [cell.split() for cell in line.split("|") if cell.strip()]


def _lay_out(state: State, seat: Seat, zones: dict[str, list[str]]) -> None:
    state.hands[seat] = counts(_kinds(zones.get("hand", [])))
    state.shown[seat] = counts(_kinds(zones.get("up", [])))
    state.blind[seat] = [GONE if card == "." else RANKS.index(card) for card in zones.get("down", [])]


def _kinds(cards: Iterable[str]) -> list[int]:
    return [RANKS.index(card) for card in cards]


opened = Position.opened


def all_choose(seen: Position) -> None:
    """Let everybody choose the face-up cards that the fallback chooses."""
    for seat in GAME.awaited(seen.state):
        seen.act(f"{seen.names[seat]}: {GAME.text(GAME.fallback(seen.state, seat))}")
