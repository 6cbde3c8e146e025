"""Texts of Liar's Dice for players: actions, events and views, as Markdown for Discord."""

from collections.abc import Iterable, Sequence
from typing import Final

from games.contract import Event
from games.defaults import question as question
from games.ending import Ended
from games.liars_dice.actions import CALZA, DICE, DOUBT, FACE, NO_BID, ONE, QUANTITY, allowed
from games.liars_dice.events import BidMade, Rolled, RoundBegan, RoundEnded
from games.liars_dice.view import View
from games.phrases import FACE_NAMES, counted, ended, short, whose_turn
from games.types import Action, Seat, with_seats

_UNITS: Final = (*FACE_NAMES[1:], "seven", "eight", "nine")
NUMBERS: Final = (
    "no",
    *_UNITS,
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
    *(f"twenty-{unit}" for unit in _UNITS),
    "thirty",
)
"""Numbers of dice in words."""
YOU: Final = "You"
PALIFICO: Final = "**palifico**: ones are not wild, the first bid fixes the face"
LATEST: Final = 12
"""Number of bids of a round that a description has; earlier ones are left out."""


def bid(action: Action) -> str:
    """Return a bid in words: "seven fives", "a five"."""
    return f"a {FACE_NAMES[FACE[action]]}" if QUANTITY[action] == 1 else faces(QUANTITY[action], FACE[action])


def faces(quantity: int, face: int) -> str:
    """Return a quantity of a face in words: "one five", "no sixes"."""
    return f"{NUMBERS[quantity]} {face_name(face, quantity)}"


def face_name(face: int, quantity: int) -> str:
    """Return the name of a face for a quantity of it: "five" for 1, "fives" for any other."""
    ending = "" if quantity == 1 else "es" if face == 6 else "s"
    return f"{FACE_NAMES[face]}{ending}"


def label(action: Action) -> str:
    """Return "Bid seven fives", "Doubt" or "Calza: exactly"."""
    return {DOUBT: "Doubt", CALZA: "Calza: exactly"}.get(action) or f"Bid {bid(action)}"


def cup(dice: Iterable[int]) -> str:
    """Return the faces of dice: "1 3 3 5 6"."""
    return " ".join(map(str, dice))


def narrate(event: Event, names: Sequence[str]) -> str:
    """Describe an event in one or a few short lines."""
    match event:
        case RoundBegan():
            return f"{round_began(event, names)}."
        case Rolled(cup=dice):
            return f"Your cup: {cup(dice)}."
        case BidMade():
            return f"{bid_made(event, names)}."
        case RoundEnded():
            return "\n".join(round_ended(event, names))
        case Ended(outcome=outcome):
            return ended(outcome, names, "die")
    return ""


def round_began(event: RoundBegan, names: Sequence[str]) -> str:
    """Return the heading of a round."""
    palifico = f" · {PALIFICO}" * event.palifico
    return f"**Round {event.round}** · {sum(event.dice)} dice{palifico} · {names[event.opener]} opens"


def bid_made(event: BidMade, names: Sequence[str]) -> str:
    """Return "Ben bids seven fives"."""
    return f"{names[event.seat]} bids {bid(event.bid)}"


def round_ended(event: RoundEnded, names: Sequence[str]) -> list[str]:
    """Return three lines: the call, all cups, and what follows."""
    calls = "calls calza on" if event.calza else "doubts"
    what = f"{names[event.bidder]}'s bid of {bid(event.bid)}"
    shown = f"Shown: {_cups(event, names)}."
    return [f"**{names[event.caller]} {calls} {what}.**", shown, _verdict_line(event, names)]


def _cups(event: RoundEnded, names: Sequence[str]) -> str:
    return " · ".join(f"{names[seat]} {cup(dice)}" for seat, dice in with_seats(event.cups) if dice)


def _verdict_line(event: RoundEnded, names: Sequence[str]) -> str:
    found = "with ones, " * _has_ones(event) + faces(event.found, FACE[event.bid])
    there = f"{found} {'is' if event.found == 1 else 'are'} there".capitalize()
    return f"{there}: **{verdict(event)}** {hit(event, names)}"


def _has_ones(event: RoundEnded) -> bool:
    """Return whether ones were counted as another face."""
    return event.wild and FACE[event.bid] != ONE and any(ONE in dice for dice in event.cups)


def verdict(event: RoundEnded) -> str:
    """Return what a round's end is called: "Busted!", "Honest!", "On the nose!" or "Not exactly!"."""
    if event.calza:
        return "On the nose!" if event.right else "Not exactly!"
    return "Busted!" if event.right else "Honest!"


def hit(event: RoundEnded, names: Sequence[str]) -> str:
    """Return who lost or gained a die: "Ben loses a die and has three."."""
    return _cost(event, names[event.hit])


def done(action: Action, events: Sequence[Event]) -> str:
    """Return the label of an action; for a call, on a line of its own, what was counted and what it cost: "**Honest!**
    Four fives were bid, with ones five are there. You lose a die and have three."."""
    end = next((event for event in events if isinstance(event, RoundEnded)), None)
    if end is None:
        return label(action)
    cost = _cost(end, YOU if end.hit == end.caller else f"Seat {end.hit + 1}")
    shown = _cups(end, [f"Seat {seat + 1}" for seat in range(len(end.cups))])
    return f"{label(action)}\n🎲 **{verdict(end)}** {counting(end).capitalize()}. {cost}\nShown: {shown}."


def counting(event: RoundEnded) -> str:
    """Return "four fives were bid, with ones five are there"."""
    there = "with ones " * _has_ones(event) + (NUMBERS[event.found] if event.found else "none")
    return (
        f"{bid(event.bid)} {'was' if QUANTITY[event.bid] == 1 else 'were'} bid, "
        f"{there} {'are' if event.found > 1 else 'is'} there"
    )


def _cost(event: RoundEnded, who: str) -> str:
    """Return what a call cost or gained `who`: a name, or "You"."""
    own, left = who == YOU, event.dice[event.hit]
    s, has = ("", "have") if own else ("s", "has")
    if not left:
        return f"{who} lose{s} {'your' if own else 'the'} last die and {'are' if own else 'is'} out."
    if not (event.calza and event.right):
        return f"{who} lose{s} a die and {has} {NUMBERS[left]}."
    if len(event.cups[event.hit]) == DICE:
        return f"{who} keep{s} {NUMBERS[DICE]} dice, the most there are."
    return f"{who} win{s} back a die and {has} {NUMBERS[left]}."


def describe(view: View, names: Sequence[str]) -> str:
    """Return everything in the view, as text."""
    cut = [short(name, 16) for name in names]
    lines = [status(view, cut), f"**Liar's Dice** · {heading(view)}", _last(view, cut), own(view)]
    lines += (_seat(view, seat, name) for seat, name in with_seats(cut))
    lines.append(bids(view, cut))
    return "\n".join(filter(None, lines))


def heading(view: View) -> str:
    """Return the round, the dice in play, and what ones are."""
    ones = PALIFICO if view.palifico else "ones are wild"
    return f"**Round {view.round}** · {counted(sum(view.dice), 'die')} in play · {ones}"


def task(view: View) -> str:
    """Return what the player to act has to do; "" after the end."""
    if view.turn is None:
        return ""
    if view.standing == NO_BID:
        return "open with a bid"
    return f"doubt {bid(view.standing)}{' or bid higher' * may_raise(view)}"


def may_raise(view: View) -> bool:
    """Return whether a higher bid is left to the player to act."""
    assert view.turn is not None
    return bool(allowed(view.standing, view.dice, view.turn, palifico=view.palifico))


def status(view: View, names: Sequence[str]) -> str:
    """Return whose turn it is and what to do, or how the match ended."""
    if view.outcome is not None or view.turn is None:
        return "" if view.outcome is None else ended(view.outcome, names, "die")
    return whose_turn([view.turn], names, view.seat, task(view))


def own(view: View) -> str:
    """Return the dice of this seat."""
    return f"Your cup: {cup(view.cup)}." if view.cup else ""


def _seat(view: View, seat: Seat, name: str) -> str:
    if view.out[seat]:
        return f"{name}: out in round {view.out[seat]}."
    return f"{name}: {counted(view.dice[seat], 'die')}."


def bids(view: View, names: Sequence[str]) -> str:
    """Return the bids of this round, the last one in bold; "" if there are none."""
    made = [f"{names[seat]} {bid(action)}" for seat, action in view.bids]
    if not made:
        return ""
    earlier = ["…"] * (len(made) > LATEST)
    return f"Bids: {' · '.join([*earlier, *made[-LATEST:-1], f'**{made[-1]}**'])}."


def _last(view: View, names: Sequence[str]) -> str:
    """Return how the last round ended; "" for the player who ended it, and as soon as somebody bids."""
    # The caller was told at once; later the record has it.
    if view.last is None or view.bids or view.last.caller == view.seat:
        return ""
    return f"Round {view.last.round}: " + " ".join(round_ended(view.last, names)).replace("**", "")


def situation(view: View, names: Sequence[str]) -> str:
    """Return the line above a hand: "**Your turn** · doubt a five or bid higher · Ben's bid · round 4 · 22 dice"."""
    if view.outcome is not None:
        return status(view, names)
    whose = "" if view.bidder is None else "your" if view.bidder == view.seat else f"{names[view.bidder]}'s"
    parts = [
        *(status(view, names), f"{whose} bid" * bool(whose), "you are out" * _is_out(view)),
        *(f"round {view.round}", counted(sum(view.dice), "die"), PALIFICO * view.palifico),
    ]
    return " · ".join(filter(None, parts))


def _is_out(view: View) -> bool:
    return view.seat is not None and bool(view.out[view.seat])
