"""Record of Liar's Dice, the bids of a round in one line, and the moment to remember of a match."""

from collections.abc import Sequence

from games.contract import Event
from games.ending import Ended
from games.liars_dice.actions import FACE, QUANTITY, matching
from games.liars_dice.events import BidMade, RoundEnded
from games.liars_dice.words import NUMBERS, bid, narrate, round_ended
from games.types import Action, Seat

ABREAST = 6
"""Number of bids in a line of the record."""


def lines(events: Sequence[Event], names: Sequence[str]) -> list[str]:
    """Return lines about a stretch of play: bids are joined, everything else has lines of its own."""
    lines: list[str] = []
    bids: list[str] = []
    for event in events:
        if isinstance(event, BidMade):
            if len(bids) == ABREAST:
                _end_line(lines, bids)
            bids.append(f"{names[event.seat]}: {bid(event.bid)}")
        else:
            _end_line(lines, bids)
            lines += _lines(event, names)
    _end_line(lines, bids)
    return lines


def _end_line(lines: list[str], bids: list[str]) -> None:
    """Move the bids, if any, to a new line."""
    if bids:
        lines.append(" · ".join(bids))
        bids.clear()


def _lines(event: Event, names: Sequence[str]) -> list[str]:
    if isinstance(event, RoundEnded):
        return round_ended(event, names)
    # The end of a match has more lines, but its score sheet shows them.
    return narrate(event, names).splitlines()[:1]


def recap(event: Event, names: Sequence[str]) -> str:
    """Return how an event ended a round, in one line; "" for another event."""
    return " ".join(round_ended(event, names)) if isinstance(event, RoundEnded) else ""


def closes(event: Event) -> bool:
    """Return whether a round ends with this event."""
    return isinstance(event, RoundEnded)


def scores_by_round(events: Sequence[Event], _: object) -> list[tuple[int, ...]]:
    """Return the dice left by seat after each round."""
    return [event.dice for event in events if isinstance(event, RoundEnded)]


def highlight(events: Sequence[Event], names: Sequence[str]) -> str:
    """Return a sentence on the largest exact call; else on the boldest bluff that stood; else on the last round."""
    rounds = [event for event in events if isinstance(event, RoundEnded)]
    exact = [event for event in rounds if event.calza and event.right]
    bluffs = [event for event in rounds if is_bluff(event) and not event.calza and not event.right]
    if exact:
        best = max(exact, key=lambda event: QUANTITY[event.bid])
        return f"In round {best.round} {names[best.caller]} called it exactly: {bid(best.bid)}."
    if bluffs:
        best = max(bluffs, key=lambda event: QUANTITY[event.bid])
        return (
            f"In round {best.round} {names[best.bidder]} bid {bid(best.bid)} and had none: "
            f"{names[best.caller]} doubted, and {_there(best)}."
        )
    return _decision(rounds[-1], names) if any(isinstance(event, Ended) for event in events) else ""


def is_bluff(event: RoundEnded) -> bool:
    """Return whether the bidder had no die that matches the bid called."""
    return not support(event, event.bidder, event.bid)


def support(event: RoundEnded, seat: Seat, bid: Action) -> int:
    """Return how many dice of `seat` match a bid of the round."""
    return matching(event.cups[seat], FACE[bid], wild=event.wild)


def _decision(last: RoundEnded, names: Sequence[str]) -> str:
    called = bid(last.bid)
    if last.right:
        only = "only " * (last.found > 0)
        return f"In round {last.round} {names[last.caller]} doubted {called}, and {only}{_there(last)}."
    theirs = f"{names[last.bidder]}'s bid of {called}"
    call = f"called {theirs} exact" if last.calza else f"doubted {theirs}"
    return f"In round {last.round} {names[last.caller]} {call}, and {_there(last)}."


def _there(event: RoundEnded) -> str:
    """Return how many dice matched the bid: "none was there", "one was there" or "five were there"."""
    count = NUMBERS[event.found] if event.found else "none"
    return f"{count} {'were' if event.found > 1 else 'was'} there"
