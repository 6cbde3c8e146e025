"""Facts about one seat's match of Palace."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Final

from games.contract import Event
from games.facts import FactKind
from games.palace.cards import MOST
from games.palace.events import BlindFailed, Played, Took

KINDS: Final[Mapping[str, FactKind]] = {
    "piles_taken": FactKind("piles taken", "sum"),
    "piles_cleared": FactKind("piles cleared", "sum"),
    "fours": FactKind("plays of four of a kind", "sum"),
    "blind": FactKind("face-down cards turned up", "sum", shown=False),
    "blind_fitted": FactKind("face-down cards that fitted", "sum", of="blind"),
    "largest_pile": FactKind("cards in the largest pile taken", "most"),
    "plays_in_a_row": FactKind("plays in a row", "most"),
}


def facts(events: Sequence[Event], seat: int) -> dict[str, int]:
    """Return the facts of `seat`. A face-down card that did not fit counts as a card of the pile taken with it.

    The largest pile is missing when no pile was taken, and plays in a row when there was no play."""
    plays = [event for event in events if isinstance(event, Played) and event.seat == seat]
    failed = [event for event in events if isinstance(event, BlindFailed) and event.seat == seat]
    taken = [len(event.pile) for event in events if isinstance(event, Took) and event.seat == seat]
    taken += [len(event.pile) + 1 for event in failed]
    fitted = sum(play.zone == "blind" for play in plays)
    found = {
        "piles_taken": len(taken),
        "piles_cleared": sum(play.gone > 0 for play in plays),
        "fours": sum(play.count == MOST for play in plays),
        "blind": fitted + len(failed),
        "blind_fitted": fitted,
    }
    if taken:
        found["largest_pile"] = max(taken)
    if plays:
        found["plays_in_a_row"] = _in_a_row(events, seat)
    return found


def _in_a_row(events: Sequence[Event], seat: int) -> int:
    """Return the most plays of `seat` during which nobody else acted."""
    actions = [event for event in events if isinstance(event, Played | Took | BlindFailed)]
    turns = groupby(actions, key=lambda event: event.seat == seat and isinstance(event, Played))
    return max(len([*plays]) for own, plays in turns if own)
