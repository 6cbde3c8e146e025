"""The pictures of Charms: the table with the suit and number that each player shows, hands, score sheets."""

from collections.abc import Sequence
from dataclasses import replace

from bot.messages.game_ui import Form
from bot.pictures.decks.charms import BACK, card
from bot.pictures.scene import (
    Banner,
    DrawnCard,
    Group,
    HandScene,
    LaidCards,
    Pile,
    ScoreSheet,
    SeatedPlayer,
    Strip,
    TableScene,
    final_place,
    has_won,
    hidden_hand,
    in_rows,
    rows_with,
)
from games.charms.cards import BIDS, CARDS, NUMBER, SUIT_NAMES, SUITS, TRICKS, parse
from games.charms.events import HandScored, ScoreRow
from games.charms.rulebook import EXAMPLE, EXAMPLE_PLAYS
from games.charms.view import View, best, has_played
from games.contract import Event
from games.phrases import counted
from games.types import Seat, around, with_seats


def table(view: View, names: Sequence[str]) -> TableScene:
    """Return the public table: cards, bids, tricks and points."""
    trick = f" · trick {view.trick} of {TRICKS}" if view.trick else ""
    title = f"Hand {view.hand_number} of {view.options.hands}{trick}"
    seats = tuple(_seat(view, seat, name) for seat, name in with_seats(names))
    led = () if view.led is None else (card(view.led),)
    piles = (Pile(tuple(card(kind) for kind in view.turned), "Trump"), Pile(led, "Led"))
    return TableScene(title, "points", seats, piles, _note(view))


def _note(view: View) -> str:
    if view.outcome is not None:
        return "The match is over"
    return f"{sum(view.has_bid)} of {len(view.has_bid)} have bid" if view.phase == "bid" else ""


def _seat(view: View, seat: Seat, name: str) -> SeatedPlayer:
    return SeatedPlayer(
        name,
        score=str(view.points[seat]),
        detail=_detail(view, seat),
        turn=view.outcome is None and seat in view.awaited,
        won=has_won(view.outcome, seat),
        rows=(_laid(view, seat),),
    )


def _detail(view: View, seat: Seat) -> str:
    if view.outcome is not None:
        return final_place(view.outcome, seat)
    bid = view.bids[seat]
    if view.phase == "bid":
        state = "bidding" if not view.has_bid[seat] else "has bid" if bid is None else f"bid {bid}"
    else:
        state = f"won {view.winners.count(seat)}/{bid}"
    return f"{state} · leads" if seat == view.leader else state


def _laid(view: View, seat: Seat) -> tuple[DrawnCard, ...]:
    """Return the suit and number that a seat shows; before its first trick its hand, face down."""
    suit, number = view.suits[seat], view.numbers[seat]
    if suit is not None and number is not None:
        return (card(suit), card(NUMBER.index(number)))
    return hidden_hand(BACK, view.hand_sizes[seat])


def hand(view: View, names: Sequence[str], form: Form) -> HandScene:
    """Return the cards that everybody shows, and below them the player's own hand.

    Cards that can be played now are lifted, unless all can be played.
    """
    held = sorted(set(view.hand), key=lambda kind: (kind in SUITS) if form.style.order == "rank" else kind)
    may = {kind for action in form.legal if action not in BIDS for kind in CARDS[action]}
    lifted = may if may < set(held) else set()
    cards = [replace(card(kind).counted(view.hand.count(kind)), lifted=kind in lifted) for kind in held]
    own = Group(
        f"Your hand ({counted(len(view.hand), 'card')})", in_rows(cards, 4 if form.style.large else 6)
    )
    return HandScene(((own,),), form.style.large, None if view.outcome is not None else _strip(view, names))


def _strip(view: View, names: Sequence[str]) -> Strip:
    seats = around(view.leader, len(view.points))
    playing = view.phase == "play"
    return Strip(tuple(_place(view, seat, names) for seat in seats if playing), _caption(view, names))


def _place(view: View, seat: Seat, names: Sequence[str]) -> LaidCards:
    """Return the cards that a seat shows, faded until it has played to this trick."""
    shows = _laid(view, seat) if view.suits[seat] is not None else ()
    played = has_played(view, seat)
    return LaidCards(
        "You" if seat == view.seat else names[seat],
        shows if played else tuple(replace(each, alt=f"{each.alt} (before)", faded=True) for each in shows),
        best=view.led is not None and seat == best(view),
        detail=f"{view.winners.count(seat)}/{view.bids[seat]}",
    )


def _caption(view: View, names: Sequence[str]) -> str:
    """Return trump, and the led suit or the player who leads."""
    leads = "you lead" if view.leader == view.seat else f"{names[view.leader]} leads"
    led = leads if view.led is None else f"led: {SUIT_NAMES[view.led]}"
    return f"Trump: {SUIT_NAMES[view.trump]} · {led}"


def own_cards(view: View, names: Sequence[str]) -> LaidCards | None:
    """Return the hand of the view's seat, and its bid while that is hidden."""
    assert view.seat is not None
    held = tuple(card(kind).counted(view.hand.count(kind)) for kind in sorted(set(view.hand)))
    bid = f"bid {view.bid}" * (view.bid is not None and view.bids[view.seat] is None)
    return LaidCards(names[view.seat], held, detail=bid) if held else None


def score_sheet(event: Event, names: Sequence[str]) -> ScoreSheet | None:
    """Return the score sheet when the event is the end of a hand."""
    if not isinstance(event, HandScored):
        return None
    rows = tuple((name, *_cells(row)) for name, row in zip(names, event.rows, strict=True))
    totals = [row.total for row in event.rows]
    headings = ("", "bid", "won", "hit", "cost", "total")
    return ScoreSheet(f"Hand {event.hand}", headings, rows, rows_with(min(totals), totals))


def _cells(row: ScoreRow) -> tuple[str, ...]:
    return str(row.bid), str(row.tricks), "✓" * (row.bid == row.tricks), str(row.points), str(row.total)


def example() -> TableScene:
    """Return the table at the end of the rulebook's example trick."""
    details = ("leads key", "takes it", "has no key")
    seats = tuple(
        SeatedPlayer(name, detail=detail, rows=(_after(shown, played),), won=detail == "takes it")
        for name, detail, shown, played in zip(
            ("Alice", "Ben", "Cleo"), details, EXAMPLE, EXAMPLE_PLAYS, strict=True
        )
    )
    piles = (Pile((card(0),), "Trump"), Pile((card(1),), "Led"))
    return TableScene("A trick of Charms", "points", seats, piles)


def _after(shown: str, played: str) -> tuple[DrawnCard, ...]:
    """Return the suit and number that a player shows after a play."""
    suit, number = CARDS[parse(shown)]
    (new,) = CARDS[parse(played)]
    return (card(new), card(number)) if new in SUITS else (card(suit), card(new))


def banner() -> Banner:
    """Return a banner with the four suits and a number."""
    return Banner("Charms", tuple(card(kind) for kind in (*SUITS, NUMBER.index(8))))
