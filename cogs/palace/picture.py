"""How Palace looks: the cards before each player, the pile in the middle, one's own hand by rank below it."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from bot.pictures.hand_style import HandStyle
from bot.pictures.scene import Banner, Card, Group, Hand, Laid, Pile, Seat, Sheet, Strip, Table, in_rows
from cogs.palace import faces
from games.contract import Event
from games.palace.cards import FIRST_BLIND, FIRST_PLAY, RANKS, expand, play
from games.palace.events import Ended
from games.palace.view import View
from games.palace.words import ROUND, needed, on_top
from games.phrases import ordinal

NOTHING = Card("", "")
"""The place of a card that is gone."""
FANNED = 4
"""Cards of the pile that are seen."""
GLASS = 4
"""Cards of the pile in a strip: the one that counts, and 7s on it."""
NEIGHBOURS = 3
"""Other players in a strip."""


@cache
def card(kind: int) -> Card:
    """Return a card by its kind."""
    return Card(faces.face(kind), RANKS[kind])


def table(view: View, names: Sequence[str]) -> Table:
    """Show everything public: the cards before the players, how many they hold, pile and stock."""
    seats = tuple(_seat(view, seat, name) for seat, name in enumerate(names))
    top = tuple(card(kind) for kind in view.pile[-FANNED:])
    gone = sum(view.gone)
    piles = (
        Pile((Card(faces.BACK, ""),) if view.stock else (), f"Stock {view.stock}"),
        Pile(top, f"Pile {len(view.pile)}"),
        Pile((Card(faces.BACK, "", faded=True),) if gone else (), f"Gone {gone}"),
    )
    return Table(_title(view), "cards", seats, piles, _note(view))


def _title(view: View) -> str:
    if view.outcome is not None:
        return "The match is over"
    if view.phase == "show":
        return f"{sum(view.has_chosen)} of {len(view.has_chosen)} have chosen"
    return f"Play goes {ROUND[view.direction]}"


def _note(view: View) -> str:
    """Say what goes on the pile now."""
    if view.phase != "play":
        return ""
    takes = needed(view.top, view.options.allow_equal)
    return f"Takes {takes}" if view.pile else "A new pile takes any card"


def _seat(view: View, seat: int, name: str) -> Seat:
    return Seat(
        name,
        detail=_detail(view, seat),
        turn=view.outcome is None and seat in view.awaited,
        out=view.outcome is None and seat in view.finished,
        first=view.outcome is not None and view.outcome.placings[seat] == 1,
        rows=(_before(view, seat),),
    )


def _before(view: View, seat: int) -> tuple[Card, ...]:
    """Return the cards before a seat: those face up lie on those face down, which are told by their places."""
    if not any(view.shown[seat]):
        return tuple(_blind(place) if lies else NOTHING for place, lies in enumerate(view.blind[seat], 1))
    up = [card(kind) for kind in expand(view.shown[seat])]
    down = sum(view.blind[seat])
    covered = [replace(each, under=faces.BACK) if place < down else each for place, each in enumerate(up)]
    return (*covered, *(Card("", "", under=faces.BACK) for _ in range(down - len(up))))


def _blind(place: int) -> Card:
    return Card(faces.BACK, f"face-down card {place}")


def _detail(view: View, seat: int) -> str:
    if view.outcome is not None:
        return f"{ordinal(view.outcome.placings[seat])} place"
    if seat in view.finished:
        return "out"
    if view.phase == "show":
        return "chosen" if view.has_chosen[seat] else "choosing"
    return f"hand {view.hand_sizes[seat]}"


def hand(view: View, names: Sequence[str], looks: HandStyle, legal: Sequence[int]) -> Hand:
    """Show one's own cards by rank, with how many of each, below the pile; those that go on it are lifted."""
    assert view.seat is not None
    fits = {play(action)[0] for action in legal if FIRST_PLAY <= action < FIRST_BLIND}
    zone = view.zone
    held = [
        _counted(kind, number, zone == "hand" and kind in fits)
        for kind, number in enumerate(view.hand)
        if number
    ]
    before = [
        replace(
            each, lifted=zone == "table" and each.face != "" and each.said in {RANKS[kind] for kind in fits}
        )
        for each in _before(view, view.seat)
    ]
    own = Group(f"Your hand ({sum(view.hand)})", in_rows(held, 5 if looks.large else 7))
    down = sum(view.blind[view.seat])
    table = Group(f"Before you ({down} face down)", (tuple(before),))
    lines = ((own,), (table,)) if held else ((table,),)
    return Hand(lines, looks.large, _strip(view, names) if view.phase == "play" else None)


def _strip(view: View, names: Sequence[str]) -> Strip:
    """Show the pile, and the next players with what they have left."""
    name = f"Pile of {len(view.pile)}" if view.pile else "No pile"
    pile = Laid(name, tuple(card(kind) for kind in on_top(view)[:GLASS]))
    return Strip((pile, *(_laid(view, seat, names[seat]) for seat in _next(view))), _note(view))


def _next(view: View) -> list[int]:
    """Return the seats that play after one's own, in order, as many as a strip has room for."""
    assert view.seat is not None
    seats = len(view.shown)
    ring = [(view.seat + view.direction * step) % seats for step in range(1, seats)]
    return [seat for seat in ring if seat not in view.finished][:NEIGHBOURS]


def _laid(view: View, seat: int, name: str) -> Laid:
    up = tuple(card(kind) for kind in expand(view.shown[seat]))
    down = tuple(Card(faces.BACK, "face down") for lies in view.blind[seat] if lies)
    return Laid(name, up or down, detail=f"hand {view.hand_sizes[seat]}")


def _counted(kind: int, number: int, fits: bool) -> Card:
    return replace(card(kind), badge=f"×{number}" * (number > 1), lifted=fits)


def sheet(event: Event, names: Sequence[str]) -> Sheet | None:
    """Show the final placings."""
    if not isinstance(event, Ended):
        return None
    outcome = event.outcome
    order = sorted(range(len(names)), key=lambda seat: (outcome.placings[seat], seat))
    rows = tuple(
        (names[seat], ordinal(outcome.placings[seat]), _left(outcome.scores[seat])) for seat in order
    )
    first = tuple(row for row, seat in enumerate(order) if outcome.placings[seat] == 1)
    return Sheet("The match is over", ("", "place", "cards left"), rows, first)


def _left(cards: int) -> str:
    return str(cards) if cards else "none"


def banner() -> Banner:
    """Show cards that do something."""
    return Banner("Palace", tuple(card(RANKS.index(rank)) for rank in ("8", "Q", "7", "10")))


def example() -> Hand:
    """Show Cleo's first turn in the rulebook's example, as she sees it."""
    nine, seven, five, king, ace = (RANKS.index(rank) for rank in ("9", "7", "5", "K", "A"))
    own = (_counted(five, 2, fits=True), card(king), replace(card(ace), lifted=True))
    pile = Laid("Pile of 3", (card(nine), card(seven)))
    return Hand(((Group("Cleo's hand (4)", (own,)),),), strip=Strip((pile,), f"Takes {needed(nine, False)}"))
