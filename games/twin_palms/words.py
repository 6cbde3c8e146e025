"""Twin Palms in words: cards, events and views, as Markdown for Discord."""

from collections.abc import Iterable, Sequence
from typing import Final

from games.contract import Event
from games.phrases import ended, listed, short
from games.twin_palms.cards import BETS, BIDS, CARDS, NUMBERS, SUITS, WILD
from games.twin_palms.events import (
    BidIn,
    BidsRevealed,
    Dealt,
    Ended,
    ExtraRound,
    Played,
    RoundBegan,
    RoundScored,
    TrickTaken,
)
from games.twin_palms.state import TRICKS
from games.twin_palms.view import View

SYMBOLS: Final = {"P": "🌴", "D": "🐬", "S": "🕶️"}


def card(kind: int, stated: int | None = None) -> str:
    """The one form of a card for people: 🌴P3; 🌴P wild; 🌴P8 wild when 8 is stated for it."""
    suit, number = divmod(kind, 12)
    mark = SYMBOLS[SUITS[suit]] + SUITS[suit]
    if number != WILD:
        return f"{mark}{number}"
    return f"{mark} wild" if stated is None else f"{mark}{stated} wild"


def label(action: int) -> str:
    """Bid 2, half bet; 🌴P3 + 🌴P8 wild."""
    if action in BIDS:
        return _bid(*divmod(action, 3))
    return " + ".join(card(kind, stated) for kind, stated in zip(CARDS[action], NUMBERS[action], strict=True))


def _bid(tricks: int, bet: int) -> str:
    return f"Bid {tricks}" + (f", {BETS[bet]} bet" if bet else "")


def narrate(event: Event, names: Sequence[str]) -> str:
    """One or a few short lines telling the event."""
    match event:
        case RoundBegan():
            return _round_began(event, names)
        case Dealt(hand=hand):
            return f"Your hand: {_hand(hand)}."
        case BidIn():
            return ""  # the table shows how many have bid; a message for each would only be noise
        case BidsRevealed():
            return _bids_revealed(event, names)
        case Played(seat=seat, action=action, leads=leads):
            return f"{names[seat]} {'leads' if leads else 'plays'} {label(action)}."
        case TrickTaken():
            return _trick_taken(event, names)
        case RoundScored():
            return _round_scored(event, names)
        case ExtraRound(tied=tied):
            return f"{listed(names[seat] for seat in tied)} share the lead, so a further round is played."
        case Ended(outcome=outcome):
            return ended(outcome, names, "sand dollar")
    return ""


def _round_began(event: RoundBegan, names: Sequence[str]) -> str:
    further = event.round > event.rounds
    title = f"Round {event.round}, a further one" if further else f"Round {event.round} of {event.rounds}"
    return f"**{title}.** Everyone gets 10 cards and bids; {names[event.start]} leads the first trick."


def _bids_revealed(event: BidsRevealed, names: Sequence[str]) -> str:
    bids = (
        f"{name} {bid}" + (f" ({BETS[bet]} bet, {stake} at stake)" if bet else "")
        for name, bid, bet, stake in zip(names, event.bids, event.bets, event.stakes, strict=True)
    )
    return f"Bids: {', '.join(bids)}."


def _trick_taken(event: TrickTaken, names: Sequence[str]) -> str:
    parts = [f"{listed(names[seat] for seat in group)} cancel each other; " for group in event.cancelled]
    if event.winner is not None:
        return f"{''.join(parts)}{names[event.winner]} takes trick {event.trick}."
    again = "" if event.leader is None else f", and {names[event.leader]} leads again"
    return f"{''.join(parts)}nobody takes trick {event.trick}{again}."


def _round_scored(event: RoundScored, names: Sequence[str]) -> str:
    rows = [(row.bid, row.tricks, row.stake, f"{row.points:+}", row.total) for row in event.rows]
    table = _table(names, ("bid", "won", "stake", "+/-", "total"), rows)
    return f"Scores of round {event.round}, in sand dollars:\n{table}"


def _hand(hand: Iterable[int]) -> str:
    return ", ".join(card(kind) for kind in hand)


def _table(names: Sequence[str], head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A code block at most 34 wide: seats numbered from 1, names cut to 8, columns as wide as heads."""
    lines = [" " * 10 + "".join(f" {title}" for title in head)]
    for seat, row in enumerate(rows):
        name = short(names[seat], 8)
        cells = "".join(f" {cell:>{len(title)}}" for title, cell in zip(head, row, strict=True))
        lines.append(f"{seat + 1} {name:8}{cells}")
    return "```\n" + "\n".join(lines) + "\n```"


def describe(view: View, names: Sequence[str]) -> str:
    """Everything the view says. Names are cut to ten characters: five players' tricks must fit too."""
    names = [short(name, 10) for name in names]
    lines = [_heading(view), _status(view, names), *_own(view), _standing(view, names)]
    if view.phase == "bid" and view.sheets:
        points = zip(names, view.sheets[-1], strict=True)
        lines.append("Last round: " + ", ".join(f"{name} {row.points:+}" for name, row in points) + ".")
    if view.trick:
        lines.append(f"Trick {len(view.tricks) + 1} so far: {_plays(view.leader, view.trick, names)}.")
    for number, trick in enumerate(view.tricks, 1):
        taker = "nobody" if trick.winner is None else names[trick.winner]
        lines.append(f"Trick {number}, to {taker}: {_plays(trick.leader, trick.plays, names)}.")
    return "\n".join(lines)


def _heading(view: View) -> str:
    of = "a further one" if view.round > view.rounds else f"of {view.rounds}"
    trick = f", trick {len(view.tricks) + 1} of {TRICKS}" if view.phase == "play" else ""
    return f"**Twin Palms, {view.options.mode}**, round {view.round} {of}{trick}"


def _status(view: View, names: Sequence[str]) -> str:
    if view.outcome is not None:
        return ended(view.outcome, names, "sand dollar")
    awaited = listed("you" if seat == view.seat else names[seat] for seat in view.awaited)
    if view.turn is not None:
        return f"Two cards are awaited from {awaited}."
    count = f"{sum(view.has_bid)} of {len(names)} have bid"
    return f"{count}; bids are awaited from {awaited}. {names[view.start]} will lead the first trick."


def _own(view: View) -> list[str]:
    lines = []
    if view.hand:
        lines.append(f"Your hand: {_hand(view.hand)}.")
    if view.bid is not None:
        lines.append(f"Your choice: {label(view.bid)}.")
    return lines


def _standing(view: View, names: Sequence[str]) -> str:
    rows: list[tuple[object, ...]]
    if view.phase == "over":
        rows = [(row.bid, row.tricks, row.stake, row.total) for row in view.sheets[-1]]
    elif view.bids is None or view.stakes is None:
        rows = [
            ("in" if has_bid else "?", "", "", dollars)
            for has_bid, dollars in zip(view.has_bid, view.dollars, strict=True)
        ]
    else:
        bids = (bid // 3 for bid in view.bids)
        rows = list(zip(bids, view.won, view.stakes, view.dollars, strict=True))
    return _table(names, ("bid", "won", "stake", "total"), rows)


def _plays(leader: int, plays: Sequence[int], names: Sequence[str]) -> str:
    return ", ".join(f"{names[(leader + i) % len(names)]} {label(play)}" for i, play in enumerate(plays))
