"""Record of Palace, one line per round, and the moment that decided a match."""

from collections.abc import Collection, Sequence
from typing import Final

from games.contract import Event, Outcome
from games.defaults import closes as closes
from games.defaults import recap as recap
from games.defaults import scores_by_round as scores_by_round
from games.ending import Ended
from games.palace.cards import ranks
from games.palace.events import BlindFailed, Played, Took
from games.palace.words import narrate, played, took
from games.types import with_seats

PLAYS_PER_LINE: Final = 4
"""Maximum number of plays on one line of a record: about two lines of a phone."""
LARGE: Final = 6
"""Fewest cards of a cleared pile that a highlight mentions."""
VERBS: Final = {"hand": "", "table": "", "blind": "turns up "}
"""Verbs of a play within a line, by the zone it comes from."""


def lines(events: Sequence[Event], names: Sequence[str]) -> list[str]:
    """Return lines about a stretch of play: one for each round of a pile, or for `PLAYS_PER_LINE` plays of it."""
    lines: list[str] = []
    plays: list[tuple[int, str]] = []  # by seat
    for event in events:
        if not isinstance(event, Played | Took | BlindFailed):
            _end_line(lines, plays)
            lines += narrate(event, names).splitlines()[:1]
            continue
        if len(plays) == PLAYS_PER_LINE or event.seat in [seat for seat, _ in plays[:-1]]:
            _end_line(lines, plays)
        plays.append((event.seat, _in_line(event, names)))
        if _ends_pile(event):
            _end_line(lines, plays)
    _end_line(lines, plays)
    return lines


def _in_line(event: Played | Took | BlindFailed, names: Sequence[str]) -> str:
    return played(event, names, VERBS) if isinstance(event, Played) else took(event, names)


def _end_line(lines: list[str], plays: list[tuple[int, str]]) -> None:
    """Move the plays, if any, to a new line."""
    if plays:
        lines.append(" · ".join(play for _, play in plays))
        plays.clear()


def _ends_pile(event: Event) -> bool:
    return isinstance(event, Took | BlindFailed) or (isinstance(event, Played) and event.gone > 0)


def highlight(events: Sequence[Event], names: Sequence[str]) -> str:
    """Return a sentence on the largest pile that the winner cleared, if it was large, and on the winner's last play."""
    end = next((event for event in events if isinstance(event, Ended)), None)
    if end is None:
        return ""
    winners = {seat for seat, place in with_seats(end.outcome.placings) if place == 1}
    cleared = [
        event
        for event in events
        if isinstance(event, Played) and event.seat in winners and event.gone >= LARGE
    ]
    largest, last = max(cleared, key=_gone, default=None), _last_play(events, winners, end.outcome)
    pile = f"cleared a pile of {largest.gone} cards" if largest else ""
    if last is None:
        return f"{names[largest.seat]} {pile}." if largest else ""
    unseen = ", a card nobody had seen" * (last.zone == "blind")
    out = f"went out with **{ranks([last.kind] * last.count)}**{unseen}"
    return f"{names[last.seat]} {' and '.join(filter(None, [pile, out]))}."


def _gone(event: Played) -> int:
    return event.gone


def _last_play(events: Sequence[Event], winners: Collection[int], outcome: Outcome) -> Played | None:
    """Return the play with which the winner went out; None when nobody did."""
    plays = [event for event in events if isinstance(event, Played) and event.seat in winners]
    return plays[-1] if plays and min(outcome.scores) == 0 else None
