"""The view of a match of Thirty-One: what one seat, or a watcher, may know; and a match imagined from it."""

from dataclasses import dataclass
from random import Random

from games.contract import Outcome
from games.fields import restored, shown
from games.french import PACK
from games.thirty_one.events import HadThirtyOne, HandsShown
from games.thirty_one.options import ThirtyOneOptions
from games.thirty_one.state import HELD, NO_CARD, State
from games.types import SEATS, Seat, with_seats


@dataclass(frozen=True, slots=True)
class View:
    """Everything that one seat may know. Tuples are by seat unless said otherwise."""

    seat: Seat | None
    options: ThirtyOneOptions
    deal: int
    dealer: Seat
    turn: Seat | None
    turns: int
    """Finished turns of this deal."""
    discarding: bool
    """True when the seat to act has drawn or taken a card and must discard."""
    taken: int | None
    """The discard that the seat to act has just taken."""
    knocker: Seat | None
    hand: tuple[int, ...]
    """The cards of `seat`, ascending; none for a watcher."""
    known: tuple[tuple[int, ...], ...]
    """The cards of each hand that everybody knows: taken from the discards, or shown."""
    hidden: tuple[tuple[int, ...], ...]
    """The batches of the other cards of each hand (see `batch`), ascending."""
    discards: tuple[int, ...]
    """The discards, the top card last: everybody has seen them."""
    stock: int
    refills: int
    batch: tuple[int, ...]
    """By card, the refill with which it last came into the stock; 0 for the deal."""
    tokens: tuple[int, ...]
    out: tuple[int, ...]
    last: HadThirtyOne | HandsShown | None
    """The end of the last finished deal."""
    outcome: Outcome | None


def view(state: State, seat: Seat | None) -> View:
    """Return what `seat` (None: a watcher) may know."""
    return shown(
        View,
        state,
        seat=seat,
        discarding=state.turn is not None and len(state.hands[state.turn]) > HELD,
        taken=None if state.taken == NO_CARD else state.taken,
        hand=() if seat is None else tuple(state.hands[seat]),
        hidden=tuple(_hidden(state, other) for other in SEATS[: state.seats]),
        stock=len(state.stock),
    )


def _hidden(state: State, seat: Seat) -> tuple[int, ...]:
    known = state.known[seat]
    return tuple(sorted(state.batch[card] for card in state.hands[seat] if card not in known))


def imagine(view: View, rng: Random) -> State:
    """Return a match that looks like `view`: hidden cards are drawn, and so is the seed of later shuffles."""
    state = restored(State(view.options, len(view.tokens), rng.getrandbits(64), view.dealer), view)
    state.taken = NO_CARD if view.taken is None else view.taken
    batches = _batches(view, rng)
    state.hands = [
        list(view.hand)
        if seat == view.seat
        else sorted([*known, *(batches[number].pop() for number in hidden)])
        for seat, (known, hidden) in with_seats(zip(view.known, view.hidden, strict=True))
    ]
    state.stock = batches[-1]
    return state


def _batches(view: View, rng: Random) -> list[list[int]]:
    """Return the cards hidden from this view, by batch (see `View.batch`), each batch in random order."""
    seen = {*view.discards, *view.hand, *(card for cards in view.known for card in cards)}
    batches: list[list[int]] = [[] for _ in range(view.refills + 1)]
    for card in PACK:
        if card not in seen:
            batches[view.batch[card]].append(card)
    for cards in batches:
        rng.shuffle(cards)
    return batches
