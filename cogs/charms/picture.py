"""How Charms looks: the suit and the number each player shows, trump and led suit in the middle, one's own hand."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from bot.pictures.hand_style import HandStyle
from bot.pictures.scene import Banner, Card, Group, Hand, Laid, Pile, Seat, Sheet, Strip, Table, in_rows
from cogs.charms import faces
from games.charms.cards import BIDS, CARDS, NUMBER, SUIT_NAMES, SUITS, TRICKS, parse
from games.charms.events import HandScored, ScoreRow
from games.charms.rulebook import EXAMPLE, EXAMPLE_PLAYS
from games.charms.view import View, best, has_played
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


def hand(view: View, names: Sequence[str], looks: HandStyle, legal: Sequence[int]) -> Hand:
    """What everybody shows, above one's own cards with how many of each; those that may be played now are lifted,
    unless all may."""
    held = sorted(set(view.hand), key=lambda kind: (kind in SUITS) if looks.order == "rank" else kind)
    may = {kind for action in legal if action not in BIDS for kind in CARDS[action]}
    lifted = may if may < set(held) else set()
    cards = [_counted(kind, view.hand.count(kind), kind in lifted) for kind in held]
    own = Group(f"Your hand ({counted(len(view.hand), 'card')})", in_rows(cards, 4 if looks.large else 6))
    return Hand(((own,),), looks.large, None if view.outcome is not None else _strip(view, names))


def _strip(view: View, names: Sequence[str]) -> Strip:
    count = len(view.points)
    seats = [(view.leader + place) % count for place in range(count)]
    playing = view.phase == "play"
    return Strip(tuple(_place(view, seat, names) for seat in seats if playing), _caption(view, names))


def _place(view: View, seat: int, names: Sequence[str]) -> Laid:
    """What a seat shows; in the shade until it has played to this trick."""
    shows = _laid(view, seat) if view.suits[seat] is not None else ()
    played = has_played(view, seat)
    return Laid(
        "You" if seat == view.seat else names[seat],
        tuple(replace(each, faded=not played) for each in shows),
        best=view.led is not None and seat == best(view),
        detail=f"{view.winners.count(seat)}/{view.bids[seat]}",
    )


def _caption(view: View, names: Sequence[str]) -> str:
    """Trump, and what is led or who leads."""
    leads = "you lead" if view.leader == view.seat else f"{names[view.leader]} leads"
    led = leads if view.led is None else f"led: {SUIT_NAMES[view.led]}"
    return f"Trump: {SUIT_NAMES[view.trump]} · {led}"


def _counted(kind: int, number: int, lifted: bool) -> Card:
    return replace(card(kind), badge=f"×{number}" * (number > 1), lifted=lifted)


def sheet(event: Event, names: Sequence[str]) -> Sheet | None:
    """The score sheet of a hand."""
    if not isinstance(event, HandScored):
        return None
    rows = tuple((name, *_cells(row)) for name, row in zip(names, event.rows, strict=True))
    least = min(row.total for row in event.rows)
    first = tuple(seat for seat, row in enumerate(event.rows) if row.total == least)
    return Sheet(f"Hand {event.hand}", ("", "bid", "won", "hit", "cost", "total"), rows, first)


def _cells(row: ScoreRow) -> tuple[str, ...]:
    return str(row.bid), str(row.tricks), "✓" * (row.bid == row.tricks), str(row.points), str(row.total)


def example() -> Table:
    """The worked trick of the rules, as it lies on the table when it is over."""
    details = ("leads key", "takes it", "has no key")
    seats = tuple(
        Seat(name, detail=detail, rows=(_after(shown, played),), first=detail == "takes it")
        for name, detail, shown, played in zip(
            ("Alice", "Ben", "Cleo"), details, EXAMPLE, EXAMPLE_PLAYS, strict=True
        )
    )
    piles = (Pile((card(0),), "Trump"), Pile((card(1),), "Led"))
    return Table("A trick of Charms", "points", seats, piles)


def _after(shown: str, played: str) -> tuple[Card, ...]:
    """The suit and the number that lie there after a play."""
    suit, number = CARDS[parse(shown)]
    (new,) = CARDS[parse(played)]
    return (card(new), card(number)) if new in SUITS else (card(suit), card(new))


def banner() -> Banner:
    """The four suits and a number."""
    return Banner("Charms", tuple(card(kind) for kind in (*SUITS, NUMBER.index(8))))
