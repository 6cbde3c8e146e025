"""Events of a match of Palace. All but `Dealt` and `Drew` are public.

The public events suffice to recount every pile, the size of every hand and whose turn it is.
"""

from typing import Literal, TypeAlias

from games.contract import Event, event
from games.types import Seat

Zone: TypeAlias = Literal["hand", "table", "blind"]
"""Zone that a card is played from: the hand, the face-up cards or the face-down cards."""


@event
class Began(Event):
    """A match began. Everybody has three cards face down and six in hand, and must choose three of the six to lie face
    up."""

    dealer: Seat


@event
class Dealt(Event):
    """Six kinds, ascending, that only `to` may see."""

    hand: tuple[int, ...]


@event
class ShowIn(Event):
    """`seat` has chosen its three face-up cards; `count` seats of `of` have now. The choice stays hidden, and so does
    any change of it."""

    seat: Seat
    count: int
    of: int


@event
class ShowsRevealed(Event):
    """All choices were revealed; `shown` has three kinds by seat."""

    shown: tuple[tuple[int, ...], ...]


@event
class PileStarted(Event):
    """`kind` was turned up and starts the pile, after a number of `tens`, which left the game. `next` begins."""

    kind: int
    tens: int
    next: Seat


@event
class Played(Event):
    """`seat` played `count` cards of a kind.

    `gone` is the number of cards that left the game with the pile (0 when it stays). The `skipped` seats were passed
    over in this order. `turned` is 1 when play now goes to the left, -1 to the right, 0 as before. `drawn` cards came
    to the hand. `next` acts next, which is `seat` itself when it plays again; None when the match is over.
    """

    seat: Seat
    kind: int
    count: int
    zone: Zone
    gone: int
    skipped: tuple[Seat, ...]
    turned: int
    drawn: int
    next: Seat | None


@event
class Drew(Event):
    """Kinds drawn from the stock, which only `to` may see."""

    kinds: tuple[int, ...]


@event
class Took(Event):
    """`seat` took the pile, given bottom to top; `forced` when none of its cards fitted."""

    seat: Seat
    pile: tuple[int, ...]
    forced: bool


@event
class BlindFailed(Event):
    """`seat` turned up a face-down card that does not go on `top`. This card and the pile went to its hand."""

    seat: Seat
    kind: int
    top: int
    pile: tuple[int, ...]


@event
class WentOut(Event):
    """`seat` has no card left and takes `place`. The others play on."""

    seat: Seat
    place: int
