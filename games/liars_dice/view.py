"""The view of a match of Liar's Dice: what one seat, or a watcher, may know; and a match imagined from it."""

from dataclasses import dataclass
from random import Random

from games.contract import Outcome
from games.fields import restored, shown
from games.liars_dice.actions import FACES, NO_BID
from games.liars_dice.events import RoundEnded
from games.liars_dice.options import LiarsDiceOptions
from games.liars_dice.state import State
from games.types import Action, Seat, with_seats


@dataclass(frozen=True, slots=True)
class View:
    """Everything that one seat may know. Tuples are by seat unless said otherwise."""

    seat: Seat | None
    options: LiarsDiceOptions
    round: int
    turn: Seat | None
    palifico: bool
    had: tuple[int, ...]
    """The round in which a seat had its palifico round; 0 if it had none."""
    bids: tuple[tuple[Seat, Action], ...]
    """The bids of this round in order: the seat, and the action."""
    dice: tuple[int, ...]
    cup: tuple[int, ...]
    """The dice of `seat`, sorted; none for a watcher."""
    out: tuple[int, ...]
    last: RoundEnded | None
    """The end of the last finished round, with all dice shown."""
    outcome: Outcome | None

    @property
    def standing(self) -> Action:
        """The bid to beat, NO_BID before the first of a round."""
        return self.bids[-1][1] if self.bids else NO_BID

    @property
    def bidder(self) -> Seat | None:
        """The seat that made the bid to beat."""
        return self.bids[-1][0] if self.bids else None


def view(state: State, seat: Seat | None) -> View:
    """Return what `seat` (None: a watcher) may know."""
    return shown(
        View,
        state,
        seat=seat,
        cup=() if seat is None else tuple(state.cups[seat]),
    )


def imagine(view: View, rng: Random) -> State:
    """Return a match that looks like `view`: hidden dice are rolled, and the seed of later rounds is drawn."""
    state = restored(State(view.options, len(view.dice), rng.getrandbits(64), view.turn), view)
    if view.outcome is None:
        state.cups = [
            list(view.cup) if seat == view.seat else sorted(rng.choices(FACES, k=dice))
            for seat, dice in with_seats(view.dice)
        ]
    return state
