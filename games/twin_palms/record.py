"""Record of Twin Palms, one line per trick, and the best moment of a match."""

from collections.abc import Sequence
from typing import Final

from games import tricks
from games.contract import Event
from games.ending import Ended
from games.twin_palms.events import Played, RoundScored, TrickTaken
from games.twin_palms.words import again, label, narrate, worth

HIGH_BID: Final = 4
"""Lowest bid whose exact hit is the best moment of a match. Steady computers hit it in 7 % of matches of two."""


def lines(events: Sequence[Event], names: Sequence[str]) -> list[str]:
    """Return lines about a stretch of play, one line per trick."""
    runs = tricks.stretches(events, [(Played, TrickTaken)], last=TrickTaken)
    return [line for run in runs if (line := _line(run, names))]


def _line(run: Sequence[Event], names: Sequence[str]) -> str:
    plays = [(event.seat, label(event.action)) for event in run if isinstance(event, Played)]
    if isinstance(run[0], RoundScored):
        return tricks.hits(run[0].rows, names, worth)  # the score sheet below shows the totals
    if not plays:
        return narrate(run[0], names)
    taken = run[-1]
    if not isinstance(taken, TrickTaken):
        return tricks.trick(plays, names)
    cancelled = [seat for group in taken.cancelled for seat in group]
    line = tricks.trick(plays, names, taken.winner, cancelled)
    return line if taken.winner is not None else f"{line} · nobody takes it{again(taken, names)}"


def recap(event: Event, names: Sequence[str]) -> str:
    """Return who took a trick, or who hit their bid, in one line; "" for another event."""
    return " ".join(lines([event], names)) if isinstance(event, TrickTaken | RoundScored) else ""


def closes(event: Event) -> bool:
    """Return whether a round ends with this event."""
    return isinstance(event, RoundScored)


def scores_by_round(events: Sequence[Event], _: object) -> list[tuple[int, ...]]:
    """Return the totals by seat after each round."""
    return [tuple(row.total for row in event.rows) for event in events if isinstance(event, RoundScored)]


def highlight(events: Sequence[Event], names: Sequence[str]) -> str:
    """Return a sentence on the best moment of a finished match (see `tricks.best_moment`)."""
    rounds = [event.rows for event in events if isinstance(event, RoundScored)]
    ends = [event.outcome for event in events if isinstance(event, Ended)]
    if not ends:
        return ""
    return tricks.best_moment(rounds, ends[-1], names, "round", worth, high_bid=HIGH_BID)
