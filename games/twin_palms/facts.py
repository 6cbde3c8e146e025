"""Facts about one seat's match of Twin Palms."""

from collections.abc import Mapping, Sequence
from typing import Final

from games.bids import BID_KINDS, bid_course, bid_facts
from games.contract import Event
from games.facts import FactKind
from games.twin_palms.events import RoundScored, ScoreRow
from games.types import Seat

KINDS: Final[Mapping[str, FactKind]] = {
    **BID_KINDS,
    "stakes_won": FactKind("sand dollars won with bets", "sum"),
    "stakes_lost": FactKind("sand dollars lost with bets", "sum"),
}


def count(events: Sequence[Event], seat: Seat) -> dict[str, int]:
    """Return the facts of `seat`. Further rounds count, too."""
    rows = _rows(events, seat)
    return {
        **bid_facts(rows),
        "stakes_won": sum(row.stake for row in rows if row.bid == row.tricks),
        "stakes_lost": sum(row.stake for row in rows if row.bid != row.tricks),
    }


def course(events: Sequence[Event], seat: Seat) -> str:
    """Return an emoji for the bid of `seat` in each round."""
    return bid_course(_rows(events, seat))


def _rows(events: Sequence[Event], seat: Seat) -> list[ScoreRow]:
    return [event.rows[seat] for event in events if isinstance(event, RoundScored)]
