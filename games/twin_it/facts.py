"""Facts about one seat's match of Twin It!

A set counts for the player who laid the last hand, in teams too. A pair that its own side enlarges is not a new set.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from games.contract import Event
from games.defaults import course as course
from games.facts import FactKind
from games.twin_it.events import Countdown, Erred, Flipped, Offered, Opened, SetWon, Tied
from games.twin_it.words import lateness
from games.types import Seat

KINDS: Final[Mapping[str, FactKind]] = {
    "sets": FactKind("sets won", "sum"),
    "robberies": FactKind("pairs robbed", "sum"),
    "threes": FactKind("sets of three", "sum"),
    "fastest_ms": FactKind("fastest set after a flip", "least", unit="ms"),
    "closest_ms": FactKind("smallest lead over a rival's hand", "least", unit="ms"),
    "ties": FactKind("ties", "sum"),
    "mistakes": FactKind("mistakes", "sum"),
    "race_sets": FactKind("sets found in races", "sum", of="race_ms"),
    "race_ms": FactKind("time in races", "sum", unit="ms", shown=False),
    "race_fastest_ms": FactKind("fastest set in a race", "least", unit="ms"),
}


def count(events: Sequence[Event], seat: Seat) -> dict[str, int]:
    """Return the facts of `seat`: those of a game of turns or those of a race. Races that do not count are left out."""
    counted = counted_events(events)
    won = [event for event in counted if isinstance(event, SetWon) and event.seat == seat]
    return {
        **(_race(counted, seat) if _is_race(counted) else _turns(counted, won, seat)),
        "threes": sum(event.size == 3 for event in won),
        "mistakes": sum(isinstance(event, Erred) and event.seat == seat for event in counted),
    }


def _turns(events: Sequence[Event], won: Sequence[SetWon], seat: Seat) -> dict[str, int]:
    """Return the facts of a game of turns.

    The smallest lead is missing when no rival's hand came too late. The fastest set is missing when none came after a
    flip without a set, a tie or a mistake between them: only then is it clear since when its cards could be seen.
    """
    ties = [event for event in events if isinstance(event, Tied)]
    found = {
        "sets": sum(event.from_side != event.side for event in won),
        "robberies": sum(event.from_side not in (None, event.side) for event in won),
        "ties": sum(any(hand.seat == seat for hand in tie.hands) for tie in ties),
    }
    if after_flips := [ms for ms, event in sets_after_flips(events) if event.seat == seat]:
        found["fastest_ms"] = min(after_flips)
    if leads := [ms for event in won for ms, _, _ in lateness(event)]:
        found["closest_ms"] = min(leads)
    return found


def sets_after_flips(events: Sequence[Event]) -> list[tuple[int, SetWon]]:
    """Return (ms, set) for each new set or robbery whose cards could be seen since a flip, by the time that it took."""
    turning = [event for event in events if isinstance(event, Flipped | SetWon | Tied | Erred)]
    return [
        (event.at - before.at, event)
        for before, event in pairwise(turning)
        if isinstance(before, Flipped) and isinstance(event, SetWon) and event.from_side != event.side
    ]


def _race(events: Sequence[Event], seat: Seat) -> dict[str, int]:
    start = next(event.opens for event in events if isinstance(event, Countdown))
    end = next(event.ends for event in events if isinstance(event, Opened))
    times = [ms for ms, event in sets_in_race(events) if event.seat == seat]
    found = {"race_sets": len(times), "race_ms": end - start}
    if times:
        found["race_fastest_ms"] = min(times)
    return found


def sets_in_race(events: Sequence[Event]) -> list[tuple[int, SetWon]]:
    """Return (ms, set) for each new set of a race. The time counts from the player's set before, or from the start."""
    start = next((event.opens for event in events if isinstance(event, Countdown)), 0)
    before: dict[int, int] = {}  # by seat
    found = []
    for event in events if _is_race(events) else ():
        if isinstance(event, SetWon) and event.from_side is None:
            found.append((event.at - before.get(event.seat, start), event))
            before[event.seat] = event.at
    return found


def counted_events(events: Sequence[Event]) -> Sequence[Event]:
    """Return the events without those of races that do not count."""
    offers = [place for place, event in enumerate(events) if isinstance(event, Offered)]
    return events[offers[-1] :] if offers else events


def _is_race(events: Sequence[Event]) -> bool:
    return any(isinstance(event, Offered) for event in events)
