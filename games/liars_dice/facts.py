"""Facts about one seat's match of Liar's Dice."""

from collections.abc import Mapping, Sequence
from typing import Final

from games.contract import Event
from games.defaults import course as course
from games.facts import FactKind
from games.liars_dice.actions import QUANTITY
from games.liars_dice.events import BidMade, RoundEnded
from games.liars_dice.record import support
from games.types import Action, Seat

KINDS: Final[Mapping[str, FactKind]] = {
    "doubts": FactKind("doubts", "sum", shown=False),
    "doubts_right": FactKind("doubts that were right", "sum", of="doubts"),
    "doubted": FactKind("bids that were doubted", "sum", shown=False),
    "stood": FactKind("bids that stood when doubted", "sum", of="doubted"),
    "calls": FactKind("calls of calza", "sum", shown=False),
    "exact": FactKind("exact calls", "sum", of="calls"),
    "bids": FactKind("bids", "sum", shown=False),
    "bluffs": FactKind("bluffs that got through", "sum", of="bids"),
}


def count(events: Sequence[Event], seat: Seat) -> dict[str, int]:
    """Return the facts of `seat`.

    A bluff is a bid without a single matching die of one's own. It got through unless a call showed it to be wrong."""
    found = dict.fromkeys(KINDS, 0)
    own: list[Action] = []
    for event in events:
        if isinstance(event, BidMade) and event.seat == seat:
            own.append(event.bid)
        elif isinstance(event, RoundEnded):
            _count(found, event, seat, own)
            own = []
    return found


def _count(found: dict[str, int], end: RoundEnded, seat: Seat, own: Sequence[Action]) -> None:
    """Count one round, in which `seat` made the bids in `own`."""
    called, doubted = end.caller == seat, end.bidder == seat and not end.calza
    found["doubts"] += called and not end.calza
    found["doubts_right"] += called and not end.calza and end.right
    found["calls"] += called and end.calza
    found["exact"] += called and end.calza and end.right
    found["doubted"] += doubted
    found["stood"] += doubted and not end.right
    found["bids"] += len(own)
    caught = end.bidder == seat and end.found < QUANTITY[end.bid]
    found["bluffs"] += sum(not support(end, seat, bid) for bid in own) - (
        caught and not support(end, seat, end.bid)
    )
