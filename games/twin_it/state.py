"""A match of Twin It! at one moment: the cards, the faces that show, and the hands on them."""

from collections.abc import Iterable, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from games.contract import MatchState, Outcome
from games.fields import Public, by_seat, fields
from games.twin_it.deck import CARDS, SIDES
from games.twin_it.options import TwinItOptions
from games.types import SEATS, Seat, around, with_seats

ANYBODY: Final = "anybody"
"""Value of `turn` in teams after a set, a tie or a mistake: any player who has a pile may flip."""
Turn: TypeAlias = Seat | Literal["anybody"] | None
"""The seat to flip, which has a pile; ANYBODY, or None when all piles are used up."""
FREE: Final = -1
"""A place of the table where no card lies."""

Place: TypeAlias = Literal["pile", "table", "barred", "set"]
Places: TypeAlias = dict[int, tuple[Place, int | None]]
ON_TABLE: Final[tuple[Place, int | None]] = ("table", None)


class Hand(NamedTuple):
    """A hand that lies, or lay, on a face since the time `at` (ms). `order` is the number of its action, for equal
    times."""

    seat: Seat
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
    """The common part of a game of turns and a race. Lists are by seat unless said otherwise; times are ms of Discord's
    clock.

    A *side* wins together: a seat, a team (side 0 has the even seats), or in cooperative mode everybody (side 0).
    """

    options: Public[TwinItOptions]
    seats: int
    seed: int | str
    faces: bytes
    """The design of every side of a card (see `deck`)."""
    known: bytearray = bytearray(SIDES)
    """By side of a card: 1 once it has shown."""
    up: Public[bytearray] = bytearray(CARDS)
    """By card: the side that is up, 0 or 1."""
    table: Public[list[int]] = []
    """By place of the table: the card that lies there, or FREE; of a set the top one. A card keeps its place."""
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
    now: Public[int] = 0
    """The time of the last log entry."""
    acted: Public[int] = 0
    """Number of actions so far."""
    outcome: Public[Outcome | None] = None

    # What differs between the two

    @property
    def scores(self) -> tuple[int, ...]:
        """By seat the sets of its side, or in a race its points."""
        raise NotImplementedError

    def places(self) -> Places:
        """Return where cards that show lie, by card, with the owner of that place, for all that are not loose on the
        table."""
        return {cards[0]: ("set", side) for side, won in enumerate(self.sets) for cards in won}

    # Sides

    @property
    def sides(self) -> int:
        return self.options.sides(self.seats)

    def side(self, seat: Seat) -> int:
        """Return the side that `seat` plays for."""
        return seat % self.sides

    # Cards

    def lay(self, card: int) -> None:
        """Lay a card on the first free place of the table, and show its face."""
        if FREE in self.table:
            self.table[self.table.index(FREE)] = card
        else:
            self.table.append(card)
        self.show(card)

    def take_up(self, card: int) -> int:
        """Take a card that shows from the table, if it lies there. Return the number of its face, which is gone."""
        if card in self.table:
            self.table[self.table.index(card)] = FREE
        return self._hide(card)

    def show(self, card: int) -> None:
        """Give the face that `card` shows the next number."""
        self.last += 1
        self.number[card] = self.last
        self.showing[self.last] = card
        self.known[2 * card + self.up[card]] = 1

    def turn_over(self, card: int) -> int:
        """Turn over a card that shows, in its place. Return the number of the face that is gone."""
        gone = self._hide(card)
        self.up[card] ^= 1
        self.show(card)
        return gone

    def _hide(self, card: int) -> int:
        """Take away the face that `card` shows, and lift the hands on it. Return its number."""
        face, self.number[card] = self.number[card], 0
        del self.showing[face]
        for seat, hands in with_seats(self.hands):
            if hands:
                self.hands[seat] = tuple(hand for hand in hands if hand.face != face)
        return face

    def take(self, side: int, cards: Sequence[int]) -> tuple[tuple[int, ...], int | None]:
        """Make these cards, which show one design, a set of `side`. If one of them is the top of a won pair, the whole
        pair is taken.

        Return the set and the side that had the pair, or None when there was no pair."""
        robbed = [(owner, won) for owner, sets in enumerate(self.sets) for won in sets if won[0] in cards]
        owner, pair = robbed[0] if robbed else (None, ())
        if owner is not None:
            self.sets[owner].remove(pair)
        for card in cards:
            self.take_up(card)
        new = (*pair, *(card for card in cards if card not in pair))
        self.sets[side].append(new)
        return new, owner

    # Faces and hands

    def design(self, card: int) -> int:
        """Return the design that is up."""
        return self.faces[2 * card + self.up[card]]

    def face(self, card: int) -> Face:
        """Return the face that a card shows."""
        return self.faces_of([card])[0]

    def faces_of(self, cards: Iterable[int]) -> tuple[Face, ...]:
        """Return the faces that these cards show."""
        places = self.places()
        return tuple(self._face(card, *places.get(card, ON_TABLE)) for card in cards)

    def _face(self, card: int, place: Place, owner: int | None) -> Face:
        other = 2 * card + 1 - self.up[card]
        hidden = self.faces[other] if self.known[other] else None
        return Face(self.number[card], card, self.design(card), place, owner, hidden)

    def hands_on(self, *faces: int) -> list[Hand]:
        """Return the hands that lie on these faces."""
        return [hand for hands in self.hands for hand in hands if hand.face in faces]


@fields
class Turns(State):
    """A game of turns."""

    piles: Public[list[list[int]]] = by_seat([])
    """The cards of each pile, the top card last."""
    barred: Public[list[int]] = []
    """The cards that bar their designs for `barred_side`."""
    barred_side: Public[int | None] = None
    turn: Public[Turn] = None
    stirred: Public[int] = 0
    """The time at which a card was last turned or taken."""

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(len(self.sets[self.side(seat)]) for seat in SEATS[: self.seats])

    def places(self) -> Places:
        found = State.places(self)
        found.update((card, ("barred", None)) for card in self.barred)
        found.update((pile[-1], ("pile", seat)) for seat, pile in with_seats(self.piles) if pile)
        return found

    def hand_of(self, seat: Seat) -> Hand | None:
        """Return the hand that the side of `seat` has on a face: one at most."""
        mates = SEATS[self.side(seat) : self.seats : self.sides]
        return next((hand for mate in mates for hand in self.hands[mate]), None)

    def uncover(self) -> list[int]:
        """Show the top cards of piles that do not show yet, and return them."""
        found = [pile[-1] for pile in self.piles if pile and not self.number[pile[-1]]]
        for card in found:
            self.show(card)
        return found

    def bars(self, side: int, design: int) -> bool:
        """Return whether this design never matches for this side."""
        return side == self.barred_side and any(self.design(card) == design for card in self.barred)

    def alike(self, design: int) -> list[int]:
        """Return the cards in no set that show this design, in the order of their faces."""
        faces = self.faces_of(card for card in self.showing.values() if self.design(card) == design)
        return [face.card for face in faces if face.place != "set"]

    def any_match(self) -> bool:
        """Return whether two faces that show are identical, won sets included."""
        designs = [self.design(card) for card in self.showing.values()]
        return len({*designs}) < len(designs)

    def flipper(self, seat: Seat) -> Seat | None:
        """Return the first seat with a pile from `seat` on, clockwise; None when all piles are used up."""
        return next((other for other in around(seat, self.seats) if self.piles[other]), None)


@fields
class Race(State):
    """A race."""

    deals: Public[int] = 1
    """Number of spreads dealt. A new one is dealt when the bot was away during a race."""
    ready: Public[list[bool]] = by_seat(False)
    opens: Public[int] = 0
    """The time at which the spread is uncovered; 0 while somebody is not ready."""
    ends: Public[int] = 0
    """The time at which the race ends; 0 while the spread is covered."""

    @property
    def scores(self) -> tuple[int, ...]:
        # A pair brings one point, a set of three two.
        return tuple(sum(len(won) - 1 for won in self.sets[self.side(seat)]) for seat in SEATS[: self.seats])


def new(options: TwinItOptions, seats: int, seed: int | str, faces: bytes) -> Turns | Race:
    """Return a match of these cards before its first event."""
    sets: list[list[tuple[int, ...]]] = [[] for _ in range(options.sides(seats))]
    return (Race if options.against_time else Turns)(options, seats, seed, faces, sets=sets)
