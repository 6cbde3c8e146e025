"""The view of a match of Charms: what one seat, or a watcher, may know."""

from dataclasses import dataclass

from games.charms.cards import BASE, NO_SUIT
from games.charms.events import Redealt, ScoreRow
from games.charms.options import CharmsOptions
from games.charms.state import NO_BID, State
from games.contract import Outcome
from games.fields import shown
from games.types import Seat, around


@dataclass(frozen=True, slots=True)
class View:
    """Everything that one seat may know. Cards are kinds (see `cards`); tuples are by seat unless said otherwise."""

    seat: Seat | None
    options: CharmsOptions
    phase: str
    """Either "bid", "play" or "over"."""
    hand_number: int
    """Number of the hand, from 1."""
    dealer: Seat
    leader: Seat
    """The seat that leads the current trick, or will lead the first one."""
    turn: Seat | None
    """The seat to play, or to bid in public."""
    awaited: tuple[Seat, ...]
    trick: int
    """Number of the current trick, from 1; 0 while bids are made and when the match is over."""
    trump: int
    turned: tuple[int, ...]
    """The cards turned up to find the trump, in order; the trump is the last."""
    redealt: tuple[Redealt, ...]
    """The bad hands shown in this deal, in order."""
    led: int | None
    """The suit led to the current trick, once its leader has played."""
    suits: tuple[int | None, ...]
    """The suit that each seat shows; None before its first play."""
    numbers: tuple[int | None, ...]
    """The number that each seat shows; None before its first play."""
    hand: tuple[int, ...]
    """The cards of `seat`, ascending; none for a watcher."""
    hand_sizes: tuple[int, ...]
    played: tuple[tuple[int, ...], ...]
    """The cards each seat has played in this hand, in order."""
    lacks: tuple[int, ...]
    """The kinds that each seat is known not to hold, as a set of kinds: it played none of them when it had to."""
    winners: tuple[Seat, ...]
    """The seat that took each finished trick of this hand."""
    rest: int
    """Number of cards neither dealt nor turned up."""
    has_bid: tuple[bool, ...]
    bid: int | None
    """The bid of `seat`, as soon as it is chosen."""
    bids: tuple[int | None, ...]
    """The bids that everybody knows: secret ones once they are revealed, open ones once they are made."""
    points: tuple[int, ...]
    sheets: tuple[tuple[ScoreRow, ...], ...]
    """The score sheets of the finished hands."""
    outcome: Outcome | None


def view(state: State, seat: Seat | None, awaited: tuple[Seat, ...]) -> View:
    """Return what `seat` (None: a watcher) may know."""
    bids = tuple(None if bid == NO_BID else bid for bid in state.bids)
    return shown(
        View,
        state,
        seat=seat,
        phase="over" if state.outcome is not None else "bid" if state.bidding else "play",
        hand_number=state.hand,
        awaited=awaited,
        led=None if state.led == NO_SUIT else state.led,
        suits=tuple(None if suit == NO_SUIT else suit for suit in state.suits),
        numbers=tuple(number or None for number in state.numbers),
        hand=() if seat is None else tuple(state.hands[seat]),
        hand_sizes=tuple(map(len, state.hands)),
        rest=len(state.rest),
        has_bid=tuple(bid is not None for bid in bids),
        bid=None if seat is None else bids[seat],
        bids=(None,) * state.seats if state.hiding else bids,
    )


def has_played(view: View, seat: Seat) -> bool:
    """Return whether `seat` has played to the current trick."""
    if view.led is None or view.turn is None:
        return False
    seats = len(view.suits)
    return (seat - view.leader) % seats < (view.turn - view.leader) % seats


def best(view: View) -> Seat:
    """Return the seat that would take the trick if it ended now. The leader must have played."""
    assert view.led is not None
    order = around(view.leader, len(view.suits))
    # Of equals the later in turn wins, but `max` returns the first.
    return max(
        reversed([seat for seat in order if has_played(view, seat)]), key=lambda seat: _strength(view, seat)
    )


def _strength(view: View, seat: Seat) -> int:
    suit, number = view.suits[seat], view.numbers[seat]
    assert suit is not None
    assert number is not None
    assert view.led is not None
    return BASE[view.trump][view.led][suit] + number
