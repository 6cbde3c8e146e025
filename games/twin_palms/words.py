"""Texts of Twin Palms for players: cards, events and views, as Markdown for Discord."""

from collections.abc import Iterable, Sequence
from typing import Final

from games import tricks
from games.contract import Event
from games.defaults import naming
from games.defaults import question as question
from games.ending import Ended
from games.phrases import chosen, counted, ended, gained, listed, short, whose_turn
from games.twin_palms.cards import BETS, BIDS, CARDS, NUMBERS, SUITS, WILD
from games.twin_palms.events import (
    BidIn,
    BidsRevealed,
    Dealt,
    ExtraRound,
    Played,
    RoundBegan,
    RoundScored,
    ScoreRow,
    TrickTaken,
)
from games.twin_palms.state import TRICKS
from games.twin_palms.view import View, best
from games.types import Action, Seat, around, with_seats

SYMBOLS: Final = {"P": "🌴", "D": "🐬", "S": "🕶️"}


def card(kind: int, stated: int | None = None) -> str:
    """Return a card for people: "🌴P3", "🌴P wild", or "🌴P8 wild" when 8 is stated for it."""
    suit, number = divmod(kind, 12)
    mark = SYMBOLS[SUITS[suit]] + SUITS[suit]
    if number != WILD:
        return f"{mark}{number}"
    return f"{mark} wild" if stated is None else f"{mark}{stated} wild"


def label(action: Action) -> str:
    """Return "Bid 2, half bet" or "🌴P3 + 🌴P8 wild"."""
    if action in BIDS:
        return _bid(*divmod(action, 3))
    return " + ".join(card(kind, stated) for kind, stated in zip(CARDS[action], NUMBERS[action], strict=True))


done = naming(label)


def _bid(tricks: int, bet: int) -> str:
    return f"Bid {tricks}" + (f", {BETS[bet]} bet" if bet else "")


def narrate(event: Event, names: Sequence[str]) -> str:
    """Describe an event in one or a few short lines; "" when there is nothing to say."""
    match event:
        case RoundBegan():
            return _round_began(event, names)
        case Dealt(hand=hand):
            return f"Your hand: {_hand(hand)}."
        case BidIn():
            return ""  # the table shows how many have bid
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
    return f"**{title}** · {names[event.start]} leads the first trick"


def _bids_revealed(event: BidsRevealed, names: Sequence[str]) -> str:
    bids = (
        f"{name} {bid}" + f" ({BETS[bet]} bet: {stake})" * bool(bet)
        for name, bid, bet, stake in zip(names, event.bids, event.bets, event.stakes, strict=True)
    )
    return f"Bids: {', '.join(bids)}."


def _trick_taken(event: TrickTaken, names: Sequence[str]) -> str:
    parts = [f"{listed(names[seat] for seat in group)} cancel each other; " for group in event.cancelled]
    if event.winner is not None:
        return f"{''.join(parts)}{names[event.winner]} takes trick {event.trick}."
    return f"{''.join(parts)}nobody takes trick {event.trick}{again(event, names)}."


def again(event: TrickTaken, names: Sequence[str]) -> str:
    """Return who leads again after a trick that nobody took, as the end of a sentence; "" at the end of a round."""
    return "" if event.leader is None else f", and {names[event.leader]} leads again"


def _round_scored(event: RoundScored, names: Sequence[str]) -> str:
    return (
        f"{tricks.hits(event.rows, names, worth)}\n"
        f"Sand dollars after round {event.round}: {tricks.totals(event.rows, names)}"
    )


def worth(row: tricks.Row) -> str:
    """Return ", +7", the sand dollars of a round."""
    assert isinstance(row, ScoreRow)
    return f", {gained(row.points)}"


def task(view: View) -> str:
    """Return what the awaited players have to do; "" after the end."""
    return {"bid": "bid", "play": "play two cards", "over": ""}[view.phase]


def _hand(hand: Iterable[int]) -> str:
    return ", ".join(card(kind) for kind in hand)


def describe(view: View, names: Sequence[str]) -> str:
    """Return everything in the view, as text."""
    names = [short(name, 10) for name in names]  # so that the tricks of five players fit
    hand = [f"Your hand: {_hand(view.hand)}."] * bool(view.hand)
    lines = [_status(view, names), _heading(view), *hand, _standing(view, names)]
    if view.phase == "bid" and view.sheets:
        lines.append(f"Last round: {tricks.hits(view.sheets[-1], names, worth)}.")
    if view.trick:
        lines.append(f"Trick {len(view.tricks) + 1} so far: {_plays(view.leader, view.trick, names)}.")
        leading = best(view)
        lines.append(f"Best so far: {'none, all sets cancel' if leading is None else names[leading]}.")
    for number, trick in enumerate(view.tricks, 1):
        taker = "nobody" if trick.winner is None else names[trick.winner]
        lines.append(f"Trick {number}, to {taker}: {_plays(trick.leader, trick.plays, names)}.")
    return "\n".join(lines)


def _heading(view: View) -> str:
    of = ", a further one" if view.round > view.rounds else f" of {view.rounds}"
    trick = f", trick {len(view.tricks) + 1} of {TRICKS}" if view.phase == "play" else ""
    return f"**Twin Palms, {view.options.mode}**, round {view.round}{of}{trick}"


def _status(view: View, names: Sequence[str]) -> str:
    if view.outcome is not None:
        return ended(view.outcome, names, "sand dollar")
    turn = whose_turn(view.awaited, names, view.seat, task(view))
    if view.turn is not None:
        return turn
    have_bid = f"{sum(view.has_bid)} of {len(names)} have bid"
    own = "" if view.bid is None else chosen(label(view.bid))
    return " · ".join(filter(None, [turn, have_bid, f"{names[view.start]} leads the first trick", own]))


def _standing(view: View, names: Sequence[str]) -> str:
    """Return the tricks, bid, stake and sand dollars of all seats."""
    return "; ".join(_seat(view, seat, name) for seat, name in with_seats(names)) + "."


def _seat(view: View, seat: Seat, name: str) -> str:
    dollars = counted(view.dollars[seat], "sand dollar")
    if view.phase == "over":
        return f"{name} {tricks.bid_result(view.sheets[-1][seat], worth)}, {dollars}"
    if view.bids is None:
        return f"{name} {'has bid' if view.has_bid[seat] else 'has not bid'}, {dollars}"
    stake = view.stakes[seat] if view.stakes else 0
    won = f"won {view.won[seat]} of {view.bids[seat] // len(BETS)}"
    return f"{name} {won}{f', {stake} at stake' * bool(stake)}, {dollars}"


def _plays(leader: Seat, plays: Sequence[Action], names: Sequence[str]) -> str:
    seats = around(leader, len(names))
    return ", ".join(f"{names[seat]} {label(play)}" for seat, play in zip(seats, plays, strict=False))
