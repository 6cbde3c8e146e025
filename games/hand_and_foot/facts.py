"""Facts about one seat's match of Hand and Foot. Those of a pair count for both players."""

from collections.abc import Mapping, Sequence
from typing import Final

from games.contract import Event
from games.defaults import course as course
from games.facts import FactKind
from games.hand_and_foot.events import DealScored, Took
from games.types import Seat

KINDS: Final[Mapping[str, FactKind]] = {
    "deals": FactKind("deals", "sum", shown=False),
    "deals_out": FactKind("deals ended by going out", "sum", of="deals"),
    "clean_piles": FactKind("clean piles", "sum"),
    "dirty_piles": FactKind("dirty piles", "sum"),
    "red_threes": FactKind("red threes laid out", "sum"),
    "piles_taken": FactKind("discard piles taken", "sum"),
    "most_points": FactKind("most points in a deal", "most"),
}


def count(events: Sequence[Event], seat: Seat) -> dict[str, int]:
    """Return the facts of `seat`. Going out and taking the discard pile count for the player alone."""
    deals = [event for event in events if isinstance(event, DealScored)]
    own = [score for deal in deals for score in deal.scores if seat in score.seats]
    found = {
        "deals": len(deals),
        "deals_out": sum(deal.out == seat for deal in deals),
        "clean_piles": sum(score.clean for score in own),
        "dirty_piles": sum(score.dirty for score in own),
        "red_threes": sum(score.reds for score in own),
        "piles_taken": sum(isinstance(event, Took) and event.seat == seat for event in events),
    }
    best = max((score.points for score in own), default=-1)
    return found | ({"most_points": best} if best >= 0 else {})
