"""How Twin Palms looks: what lies on the table, one's own hand, and the sheet of a round."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Final

from bot.looks import Looks
from bot.pictures.scene import Card, Group, Hand, Seat, Sheet, Table, in_rows
from cogs.twin_palms import faces
from games.contract import Event
from games.phrases import ordinal
from games.twin_palms.cards import BETS, CARDS, NUMBERS, WILD
from games.twin_palms.events import RoundScored
from games.twin_palms.state import TRICKS
from games.twin_palms.view import View

SUIT_NAMES: Final = ("Palm", "Dolphin", "Sunglasses")


@cache
def card(kind: int, stated: int | None = None) -> Card:
    """A card; of a wild on the table, with the number it was stated to be."""
    suit, number = divmod(kind, WILD + 1)
    name = SUIT_NAMES[suit]
    if number != WILD:
        return Card(faces.face(kind), f"{name} {number}")
    return Card(faces.face(kind, stated), f"{name} wild" if stated is None else f"{name} {stated} wild")


def table(view: View, names: Sequence[str]) -> Table:
    """Everything public: this trick's cards before their players, bids and tricks won."""
    number = f"{view.round} of {view.rounds}" if view.round <= view.rounds else f"{view.round}, a further one"
    trick = f" · trick {len(view.tricks) + 1} of {TRICKS}" if view.phase == "play" else ""
    seats = tuple(_seat(view, seat, name) for seat, name in enumerate(names))
    return Table(f"Round {number}{trick}", "sand dollars", seats, mark=faces.SAND_DOLLAR, note=_note(view))


def _seat(view: View, seat: int, name: str) -> Seat:
    return Seat(
        name,
        score=str(view.dollars[seat]),
        detail=_detail(view, seat),
        turn=seat in view.awaited,
        first=view.outcome is not None and view.outcome.placings[seat] == 1,
        rows=(_laid(view, seat),),
    )


def _detail(view: View, seat: int) -> str:
    if view.outcome is not None:
        return f"{ordinal(view.outcome.placings[seat])} place"
    if view.bids is None:
        state = "has bid" if view.has_bid[seat] else "bidding"
        return f"{state} · leads" if seat == view.start else state
    stake = view.stakes[seat] if view.stakes else 0
    won = f"won {view.won[seat]}/{view.bids[seat] // len(BETS)}"
    if not view.trick and view.tricks and view.tricks[-1].winner == seat:
        return f"{won} · took it"
    return f"{won} · stake {stake}" if stake else won


def _laid(view: View, seat: int) -> tuple[Card, ...]:
    """What the seat has in the present trick; what it had in the last one, until the next is led; else its hand."""
    if view.phase != "bid":
        last = not view.trick and view.tricks
        leader, plays = (view.tricks[-1].leader, view.tricks[-1].plays) if last else (view.leader, view.trick)
        turn = (seat - leader) % len(view.dollars)
        if turn < len(plays):
            faded = bool(last) and view.tricks[-1].winner != seat
            return tuple(replace(each, faded=faded) for each in _played(plays[turn]))
    held = view.hand_sizes[seat]
    return (Card(faces.BACK, "cards in hand", badge=f"×{held}"),) if held else ()


def _played(play: int) -> list[Card]:
    pairs = zip(CARDS[play], NUMBERS[play], strict=True)
    return [card(kind, number if kind % (WILD + 1) == WILD else None) for kind, number in pairs]


def _note(view: View) -> str:
    if view.outcome is not None:
        return "The match is over"
    if view.phase == "bid":
        return f"{sum(view.has_bid)} of {len(view.has_bid)} have bid"
    if view.tricks and not view.trick and view.tricks[-1].winner is None:
        return f"Nobody takes trick {len(view.tricks)}"
    return ""


def hand(view: View, looks: Looks) -> Hand:
    """One's own cards."""
    kinds = view.hand
    if looks.order == "rank":
        kinds = tuple(sorted(kinds, key=lambda kind: (kind % (WILD + 1), kind)))
    rows = in_rows([card(kind) for kind in kinds], 4 if looks.large else 5)
    return Hand(((Group("Your hand", rows),),), looks.large)


def sheet(event: Event, names: Sequence[str]) -> Sheet | None:
    """The score sheet of a round."""
    if not isinstance(event, RoundScored):
        return None
    rows = (
        (name, str(row.bid), str(row.tricks), str(row.stake or ""), f"{row.points:+}", str(row.total))
        for name, row in zip(names, event.rows, strict=True)
    )
    best = max(row.total for row in event.rows)
    first = tuple(seat for seat, row in enumerate(event.rows) if row.total == best)
    return Sheet(f"Round {event.round}", ("", "bid", "won", "stake", "points", "total"), tuple(rows), first)
