"""Texts of Thirty-One for players: actions, events and views, as Markdown for Discord."""

from collections.abc import Sequence

from games.contract import Event
from games.defaults import question as question
from games.elimination import left_of
from games.ending import Ended
from games.french import SIGN, SYMBOLS, signs
from games.phrases import counted, ended, listed, short, whose_turn
from games.thirty_one.actions import DISCARD, DRAW, KNOCK, TAKE
from games.thirty_one.events import (
    DealBegan,
    Dealt,
    Discarded,
    Drew,
    HadThirtyOne,
    HandsShown,
    Knocked,
    Looked,
    Refilled,
    Took,
)
from games.thirty_one.state import HELD
from games.thirty_one.values import all_suits, by_suit, worth
from games.thirty_one.view import View
from games.types import Action, Seat, with_seats


def label(action: Action) -> str:
    """Return "Draw from the stock", "Drop ♠7" and so on."""
    named = {DRAW: "Draw from the stock", TAKE: "Take the top discard", KNOCK: "Knock"}
    return named.get(action) or f"Drop {SIGN[action - DISCARD]}"


def done(action: Action, events: Sequence[Event]) -> str:
    """Return "You drew ♠7", or the label of another action."""
    drawn = (f"You drew {SIGN[event.card]}" for event in events if isinstance(event, Looked))
    return next(drawn, label(action))


def points(half_points: int) -> str:
    """Return half points as points: "21" or "30½"."""
    return f"{half_points // 2}{'½' * (half_points % 2)}"


def narrate(event: Event, names: Sequence[str]) -> str:
    """Describe an event in one or a few short lines."""
    match event:
        case DealBegan():
            return f"{deal_began(event, names)}."
        case Dealt(cards=cards):
            return f"Your hand: {signs(cards)}."
        case HadThirtyOne() | HandsShown():
            return "\n".join(deal_ended(event, names))
        case Refilled():
            return f"{refilled(event)}."
        case Looked(card=card):
            return f"You drew {SIGN[card]}."
        case Drew(seat=seat) | Took(seat=seat) | Discarded(seat=seat):
            return f"{names[seat]} {action(event)}."
        case Knocked(seat=seat):
            return f"**{names[seat]} knocks.** Everybody else has one more turn."
        case Ended(outcome=outcome):
            return ended(outcome, names, "token")
    return ""


def action(event: Drew | Took | Discarded) -> str:
    """Return the verb and card that follow the player's name: "takes ♦9"."""
    match event:
        case Took(card=card):
            return f"takes {SIGN[card]}"
        case Discarded(card=card):
            return f"drops {SIGN[card]}"
    return "draws"


def refilled(event: Refilled) -> str:
    """Return "18 discards are shuffled and become the new stock"."""
    become = "becomes" if event.cards == 1 else "are shuffled and become"
    return f"{counted(event.cards, 'discard')} {become} the new stock"


def deal_began(event: DealBegan, names: Sequence[str]) -> str:
    """Return the heading of a deal."""
    return (
        f"**Deal {event.deal}** · {names[event.dealer]} deals, {SIGN[event.card]} is turned up, "
        f"{names[event.start]} begins"
    )


def deal_ended(event: HadThirtyOne | HandsShown, names: Sequence[str]) -> list[str]:
    """Return a line with the hands shown, the best first, and a line with payments and players who are out."""
    hands = sorted(event.shown, key=lambda hand: -hand.worth)
    out = [names[seat] for seat in event.out]
    gone = f" {listed(out)} {'is' if len(out) == 1 else 'are'} out." if out else ""
    if isinstance(event, HadThirtyOne):
        verb = "is dealt" if event.dealt else "has"
        shown = " · ".join(f"{names[hand.seat]} {verb} {signs(hand.cards)}" for hand in hands)
        paid = "Everybody else pays a token." if any(event.payments) else "Nobody pays."
        return [f"**31!** {shown}", paid + gone]
    ran_out = "No turns are left. " if event.knocker is None else ""
    shown = " · ".join(
        f"{short(names[hand.seat], 16)} {signs(hand.cards)} = **{points(hand.worth)}**" for hand in hands
    )
    return [f"{ran_out}Shown: {shown}", _paid(event.payments, names) + gone]


def _paid(payments: Sequence[int], names: Sequence[str]) -> str:
    """Return "Ben pays 2 tokens. Cleo and Dan pay a token each."."""
    sentences = []
    for paid in sorted({*payments} - {0}, reverse=True):
        payers = [names[seat] for seat, payment in with_seats(payments) if payment == paid]
        tokens = "a token" if paid == 1 else counted(paid, "token")
        several = len(payers) > 1
        sentences.append(f"{listed(payers)} {'pay' if several else 'pays'} {tokens}{' each' * several}.")
    return " ".join(sentences) or "All hands are equal, so nobody pays."


def describe(view: View, names: Sequence[str]) -> str:
    """Return everything in the view, as text."""
    cut = [short(name, 16) for name in names]
    lines = [status(view, cut), heading(view), knocked(view, cut), own(view)]
    lines += (_seat(view, seat, name) for seat, name in with_seats(cut))
    lines.append(f"Discards, the top first: {signs(reversed(view.discards))}.")
    lines.append(f"Stock: {counted(view.stock, 'card')}{_refilled(view)}.")
    if view.last is not None and view.outcome is None:
        lines.append(f"Last deal: {_last(view.last, cut)}.")
    return "\n".join(filter(None, lines))


def heading(view: View) -> str:
    """Return the game, its options and the number of the deal."""
    variants = [", any suit" * view.options.any_suit, ", three of a kind 30½" * view.options.three_of_a_kind]
    return f"**Thirty-One{''.join(variants)}**, deal {view.deal}"


def task(view: View) -> str:
    """Return what the player to act has to do; "" after the end."""
    if view.outcome is not None or view.turn is None:
        return ""
    if view.discarding:
        return "drop a card"
    top = SIGN[view.discards[-1]]
    return f"draw, take {top} or knock" if view.knocker is None else f"draw or take {top}"


def status(view: View, names: Sequence[str]) -> str:
    """Return whose turn it is and what to do, or how the match ended."""
    if view.outcome is not None or view.turn is None:
        return "" if view.outcome is None else ended(view.outcome, names, "token")
    return whose_turn([view.turn], names, view.seat, task(view))


def situation(view: View, names: Sequence[str]) -> str:
    """Return the line above a hand: "**Your turn** · draw or take ♦9 · you hold 24 in ♠ · Ben has knocked, last turn ·
    deal 3"."""
    if view.outcome is not None:
        return status(view, names)
    parts = [status(view, names), _holding_now(view), _has_knocked(view, names), f"deal {view.deal}"]
    return " · ".join(filter(None, parts))


def _holding_now(view: View) -> str:
    """Return "you hold 24 in ♠"; "" with four cards, of which one is to be dropped."""
    if view.seat is not None and view.out[view.seat]:
        return "you are out"
    if len(view.hand) != HELD:
        return ""
    held = worth(view.hand, view.options)
    suits = by_suit(view.hand)
    of_suit = not view.options.any_suit and held == 2 * max(suits)
    return f"you hold {points(held)}" + (f" in {SYMBOLS[suits.index(max(suits))]}" if of_suit else "")


def _has_knocked(view: View, names: Sequence[str]) -> str:
    if view.knocker is None:
        return ""
    return (
        "you have knocked" if view.knocker == view.seat else f"{names[view.knocker]} has knocked, last turn"
    )


def knocked(view: View, names: Sequence[str]) -> str:
    """Return who has knocked and who has a last turn."""
    if view.knocker is None or view.turn is None:
        return ""
    last = [view.turn]
    while (following := left_of(last[-1], view.out)) != view.knocker:
        last.append(following)
    knocker = "You have" if view.knocker == view.seat else f"{names[view.knocker]} has"
    return f"{knocker} knocked. Last turns: {', '.join(names[seat] for seat in last)}."


def own(view: View) -> str:
    """Return the cards of this seat, their total in each suit, and which one was taken in this turn."""
    if not view.hand:
        return ""
    suits = ", ".join(f"{SYMBOLS[suit]} {total}" for suit, total in enumerate(by_suit(view.hand)) if total)
    if view.options.any_suit:
        suits = "all cards" if len(view.hand) > 3 else f"together {all_suits(view.hand)}"
    took = f" You took {SIGN[view.taken]}." if view.taken in view.hand else ""
    return f"Your hand: {signs(view.hand)} ({suits}).{took}"


def _seat(view: View, seat: Seat, name: str) -> str:
    if view.out[seat]:
        return f"{name}: out in deal {view.out[seat]}."
    known = [signs(view.known[seat])] * bool(view.known[seat])
    hidden = [_hidden(view, seat)] * bool(view.hidden[seat])
    return f"{name}: {counted(view.tokens[seat], 'token')}; {' and '.join(known + hidden)}."


def _hidden(view: View, seat: Seat) -> str:
    """Return "3 hidden cards (1 drawn before the last shuffle)"."""
    older = sum(batch < view.refills for batch in view.hidden[seat])
    since = f" ({older} drawn before the last shuffle)" if older else ""
    return f"{counted(len(view.hidden[seat]), 'hidden card')}{since}"


def _refilled(view: View) -> str:
    if not view.refills:
        return ""
    return f"; discards have been shuffled into it {counted(view.refills, 'time')}"


def _last(last: HadThirtyOne | HandsShown, names: Sequence[str]) -> str:
    return ", ".join(f"{names[hand.seat]} {points(hand.worth)}" for hand in last.shown)
