"""The table's own words in public, beside those of its game: lines of the record, and whose turn it is.

All of it follows from the log, so it is the same live, late, and after a restart.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from bot.match.deadlines import Times, spelled
from bot.match.names import safe, told_apart
from bot.match.pages import Item, happened
from bot.match.state import TableState, late
from bot.store import Entry
from games import Event
from games.phrases import listed

Link = tuple[str, str, str]
"""A button below a message: its label, and the verb and the rest of its custom id."""

BACK: Link = ("I'm back", "back", "")


def taking(seat: int, name: str) -> Link:
    """Return the button that takes a seat that was left."""
    return (f"Take {name}'s seat", "take", str(seat))


def names(state: TableState) -> list[str]:
    """Return the players' names by seat, safe to print; the second of two alike gets a number."""
    return told_apart(safe(player.name) for player in state.players)


def addressed(sentence: str, who: Sequence[str]) -> str:
    """Put players' names into a game's sentence: engines know none, and say "seat 2"."""
    return re.sub(r"\b[Ss]eat (\d)\b", lambda seat: who[int(seat[1]) - 1], sentence)


def items(state: TableState, entry: Entry, events: Sequence[Event], times: Times) -> list[Item]:
    """Return what `entry` adds to the story of its table. `sitting` is the table after it."""
    if state.game_state is None:
        return []  # a lobby is told by its card alone
    return [*happened(entry.n, events, _said(state, entry, times))]


def _said(state: TableState, entry: Entry, times: Times) -> Iterator[str]:
    if entry.kind in LINES:
        yield LINES[entry.kind](state, entry, names(state), times)


def turn(state: TableState) -> str:
    """Return whose turn it is and what to do: "**Alice's turn** · play two cards"; "" when nobody is awaited."""
    awaited, who = state.awaited(), names(state)
    if not awaited:
        return ""
    if len(awaited) == len(who) > 1:
        whose = "**Everybody's turn**"
    elif len(awaited) == 1:
        whose = f"**{who[awaited[0]]}'s turn**"
    else:
        whose = f"**Turn of {listed(who[seat] for seat in awaited)}**"
    task = state.game.task(state.game.view(state.game_state, None))
    return f"{whose} · {task}" if task else whose


def settled(state: TableState, times: Times) -> str:
    """Return how the vote or the offer ended that the last entry settled; "" when it settled none."""
    last = state.last
    assert last is not None
    if last.kind not in LINES or not (state.settled or state.answered):
        return ""
    if last.kind == "take":
        return f"🤝 {_name(last, names(state))} has the seat."
    return LINES[last.kind](state, last, names(state), times)


# Lines of the record


def _name(entry: Entry, who: Sequence[str]) -> str:
    assert entry.seat is not None
    return who[entry.seat]


def _missing(entry: Entry, who: Sequence[str]) -> str:
    return listed(who[seat] for seat in late(entry))


def _left(state: TableState, entry: Entry, who: Sequence[str], _: Times) -> str:
    seat = state.seat_of(entry.user or 0)
    assert seat is not None
    if not state.people():
        return f"👋 {who[seat]} left."
    return f"👋 {who[seat]} left. A computer plays on in that seat; anybody may take it."


def _closed(_: TableState, entry: Entry, __: Sequence[str], ___: Times) -> str:
    return f"🚪 Table closed: {entry.body}"


def _waited(_: TableState, entry: Entry, who: Sequence[str], __: Times) -> str:
    return f"⏳ The table waits for {_missing(entry, who)}."


def _kept(_: TableState, entry: Entry, who: Sequence[str], __: Times) -> str:
    play = "A computer plays" if len(late(entry)) == 1 else "Computers play"
    return f"🤖 {play} for {_missing(entry, who)} until they press `I'm back`."


def _returned(_: TableState, entry: Entry, who: Sequence[str], __: Times) -> str:
    return f"🪑 {_name(entry, who)} is back."


def _paced(_: TableState, entry: Entry, __: Sequence[str], times: Times) -> str:
    return f"⏱️ The pace is {entry.body}: {spelled(getattr(times, entry.body))} a move."


def _declined(_: TableState, entry: Entry, who: Sequence[str], __: Times) -> str:
    return f"🤝 The offer was declined: {_name(entry, who)} plays on."


def _given(_: TableState, entry: Entry, who: Sequence[str], __: Times) -> str:
    return f"🤝 {safe(entry.body)} takes over from {_name(entry, who)}."


def _taken(state: TableState, entry: Entry, who: Sequence[str], __: Times) -> str:
    if state.answered:
        return ""  # the entry before says who hands the seat over
    return f"🪑 {_name(entry, who)} plays on in seat {(entry.seat or 0) + 1}."


LINES: Mapping[str, Callable[[TableState, Entry, Sequence[str], Times], str]] = {
    "leave": _left,
    "close": _closed,
    "wait": _waited,
    "caretaker": _kept,
    "back": _returned,
    "pace": _paced,
    "decline": _declined,
    "give": _given,
    "take": _taken,
}
"""By kind of entry: its line in the record. Reminders, votes and offers are shown by the call (`bot.match.call`) instead."""
