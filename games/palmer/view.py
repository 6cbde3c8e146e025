"""The view of a match of Palmer: what one seat, or a watcher, may know; and a match imagined from it."""

from dataclasses import dataclass
from random import Random

from games.contract import Outcome
from games.fields import restored, shown
from games.french import PACK
from games.palmer.actions import BOTTOM
from games.palmer.events import Score
from games.palmer.options import PalmerOptions
from games.palmer.state import NO_CARD, State
from games.types import SEATS, Seat


@dataclass(frozen=True, slots=True)
class View:
    """Everything that one seat may know. Tuples are by seat unless said otherwise."""

    seat: Seat | None
    options: PalmerOptions
    deal: int
    dealer: Seat
    turn: Seat | None
    placing: bool
    """True when the seat to act has drawn a card and must place it."""
    drawn: int | None
    """The drawn card; None for everybody but the player who drew it."""
    squares: tuple[tuple[int | None, ...], ...]
    """The cards that `seat` knows, by place: those face up, and its own bottom row. Empty for a seat that is out."""
    up: tuple[int, ...]
    """The places of each square whose card lies face up, as bits."""
    pile: tuple[int, ...]
    """The Palmer pile, its top card last: everybody has seen it."""
    stock: int
    totals: tuple[int, ...]
    out: tuple[int, ...]
    last: tuple[Score, ...]
    """Scores of the last finished deal."""
    outcome: Outcome | None


def view(state: State, seat: Seat | None) -> View:
    """Return what `seat` (None: a watcher) may know."""
    placing = state.drawn != NO_CARD
    return shown(
        View,
        state,
        seat=seat,
        placing=placing,
        drawn=state.drawn if placing and seat == state.turn else None,
        squares=tuple(_known(state, other, other == seat) for other in SEATS[: state.seats]),
        stock=len(state.stock),
    )


def _known(state: State, seat: Seat, own: bool) -> tuple[int | None, ...]:
    up = state.up[seat]
    return tuple(
        card if up >> place & 1 or (own and place in BOTTOM) else None
        for place, card in enumerate(state.squares[seat])
    )


def imagine(view: View, rng: Random) -> State:
    """Return a match that looks like `view`: hidden cards are drawn, and so is the seed of later deals."""
    state = restored(State(view.options, len(view.totals), rng.getrandbits(64), view.dealer), view)
    unseen = _unseen(view)
    rng.shuffle(unseen)
    state.squares = [[unseen.pop() if card is None else card for card in square] for square in view.squares]
    if view.placing:
        state.drawn = unseen.pop() if view.drawn is None else view.drawn
    state.stock = unseen
    return state


def _unseen(view: View) -> list[int]:
    seen = {*view.pile, view.drawn, *(card for square in view.squares for card in square)}
    return [card for card in PACK if card not in seen]
