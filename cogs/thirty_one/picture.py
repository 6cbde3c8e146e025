"""How Thirty-One looks: three cards and the tokens of each player, stock and discards in the middle."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.looks import Looks
from bot.pictures.blank import GOLD
from bot.pictures.decks.french import DOWN, card, pile, stock
from bot.pictures.scene import Group, Hand, Seat, Sheet, Table
from games.contract import Event
from games.french import RANK, SUIT
from games.phrases import ordinal
from games.thirty_one.events import HadThirtyOne, HandsShown
from games.thirty_one.view import View

TOKEN: Final = (
    f'<circle r="44" fill="{GOLD}" stroke="#a8660a" stroke-width="8"/>'
    '<circle r="27" fill="none" stroke="#a8660a" stroke-width="6" stroke-dasharray="10 7"/>'
)


def table(view: View, names: Sequence[str]) -> Table:
    """Everything public: the cards that all know, tokens, stock and discards."""
    seats = tuple(_seat(view, seat, name) for seat, name in enumerate(names))
    piles = (stock(view.stock), pile(view.discards, "Discards"))
    title = "The match is over" if view.outcome is not None else f"Deal {view.deal}"
    return Table(title, "tokens", seats, piles, _note(view), TOKEN, step=0.66)


def _note(view: View) -> str:
    if view.knocker is None or view.outcome is not None:
        return ""
    return "Somebody has knocked: one last turn each"


def _seat(view: View, seat: int, name: str) -> Seat:
    cards = (*(card(each) for each in view.known[seat]), *(DOWN for _ in view.hidden[seat]))
    return Seat(
        name,
        score=str(view.tokens[seat]),
        detail=_detail(view, seat),
        turn=seat == view.turn,
        out=view.outcome is None and not view.tokens[seat],
        first=view.outcome is not None and view.outcome.placings[seat] == 1,
        rows=(cards,) if cards else (),
    )


def _detail(view: View, seat: int) -> str:
    if view.outcome is not None:
        return f"{ordinal(view.outcome.placings[seat])} place"
    if not view.tokens[seat]:
        return "out"
    if seat == view.knocker:
        return "knocked"
    if seat == view.turn:
        return "discards" if view.discarding else ""
    return "deals" if seat == view.dealer else ""


def hand(view: View, looks: Looks) -> Hand:
    """One's own cards, and the discard that may be taken."""
    by_rank = looks.order == "rank"
    cards = sorted(
        view.hand, key=lambda each: (RANK[each], SUIT[each]) if by_rank else (SUIT[each], RANK[each])
    )
    discarding = view.discarding and view.seat == view.turn
    own = tuple(replace(card(each), lifted=discarding and each != view.taken) for each in cards)
    groups = [Group("Your hand", (own,) if own else ())]
    if not discarding:
        groups.append(Group("Top discard", (tuple(card(each) for each in view.discards[-1:]),)))
    return Hand((tuple(groups),), looks.large)


def sheet(event: Event, names: Sequence[str]) -> Sheet | None:
    """The hands that are shown, what they are worth, and who pays."""
    if not isinstance(event, HadThirtyOne | HandsShown):
        return None
    best = max(shown.worth for shown in event.shown)
    first = tuple(row for row, shown in enumerate(event.shown) if shown.worth == best)
    rows = tuple(
        (names[shown.seat], _half(shown.worth), _pays(event.payments[shown.seat])) for shown in event.shown
    )
    cards = tuple(tuple(card(each) for each in shown.cards) for shown in event.shown)
    if isinstance(event, HandsShown):
        title = "All hands are shown" if event.knocker is None else "After the knock"
        return Sheet(title, ("", "worth", "tokens"), rows, first, cards)
    return Sheet("31! Everybody else pays", ("", "worth", "tokens"), rows, first, cards)


def _half(points: int) -> str:
    return f"{points // 2}{'½' * (points % 2)}"


def _pays(tokens: int) -> str:
    return f"−{tokens}" if tokens else ""
