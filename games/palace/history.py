"""What happened in a match of Palace, looked back on: a record of the plays, and the moment that decided it."""

from collections.abc import Collection, Sequence
from typing import Final

from games.contract import Event, Outcome
from games.palace.cards import ranks
from games.palace.events import BlindFailed, Ended, Played, Took
from games.palace.words import narrate, played, took
from games.phrases import counted

A_LINE: Final = 6
"""Plays told on one line at most."""
VERBS: Final = {"hand": "", "table": "", "blind": "turns up "}
"""Of a play within a line, by the zone it comes from."""


def record(events: Sequence[Event], names: Sequence[str]) -> list[str]:
    """Tell a stretch of play: the plays on one pile share a line, at most `A_LINE` of them. The end is one line."""
    lines: list[str] = []
    plays: list[str] = []
    for event in events:
        match event:
            case Played():
                plays.append(played(event, names, VERBS))
            case Took() | BlindFailed():
                plays.append(took(event, names))
            case _:
                _end_line(lines, plays)
                lines += narrate(event, names).splitlines()[:1]
        if len(plays) == A_LINE or _ends_pile(event):
            _end_line(lines, plays)
    _end_line(lines, plays)
    return lines


def _end_line(lines: list[str], plays: list[str]) -> None:
    """Move the plays, if there are any, to a line of their own."""
    if plays:
        lines.append(" · ".join(plays))
        plays.clear()


def _ends_pile(event: Event) -> bool:
    return isinstance(event, Took | BlindFailed) or (isinstance(event, Played) and event.gone > 0)


def highlight(events: Sequence[Event], names: Sequence[str]) -> str:
    """Tell the last play of the winner and the largest pile that anybody else had to take."""
    end = next((event for event in events if isinstance(event, Ended)), None)
    if end is None:
        return ""
    winners = {seat for seat, place in enumerate(end.outcome.placings) if place == 1}
    taken = [event for event in events if isinstance(event, Took | BlindFailed) and event.seat not in winners]
    parts = []
    if taken:
        most = max(taken, key=_size)
        parts.append(f"the largest pile, {counted(_size(most), 'card')}, went to {names[most.seat]}")
    if (last := _last_play(events, winners, end.outcome)) is not None:
        unseen = ", a card nobody had seen" * (last.zone == "blind")
        parts.append(f"{names[last.seat]} went out with **{ranks([last.kind] * last.count)}**{unseen}")
    told = "; ".join(parts)
    return f"{told[0].upper()}{told[1:]}." if told else ""


def _size(event: Took | BlindFailed) -> int:
    """Return how many cards came to the hand."""
    return len(event.pile) + isinstance(event, BlindFailed)


def _last_play(events: Sequence[Event], winners: Collection[int], outcome: Outcome) -> Played | None:
    """Return the play with which the winner went out; None when nobody did."""
    plays = [event for event in events if isinstance(event, Played) and event.seat in winners]
    return plays[-1] if plays and min(outcome.scores) == 0 else None
