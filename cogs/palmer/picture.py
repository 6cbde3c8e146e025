"""The pictures of Palmer: the table with the square of each player, stock and pile, hands, score sheets."""

from collections.abc import Sequence
from dataclasses import replace

from bot.messages.game_ui import Form
from bot.pictures.decks.french import FACE_DOWN, card, pile, stock
from bot.pictures.scene import (
    Banner,
    DrawnCard,
    Group,
    HandScene,
    LaidCards,
    ScoreSheet,
    SeatedPlayer,
    Strip,
    TableScene,
    final_place,
    has_won,
    rows_with,
)
from games.contract import Event
from games.french import CARD, RANK
from games.palmer.actions import BOTTOM
from games.palmer.events import DealScored
from games.palmer.rulebook import EXAMPLE
from games.palmer.view import View
from games.phrases import counted
from games.types import Seat, around, with_seats

IN_STRIP = 4
"""Maximum number of players in a strip."""


def table(view: View, names: Sequence[str]) -> TableScene:
    """Return the public table: the cards that are face up in the squares, totals, stock and pile."""
    seats = tuple(_seat(view, seat, name) for seat, name in with_seats(names))
    piles = (stock(view.stock), pile(view.pile, "Pile"))
    note = "The match is over" if view.outcome is not None else ""
    return TableScene(f"Deal {view.deal} · out at {view.options.limit}", "points", seats, piles, note)


def _seat(view: View, seat: Seat, name: str) -> SeatedPlayer:
    square = [
        FACE_DOWN if each is None or not view.up[seat] >> place & 1 else card(each)
        for place, each in enumerate(view.squares[seat])
    ]
    return SeatedPlayer(
        name,
        score=str(view.totals[seat]),
        detail=_detail(view, seat),
        turn=seat == view.turn,
        out=view.outcome is None and not square,
        won=has_won(view.outcome, seat),
        rows=(tuple(square[:2]), tuple(square[2:])) if square else (),
    )


def _detail(view: View, seat: Seat) -> str:
    if view.outcome is not None:
        return final_place(view.outcome, seat)
    if not view.squares[seat]:
        return "out"
    if seat == view.turn:
        return "has drawn" if view.placing else ""
    return "deals" if seat == view.dealer else ""


def hand(view: View, names: Sequence[str], form: Form) -> HandScene:
    """Return the pile, and below it the player's own square and the card just drawn.

    Cards that only the player has seen are face down for the others; they are faded.
    """
    assert view.seat is not None
    up = view.up[view.seat]
    square = [_own(each, place, up) for place, each in enumerate(view.squares[view.seat])]
    known = any(card.faded for card in square)
    caption = "Your square" + " (shaded: face down)" * known
    groups = [Group(caption, (tuple(square[:2]), tuple(square[2:])) if square else ())]
    if view.drawn is not None:
        groups.append(Group("Drawn", ((card(view.drawn),),)))
    return HandScene(
        (tuple(groups),), form.style.large, None if view.outcome is not None else _strip(view, names)
    )


def _strip(view: View, names: Sequence[str]) -> Strip:
    """Return the pile's top card, the player's own points, and the next players with theirs and the cards that are face
    up in their squares."""
    assert view.seat is not None
    pile = LaidCards("Pile", tuple(card(each) for each in view.pile[-1:]))
    seats = [seat for seat in around(view.seat, len(view.out)) if view.squares[seat]][:IN_STRIP]
    return Strip((pile, *(_laid(view, seat, names[seat]) for seat in seats)))


def _laid(view: View, seat: Seat, name: str) -> LaidCards:
    own, points = seat == view.seat, counted(view.totals[seat], "point")
    # Of other players' cards a view has only those that are face up.
    up = () if own else tuple(card(each) for each in view.squares[seat] if each is not None)
    return LaidCards("You" if own else name, up, detail=points, slot=False)


def _own(known: int | None, place: int, up: int) -> DrawnCard:
    """Return a card of the viewer's own square, faded if only the viewer has seen it."""
    if known is None:
        return FACE_DOWN
    if up >> place & 1:
        return card(known)
    own = card(known)
    return replace(own, alt=f"{own.alt} (face down, seen by you alone)", faded=True)


def own_cards(view: View, names: Sequence[str]) -> LaidCards | None:
    """Return the cards of the view's seat that are face down for the others: its bottom row, and a card just drawn."""
    assert view.seat is not None
    square, up = view.squares[view.seat], view.up[view.seat]
    cards = [card(each) for place, each in enumerate(square) if each is not None and not up >> place & 1]
    if view.drawn is not None:
        cards.append(replace(card(view.drawn), badge="drawn"))
    return LaidCards(names[view.seat], tuple(cards)) if cards else None


def score_sheet(event: Event, names: Sequence[str]) -> ScoreSheet | None:
    """Return the score sheet when the event is the end of a deal. Cards that cancel each other are faded."""
    if not isinstance(event, DealScored):
        return None
    scores = event.scores
    rows = tuple(
        (names[score.seat], str(score.points), f"{score.total}{' out' * (score.seat in event.out)}")
        for score in scores
    )
    points = [score.points for score in scores]
    squares = tuple(_scored(score.square) for score in scores)
    shaded = any(each.faded for square in squares for each in square)
    title = f"Deal {event.deal}{' · shaded pairs count 0' * shaded}"
    return ScoreSheet(title, ("", "points", "total"), rows, rows_with(min(points), points), squares)


def _scored(square: Sequence[int]) -> tuple[DrawnCard, ...]:
    """Return the cards of a square. Pairs cancel from the left: with three cards of a rank the last one counts."""
    ranks = [RANK[each] for each in square]
    paired = [ranks[:place].count(rank) < ranks.count(rank) // 2 * 2 for place, rank in enumerate(ranks)]
    return tuple(_cancelled(each) if pair else card(each) for each, pair in zip(square, paired, strict=True))


def _cancelled(each: int) -> DrawnCard:
    shown = card(each)
    return replace(shown, alt=f"{shown.alt} (cancelled)", faded=True)


def banner() -> Banner:
    """Return a banner with the square of the rulebook's example."""
    return Banner("Palmer", tuple(card(CARD[text]) for text in EXAMPLE))


def example() -> HandScene:
    """Return Alice's hand at the first turn of the rulebook's example."""
    queen, _, left, right = (CARD[text] for text in EXAMPLE)
    bottom = tuple(_own(each, place, 0) for place, each in zip(BOTTOM, (left, right), strict=True))
    own = Group("Alice's square (shaded: face down)", ((FACE_DOWN, FACE_DOWN), bottom))
    return HandScene(((own,),), strip=Strip((LaidCards("Pile", (card(queen),)),)))
