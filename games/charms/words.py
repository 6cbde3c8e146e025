"""Texts of Charms for players: actions, events and views, as Markdown for Discord."""

from collections.abc import Iterable, Sequence
from typing import Final

from games import tricks
from games.charms.cards import (
    BIDS,
    CARDS,
    GOOD,
    NO_SUIT,
    NUMBER_CARDS,
    SIGNS,
    SUIT_NAMES,
    SUITS,
    TRICKS,
    kinds,
    signs,
)
from games.charms.events import (
    BidIn,
    BidMade,
    BidsRevealed,
    Dealt,
    DealVoid,
    HandBegan,
    HandScored,
    Played,
    Redealt,
    ScoreRow,
    TrickTaken,
    TrumpTurned,
)
from games.charms.follow import first_reason, reason
from games.charms.view import View, best
from games.contract import Event
from games.defaults import naming
from games.defaults import question as question
from games.ending import Ended
from games.phrases import chosen, counted, ended, short, whose_turn
from games.types import Action, Seat, with_seats

DESCRIBED: Final = 1500
"""Limit of a description, in characters."""


def suit_name(suit: int) -> str:
    """Return "🪙C coin"."""
    return f"{SIGNS[suit]} {SUIT_NAMES[suit]}"


def label(action: Action) -> str:
    """Return "Bid 3", "🪙C coin", "7" or "🪙C 7"."""
    if action in BIDS:
        return f"Bid {action}"
    played = CARDS[action]
    return suit_name(played[0]) if played[0] in SUITS and len(played) == 1 else pair(*played)


done = naming(label)


def pair(*cards: int) -> str:
    """Return cards side by side: "🪙C 7"."""
    return " ".join(SIGNS[kind] for kind in cards)


def narrate(event: Event, names: Sequence[str]) -> str:
    """Describe an event in one or a few short lines; "" when there is nothing to say."""
    match event:
        case Played():
            return _played(event, names[event.seat])
        case TrickTaken(trick=trick, winner=winner):
            return f"{names[winner]} takes trick {trick}."
        case BidIn():
            return ""  # the table shows how many have bid
        case BidMade(seat=seat, bid=bid):
            return f"{names[seat]} bids {bid}."
        case BidsRevealed(bids=bids):
            listed = ", ".join(f"{name} {bid}" for name, bid in zip(names, bids, strict=True))
            return f"Bids: {listed}. Together {sum(bids)}, for {TRICKS} tricks."
        case HandScored():
            return _hand_scored(event, names)
        case Ended(outcome=outcome):
            return ended(outcome, names, "point")
    return _dealing(event, names)


def _played(event: Played, name: str) -> str:
    shows = f" and shows {SIGNS[event.suit]} {event.number}" if len(event.cards) == 1 else ""
    return f"{name} {'leads' if event.leads else 'plays'} {pair(*event.cards)}{shows}."


def _dealing(event: Event, names: Sequence[str]) -> str:
    match event:
        case HandBegan():
            title = f"**Hand {event.hand} of {event.hands}.**"
            return f"{title} {names[event.dealer]} deals; {names[event.leader]} leads the first trick."
        case Redealt(seat=seat, cards=cards):
            return (
                f"{names[seat]} shows {signs(cards)}, too few {_missing(cards)} cards, and gets a new hand."
            )
        case DealVoid(dealer=dealer, seat=seat, cards=cards):
            why = f"All cards are turned up, and none is a suit: {signs(cards)}."
            if seat is not None:
                why = f"{names[seat]} shows {signs(cards)}: no good hand is possible from these and the rest."
            return f"{why} {names[dealer]} deals again."
        case TrumpTurned(cards=cards):
            before = f" Turned up before it: {pair(*cards[:-1])}." if len(cards) > 1 else ""
            return f"Trump is **{suit_name(cards[-1])}**.{before}"
        case Dealt(cards=cards):
            return f"Your hand: {signs(cards)}."
    return ""


def _missing(cards: Iterable[int]) -> str:
    return "suit" if sum(kind in SUITS for kind in cards) < GOOD else "number"


def _hand_scored(event: HandScored, names: Sequence[str]) -> str:
    return (
        f"{tricks.hits(event.rows, names, worth)}\n"
        f"Points after hand {event.hand} (fewest win): {tricks.totals(event.rows, names, low_wins=True)}"
    )


def worth(row: tricks.Row) -> str:
    """Return ": 3 penalty points", or "" for an exact bid."""
    assert isinstance(row, ScoreRow)
    return f": {counted(row.points, 'penalty point')}" if row.points else ""


def task(view: View) -> str:
    """Return what the awaited players have to do; "" after the end."""
    if view.phase != "play":
        return "bid" if view.phase == "bid" else ""
    return "play one suit card and one number card" if view.trick == 1 else "play a card"


def describe(view: View, names: Sequence[str]) -> str:
    """Return everything in the view, as text. If replaced hands do not all fit, only the first ones are shown."""
    cut = [short(name, 16) for name in names]
    hand = f"Your hand: {signs(view.hand)}." * bool(view.hand)
    lines = [status(view, cut), heading(view), hand, middle(view), *seats(view, cut)]
    if view.led is not None:
        lines.append(f"Best so far: {cut[best(view)]}.")
    lines += (_remembered(view, seat, name) for seat, name in with_seats(cut))
    if view.winners:
        lines.append(f"Tricks went to {', '.join(cut[seat] for seat in view.winners)}.")
    text = "\n".join(filter(None, lines))
    for shown in view.redealt:
        line = f"\n{cut[shown.seat]} showed {signs(shown.cards)} and got a new hand."
        if len(text) + len(line) > DESCRIBED:
            break
        text += line
    return text


def heading(view: View) -> str:
    """Return the game, its bidding, and the numbers of hand and trick."""
    trick = f", trick {view.trick} of {TRICKS}" if view.trick else ""
    return f"**Charms, {view.options.bidding} bids**, hand {view.hand_number} of {view.options.hands}{trick}"


def status(view: View, names: Sequence[str]) -> str:
    """Return whose turn it is and what to do, or how the match ended."""
    if view.outcome is not None:
        return ended(view.outcome, names, "point")
    turn = whose_turn(view.awaited, names, view.seat, task(view))
    if view.phase == "play":
        return turn
    have_bid = f"{sum(view.has_bid)} of {len(names)} have bid"
    leads = f"{names[view.leader]} leads the first trick"
    return " · ".join(filter(None, [turn, have_bid, leads, secret_bid(view)]))


def secret_bid(view: View) -> str:
    """Return the bid of this seat while it is hidden from the others."""
    if view.seat is None or view.bid is None or view.bids[view.seat] is not None:
        return ""
    return chosen(label(BIDS[view.bid]))


def middle(view: View) -> str:
    """Return trump, led suit and the cards turned up."""
    led = "" if view.led is None else f" Led: **{suit_name(view.led)}**."
    before = f" (turned up before it: {signs(view.turned[:-1])})" if len(view.turned) > 1 else ""
    return f"Trump: **{suit_name(view.trump)}**{before}.{led}"


def seats(view: View, names: Sequence[str]) -> list[str]:
    """Return a line for each seat: cards shown, tricks and bid, points."""
    return [_seat(view, seat, name) for seat, name in with_seats(names)]


def _seat(view: View, seat: Seat, name: str) -> str:
    suit, number, bid = view.suits[seat], view.numbers[seat], view.bids[seat]
    shows = "" if suit is None or number is None else f" **{SIGNS[suit]} {number}** ·"
    won = "has bid" if view.has_bid[seat] else "no bid yet"
    if bid is not None:
        won = f"won {view.winners.count(seat)} of {bid} bid"
    return f"{name}:{shows} {won} · {counted(view.points[seat], 'point')}"


def _remembered(view: View, seat: Seat, name: str) -> str:
    """Return the cards that a seat has played, and the kinds that it is known not to hold."""
    if not view.played[seat]:
        return ""
    lacks = f"; has {_lacking(view.lacks[seat])}" if view.lacks[seat] else ""
    return f"{name} has played {pair(*view.played[seat])}{lacks}."


def _lacking(lacks: int) -> str:
    """Return "no 🪙C, no numbers"."""
    things = [SIGNS[suit] for suit in SUITS if lacks >> suit & 1]
    if lacks & NUMBER_CARDS:
        things.append("numbers")
    return ", ".join(f"no {thing}" for thing in things)


def bound(view: View) -> str:
    """Return why this seat may not play some of its cards now; "" when it may play all, or when it is not its turn."""
    if view.seat is None or view.seat != view.turn or view.phase != "play":
        return ""
    held, shows = kinds(view.hand), view.suits[view.seat]
    led = NO_SUIT if view.led is None else view.led
    if view.trick == 1:
        return first_reason(held, led)
    return reason(held, NO_SUIT if shows is None else shows, led)
