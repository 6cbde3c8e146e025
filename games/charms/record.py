"""Record of Charms, one line per trick, and the best moment of a match."""

from collections.abc import Sequence
from typing import Final

from games import tricks
from games.charms.cards import NUMBER, SIGNS
from games.charms.events import BidMade, HandScored, Played, TrickTaken
from games.charms.words import narrate, worth
from games.contract import Event
from games.ending import Ended

HIGH_BID: Final = 6
"""Lowest bid whose exact hit is the best moment of a match. Steady computers hit it in 4 to 10 % of matches."""


def lines(events: Sequence[Event], names: Sequence[str]) -> list[str]:
    """Return lines about a stretch of play, one line per trick; open bids share a line."""
    runs = tricks.stretches(events, [(Played, TrickTaken), (BidMade,)], last=TrickTaken)
    return [line for run in runs if (line := _line(run, names))]


def _line(run: Sequence[Event], names: Sequence[str]) -> str:
    bids = [f"{names[event.seat]} {event.bid}" for event in run if isinstance(event, BidMade)]
    if bids:
        return f"Bids: {', '.join(bids)}."
    plays = [(event.seat, _shown(event)) for event in run if isinstance(event, Played)]
    if isinstance(run[0], HandScored):
        return tricks.hits(run[0].rows, names, worth)  # the score sheet below shows the totals
    if not plays:
        return narrate(run[0], names)
    taken = run[-1]
    return tricks.trick(plays, names, taken.winner if isinstance(taken, TrickTaken) else None)


def _shown(event: Played) -> str:
    """Return the cards shown: "🔑K +3". After the first trick, a plus marks the card just played."""
    new = event.cards[0] if len(event.cards) == 1 else None
    suit, number = ("+" * (kind == new) for kind in (event.suit, NUMBER.index(event.number)))
    return f"{suit}{SIGNS[event.suit]} {number}{event.number}"


def recap(event: Event, names: Sequence[str]) -> str:
    """Return who took a trick, or who hit their bid, in one line; "" for another event."""
    return " ".join(lines([event], names)) if isinstance(event, TrickTaken | HandScored) else ""


def closes(event: Event) -> bool:
    """Return whether a hand ends with this event."""
    return isinstance(event, HandScored)


def scores_by_round(events: Sequence[Event], _: object) -> list[tuple[int, ...]]:
    """Return the totals by seat after each hand."""
    return [tuple(row.total for row in event.rows) for event in events if isinstance(event, HandScored)]


def highlight(events: Sequence[Event], names: Sequence[str]) -> str:
    """Return a sentence on the best moment of a finished match (see `tricks.best_moment`)."""
    hands = [event.rows for event in events if isinstance(event, HandScored)]
    ends = [event.outcome for event in events if isinstance(event, Ended)]
    if not ends:
        return ""
    return tricks.best_moment(hands, ends[-1], names, "hand", worth, high_bid=HIGH_BID, low_wins=True)
