"""The pictures of Palace: the table with the cards before each player and the pile, hands, the final placings."""

from collections.abc import Sequence
from dataclasses import replace

from bot.messages.game_ui import Form
from bot.pictures.decks.palace import BACK, card
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
    in_rows,
    rows_with,
)
from games.contract import Event
from games.ending import Ended
from games.palace.cards import FIRST_BLIND, FIRST_PLAY, RANKS, SHOWS, counts, expand, play, ranks
from games.palace.view import View
from games.palace.words import ROUND, needed, on_top
from games.phrases import ordinal
from games.types import Seat, around, with_seats

NOTHING = DrawnCard(None, "")
"""The empty place of a card that was played."""
FANNED = 4
"""Cards of the pile that the table shows."""
ON_TOP = 4
"""Maximum number of cards of the pile in a strip: the card to beat, and the 7s on it."""
NEIGHBOURS = 3
"""Maximum number of other players in a strip."""


def table(view: View, names: Sequence[str]) -> TableScene:
    """Return the public table: the cards before the players, the sizes of their hands, pile and stock."""
    seats = tuple(_seat(view, seat, name) for seat, name in with_seats(names))
    top = tuple(card(kind) for kind in view.pile[-FANNED:])
    gone = sum(view.gone)
    piles = (
        Pile((DrawnCard(BACK, ""),) if view.stock else (), f"Stock {view.stock}"),
        Pile(top, f"Pile {len(view.pile)}"),
        Pile((DrawnCard(BACK, "", faded=True),) if gone else (), f"Gone {gone}"),
    )
    return TableScene(_title(view), "cards", seats, piles, _note(view))


def _title(view: View) -> str:
    if view.outcome is not None:
        return "The match is over"
    if view.phase == "show":
        return f"{sum(view.has_chosen)} of {len(view.has_chosen)} have chosen"
    return f"Play goes {ROUND[view.direction]}"


def _note(view: View) -> str:
    """Say which cards can go on the pile now."""
    if view.phase != "play":
        return ""
    takes = needed(view.top, view.options.allow_equal)
    return f"Takes {takes}" if view.pile else "A new pile takes any card"


def _seat(view: View, seat: Seat, name: str) -> SeatedPlayer:
    return SeatedPlayer(
        name,
        detail=_detail(view, seat),
        turn=view.outcome is None and seat in view.awaited,
        out=view.outcome is None and seat in view.finished,
        won=has_won(view.outcome, seat),
        rows=(_cards_before(view, seat),),
    )


def _cards_before(view: View, seat: Seat) -> tuple[DrawnCard, ...]:
    """Return the cards before a seat: those face up lie on those face down.

    Cards face down are numbered by their places when no card lies on them.
    """
    if not any(view.shown[seat]):
        return tuple(_blind(place) if lies else NOTHING for place, lies in enumerate(view.blind[seat], 1))
    up = [card(kind) for kind in expand(view.shown[seat])]
    down = sum(view.blind[seat])
    covered = [replace(each, under=BACK) if place < down else each for place, each in enumerate(up)]
    return (*covered, *(DrawnCard(None, "", under=BACK) for _ in range(down - len(up))))


def _blind(place: int) -> DrawnCard:
    return DrawnCard(BACK, f"face-down card {place}")


def _detail(view: View, seat: Seat) -> str:
    if view.outcome is not None:
        return final_place(view.outcome, seat)
    if seat in view.finished:
        return "out"
    if view.phase == "show":
        return "chosen" if view.has_chosen[seat] else "choosing"
    return f"hand {view.hand_sizes[seat]}"


def hand(view: View, names: Sequence[str], form: Form) -> HandScene:
    """Return the pile, and below it the player's own cards by rank. Cards that can go on the pile are lifted."""
    view = _as_chosen(view)
    assert view.seat is not None
    fits = {play(action)[0] for action in form.legal if FIRST_PLAY <= action < FIRST_BLIND}
    zone = view.zone
    held = [
        replace(card(kind).counted(number), lifted=zone == "hand" and kind in fits)
        for kind, number in enumerate(view.hand)
        if number
    ]
    before = [
        replace(
            each,
            lifted=zone == "table" and each.art is not None and each.alt in {RANKS[kind] for kind in fits},
        )
        for each in _cards_before(view, view.seat)
    ]
    own = Group(f"Your hand ({sum(view.hand)})", in_rows(held, 5 if form.style.large else 7))
    down, lies_on = sum(view.blind[view.seat]), "on " * any(view.shown[view.seat])
    table = Group(f"Before you ({lies_on}{down} face down)", (tuple(before),))
    lines = ((own,), (table,)) if held else ((table,),)
    return HandScene(lines, form.style.large, _strip(view, names) if view.phase == "play" else None)


def _as_chosen(view: View) -> View:
    """Return the view with the cards face up that its seat has chosen, which nobody else sees yet."""
    if view.show is None or (seat := view.seat) is None:
        return view
    up = counts(SHOWS[view.show])
    hand = tuple(held - chosen for held, chosen in zip(view.hand, up, strict=True))
    return replace(view, hand=hand, shown=(*view.shown[:seat], tuple(up), *view.shown[seat + 1 :]))


def _strip(view: View, names: Sequence[str]) -> Strip:
    """Return the pile, and the next players with the cards that they have left."""
    name = f"Pile of {len(view.pile)}" if view.pile else "No pile"
    pile = LaidCards(name, tuple(card(kind) for kind in on_top(view)[:ON_TOP]))
    return Strip((pile, *(_laid(view, seat, names[seat]) for seat in _next(view))), _note(view))


def _next(view: View) -> list[Seat]:
    """Return the seats that play next after the viewer, at most NEIGHBOURS."""
    assert view.seat is not None
    others = around(view.seat, len(view.shown))[1:][:: view.direction]
    return [seat for seat in others if seat not in view.finished][:NEIGHBOURS]


def _laid(view: View, seat: Seat, name: str) -> LaidCards:
    up = tuple(card(kind) for kind in expand(view.shown[seat]))
    down = tuple(DrawnCard(BACK, "face down") for lies in view.blind[seat] if lies)
    return LaidCards(name, up or down, detail=f"hand {view.hand_sizes[seat]}")


def own_cards(view: View, names: Sequence[str]) -> LaidCards | None:
    """Return the hand of the view's seat, and while it is hidden the choice of its face-up cards."""
    assert view.seat is not None
    held = tuple(card(kind).counted(number) for kind, number in enumerate(view.hand) if number)
    choice = "" if view.show is None else f"lays {ranks(SHOWS[view.show])}"
    return LaidCards(names[view.seat], held, detail=choice) if held else None


def score_sheet(event: Event, names: Sequence[str]) -> ScoreSheet | None:
    """Return the final placings when the event is the end of the match."""
    if not isinstance(event, Ended):
        return None
    outcome = event.outcome
    order = sorted(range(len(names)), key=lambda seat: (outcome.placings[seat], seat))
    rows = tuple(
        (names[seat], ordinal(outcome.placings[seat]), _left(outcome.scores[seat])) for seat in order
    )
    leaders = rows_with(1, [outcome.placings[seat] for seat in order])
    return ScoreSheet("The match is over", ("", "place", "cards left"), rows, leaders)


def _left(cards: int) -> str:
    return str(cards) if cards else "none"


def banner() -> Banner:
    """Return a banner with cards that do something special."""
    return Banner("Palace", tuple(card(RANKS.index(rank)) for rank in ("8", "Q", "7", "10")))


def example() -> HandScene:
    """Return Cleo's hand at her first turn in the rulebook's example."""
    nine, seven, five, king, ace = (RANKS.index(rank) for rank in ("9", "7", "5", "K", "A"))
    own = (replace(card(five).counted(2), lifted=True), card(king), replace(card(ace), lifted=True))
    pile = LaidCards("Pile of 3", (card(nine), card(seven)))
    return HandScene(
        ((Group("Cleo's hand (4)", (own,)),),), strip=Strip((pile,), f"Takes {needed(nine, False)}")
    )
