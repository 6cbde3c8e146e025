"""Facts about one seat's match of Charms."""

from collections.abc import Mapping, Sequence
from typing import Final

from games.bids import BID_KINDS, bid_course, bid_facts
from games.charms.events import HandScored, ScoreRow
from games.contract import Event
from games.facts import FactKind
from games.types import Seat

KINDS: Final[Mapping[str, FactKind]] = {
    **BID_KINDS,
    "highest_exact": FactKind("highest bid hit exactly", "most"),
}


def count(events: Sequence[Event], seat: Seat) -> dict[str, int]:
    """Return the facts of `seat`. The highest exact bid is missing when no bid was exact."""
    rows = _rows(events, seat)
    found = bid_facts(rows)
    if exact := [row.bid for row in rows if row.bid == row.tricks]:
        found["highest_exact"] = max(exact)
    return found


def course(events: Sequence[Event], seat: Seat) -> str:
    """Return an emoji for the bid of `seat` in each hand."""
    return bid_course(_rows(events, seat))


def _rows(events: Sequence[Event], seat: Seat) -> list[ScoreRow]:
    return [event.rows[seat] for event in events if isinstance(event, HandScored)]
