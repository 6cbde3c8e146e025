"""Positions of Hand and Foot, written as text.

    deal 2, Alice dealt, Ben plays, drawn, discards KS 5C, stock 4H JOKER
    Alice | 7S QH (10D) | foot 3D KS | melds K K K 2, 9 9 9
    Ben   | 2S JOKER QH | no foot    | piles K clean, 9 dirty

The first line may name the deal (default 1), who dealt (default the first seat), who plays (default the next seat), and
whether that player has drawn. It may have the discards and the stock, both with the top first; many ♠9 lie below the
stock unless it says "stock only". Then follows a line for each seat: name and hand, with publicly known cards in
brackets; the foot (default eleven ♣4); melds and piles by rank, at any player of the side.

Actions are lines as in a golden game, "Alice: discard QH", separated by semicolons.
"""

import re

from games.hand_and_foot import GAME
from games.hand_and_foot.cards import CARD, JOKER, RANKS
from games.hand_and_foot.events import DealScored
from games.hand_and_foot.options import HandAndFootOptions
from games.hand_and_foot.state import DRAWING, PLAYING, State
from games.types import SEATS, Seat, with_seats
from tests.games.position import ScriptedMatch, named, number, table
from tests.seats import FIRST

LOW: int = CARD["4C"]
BELOW: int = CARD["9S"]


class Position(ScriptedMatch[State]):
    game = GAME

    def hand(self, name: str) -> str:
        return " ".join(_text(card) for card in self.state.hands[self.seat(name)])

    def melds(self, name: str) -> list[str]:
        """Return the open melds of this player's side as ranks."""
        side = self.state.melds[self.state.side(self.seat(name))]
        return [" ".join(RANKS[card // 4] for card in meld) for meld in side if meld]

    def discards(self) -> str:
        """Return the discards, the top first."""
        return " ".join(_text(card) for card in reversed(self.state.discards))

    def end(self) -> DealScored:
        """Return how the last deal ended."""
        assert self.state.last is not None
        return self.state.last

    def points(self) -> list[int]:
        """Return the points of the last deal by side."""
        return [score.points for score in self.end().scores]


def _text(card: int) -> str:
    return next(text for text, other in CARD.items() if other == card)


def position(text: str) -> Position:
    """Return the position that a text describes."""
    head, cells = table(text)
    names = [row[0] for row in cells]
    state = State(HandAndFootOptions(), len(names), "position", named(r"(\w+) dealt", head, names, FIRST))
    state.deal = number(r"deal (\d+)", head, 1)
    state.turn = named(r"(\w+) plays", head, names, SEATS[(state.dealer + 1) % len(names)])
    state.phase = PLAYING if "drawn" in head else DRAWING
    state.discards = _pile("discards", head)
    below = [] if "stock only" in head else [BELOW] * 40
    state.stock = below + _pile("stock(?: only)?", head)
    for seat, row in with_seats(cells):
        _seat(state, seat, row)
    return Position(state, names)


opened = Position.opened


def _pile(where: str, head: str) -> list[int]:
    found = re.search(rf"{where}((?: [0-9AJQK]\w+)+)", head)
    return [CARD[word] for word in reversed(found[1].split())] if found else []


def _seat(state: State, seat: Seat, row: list[str]) -> None:
    words = row[1].split()
    state.hands[seat] = sorted(CARD[word.strip("()")] for word in words)
    state.known[seat] = [CARD[word.strip("()")] for word in words if "(" in word]
    state.feet[seat] = [LOW] * 11
    side = state.side(seat)
    for cell in row[2:]:
        kind, _, rest = cell.partition(" ")
        if kind == "melds":
            for group in rest.split(", "):
                cards = sorted(_rank(word) for word in group.split())
                state.melds[side][cards[0] // 4] = cards
        elif kind == "piles":
            state.piles[side] += (_made(*pile.split()) for pile in rest.split(", "))
        else:
            state.feet[seat] = [] if cell == "no foot" else sorted(CARD[word] for word in rest.split())


def _rank(word: str) -> int:
    return JOKER if word == "W" else 4 * RANKS.index(word)


def _made(rank: str, kind: str) -> tuple[int, ...]:
    natural = _rank(rank)
    return (natural,) * 7 if kind == "clean" else (natural,) * 6 + (JOKER,)
