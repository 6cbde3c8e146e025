"""What happens in a match of Palace. All of it is public but `Dealt` and `Drew`, and the public events suffice to
recount every pile, every hand's size and whose turn it is."""

from typing import Literal, TypeAlias

from games.contract import Event, Outcome, event

Zone: TypeAlias = Literal["hand", "table", "blind"]
"""Where a card was played from: the hand, the face-up cards, the face-down ones."""


@event
class Began(Event):
    """All have three cards face down and six in hand, of which three are to be laid face up."""

    dealer: int


@event
class Dealt(Event):
    """Six kinds, ascending, for the eyes of `to` only."""

    hand: tuple[int, ...]


@event
class ShowIn(Event):
    """`seat` has chosen its three; `count` of `of` are in. What it chose stays hidden, and so does a change of it."""

    seat: int
    count: int
    of: int


@event
class ShowsRevealed(Event):
    """By seat: the three kinds that lie face up."""

    shown: tuple[tuple[int, ...], ...]


@event
class PileStarted(Event):
    """`kind` was turned up after so many 10s, which left the game; `next` begins."""

    kind: int
    tens: int
    next: int


@event
class Played(Event):
    """`seat` played `count` cards of a kind. `gone` cards left the game with the pile (0: it lies on). `skipped`
    seats were passed over in this order. `turned` is 1 when play now goes to the left, -1 to the right, 0 as before.
    `drawn` cards came to the hand. `next` is to act, `seat` itself when it plays again; None when the match is over.
    """

    seat: int
    kind: int
    count: int
    zone: Zone
    gone: int
    skipped: tuple[int, ...]
    turned: int
    drawn: int
    next: int | None


@event
class Drew(Event):
    """Kinds from the stock, for the eyes of `to` only."""

    kinds: tuple[int, ...]


@event
class Took(Event):
    """`seat` took the pile, bottom to top; `forced` when nothing it could have played would have gone on it."""

    seat: int
    pile: tuple[int, ...]
    forced: bool


@event
class BlindFailed(Event):
    """`seat` turned up a face-down card that does not go on `top`; it and the pile go to the hand."""

    seat: int
    kind: int
    top: int
    pile: tuple[int, ...]


@event
class WentOut(Event):
    """`seat` has no card left and is placed, and the others play on."""

    seat: int
    place: int


@event
class Ended(Event):
    """The match is over."""

    outcome: Outcome
