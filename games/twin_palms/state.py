"""The state of a match of Twin Palms."""

from typing import Final, NamedTuple

from games.contract import MatchState, Outcome
from games.fields import Public, by_seat, fields
from games.twin_palms.events import ScoreRow
from games.twin_palms.options import TwinPalmsOptions
from games.types import Action, Seat

TRICKS: Final = 5
"""Tricks in a round: ten cards each, two to a trick."""
NO_BID: Final = Action(-1)


class Trick(NamedTuple):
    """A finished trick. `plays` go from `leader` to the left; `winner` is None when all sets cancelled each other."""

    leader: Seat
    plays: tuple[Action, ...]
    winner: Seat | None


@fields
class State(MatchState):
    """A match at one moment. Lists are by seat unless said otherwise."""

    options: Public[TwinPalmsOptions]
    seats: int
    seed: int | str
    start: Public[Seat]
    """The seat with the start player's token."""
    leader: Public[Seat]
    """The seat that leads the current trick: `start`, or the winner of this round's last trick that anybody won."""
    round: Public[int] = 0
    """Number of the round, from 1; 0 before the first."""
    turn: Public[Seat | None] = None
    """The seat to play a set; None while bids are missing and when the match is over."""
    hands: list[list[int]] = by_seat([])
    """The cards of each hand, ascending."""
    bids: list[Action] = by_seat(NO_BID)
    """The bid of each seat: an action (see `cards`), or NO_BID."""
    trick: Public[list[Action]] = []
    """The plays of the current trick, from `leader` to the left."""
    tricks: Public[list[Trick]] = []
    """The finished tricks of this round."""
    won: Public[list[int]] = by_seat(0)
    """Tricks won in this round."""
    dollars: Public[list[int]] = by_seat(2)
    """Sand dollars. Everybody starts with 2."""
    sheets: Public[list[tuple[ScoreRow, ...]]] = []
    """The score sheets of the finished rounds."""
    outcome: Public[Outcome | None] = None

    @property
    def bidding(self) -> bool:
        """True while bids are made in secret."""
        return self.turn is None and self.outcome is None

    def stakes(self) -> tuple[int, ...]:
        """Return the sand dollars that each seat has at stake, once bids are revealed."""
        held = zip(self.bids, self.dollars, strict=True)
        return tuple(self.options.stakes(self.round, dollars)[bid % 3] for bid, dollars in held)
