"""The state of a match of Liar's Dice."""

from games.contract import MatchState, Outcome
from games.fields import Public, by_seat, fields
from games.liars_dice.actions import DICE, NO_BID
from games.liars_dice.events import RoundEnded
from games.liars_dice.options import LiarsDiceOptions
from games.types import Action, Seat


@fields
class State(MatchState):
    """A match at one moment. Lists are by seat unless said otherwise."""

    options: Public[LiarsDiceOptions]
    seats: int
    seed: int | str
    turn: Public[Seat | None] = None
    """The seat to bid or doubt; None when the match is over."""
    round: Public[int] = 0
    """Number of the round, from 1; 0 before the first."""
    palifico: Public[bool] = False
    """True in a palifico round."""
    had: Public[list[int]] = by_seat(0)
    """The round in which a seat had its palifico round; 0 if it had none."""
    bids: Public[list[tuple[Seat, Action]]] = []
    """The bids of this round in order: the seat, and the action."""
    dice: Public[list[int]] = by_seat(DICE)
    cups: list[list[int]] = by_seat([])
    """The dice of each cup, sorted. They are taken up when the match is over."""
    out: Public[list[int]] = by_seat(0)
    """The round in which a seat went out; 0 while it is in."""
    last: Public[RoundEnded | None] = None
    """The end of the last finished round."""
    outcome: Public[Outcome | None] = None

    @property
    def standing(self) -> Action:
        """The bid to beat, NO_BID before the first of a round."""
        return self.bids[-1][1] if self.bids else NO_BID
