"""Facts about one seat's match of Palmer."""

from collections.abc import Mapping, Sequence
from typing import Final

from games.contract import Event
from games.facts import FactKind
from games.french import RANK
from games.palmer.events import DealScored
from games.types import Seat

KINDS: Final[Mapping[str, FactKind]] = {
    "deals": FactKind("deals", "sum", shown=False),
    "deals_best": FactKind("deals with the fewest points of all", "sum", of="deals"),
    "deals_zero": FactKind("deals with 0 points", "sum", of="deals"),
    "pairs": FactKind("pairs that cancelled", "sum"),
    "fewest_points": FactKind("fewest points in a deal", "least"),
}


def count(events: Sequence[Event], seat: Seat) -> dict[str, int]:
    """Return the facts of `seat`, from the deals until it was out. Equally few points count as the fewest for each."""
    deals = [event.scores for event in events if isinstance(event, DealScored)]
    least = [min(score.points for score in deal) for deal in deals]
    own = [score for deal in deals for score in deal if score.seat == seat]
    return {
        "deals": len(own),
        # A seat that is out stays out, so `own` is of the first deals.
        "deals_best": sum(score.points == points for score, points in zip(own, least, strict=False)),
        "deals_zero": sum(score.points == 0 for score in own),
        "pairs": sum(_pairs(score.square) for score in own),
        "fewest_points": min(score.points for score in own),
    }


def course(events: Sequence[Event], seat: Seat) -> str:
    """Return an emoji for each deal of `seat`: the fewest points, between, the most."""
    deals = [
        {score.seat: score.points for score in event.scores}
        for event in events
        if isinstance(event, DealScored)
    ]
    return "".join(_mark(deal[seat], [*deal.values()]) for deal in deals if seat in deal)


def _mark(own: int, points: Sequence[int]) -> str:
    return "🟩" if own == min(points) else "🟥" if own == max(points) else "🟨"


def _pairs(square: Sequence[int]) -> int:
    ranks = [RANK[card] for card in square]
    return sum(ranks.count(rank) // 2 for rank in {*ranks})
