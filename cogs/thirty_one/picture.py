"""The pictures of Thirty-One: the table with the cards and tokens of all players, hands, score sheets."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.messages.game_ui import Form
from bot.pictures.blank import GOLD
from bot.pictures.decks.french import FACE_DOWN, card, pile, stock
from bot.pictures.scene import (
    Banner,
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
from games.french import CARD, RANK, SUIT
from games.phrases import counted
from games.thirty_one.events import HadThirtyOne, HandsShown, Shown
from games.thirty_one.options import ThirtyOneOptions
from games.thirty_one.rulebook import EXAMPLE
from games.thirty_one.rules import payments
from games.thirty_one.state import HELD
from games.thirty_one.values import worth
from games.thirty_one.view import View
from games.thirty_one.words import points
from games.types import SEATS, Seat, with_seats

TOKEN: Final = (
    f'<circle r="44" fill="{GOLD}" stroke="#a8660a" stroke-width="8"/>'
    '<circle r="27" fill="none" stroke="#a8660a" stroke-width="6" stroke-dasharray="10 7"/>'
)
"""The mark of tokens, as a pip."""
ROOMY: Final = 4
"""Maximum number of players with whom a strip has room for the word "tokens". For more it shows a disc instead."""


def table(view: View, names: Sequence[str]) -> TableScene:
    """Return the public table: the cards that everybody knows, tokens, stock and discards."""
    seats = tuple(_seat(view, seat, name) for seat, name in with_seats(names))
    piles = (stock(view.stock), pile(view.discards, "Discards"))
    title = "The match is over" if view.outcome is not None else f"Deal {view.deal}"
    return TableScene(title, "tokens", seats, piles, _knocked(view, names), TOKEN, step=0.66)


def _seat(view: View, seat: Seat, name: str) -> SeatedPlayer:
    cards = (*(card(each) for each in view.known[seat]), *(FACE_DOWN for _ in view.hidden[seat]))
    return SeatedPlayer(
        name,
        score=str(view.tokens[seat]),
        detail=_detail(view, seat),
        turn=seat == view.turn,
        out=view.outcome is None and not view.tokens[seat],
        won=has_won(view.outcome, seat),
        rows=(cards,) if cards else (),
    )


def _detail(view: View, seat: Seat) -> str:
    if view.outcome is not None:
        return final_place(view.outcome, seat)
    if not view.tokens[seat]:
        return "out"
    if seat == view.knocker:
        return "knocked"
    if seat == view.turn:
        return "discards" if view.discarding else ""
    return "deals" if seat == view.dealer else ""


def hand(view: View, names: Sequence[str], form: Form) -> HandScene:
    """Return the player's own cards below a strip with the table."""
    by_rank = form.style.order == "rank"
    cards = sorted(
        view.hand, key=lambda each: (RANK[each], SUIT[each]) if by_rank else (SUIT[each], RANK[each])
    )
    discarding = view.discarding and view.seat == view.turn
    own = tuple(
        replace(card(each), badge="taken") if each == view.taken else replace(card(each), lifted=discarding)
        for each in cards
    )
    line = (Group("Drop one" if discarding else "Your hand", (own,) if own else ()),)
    return HandScene((line,), form.style.large, _strip(view, names))


def _strip(view: View, names: Sequence[str]) -> Strip:
    """Return the top discard, then each player's tokens and the cards that everybody knows them to have."""
    seats = [seat for seat, out in with_seats(view.out) if not out]
    narrow = len(seats) > ROOMY
    discard = LaidCards("Discard", tuple(card(each) for each in view.discards[-1:]))
    others = (_laid(view, seat, names[seat], narrow) for seat in seats)
    return Strip((discard, *others), _knocked(view, names))


def _laid(view: View, seat: Seat, name: str, narrow: bool) -> LaidCards:
    own, tokens = seat == view.seat, view.tokens[seat]
    cards = () if own else tuple(card(each) for each in view.known[seat])
    detail = f"{tokens} ●" if narrow else counted(tokens, "token")
    return LaidCards("You" if own else name, cards, detail=detail, slot=False)


def _knocked(view: View, names: Sequence[str]) -> str:
    if view.knocker is None or view.outcome is not None:
        return ""
    knocker = "You have" if view.knocker == view.seat else f"{names[view.knocker]} has"
    return f"{knocker} knocked: one last turn each"


def own_cards(view: View, names: Sequence[str]) -> LaidCards | None:
    """Return the hand of the view's seat, with its worth when it has three cards."""
    assert view.seat is not None
    cards = tuple(card(each) for each in view.hand)
    counts = points(worth(view.hand, view.options)) if len(cards) == HELD else ""
    return LaidCards(names[view.seat], cards, detail=counts) if cards else None


def score_sheet(event: Event, names: Sequence[str]) -> ScoreSheet | None:
    """Return the score sheet at the end of a deal: hands, their values, and the tokens that each player pays."""
    return _scored(event, names) if isinstance(event, HadThirtyOne | HandsShown) else None


def _scored(event: HadThirtyOne | HandsShown, names: Sequence[str]) -> ScoreSheet:
    values = [shown.worth for shown in event.shown]
    leaders = rows_with(max(values), values)
    rows = tuple(
        (names[shown.seat], _half(shown.worth), _pays(event.payments[shown.seat])) for shown in event.shown
    )
    cards = tuple(tuple(card(each) for each in shown.cards) for shown in event.shown)
    if isinstance(event, HandsShown):
        title = "No turns are left" if event.knocker is None else f"{names[event.knocker]} knocked"
        return ScoreSheet(title, ("", "worth", "tokens"), rows, leaders, cards)
    return ScoreSheet("31!", ("", "worth", "tokens"), rows, leaders, cards)


def example(options: ThirtyOneOptions | None = None) -> ScoreSheet:
    """Return the score sheet of the rulebook's example."""
    options = options or ThirtyOneOptions()
    hands = [tuple(CARD[text] for text in hand.split()) for hand in EXAMPLE]
    shown = tuple(Shown(seat, hand, worth(hand, options)) for seat, hand in with_seats(hands))
    paid = payments([(hand.seat, hand.worth) for hand in shown], SEATS[0], [options.tokens] * len(hands))
    return _scored(HandsShown(SEATS[0], shown, paid, ()), ("Alice", "Ben", "Cleo"))


def banner() -> Banner:
    """Return a banner with ace, king and ten of spades: 31."""
    return Banner("Thirty-One", tuple(card(CARD[text]) for text in ("AS", "KS", "10S")))


def _half(points: int) -> str:
    return f"{points // 2}{'½' * (points % 2)}"


def _pays(tokens: int) -> str:
    return f"−{tokens}" if tokens else ""
