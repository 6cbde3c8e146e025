"""Facts about one seat's match of Thirty-One."""

from collections.abc import Mapping, Sequence
from typing import Final

from games.contract import Event
from games.facts import FactKind
from games.thirty_one.events import HadThirtyOne, HandsShown, Knocked
from games.types import Seat

KINDS: Final[Mapping[str, FactKind]] = {
    "deals": FactKind("deals", "sum", shown=False),
    "deals_free": FactKind("deals without a payment", "sum", of="deals"),
    "thirty_ones": FactKind("hands of 31", "sum"),
    "thirty_ones_dealt": FactKind("hands of 31 dealt at once", "sum", of="thirty_ones"),
    "knocks": FactKind("knocks", "sum", shown=False),
    "knocks_free": FactKind("knocks without a payment", "sum", of="knocks"),
    "tokens_paid": FactKind("tokens paid", "sum"),
}


def count(events: Sequence[Event], seat: Seat) -> dict[str, int]:
    """Return the facts of `seat`, from the deals until it was out."""
    found = dict.fromkeys(KINDS, 0)
    knocked = False
    for event in events:
        match event:
            case Knocked():
                knocked = event.seat == seat
            case HadThirtyOne() | HandsShown():
                _count(found, event, seat, knocked)
                knocked = False
                if seat in event.out:
                    break
    return found


def course(events: Sequence[Event], seat: Seat) -> str:
    """Return an emoji for each deal until `seat` was out: without a payment, with one."""
    deals = [event for event in events if isinstance(event, HadThirtyOne | HandsShown)]
    last = next((n for n, deal in enumerate(deals) if seat in deal.out), len(deals))
    return "".join("🟥" if deal.payments[seat] else "🟩" for deal in deals[: last + 1])


def _count(found: dict[str, int], end: HadThirtyOne | HandsShown, seat: Seat, knocked: bool) -> None:
    paid = end.payments[seat]
    found["deals"] += 1
    found["deals_free"] += not paid
    if isinstance(end, HadThirtyOne) and any(hand.seat == seat for hand in end.shown):
        found["thirty_ones"] += 1
        found["thirty_ones_dealt"] += end.dealt
    found["knocks"] += knocked
    found["knocks_free"] += knocked and not paid
    found["tokens_paid"] += paid
