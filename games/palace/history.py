"""Record of Palace, one line per pile, and the moment that decided a match."""

from collections.abc import Collection, Sequence
from typing import Final

from games.contract import Event, Outcome
from games.palace.cards import ranks
from games.palace.events import BlindFailed, Ended, Played, Took
from games.palace.words import narrate, played, took
from games.phrases import counted

PLAYS_PER_LINE: Final = 6
"""Maximum number of plays on one line of a record."""
VERBS: Final = {"hand": "", "table": "", "blind": "turns up "}
"""Verbs of a play within a line, by the zone it comes from."""


def record(events: Sequence[Event], names: Sequence[str]) -> list[str]:
    """Return lines about a stretch of play: at most `PLAYS_PER_LINE` plays on one pile share a line."""
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
        if len(plays) == PLAYS_PER_LINE or _ends_pile(event):
            _end_line(lines, plays)
    _end_line(lines, plays)
    return lines


def _end_line(lines: list[str], plays: list[str]) -> None:
    """Move the plays, if any, to a new line."""
    if plays:
        lines.append(" · ".join(plays))
        plays.clear()


def _ends_pile(event: Event) -> bool:
    return isinstance(event, Took | BlindFailed) or (isinstance(event, Played) and event.gone > 0)


def highlight(events: Sequence[Event], names: Sequence[str]) -> str:
    """Return a sentence on the largest pile that went to another player and on the winner's last play."""
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
    sentence = "; ".join(parts)
    return f"{sentence[0].upper()}{sentence[1:]}." if sentence else ""


def _size(event: Took | BlindFailed) -> int:
    """Return the number of cards that went to the hand."""
    return len(event.pile) + isinstance(event, BlindFailed)


def _last_play(events: Sequence[Event], winners: Collection[int], outcome: Outcome) -> Played | None:
    """Return the play with which the winner went out; None when nobody did."""
    plays = [event for event in events if isinstance(event, Played) and event.seat in winners]
    return plays[-1] if plays and min(outcome.scores) == 0 else None
