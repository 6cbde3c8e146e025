"""How Palmer looks: a square before each player, stock and pile in the middle, one's own bottom row in the hand."""

from collections.abc import Sequence
from dataclasses import replace

from bot.looks import Looks
from bot.pictures.decks.french import DOWN, card, pile, stock
from bot.pictures.scene import Card, Group, Hand, Seat, Sheet, Table
from games.contract import Event
from games.palmer.events import DealScored
from games.palmer.view import View
from games.phrases import ordinal


def table(view: View, names: Sequence[str]) -> Table:
    """Everything public: what lies face up in the squares, totals, stock and pile."""
    seats = tuple(_seat(view, seat, name) for seat, name in enumerate(names))
    piles = (stock(view.stock), pile(view.pile, "Pile"))
    note = "The match is over" if view.outcome is not None else ""
    return Table(f"Deal {view.deal} · out at {view.options.limit}", "points", seats, piles, note)


def _seat(view: View, seat: int, name: str) -> Seat:
    square = [
        DOWN if each is None or not view.up[seat] >> place & 1 else card(each)
        for place, each in enumerate(view.squares[seat])
    ]
    return Seat(
        name,
        score=str(view.totals[seat]),
        detail=_detail(view, seat),
        turn=seat == view.turn,
        out=view.outcome is None and not square,
        first=view.outcome is not None and view.outcome.placings[seat] == 1,
        rows=(tuple(square[:2]), tuple(square[2:])) if square else (),
    )


def _detail(view: View, seat: int) -> str:
    if view.outcome is not None:
        return f"{ordinal(view.outcome.placings[seat])} place"
    if not view.squares[seat]:
        return "out"
    if seat == view.turn:
        return "has drawn" if view.placing else ""
    return "deals" if seat == view.dealer else ""


def hand(view: View, looks: Looks) -> Hand:
    """One's own square with the row one may look at, the card just drawn, and the top of the pile."""
    assert view.seat is not None
    up = view.up[view.seat]
    square = [_own(each, place, up) for place, each in enumerate(view.squares[view.seat])]
    known = any(card.faded for card in square)
    caption = "Your square" + " (shaded: face down)" * known
    groups = [Group(caption, (tuple(square[:2]), tuple(square[2:])) if square else ())]
    if view.drawn is not None:
        groups.append(Group("Drawn", ((card(view.drawn),),)))
    groups.append(Group("Pile", (tuple(card(each) for each in view.pile[-1:]),)))
    return Hand((tuple(groups),), looks.large)


def _own(known: int | None, place: int, up: int) -> Card:
    """A card of one's square: one that only oneself can see is in the shade."""
    if known is None:
        return DOWN
    if up >> place & 1:
        return card(known)
    own = card(known)
    return replace(own, said=f"{own.said} (face down, seen by you alone)", faded=True)


def sheet(event: Event, names: Sequence[str]) -> Sheet | None:
    """What a deal came to."""
    if not isinstance(event, DealScored):
        return None
    scores = event.scores
    rows = tuple((names[score.seat], str(score.points), str(score.total)) for score in scores)
    least = min(score.total for score in scores)
    first = tuple(row for row, score in enumerate(scores) if score.total == least)
    shown = tuple(tuple(card(each) for each in score.square) for score in scores)
    return Sheet(f"Deal {event.deal}", ("", "points", "total"), rows, first, shown)
