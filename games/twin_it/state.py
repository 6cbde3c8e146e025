"""A match of Twin It! at one moment: the cards, the faces that show, and the hands on them."""

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple, TypeAlias

from games.contract import Outcome
from games.twin_it.deck import CARDS, SIDES
from games.twin_it.options import TwinItOptions

NOBODY: Final = -1
ANYBODY: Final = -2
"""Whose turn it is in teams after a set, tie or mistake: whoever of those with a pile flips first."""

Place: TypeAlias = Literal["pile", "table", "barred", "set"]
ON_TABLE: Final[tuple[Place, int]] = ("table", NOBODY)


class Hand(NamedTuple):
    """A hand that lies on a face: since when (ms), and `order`, the number of the action, which decides at equal
    times."""

    face: int
    at: int
    order: int


class Face(NamedTuple):
    """A face that shows. `spot` is its place in the picture of the table, from 0, its own as long as it shows.
    `owner` is the seat of a pile, the side of a set, else NOBODY; `hidden` is the design on the other side of the
    card, once that was seen, else None."""

    number: int
    card: int
    spot: int
    design: int
    place: Place
    owner: int
    hidden: int | None


class State:
    """Lists are by seat unless said otherwise. A *side* is who wins together: a seat, a team (0 the even seats), or
    in cooperative mode everybody (0). Times are ms of Discord's clock."""

    __slots__ = (
        "acted",
        "barred",
        "barred_side",
        "deals",
        "ends",
        "faces",
        "hands",
        "known",
        "last",
        "now",
        "number",
        "opens",
        "options",
        "outcome",
        "piles",
        "ready",
        "rests",
        "seats",
        "seed",
        "sets",
        "showing",
        "spots",
        "stirred",
        "table",
        "turn",
        "up",
    )

    def __init__(self, options: TwinItOptions, seats: int, seed: int | str, faces: bytes) -> None:
        self.options = options
        self.seats = seats
        self.seed = seed
        self.faces = faces
        """The design of every side, see `deck`."""
        self.known = bytearray(SIDES)
        """By side: 1 once it has shown."""
        self.up = bytearray(CARDS)
        """By card: which of its two sides is up."""
        self.piles: list[list[int]] = [[] for _ in range(seats)]
        """Cards, the top last."""
        self.table: list[int] = []
        self.barred: list[int] = []
        """The cards that bar their designs for `barred_side`."""
        self.barred_side = NOBODY
        self.sets: list[list[tuple[int, ...]]] = [[] for _ in range(self.sides)]
        """By side, in the order won or enlarged: two or three cards, the first on top."""
        self.showing: dict[int, int] = {}
        """The card of every face that shows, by the face's number, ascending."""
        self.number = [0] * CARDS
        """By card: the number of its face, 0 when it does not show."""
        self.spots = [NOBODY] * CARDS
        """By card: where its face is in the picture of the table; kept from the last time when it does not show."""
        self.last = 0
        """The last number given to a face."""
        self.hands: list[tuple[Hand, ...]] = [()] * seats
        self.rests = [0] * seats
        """Until when the hands rest after a mistake; 0 when they do not."""
        self.turn = NOBODY
        """The seat to flip: always one with a pile, NOBODY without any."""
        self.now = 0
        """The time of the last entry."""
        self.acted = 0
        """How many actions there have been."""
        self.stirred = 0
        """When a card was last turned or taken."""
        self.deals = 1
        """Against time: how many spreads were dealt. One is void when the house is away during its time."""
        self.ready = [False] * seats
        self.opens = 0
        """When the spread is uncovered, once everybody is ready."""
        self.ends = 0
        """When the time is up, once it runs."""
        self.outcome: Outcome | None = None

    def copy(self) -> "State":
        """An independent copy."""
        new = State.__new__(State)
        new.options = self.options
        new.seats = self.seats
        new.seed = self.seed
        new.faces = self.faces
        new.known = self.known[:]
        new.up = self.up[:]
        new.piles = [pile[:] for pile in self.piles]
        new.table = self.table[:]
        new.barred = self.barred[:]
        new.barred_side = self.barred_side
        new.sets = [sets[:] for sets in self.sets]
        new.showing = self.showing.copy()
        new.number = self.number[:]
        new.spots = self.spots[:]
        new.last = self.last
        new.hands = self.hands[:]
        new.rests = self.rests[:]
        new.turn = self.turn
        new.now = self.now
        new.acted = self.acted
        new.stirred = self.stirred
        new.deals = self.deals
        new.ready = self.ready[:]
        new.opens = self.opens
        new.ends = self.ends
        new.outcome = self.outcome
        return new

    # Sides

    @property
    def sides(self) -> int:
        """How many sides play."""
        return self.options.sides(self.seats)

    def side(self, seat: int) -> int:
        """The side a seat plays for."""
        return seat % self.sides

    def hand_of(self, side: int) -> tuple[int, Hand] | None:
        """The one hand of a side that lies, with its seat. Only in games of turns, where a second hand never lies."""
        for seat in range(side, self.seats, self.sides):
            if self.hands[seat]:
                return seat, self.hands[seat][0]
        return None

    # Cards and faces

    def design(self, card: int) -> int:
        """The design that is up."""
        return self.faces[2 * card + self.up[card]]

    def show(self, card: int, spot: int | None = None) -> None:
        """Give the side that is up a number of its own, and the first free spot unless it has one."""
        self.spots[card] = self.free_spot() if spot is None else spot
        self.last += 1
        self.number[card] = self.last
        self.showing[self.last] = card
        self.known[2 * card + self.up[card]] = 1

    def free_spot(self) -> int:
        """The first that no face has and that is not kept for the top of a pile: those are by seat."""
        kept = 0 if self.options.against_time else self.seats
        taken = {self.spots[card] for card in self.showing.values()}
        return next(spot for spot in range(kept, kept + CARDS) if spot not in taken)

    def hide(self, card: int) -> None:
        """The face shows no longer, at least not there; hands on it lift."""
        face = self.number[card]
        del self.showing[face]
        self.number[card] = 0
        for seat, hands in enumerate(self.hands):
            if hands:
                self.hands[seat] = tuple(hand for hand in hands if hand.face != face)

    def turn_over(self, card: int, spot: int | None = None) -> None:
        """Turn a card that shows over in its place, or onto another spot."""
        self.hide(card)
        self.up[card] ^= 1
        self.show(card, self.spots[card] if spot is None else spot)
        self.stirred = self.now

    def uncover(self, seat: int) -> list[int]:
        """Show the top of a pile unless it shows already; returns the card, if there is one that came to show."""
        pile = self.piles[seat]
        if not pile or self.number[pile[-1]]:
            return []
        self.show(pile[-1], seat)
        return [pile[-1]]

    def face(self, card: int) -> Face:
        """The face that a card shows."""
        return self._face(card, *self.place(card))

    def shown(self) -> tuple[Face, ...]:
        """Every face that shows, by number."""
        places = self._places()
        return tuple(self._face(card, *places.get(card, ON_TABLE)) for card in self.showing.values())

    def _face(self, card: int, place: Place, owner: int) -> Face:
        other = 2 * card + 1 - self.up[card]
        hidden = self.faces[other] if self.known[other] else None
        return Face(self.number[card], card, self.spots[card], self.design(card), place, owner, hidden)

    def place(self, card: int) -> tuple[Place, int]:
        """Where a card that shows lies, and whose that is."""
        return self._places().get(card, ON_TABLE)

    def _places(self) -> dict[int, tuple[Place, int]]:
        """Of every card that shows and does not lie on the table."""
        found: dict[int, tuple[Place, int]] = dict.fromkeys(self.barred, ("barred", NOBODY))
        found.update((pile[-1], ("pile", seat)) for seat, pile in enumerate(self.piles) if pile)
        found.update((cards[0], ("set", side)) for side, won in enumerate(self.sets) for cards in won)
        return found

    def won(self, card: int) -> int | None:
        """The side that has won the set with this card on top."""
        for side, sets in enumerate(self.sets):
            if any(cards[0] == card for cards in sets):
                return side
        return None

    def bars(self, side: int, design: int) -> bool:
        """Whether this design never matches for this side."""
        return side == self.barred_side and any(self.design(card) == design for card in self.barred)

    def alike(self, design: int) -> list[int]:
        """The cards in no set that show this design, in the order of their faces."""
        return [
            card
            for card in self.showing.values()
            if self.faces[2 * card + self.up[card]] == design and self.won(card) is None
        ]

    def any_match(self) -> bool:
        """Whether two faces that show are identical, be it for a set or for a robbery."""
        designs = [self.design(card) for card in self.showing.values()]
        return len({*designs}) < len(designs)

    def holders(self) -> Iterator[int]:
        """The seats with a pile."""
        return (seat for seat, pile in enumerate(self.piles) if pile)

    def flipper(self, seat: int) -> int:
        """Who flips when it would be `seat`: the first with a pile, clockwise."""
        for step in range(self.seats):
            if self.piles[(seat + step) % self.seats]:
                return (seat + step) % self.seats
        return NOBODY
