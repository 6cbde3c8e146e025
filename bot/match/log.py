"""The log of a table: rows of the store read as entries, and new entries numbered."""

from collections.abc import Iterator, Sequence
from typing import cast

from bot.match.entries import KINDS, BadRow, Caretaker, Close, CloseReason, KeepPace, SetPace, Tick, Wait
from bot.match.state import LogEntry, Logged, Poll, TableState
from bot.match.times import Pace
from bot.store import LogRow


def read(row: LogRow) -> Logged:
    """Return the entry that a row holds. Raises BadRow for an unknown kind, and when a seat or user is missing."""
    if row.kind not in KINDS:
        raise BadRow(row, "is of an unknown kind")
    return Logged(row.n, row.at, KINDS[row.kind].read(row), row.click)


def ticks(state: TableState, until: int) -> Iterator[Logged]:
    """Yield a Tick for everything due up to `until` ms. The caller applies each before it asks for another."""
    while (due := state.due()) is not None and due <= until:
        yield Logged(state.n + 1, max(due, state.at), Tick())


def decided(state: TableState) -> Iterator[Logged]:
    """Yield the entries that carry out the polls with a majority. The caller applies each before it asks for the
    next."""
    # Not only a vote makes a majority: who comes, goes or runs out of time changes who has a vote.
    while poll := next((poll for poll in state.polls.values() if state.verdict(poll)), None):
        yield Logged(state.n + 1, state.at, _decision(poll, state.verdict(poll)))


def _decision(poll: Poll, verdict: str) -> LogEntry:
    match verdict:
        case "wait":
            return Wait(poll.seats)
        case "keep":
            return Caretaker(poll.seats)
        case "yes":
            return SetPace(cast(Pace, poll.pace))
        case "no":
            return KeepPace(poll.number)
    return Close(CloseReason.VOTED)


def numbered(
    state: TableState, at: int, entries: Sequence[LogEntry], click: int | None = None
) -> Iterator[Logged]:
    """Yield `entries` as the next ones of the log, at `at` ms but not before its last entry. The caller applies each
    before it asks for the next."""
    for entry in entries:
        yield Logged(state.n + 1, max(at, state.at), entry, click)
