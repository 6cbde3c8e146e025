"""The view of a match of Twin Palms: what one seat, or a watcher, may know; and a match imagined from it."""

from collections import Counter
from dataclasses import dataclass
from random import Random

from games.contract import Outcome
from games.fields import restored, shown
from games.twin_palms.cards import BIDS, BIDS_WITHOUT_BETS, CARDS, DECKS, STRENGTH
from games.twin_palms.events import ScoreRow
from games.twin_palms.options import TwinPalmsOptions
from games.twin_palms.state import NO_BID, State, Trick
from games.types import SEATS, Action, Seat, with_seats


@dataclass(frozen=True, slots=True)
class View:
    """Everything that one seat may know. Tuples are by seat.

    Cards are kinds; bids and plays are actions (see `cards`)."""

    seat: Seat | None
    options: TwinPalmsOptions
    phase: str
    """Either "bid", "play" or "over"."""
    round: int
    rounds: int
    """Number of planned rounds. A further round has a greater number."""
    start: Seat
    leader: Seat
    turn: Seat | None
    """The seat to play a set, in phase "play"."""
    awaited: tuple[Seat, ...]
    hand: tuple[int, ...]
    """The cards of `seat`, ascending; none for a watcher."""
    hand_sizes: tuple[int, ...]
    has_bid: tuple[bool, ...]
    bid: Action | None
    """The bid of `seat`, as soon as it is chosen."""
    bids: tuple[Action, ...] | None
    """All bids; None until they are revealed."""
    stakes: tuple[int, ...] | None
    """Sand dollars at stake; None until bids are revealed, and when the match is over."""
    won: tuple[int, ...]
    """Tricks won in this round."""
    trick: tuple[Action, ...]
    """The plays of the current trick, from `leader` to the left."""
    tricks: tuple[Trick, ...]
    """The finished tricks of this round: everybody has seen them."""
    dollars: tuple[int, ...]
    sheets: tuple[tuple[ScoreRow, ...], ...]
    """The score sheets of the finished rounds."""
    outcome: Outcome | None


def view(state: State, seat: Seat | None, awaited: tuple[Seat, ...]) -> View:
    """Return what `seat` (None: a watcher) may know."""
    over = state.outcome is not None
    hidden = state.bidding
    own_bid = NO_BID if seat is None else state.bids[seat]
    return shown(
        View,
        state,
        seat=seat,
        phase="over" if over else "bid" if hidden else "play",
        rounds=state.options.planned(state.seats),
        awaited=awaited,
        hand=() if seat is None else tuple(state.hands[seat]),
        hand_sizes=tuple(len(hand) for hand in state.hands),
        has_bid=tuple(bid != NO_BID for bid in state.bids),
        bid=None if own_bid == NO_BID else own_bid,
        bids=None if hidden else tuple(state.bids),
        stakes=None if hidden or over else state.stakes(),
    )


def best(view: View) -> Seat | None:
    """Return the seat that would take the trick if it ended now; None when nobody has played or all cancel."""
    strength = STRENGTH[view.options.mode]
    sets = [strength[play] for play in view.trick]
    alone = [value for value in sets if sets.count(value) == 1]
    return SEATS[(view.leader + sets.index(max(alone))) % len(view.dollars)] if alone else None


def imagine(view: View, rng: Random) -> State:
    """Return a match that looks like `view`: others' cards and bids are drawn, and so is the seed of later deals."""
    state = restored(
        State(view.options, len(view.dollars), rng.getrandbits(64), view.start, view.leader), view
    )
    state.hands = _hands(view, rng)
    state.bids = _bids(view, rng)
    return state


def _hands(view: View, rng: Random) -> list[list[int]]:
    unseen = Counter(DECKS[view.options.mode])
    unseen.subtract(view.hand)
    for plays in (view.trick, *(trick.plays for trick in view.tricks)):
        for play in plays:
            unseen.subtract(CARDS[play])
    stock = list(unseen.elements())
    rng.shuffle(stock)
    return [
        list(view.hand) if seat == view.seat else sorted(stock.pop() for _ in range(size))
        for seat, size in with_seats(view.hand_sizes)
    ]


def _bids(view: View, rng: Random) -> list[Action]:
    if view.bids is not None:
        return list(view.bids)
    allowed = BIDS if view.options.bets else BIDS_WITHOUT_BETS
    bids = [rng.choice(allowed) if has_bid else NO_BID for has_bid in view.has_bid]
    if view.seat is not None and view.bid is not None:
        bids[view.seat] = view.bid
    return bids
