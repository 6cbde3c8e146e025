"""What happens in a match of Twin Palms. All of it is public but `Dealt`, and the public events suffice to
recount every score."""

from typing import NamedTuple

from games.contract import Event, Outcome, event


class ScoreRow(NamedTuple):
    """One seat's line of a round's score sheet, in sand dollars where not tricks."""

    bid: int
    tricks: int
    stake: int
    points: int
    """What the round changed: negative when a lost stake exceeds what the tricks brought."""
    total: int


@event
class RoundBegan(Event):
    """`start` leads the first trick. `rounds` were planned; a greater `round` is a further one."""

    round: int
    rounds: int
    start: int


@event
class Dealt(Event):
    """Ten kinds, ascending, for the eyes of `to` only."""

    hand: tuple[int, ...]


@event
class BidIn(Event):
    """`seat` has chosen; `count` of `of` are in. What it chose stays hidden, and so does a change of it."""

    seat: int
    count: int
    of: int


@event
class BidsRevealed(Event):
    """By seat: tricks bid, bet (0 none, 1 half, 2 max) and the sand dollars that are at stake."""

    bids: tuple[int, ...]
    bets: tuple[int, ...]
    stakes: tuple[int, ...]


@event
class Played(Event):
    """`seat` played two cards; `action` tells them and the numbers stated for wilds. The first to play `leads`."""

    seat: int
    action: int
    leads: bool


@event
class TrickTaken(Event):
    """`winner` is None when all sets cancelled. `cancelled` are groups of seats with equal sets, strongest
    first. `leader` leads the next trick; None after the last of a round."""

    trick: int
    winner: int | None
    cancelled: tuple[tuple[int, ...], ...]
    leader: int | None


@event
class RoundScored(Event):
    """The score sheet of a round, by seat."""

    round: int
    rows: tuple[ScoreRow, ...]


@event
class ExtraRound(Event):
    """First place is shared by `tied`, so a further round follows."""

    tied: tuple[int, ...]


@event
class Ended(Event):
    """The match is over."""

    outcome: Outcome
