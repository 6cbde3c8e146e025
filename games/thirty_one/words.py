"""Thirty-One in words: actions, events and views, as Markdown for Discord."""

from collections.abc import Sequence

from games.contract import Event
from games.elimination import left_of
from games.french import SIGN, SYMBOLS, signs
from games.phrases import counted, ended, listed, short
from games.thirty_one.actions import DISCARD, DRAW, KNOCK, TAKE
from games.thirty_one.events import (
    DealBegan,
    Dealt,
    Discarded,
    Drew,
    Ended,
    HadThirtyOne,
    HandsShown,
    Knocked,
    Looked,
    Refilled,
    Shown,
    Took,
    WentOut,
)
from games.thirty_one.values import all_suits, by_suit
from games.thirty_one.view import View


def label(action: int) -> str:
    """Draw from the stock; Discard ♠7."""
    named = {DRAW: "Draw from the stock", TAKE: "Take the top discard", KNOCK: "Knock"}
    return named.get(action) or f"Discard {SIGN[action - DISCARD]}"


def points(worth: int) -> str:
    """Half points as people write them: 21, 30½."""
    return f"{worth // 2}{'½' * (worth % 2)}"


def narrate(event: Event, names: Sequence[str]) -> str:
    """One or a few short lines telling the event."""
    match event:
        case DealBegan():
            return _deal_began(event, names)
        case Dealt(cards=cards):
            return f"Your hand: {signs(cards)}."
        case HadThirtyOne() | HandsShown():
            return _deal_ended(event, names)
        case WentOut(seats=seats):
            return f"{listed(names[seat] for seat in seats)} {'is' if len(seats) == 1 else 'are'} out."
        case Ended(outcome=outcome):
            return ended(outcome, names, "token")
    return _turn(event, names)


def _turn(event: Event, names: Sequence[str]) -> str:
    """What happens in a turn."""
    match event:
        case Refilled(cards=cards):
            return f"The stock is used up; {counted(cards, 'discard')} are shuffled and are the new stock."
        case Drew(seat=seat):
            return f"{names[seat]} draws from the stock."
        case Looked(card=card):
            return f"You drew {SIGN[card]}."
        case Took(seat=seat, card=card):
            return f"{names[seat]} takes {SIGN[card]}."
        case Discarded(seat=seat, card=card):
            return f"{names[seat]} discards {SIGN[card]}."
        case Knocked(seat=seat):
            return f"**{names[seat]} knocks.** Everybody else has one more turn."
    return ""


def _deal_began(event: DealBegan, names: Sequence[str]) -> str:
    return (
        f"**Deal {event.deal}.** {names[event.dealer]} deals; {SIGN[event.card]} is turned up, "
        f"and {names[event.start]} begins."
    )


def _deal_ended(event: HadThirtyOne | HandsShown, names: Sequence[str]) -> str:
    if isinstance(event, HandsShown):
        head = "The turns of this deal are used up. " if event.knocker is None else ""
        hands = (f"{names[hand.seat]}: {_worth(hand)}." for hand in event.shown)
        return "\n".join([f"{head}All hands are shown:", *hands, _paid(event.payments, names)])
    verb = "is dealt" if event.dealt else "has"
    hands = (f"{names[hand.seat]} {verb} **31**: {signs(hand.cards)}." for hand in event.shown)
    paid = "Everybody else puts in a token." if any(event.payments) else "So nobody pays."
    return f"{' '.join(hands)} {paid}"


def _worth(hand: Shown) -> str:
    return f"{signs(hand.cards)} = {points(hand.worth)}"


def _paid(payments: Sequence[int], names: Sequence[str]) -> str:
    """Ben puts in 2 tokens. Cleo and Dan put in a token each."""
    sentences = []
    for paid in sorted({*payments} - {0}, reverse=True):
        payers = [names[seat] for seat, payment in enumerate(payments) if payment == paid]
        tokens = "a token" if paid == 1 else counted(paid, "token")
        several = len(payers) > 1
        sentences.append(f"{listed(payers)} put{'' if several else 's'} in {tokens}{' each' * several}.")
    return " ".join(sentences) or "All hands are equal, so nobody pays."


def describe(view: View, names: Sequence[str]) -> str:
    """Everything the view says."""
    cut = [short(name, 16) for name in names]
    lines = [heading(view), status(view, cut), knocked(view, cut), own(view)]
    lines += (_seat(view, seat, name) for seat, name in enumerate(cut))
    lines.append(f"Discards, the top first: {signs(reversed(view.discards))}.")
    lines.append(f"Stock: {counted(view.stock, 'card')}{_refilled(view)}.")
    if view.last is not None and view.outcome is None:
        lines.append(f"Last deal: {_last(view.last, cut)}.")
    return "\n".join(filter(None, lines))


def heading(view: View) -> str:
    """The game, its options and how far it is."""
    variants = [", any suit" * view.options.any_suit, ", three of a kind 30½" * view.options.three_of_a_kind]
    return f"**Thirty-One{''.join(variants)}**, deal {view.deal}"


def status(view: View, names: Sequence[str]) -> str:
    """Who is to do what, or how it ended."""
    if view.outcome is not None or view.turn is None:
        return "" if view.outcome is None else ended(view.outcome, names, "token")
    who = "You are" if view.turn == view.seat else f"{names[view.turn]} is"
    if view.discarding:
        return f"{who} to discard a card."
    if view.knocker is None:
        return f"{who} to draw, take the top discard or knock."
    return f"{who} to draw or take the top discard."


def knocked(view: View, names: Sequence[str]) -> str:
    """Who has knocked, and who has a last turn."""
    if view.knocker is None or view.turn is None:
        return ""
    last = [view.turn]
    while (following := left_of(last[-1], view.out)) != view.knocker:
        last.append(following)
    knocker = "You have" if view.knocker == view.seat else f"{names[view.knocker]} has"
    return f"{knocker} knocked. Last turns: {', '.join(names[seat] for seat in last)}."


def own(view: View) -> str:
    """The own hand, and what its suits count."""
    if not view.hand:
        return ""
    suits = ", ".join(f"{SYMBOLS[suit]} {total}" for suit, total in enumerate(by_suit(view.hand)) if total)
    if view.options.any_suit:
        suits = "all cards" if len(view.hand) > 3 else f"together {all_suits(view.hand)}"
    return f"Your hand: {signs(view.hand)} ({suits})."


def _seat(view: View, seat: int, name: str) -> str:
    if view.out[seat]:
        return f"{name}: out in deal {view.out[seat]}."
    known = [signs(view.known[seat])] * bool(view.known[seat])
    hidden = [_hidden(view, seat)] * bool(view.hidden[seat])
    return f"{name}: {counted(view.tokens[seat], 'token')}; {' and '.join(known + hidden)}."


def _hidden(view: View, seat: int) -> str:
    """3 hidden cards, and how many of them can be none of the discards that were shuffled last."""
    older = sum(batch < view.refills for batch in view.hidden[seat])
    since = f" ({older} drawn before the last shuffle)" if older else ""
    return f"{counted(len(view.hidden[seat]), 'hidden card')}{since}"


def _refilled(view: View) -> str:
    if not view.refills:
        return ""
    return f", {counted(view.refills, 'time')} made anew out of the discards"


def _last(last: HadThirtyOne | HandsShown, names: Sequence[str]) -> str:
    return ", ".join(f"{names[hand.seat]} {points(hand.worth)}" for hand in last.shown)


def holdings(view: View, names: Sequence[str]) -> str:
    """Everybody's tokens and the cards they are known to hold, in a code block at most 32 wide."""
    rows = (_holding(view, seat, f"{seat + 1} {short(name, 10):10}") for seat, name in enumerate(names))
    return "\n".join(["```", f"{'':12} tok cards", *rows, "```"])


def _holding(view: View, seat: int, head: str) -> str:
    if view.out[seat]:
        return f"{head}   - out"
    cards = [SIGN[card] for card in view.known[seat]] + ["?"] * len(view.hidden[seat])
    return f"{head} {view.tokens[seat]:>3} {' '.join(cards)}"
