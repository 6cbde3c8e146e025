"""Charms in words: actions, events and views, as Markdown for Discord."""

from collections.abc import Iterable, Sequence

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
    Ended,
    HandBegan,
    HandScored,
    Played,
    Redealt,
    ScoreRow,
    TrickTaken,
    TrumpTurned,
)
from games.charms.follow import first_reason, reason
from games.charms.view import View
from games.contract import Event
from games.phrases import counted, ended, listed, short


def suit_name(suit: int) -> str:
    """🪙C coin."""
    return f"{SIGNS[suit]} {SUIT_NAMES[suit]}"


def label(action: int) -> str:
    """Bid 3; 🪙C coin; 7; 🪙C 7."""
    if action in BIDS:
        return f"Bid {action}"
    played = CARDS[action]
    return suit_name(played[0]) if played[0] in SUITS and len(played) == 1 else pair(*played)


def pair(*cards: int) -> str:
    """🪙C 7: cards side by side."""
    return " ".join(SIGNS[kind] for kind in cards)


def narrate(event: Event, names: Sequence[str]) -> str:
    """One or a few short lines telling the event."""
    match event:
        case Played():
            return _played(event, names[event.seat])
        case TrickTaken(trick=trick, winner=winner):
            return f"{names[winner]} takes trick {trick}."
        case BidIn():
            return ""  # the table shows how many have bid; a message for each would only be noise
        case BidMade(seat=seat, bid=bid):
            return f"{names[seat]} bids {bid}."
        case BidsRevealed(bids=bids):
            told = ", ".join(f"{name} {bid}" for name, bid in zip(names, bids, strict=True))
            return f"Bids: {told}. Together {sum(bids)}, for {TRICKS} tricks."
        case HandScored(hand=hand, rows=rows):
            return "\n".join([f"Scores of hand {hand}:", *map(_scored, names, rows)])
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
                f"{names[seat]} shows {signs(cards)}: too few {_missing(cards)} cards. "
                "The hand is shuffled into the rest and dealt anew."
            )
        case DealVoid(dealer=dealer, seat=seat, cards=cards):
            why = f"All cards of the rest are turned, and none has a suit: {signs(cards)}."
            if seat is not None:
                why = f"{names[seat]} shows {signs(cards)}, and with the rest no good hand is possible."
            return f"{why} The deal is void; {names[dealer]} deals again."
        case TrumpTurned(cards=cards):
            before = f" Turned before it: {pair(*cards[:-1])}." if len(cards) > 1 else ""
            return f"Trump is **{suit_name(cards[-1])}**.{before}"
        case Dealt(cards=cards):
            return f"Your hand: {signs(cards)}."
    return ""


def _missing(cards: Iterable[int]) -> str:
    return "suit" if sum(kind in SUITS for kind in cards) < GOOD else "number"


def _scored(name: str, row: ScoreRow) -> str:
    return f"{name}: bid {row.bid}, won {row.tricks}, {counted(row.points, 'point')}, total {row.total}."


def describe(view: View, names: Sequence[str]) -> str:
    """Everything the view says."""
    cut = [short(name, 16) for name in names]
    lines = [heading(view), status(view, cut), *own(view), middle(view), *seats(view, cut)]
    lines += (_remembered(view, seat, name) for seat, name in enumerate(cut))
    if view.winners:
        lines.append(f"Tricks went to {', '.join(cut[seat] for seat in view.winners)}.")
    lines += (f"{cut[shown.seat]} showed {signs(shown.cards)}, dealt anew." for shown in view.redealt)
    return "\n".join(filter(None, lines))


def heading(view: View) -> str:
    """The game, its bidding and how far it is."""
    trick = f", trick {view.trick} of {TRICKS}" if view.trick else ""
    return f"**Charms, {view.options.bidding} bids**, hand {view.hand_number} of {view.options.hands}{trick}"


def status(view: View, names: Sequence[str]) -> str:
    """Who is to do what, or how it ended."""
    if view.outcome is not None:
        return ended(view.outcome, names, "point")
    awaited = listed("you" if seat == view.seat else names[seat] for seat in view.awaited)
    if view.phase == "play":
        cards = "A suit card and a number card are" if view.trick == 1 else "A card is"
        return f"{cards} awaited from {awaited}."
    count = f"{sum(view.has_bid)} of {len(names)} have bid"
    return f"{count}; bids are awaited from {awaited}. {names[view.leader]} will lead the first trick."


def own(view: View) -> list[str]:
    """The own hand, and a bid that others do not see yet."""
    lines = [f"Your hand: {signs(view.hand)}."] * bool(view.hand)
    if view.seat is not None and view.bid is not None and view.bids[view.seat] is None:
        lines.append(f"Your choice: {label(view.bid)}. You may change it until all have bid.")
    return lines


def middle(view: View) -> str:
    """Trump, led suit and what else was turned."""
    led = "" if view.led is None else f" Led: **{suit_name(view.led)}**."
    before = f" (turned before it: {signs(view.turned[:-1])})" if len(view.turned) > 1 else ""
    return f"Trump: **{suit_name(view.trump)}**{before}.{led}"


def seats(view: View, names: Sequence[str]) -> list[str]:
    """A line for each seat: what it shows, its tricks against its bid, its points."""
    return [_seat(view, seat, name) for seat, name in enumerate(names)]


def _seat(view: View, seat: int, name: str) -> str:
    suit, number, bid = view.suits[seat], view.numbers[seat], view.bids[seat]
    shows = "" if suit is None or number is None else f" **{SIGNS[suit]} {number}** ·"
    won = "has bid" if view.has_bid[seat] else "no bid yet"
    if bid is not None:
        won = f"won {view.winners.count(seat)} of {bid} bid"
    return f"{name}:{shows} {won} · {counted(view.points[seat], 'point')}"


def _remembered(view: View, seat: int, name: str) -> str:
    """What a seat has played, and what it was seen not to have."""
    if not view.played[seat]:
        return ""
    lacks = f"; has {_lacking(view.lacks[seat])}" if view.lacks[seat] else ""
    return f"{name} has played {pair(*view.played[seat])}{lacks}."


def _lacking(lacks: int) -> str:
    """no 🪙C, no numbers."""
    things = [SIGNS[suit] for suit in SUITS if lacks >> suit & 1]
    if lacks & NUMBER_CARDS:
        things.append("numbers")
    return ", ".join(f"no {thing}" for thing in things)


def bound(view: View) -> str:
    """Why some of the own cards may not be played now; "" when all may, and when it is not the own turn."""
    if view.seat is None or view.seat != view.turn or view.phase != "play":
        return ""
    held, shows = kinds(view.hand), view.suits[view.seat]
    led = NO_SUIT if view.led is None else view.led
    if view.trick == 1:
        return first_reason(held, led)
    return reason(held, NO_SUIT if shows is None else shows, led)
