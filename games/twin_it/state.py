"""A match of Twin It! at one moment: the cards, the faces that show, and the hands on them."""

from collections.abc import Iterable, Iterator
from typing import Final, Literal, NamedTuple, TypeAlias

from games.contract import MatchState, Outcome
from games.fields import Public, by_seat, fields
from games.twin_it.deck import CARDS, SIDES
from games.twin_it.options import TwinItOptions
from games.types import SEATS, Seat, with_seats

ANYBODY: Final = "anybody"
"""Value of `turn` in teams after a set, a tie or a mistake: any player who has a pile may flip."""
Turn: TypeAlias = Seat | Literal["anybody"] | None
"""The seat to flip, which has a pile; ANYBODY, or None when all piles are used up."""
FREE: Final = -1
"""A place of the table where no card lies."""

Place: TypeAlias = Literal["pile", "table", "barred", "set"]
ON_TABLE: Final[tuple[Place, int | None]] = ("table", None)


class Hand(NamedTuple):
    """A hand that lies on a face since the time `at` (ms). `order` is the number of its action, for equal times."""

    face: int
    at: int
    order: int


class Face(NamedTuple):
    """A face that shows.

    `owner` is the seat of a pile or the side of a set, else None. `hidden` is the design on the other side of the card,
    or None while nobody has seen it.
    """

    number: int
    card: int
    design: int
    place: Place
    owner: int | None
    hidden: int | None


@fields
class State(MatchState):
    """A match at one moment. Lists are by seat unless said otherwise; times are ms of Discord's clock.

    A *side* wins together: a seat, a team (side 0 has the even seats), or in cooperative mode everybody (side 0).
    """

    options: Public[TwinItOptions]
    seats: int
    seed: int | str
    faces: bytes
    """The design of every side of a card (see `deck`)."""
    known: bytearray = bytearray(SIDES)
    """By side of a card: 1 once it has shown."""
    up: bytearray = bytearray(CARDS)
    """By card: the side that is up, 0 or 1."""
    piles: Public[list[list[int]]] = by_seat([])
    """The cards of each pile, the top card last."""
    table: Public[list[int]] = []
    """By place of the table: the card that lies there, or FREE; of a set the top one. A card never moves."""
    barred: Public[list[int]] = []
    """The cards that bar their designs for `barred_side`."""
    barred_side: Public[int | None] = None
    sets: Public[list[list[tuple[int, ...]]]] = []
    """By side, in the order won or enlarged: two or three cards, the top one first."""
    showing: dict[int, int] = {}
    """The card of every face that shows, by the face's number, ascending."""
    number: list[int] = [0] * CARDS
    """By card: the number of its face, 0 when it does not show."""
    last: Public[int] = 0
    """The last number given to a face."""
    hands: Public[list[tuple[Hand, ...]]] = by_seat(())
    """The hands that lie on faces."""
    rests: Public[list[int]] = by_seat(0)
    """The time until which the hands rest after a mistake; 0 when they do not."""
    turn: Public[Turn] = None
    now: Public[int] = 0
    """The time of the last log entry."""
    acted: Public[int] = 0
    """Number of actions so far."""
    stirred: Public[int] = 0
    """The time at which a card was last turned or taken."""
    deals: Public[int] = 1
    """In a race: number of spreads dealt. A new one is dealt when the bot was away during a race."""
    ready: Public[list[bool]] = by_seat(False)
    opens: Public[int] = 0
    """In a race: the time at which the spread is uncovered; 0 while somebody is not ready."""
    ends: Public[int] = 0
    """In a race: the time at which it ends; 0 while the spread is covered."""
    outcome: Public[Outcome | None] = None

    # Sides

    @property
    def sides(self) -> int:
        return self.options.sides(self.seats)

    def side(self, seat: Seat) -> int:
        """Return the side that `seat` plays for."""
        return seat % self.sides

    def hand_of(self, side: int) -> tuple[Seat, Hand] | None:
        """Return (seat, hand) for the hand that `side` has on a face. For games of turns: a side has one at most."""
        for seat in SEATS[side : self.seats : self.sides]:
            if self.hands[seat]:
                return seat, self.hands[seat][0]
        return None

    # Cards and faces

    def design(self, card: int) -> int:
        """Return the design that is up."""
        return self.faces[2 * card + self.up[card]]

    def lay(self, card: int) -> None:
        """Lay a card on the first free place of the table, and show its face."""
        if FREE in self.table:
            self.table[self.table.index(FREE)] = card
        else:
            self.table.append(card)
        self.show(card)

    def show(self, card: int) -> None:
        """Give the face that `card` shows the next number."""
        self.last += 1
        self.number[card] = self.last
        self.showing[self.last] = card
        self.known[2 * card + self.up[card]] = 1

    def take_up(self, card: int) -> None:
        """Take a card from its place, a pile or the table, and its face away."""
        self.hide(card)
        if card in self.table:
            self.table[self.table.index(card)] = FREE
        for pile in self.piles:
            if pile and pile[-1] == card:
                pile.pop()
        if card in self.barred:
            self.barred.remove(card)

    def hide(self, card: int) -> None:
        """Take away the face that `card` shows, and lift the hands on it."""
        face = self.number[card]
        del self.showing[face]
        self.number[card] = 0
        for seat, hands in with_seats(self.hands):
            if hands:
                self.hands[seat] = tuple(hand for hand in hands if hand.face != face)

    def turn_over(self, card: int) -> None:
        """Turn over a card that shows, in its place."""
        self.hide(card)
        self.up[card] ^= 1
        self.show(card)
        self.stirred = self.now

    def uncover(self) -> list[int]:
        """Show the top cards of piles that do not show yet, and return them."""
        found = [pile[-1] for pile in self.piles if pile and not self.number[pile[-1]]]
        for card in found:
            self.show(card)
        return found

    def face(self, card: int) -> Face:
        """Return the face that a card shows."""
        return self.faces_of([card])[0]

    def faces_of(self, cards: Iterable[int]) -> tuple[Face, ...]:
        """Return the faces that these cards show."""
        places = self._places()
        return tuple(self._face(card, *places.get(card, ON_TABLE)) for card in cards)

    def _face(self, card: int, place: Place, owner: int | None) -> Face:
        other = 2 * card + 1 - self.up[card]
        hidden = self.faces[other] if self.known[other] else None
        return Face(self.number[card], card, self.design(card), place, owner, hidden)

    def _places(self) -> dict[int, tuple[Place, int | None]]:
        """Return the places of all cards that show and do not lie on the table."""
        found: dict[int, tuple[Place, int | None]] = dict.fromkeys(self.barred, ("barred", None))
        found.update((pile[-1], ("pile", seat)) for seat, pile in with_seats(self.piles) if pile)
        found.update((cards[0], ("set", side)) for side, won in enumerate(self.sets) for cards in won)
        return found

    def won(self, card: int) -> int | None:
        """Return the side that has won the set with this card on top; None without one."""
        for side, sets in enumerate(self.sets):
            if any(cards[0] == card for cards in sets):
                return side
        return None

    def bars(self, side: int, design: int) -> bool:
        """Return whether this design never matches for this side."""
        return side == self.barred_side and any(self.design(card) == design for card in self.barred)

    def alike(self, design: int) -> list[int]:
        """Return the cards in no set that show this design, in the order of their faces."""
        return [
            card
            for card in self.showing.values()
            if self.faces[2 * card + self.up[card]] == design and self.won(card) is None
        ]

    def any_match(self) -> bool:
        """Return whether two faces that show are identical, won sets included."""
        designs = [self.design(card) for card in self.showing.values()]
        return len({*designs}) < len(designs)

    def holders(self) -> Iterator[Seat]:
        """Return the seats with a pile."""
        return (seat for seat, pile in with_seats(self.piles) if pile)

    def flipper(self, seat: Seat) -> Seat | None:
        """Return the first seat with a pile from `seat` on, clockwise; None when all piles are used up."""
        for step in range(self.seats):
            if self.piles[other := SEATS[(seat + step) % self.seats]]:
                return other
        return None
