"""How Palmer looks: a square before each player, stock and pile in the middle, one's own square in the hand."""

from collections.abc import Sequence
from dataclasses import replace

from bot.pictures.decks.french import DOWN, card, pile, stock
from bot.pictures.hand_style import HandStyle
from bot.pictures.scene import Banner, Card, Group, Hand, Laid, Seat, Sheet, Strip, Table
from games.contract import Event
from games.french import CARD, RANK
from games.palmer.actions import BOTTOM
from games.palmer.events import DealScored
from games.palmer.rulebook import EXAMPLE
from games.palmer.view import View
from games.phrases import counted, ordinal

NEIGHBOURS = 3
"""Other players in the strip above a hand."""


def table(view: View, names: Sequence[str]) -> Table:
    """Show everything public: what lies face up in the squares, totals, stock and pile."""
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


def hand(view: View, names: Sequence[str], looks: HandStyle) -> Hand:
    """Show one's own square with the row one may look at and the card just drawn, below the pile."""
    assert view.seat is not None
    up = view.up[view.seat]
    square = [_own(each, place, up) for place, each in enumerate(view.squares[view.seat])]
    known = any(card.faded for card in square)
    caption = "Your square" + " (shaded: face down)" * known
    groups = [Group(caption, (tuple(square[:2]), tuple(square[2:])) if square else ())]
    if view.drawn is not None:
        groups.append(Group("Drawn", ((card(view.drawn),),)))
    return Hand((tuple(groups),), looks.large, None if view.outcome is not None else _strip(view, names))


def _strip(view: View, names: Sequence[str]) -> Strip:
    """Show the pile's top card, and the next players with what lies face up in their squares."""
    assert view.seat is not None
    pile = Laid("Pile", tuple(card(each) for each in view.pile[-1:]))
    seats = len(view.out)
    others = [(view.seat + step) % seats for step in range(1, seats)]
    others = [seat for seat in others if view.squares[seat]][:NEIGHBOURS]
    return Strip((pile, *(_laid(view, seat, names[seat]) for seat in others)))


def _laid(view: View, seat: int, name: str) -> Laid:
    # Of the cards of others a view knows those face up alone.
    up = tuple(card(each) for each in view.squares[seat] if each is not None)
    return Laid(name, up, detail=counted(view.totals[seat], "point"))


def _own(known: int | None, place: int, up: int) -> Card:
    """Return a card of one's square: one that only oneself can see is in the shade."""
    if known is None:
        return DOWN
    if up >> place & 1:
        return card(known)
    own = card(known)
    return replace(own, said=f"{own.said} (face down, seen by you alone)", faded=True)


def sheet(event: Event, names: Sequence[str]) -> Sheet | None:
    """Show what a deal came to; cards that cancel each other are in the shade."""
    if not isinstance(event, DealScored):
        return None
    scores = event.scores
    rows = tuple(
        (names[score.seat], str(score.points), f"{score.total}{' out' * (score.seat in event.out)}")
        for score in scores
    )
    least = min(score.points for score in scores)
    first = tuple(row for row, score in enumerate(scores) if score.points == least)
    squares = tuple(_scored(score.square) for score in scores)
    shaded = any(each.faded for square in squares for each in square)
    title = f"Deal {event.deal}{' · shaded pairs count 0' * shaded}"
    return Sheet(title, ("", "points", "total"), rows, first, squares)


def _scored(square: Sequence[int]) -> tuple[Card, ...]:
    """Return four cards; pairs cancel from the left, so of three of a rank the last one counts."""
    ranks = [RANK[each] for each in square]
    paired = [ranks[:place].count(rank) < ranks.count(rank) // 2 * 2 for place, rank in enumerate(ranks)]
    return tuple(_cancelled(each) if pair else card(each) for each, pair in zip(square, paired, strict=True))


def _cancelled(each: int) -> Card:
    shown = card(each)
    return replace(shown, said=f"{shown.said} (cancelled)", faded=True)


def banner() -> Banner:
    """Show the square of the rulebook's example."""
    return Banner("Palmer", tuple(card(CARD[text]) for text in EXAMPLE))


def example() -> Hand:
    """Show the first turn of the rulebook's example, as its player sees it."""
    queen, _, left, right = (CARD[text] for text in EXAMPLE)
    bottom = tuple(_own(each, place, 0) for place, each in zip(BOTTOM, (left, right), strict=True))
    own = Group("Alice's square (shaded: face down)", ((DOWN, DOWN), bottom))
    return Hand(((own,),), strip=Strip((Laid("Pile", (card(queen),)),)))
