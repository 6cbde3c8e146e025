"""Texts of Palmer for players: actions, events and views, as Markdown for Discord."""

from collections.abc import Sequence
from typing import Final

from games.contract import Event
from games.defaults import naming
from games.defaults import question as question
from games.ending import Ended
from games.french import SIGN, signs
from games.palmer.actions import ALL_UP, BOTTOM, DRAW, PLACE, PLACE_NAMES, PLACES, TAKE, WAY, WHERE
from games.palmer.events import (
    DealBegan,
    DealScored,
    Drew,
    Looked,
    Peeked,
    Replaced,
    Score,
    Turned,
)
from games.palmer.view import View
from games.phrases import counted, ended, listed, short, whose_turn
from games.types import Action, Seat, with_seats

FACE_DOWN: Final = "?"
"""Sign for a face-down card; "♠7?" is one that only its player knows."""


def label(action: Action) -> str:
    """Return "Draw from the stock" or "Take the pile's top card for the top left"."""
    if action == DRAW:
        return "Draw from the stock"
    place = PLACE_NAMES[WHERE[action]]
    match WAY[action]:
        case way if way == TAKE:
            return f"Take the pile's top card for the {place}"
        case way if way == PLACE:
            return f"Place the drawn card at the {place}"
    return f"Turn over the {place}"


done = naming(label)


def narrate(event: Event, names: Sequence[str]) -> str:
    """Describe an event in one or a few short lines."""
    match event:
        case DealBegan():
            return _deal_began(event, names)
        case Peeked(cards=(left, right)):
            return f"Your bottom row: {SIGN[left]} on the left, {SIGN[right]} on the right."
        case Drew(seat=seat):
            return f"{names[seat]} draws from the stock."
        case Looked(card=card):
            return f"You drew {SIGN[card]}. Choose which of your face-down cards it replaces."
        case Replaced() | Turned():
            return f"{turn_line(event, names)}."
        case DealScored():
            lines = (_scored(score, names) for score in event.scores)
            return "\n".join([f"Scores of deal {event.deal}:", *lines, *gone(event, names)])
        case Ended(outcome=outcome):
            return ended(outcome, names, "point")
    return ""


def _deal_began(event: DealBegan, names: Sequence[str]) -> str:
    return (
        f"**Deal {event.deal}.** {names[event.dealer]} deals, {SIGN[event.card]} starts the pile, "
        f"{names[event.start]} begins."
    )


def turn_line(event: Replaced | Turned, names: Sequence[str]) -> str:
    """Return a turn in one line, without a full stop."""
    name, place = names[event.seat], PLACE_NAMES[event.place]
    if isinstance(event, Turned):
        return f"{name} turns over {SIGN[event.card]} ({place})"
    return f"{name} {'draws' if event.drawn else 'takes'} {SIGN[event.card]} for {SIGN[event.old]} ({place})"


def gone(event: DealScored, names: Sequence[str]) -> list[str]:
    """Return a line on the players who reached the limit in this deal, or no line."""
    totals = {score.seat: score.total for score in event.scores}
    return [f"Out: {listed(f'{names[seat]} with {totals[seat]}' for seat in event.out)}"] if event.out else []


def task(view: View) -> str:
    """Return what the player to act has to do; "" after the end."""
    if view.turn is None:
        return ""
    return "place the drawn card" if view.placing else "take, draw or turn over a card"


def _scored(score: Score, names: Sequence[str]) -> str:
    return f"{names[score.seat]}: {signs(score.square)} = {score.points}, total {score.total}."


def describe(view: View, names: Sequence[str]) -> str:
    """Return everything in the view, as text."""
    cut = [short(name, 16) for name in names]
    lines = [status(view, cut), f"**Palmer** · {heading(view)}", *own(view)]
    lines += (_seat(view, seat, name) for seat, name in with_seats(cut))
    lines.append(f"{FACE_DOWN} is a face-down card.")
    lines.append(
        f"Palmer pile, the top first: {signs(reversed(view.pile))}. Stock: {counted(view.stock, 'card')}."
    )
    if view.last and view.outcome is None:
        lines.append(
            "Last deal: " + ", ".join(f"{cut[score.seat]} {score.points}" for score in view.last) + "."
        )
    return "\n".join(lines)


def heading(view: View) -> str:
    """Return the number of the deal and the limit."""
    return f"**Deal {view.deal}** · out at {view.options.limit} points"


def status(view: View, names: Sequence[str]) -> str:
    """Return whose turn it is and what to do, or how the match ended."""
    if view.outcome is not None:
        return ended(view.outcome, names, "point")
    if view.turn is None:
        return ""
    number = view.up[view.turn].bit_count() + 1
    return f"{whose_turn([view.turn], names, view.seat, task(view))} · turn {number} of 4"


def own(view: View) -> list[str]:
    """Return lines on the cards that only this seat knows."""
    lines = []
    if view.seat is not None and view.up[view.seat] != ALL_UP:
        hidden = [place for place in BOTTOM if not view.up[view.seat] >> place & 1]
        known = ", ".join(f"{_sign(view, view.seat, place)} {PLACE_NAMES[place]}" for place in hidden)
        if known:
            lines.append(f"Face down, known only to you: {known}.")
    if view.drawn is not None:
        lines.append(f"You drew {SIGN[view.drawn]}.")
    return lines


def place(view: View, seat: Seat, where: int) -> str:
    """Return a card of a square: "♠7" face up, "?" face down, "♠7?" face down and known to this view's seat."""
    up = view.up[seat] >> where & 1
    return _sign(view, seat, where) + ("" if up else FACE_DOWN)


def _sign(view: View, seat: Seat, where: int) -> str:
    card = view.squares[seat][where]
    return "" if card is None else SIGN[card]


def _seat(view: View, seat: Seat, name: str) -> str:
    if not view.squares[seat]:
        return f"{name}: out in deal {view.out[seat]} with {counted(view.totals[seat], 'point')}."
    tops = " ".join(place(view, seat, where) for where in PLACES[:2])
    bottoms = " ".join(place(view, seat, where) for where in BOTTOM)
    return f"{name}, total {view.totals[seat]}: top {tops}, bottom {bottoms}."
