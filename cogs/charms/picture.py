"""How Charms looks: the suit and the number each player shows, trump and led suit in the middle, one's own hand."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from bot.looks import Looks
from bot.pictures.scene import Card, Group, Hand, Pile, Seat, Sheet, Table, in_rows
from cogs.charms import faces
from games.charms.cards import BIDS, CARDS, NUMBER, SUIT_NAMES, SUITS, TRICKS
from games.charms.events import HandScored
from games.charms.view import View
from games.contract import Event
from games.phrases import counted, ordinal


@cache
def card(kind: int) -> Card:
    """A card by its kind."""
    return Card(faces.face(kind), SUIT_NAMES[kind] if kind in SUITS else str(NUMBER[kind]))


def table(view: View, names: Sequence[str]) -> Table:
    """Everything that lies on the table, bids, tricks and points."""
    trick = f" · trick {view.trick} of {TRICKS}" if view.trick else ""
    title = f"Hand {view.hand_number} of {view.options.hands}{trick}"
    seats = tuple(_seat(view, seat, name) for seat, name in enumerate(names))
    led = () if view.led is None else (card(view.led),)
    piles = (Pile(tuple(card(kind) for kind in view.turned), "Trump"), Pile(led, "Led"))
    return Table(title, "points", seats, piles, _note(view))


def _note(view: View) -> str:
    if view.outcome is not None:
        return "The match is over"
    return f"{sum(view.has_bid)} of {len(view.has_bid)} have bid" if view.phase == "bid" else ""


def _seat(view: View, seat: int, name: str) -> Seat:
    return Seat(
        name,
        score=str(view.points[seat]),
        detail=_detail(view, seat),
        turn=view.outcome is None and seat in view.awaited,
        first=view.outcome is not None and view.outcome.placings[seat] == 1,
        rows=(_laid(view, seat),),
    )


def _detail(view: View, seat: int) -> str:
    if view.outcome is not None:
        return f"{ordinal(view.outcome.placings[seat])} place"
    bid = view.bids[seat]
    if view.phase == "bid":
        state = "bidding" if not view.has_bid[seat] else "has bid" if bid is None else f"bid {bid}"
    else:
        state = f"won {view.winners.count(seat)}/{bid}"
    return f"{state} · leads" if seat == view.leader else state


def _laid(view: View, seat: int) -> tuple[Card, ...]:
    """The suit and the number that are shown; before the first trick a hand."""
    suit, number = view.suits[seat], view.numbers[seat]
    if suit is not None and number is not None:
        return (card(suit), card(NUMBER.index(number)))
    held = view.hand_sizes[seat]
    return (Card(faces.BACK, "cards in hand", badge=f"×{held}"),) if held else ()


def hand(view: View, looks: Looks, legal: Sequence[int]) -> Hand:
    """One's own cards with how many of each; those that may be played now are lifted, unless all may."""
    held = sorted(set(view.hand), key=lambda kind: (kind in SUITS) if looks.order == "rank" else kind)
    may = {kind for action in legal if action not in BIDS for kind in CARDS[action]}
    lifted = may if may < set(held) else set()
    cards = [_counted(kind, view.hand.count(kind), kind in lifted) for kind in held]
    own = Group(f"Your hand ({counted(len(view.hand), 'card')})", in_rows(cards, 4 if looks.large else 6))
    return Hand(((own,),), looks.large)


def _counted(kind: int, number: int, lifted: bool) -> Card:
    return replace(card(kind), badge=f"×{number}" * (number > 1), lifted=lifted)


def sheet(event: Event, names: Sequence[str]) -> Sheet | None:
    """The score sheet of a hand."""
    if not isinstance(event, HandScored):
        return None
    rows = tuple(
        (name, str(row.bid), str(row.tricks), str(row.points), str(row.total))
        for name, row in zip(names, event.rows, strict=True)
    )
    least = min(row.total for row in event.rows)
    first = tuple(seat for seat, row in enumerate(event.rows) if row.total == least)
    return Sheet(f"Hand {event.hand}", ("", "bid", "won", "points", "total"), rows, first)
