"""Record of Twin It!: sets, ties and mistakes by the numbers of faces; and the moment that decided a match."""

from collections.abc import Sequence
from typing import Final

from games.contract import Event
from games.defaults import closes as closes
from games.defaults import recap as recap
from games.defaults import scores_by_round as scores_by_round
from games.phrases import counted, listed
from games.twin_it.designs import NAMES
from games.twin_it.events import Countdown, Dealt, Ended, Erred, Flipped, Offered, Opened, SetWon, Tied
from games.twin_it.facts import counted_events, sets_after_flips, sets_in_race
from games.twin_it.words import lateness, narrate, touched

VERY_FAST: Final = 1500
"""Longest time in ms for a set that is rarer than a close call: each set takes two taps."""
WIDE: Final = 120
"""Length in characters after which a line of a record ends."""


def lines(events: Sequence[Event], names: Sequence[str]) -> list[str]:
    """Return lines about a stretch of play, which may begin and end anywhere.

    Flipped cards are only counted: the picture shows them, and the number of a face means nothing once it has gone."""
    lines: list[str] = []
    line: list[str] = []
    flips = 0
    for event in events:
        flips += isinstance(event, Flipped)
        part, whole = _part(event, names), _whole(event, names)
        if flips and (part or whole):
            line.append(_flipped(flips))
            flips = 0
        if part:
            line.append(part)
        if whole or len(" · ".join(line)) > WIDE:
            lines += [" · ".join(line)] * bool(line) + whole
            line = []
    line += [_flipped(flips)] * bool(flips)
    return [*lines, *[" · ".join(line)] * bool(line)]


def _flipped(flips: int) -> str:
    return f"{counted(flips, 'card')} flipped"


def _whole(event: Event, names: Sequence[str]) -> list[str]:
    """Return the lines of an event that shares no line with others."""
    alone = isinstance(event, Dealt | Offered | Countdown | Opened | Ended)
    return narrate(event, names).splitlines() if alone else []


def _part(event: Event, names: Sequence[str]) -> str:
    """Return the part of a line for an event that shares one with others; "" for any other event."""
    match event:
        case SetWon(seat=seat):
            how = (
                ""
                if event.from_side is None
                else " (third)"
                if event.from_side == event.side
                else " (robbed)"
            )
            return f"**{names[seat]} {_plus(touched(event))}**{how}"
        case Tied(hands=hands):
            return f"{listed(names[seat] for seat in dict.fromkeys(hand.seat for hand in hands))} tie"
        case Erred(seat=seat, hands=hands):
            lost = ", loses a set" if event.given is not None else ""
            return f"{names[seat]} {_plus([hand.face for hand in hands])}: mistake{lost}"
    return ""


def _plus(faces: Sequence[int]) -> str:
    return " + ".join(map(str, faces))


def highlight(events: Sequence[Event], names: Sequence[str]) -> str:
    """Return a sentence on a very fast set of a finished match, else on the closest one, the fastest one, or the last
    one; "" when there was none."""
    events = counted_events(events)
    won = [event for event in events if isinstance(event, SetWon)]
    if not won:
        return ""
    fastest = min(
        [*sets_after_flips(events), *sets_in_race(events)], key=lambda found: found[0], default=None
    )
    if fastest is not None and fastest[0] <= VERY_FAST:
        return _fastest(*fastest, names)
    contested = [(min(lateness(event)), event) for event in won if lateness(event)]
    if contested:
        (ms, rival, _), event = min(contested, key=lambda found: found[0])
        return (
            f"Closest call: {names[event.seat]} took *{NAMES[event.design]}* {ms} ms before {names[rival]}."
        )
    if fastest is not None:
        return _fastest(*fastest, names)
    return f"The last set, *{NAMES[won[-1].design]}*, went to {names[won[-1].seat]}."


def _fastest(ms: int, event: SetWon, names: Sequence[str]) -> str:
    return f"Fastest set: {names[event.seat]} found *{NAMES[event.design]}* in {ms / 1000:.1f} s."
