"""Positions of Thirty-One, written as text.

    deal 2, Alice dealt, Ben plays, Cleo knocked, discards QS 9H, stock 5D 3C
    Alice | 7S QH 10D | 3 tokens
    Ben   | 2S 3S 4S
    Cleo  | out in deal 1

The first line may name the deal (default 1), who dealt (default the first seat), who plays (default the next seat
still in), who has knocked, and how many turns are over. It has the discards and may have the stock, both with the
top first; the rest of the pack lies under the stock. Then follows a line for each seat: name and hand, with publicly
known cards in brackets, and the tokens if they are not 3.

Actions are lines as in a golden game, "Alice: discard QH", separated by semicolons.
"""

from collections.abc import Iterable
from typing import Any

from games.elimination import left_of
from games.french import CARD, PACK, TEXT
from games.thirty_one import GAME
from games.thirty_one.events import HadThirtyOne, HandsShown
from games.thirty_one.options import ThirtyOneOptions
from games.thirty_one.state import State
from games.types import Seat, with_seats
from tests.games.position import NAMES, ScriptedMatch, named, number, pile, table
from tests.seats import FIRST

SEED = "no 31 is dealt"
"""Seed for the deals that follow a position; none of them deals a 31."""


class Position(ScriptedMatch[State]):
    game = GAME

    def hand(self, name: str) -> str:
        return " ".join(TEXT[card] for card in self.state.hands[self.seat(name)])

    def discards(self) -> str:
        """Return the discards, the top first."""
        return " ".join(TEXT[card] for card in reversed(self.state.discards))

    def end(self) -> HadThirtyOne | HandsShown:
        """Return how the last deal ended."""
        assert self.state.last is not None
        return self.state.last


def position(text: str, **options: Any) -> Position:
    """Return the position that a text describes."""
    head, cells = table(text)
    names = [row[0] for row in cells]
    state = State(ThirtyOneOptions(**options), len(names), SEED, named(r"(\w+) dealt", head, names, FIRST))
    state.deal = number(r"deal (\d+)", head, 1)
    for seat, row in with_seats(cells):
        _seat(state, seat, row)
    state.turn = named(r"(\w+) plays", head, names, left_of(state.dealer, state.out))
    state.knocker = named(r"(\w+) knocked", head, names, None)
    state.turns = number(r"(\d+) turns", head, 0)
    state.discards = pile("discards", head)
    stock = pile("stock", head)
    known = {*state.discards, *stock, *(card for hand in state.hands for card in hand)}
    state.stock = [card for card in PACK if card not in known] + stock
    return Position(state, names)


opened = Position.opened


def after_knock(*hands: str, tokens: Iterable[int] = (), deal: int = 1, **options: Any) -> Position:
    """Return the end of a deal in which Alice has knocked, and everybody has drawn and keeps these hands."""
    held = [*tokens] or [3] * len(hands)
    rows = [f"{NAMES[seat]} | {hand} | {held[seat]} tokens" for seat, hand in with_seats(hands)]
    used = " ".join(hands).split()
    spare = [text for text in ("2C", "3C", "4C", "5C", "6C", "2D", "3D", "4D", "5D") if text not in used]
    top, *stock = spare[: len(hands) + 1]
    head = f"deal {deal}, {NAMES[len(hands) - 1]} dealt, Alice plays, discards {top}, stock {' '.join(stock)}"
    seen = position("\n".join([head, *rows]), **options)
    seen.act("Alice: knock")
    for name, drawn in zip(NAMES[1 : len(hands)], stock, strict=False):
        seen.act(f"{name}: draw; {name}: discard {drawn}")
    return seen


def _seat(state: State, seat: Seat, row: list[str]) -> None:
    state.out[seat] = number(r"out in deal (\d+)", row[1], 0)
    words = [] if state.out[seat] else row[1].split()
    state.hands[seat] = sorted(CARD[word.strip("()")] for word in words)
    state.known[seat] = [CARD[word.strip("()")] for word in words if "(" in word]
    state.tokens[seat] = 0 if state.out[seat] else number(r"(\d+) token", " ".join(row[2:]), 3)
