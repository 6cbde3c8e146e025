"""Facts about one seat's match of Palace."""

from collections.abc import Mapping, Sequence
from typing import Final

from games.contract import Event
from games.facts import FactKind
from games.palace.cards import MOST
from games.palace.events import BlindFailed, Played, Took
from games.types import Seat

KINDS: Final[Mapping[str, FactKind]] = {
    "piles_taken": FactKind("piles taken", "sum"),
    "piles_cleared": FactKind("piles cleared", "sum"),
    "fours": FactKind("plays of four of a kind", "sum"),
    "blind": FactKind("face-down cards turned up", "sum", shown=False),
    "blind_fitted": FactKind("face-down cards that fitted", "sum", of="blind"),
    "largest_pile": FactKind("cards in the largest pile taken", "most"),
    "plays_in_a_row": FactKind("plays in a row", "most"),
}
_ACTIONS: Final = (Played, Took, BlindFailed)


def count(events: Sequence[Event], seat: Seat) -> dict[str, int]:
    """Return the facts of `seat`. A face-down card that did not fit counts as a card of the pile taken with it.

    The largest pile is missing when no pile was taken, and plays in a row when there was no play."""
    actions = [event for event in events if isinstance(event, _ACTIONS)]
    own = [event for event in actions if event.seat == seat]
    plays = [event for event in own if isinstance(event, Played)]
    failed = [event for event in own if isinstance(event, BlindFailed)]
    taken = [len(event.pile) for event in own if isinstance(event, Took)]
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
        found["plays_in_a_row"] = _in_a_row(actions, seat)
    return found


def course(events: Sequence[Event], seat: Seat) -> str:
    """Return an emoji for each pile that `seat` cleared or took."""
    own = [event for event in events if isinstance(event, _ACTIONS) and event.seat == seat]
    piles = [event for event in own if not isinstance(event, Played) or event.gone]
    return "".join("🟩" if isinstance(event, Played) else "🟥" for event in piles)


def _in_a_row(actions: Sequence[Played | Took | BlindFailed], seat: Seat) -> int:
    """Return the most plays of `seat` in a row."""
    most = row = 0
    for event in actions:
        row = row + 1 if event.seat == seat and isinstance(event, Played) else 0
        most = max(most, row)
    return most
