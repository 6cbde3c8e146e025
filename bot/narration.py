"""The table's own words in public, beside those of its game: lines of the record, and whose turn it is.

All of it follows from the log, so it is the same live, late, and after a restart.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from bot.names import safe, told_apart
from bot.sitting import Sitting, late
from bot.store import Entry
from bot.story import Item, happened
from bot.timing import Times, spelled
from games import Event
from games.phrases import listed

Link = tuple[str, str, str]
"""A button below a message: its label, and the verb and the rest of its custom id."""

BACK: Link = ("I'm back", "back", "")


def taking(seat: int, name: str) -> Link:
    """Return the button that takes a seat that was left."""
    return (f"Take {name}'s seat", "take", str(seat))


def names(sitting: Sitting) -> list[str]:
    """Return the players' names by seat, safe to print; the second of two alike gets a number."""
    return told_apart(safe(player.name) for player in sitting.players)


def addressed(sentence: str, who: Sequence[str]) -> str:
    """Put players' names into a game's sentence: engines know none, and say "seat 2"."""
    return re.sub(r"\b[Ss]eat (\d)\b", lambda seat: who[int(seat[1]) - 1], sentence)


def items(sitting: Sitting, entry: Entry, events: Sequence[Event], times: Times) -> list[Item]:
    """Return what `entry` adds to the story of its table. `sitting` is the table after it."""
    if sitting.state is None:
        return []  # a lobby is told by its card alone
    return [*happened(entry.n, events, _said(sitting, entry, times))]


def _said(sitting: Sitting, entry: Entry, times: Times) -> Iterator[str]:
    if entry.kind in LINES:
        yield LINES[entry.kind](sitting, entry, names(sitting), times)


def turn(sitting: Sitting) -> str:
    """Return whose turn it is and what to do: "**Alice's turn** · play two cards"; "" when nobody is awaited."""
    awaited, who = sitting.awaited(), names(sitting)
    if not awaited:
        return ""
    if len(awaited) == len(who) > 1:
        whose = "**Everybody's turn**"
    elif len(awaited) == 1:
        whose = f"**{who[awaited[0]]}'s turn**"
    else:
        whose = f"**Turn of {listed(who[seat] for seat in awaited)}**"
    task = sitting.game.task(sitting.game.view(sitting.state, None))
    return f"{whose} · {task}" if task else whose


def settled(sitting: Sitting, times: Times) -> str:
    """Return how the vote or the offer ended that the last entry settled; "" when it settled none."""
    last = sitting.last
    assert last is not None
    if last.kind not in LINES or not (sitting.settled or sitting.answered):
        return ""
    if last.kind == "take":
        return f"🤝 {_name(last, names(sitting))} has the seat."
    return LINES[last.kind](sitting, last, names(sitting), times)


# Lines of the record


def _name(entry: Entry, who: Sequence[str]) -> str:
    assert entry.seat is not None
    return who[entry.seat]


def _missing(entry: Entry, who: Sequence[str]) -> str:
    return listed(who[seat] for seat in late(entry))


def _left(sitting: Sitting, entry: Entry, who: Sequence[str], _: Times) -> str:
    seat = sitting.seat_of(entry.user or 0)
    assert seat is not None
    if not sitting.people():
        return f"👋 {who[seat]} left."
    return f"👋 {who[seat]} left. A computer plays on in that seat; anybody may take it."


def _closed(_: Sitting, entry: Entry, __: Sequence[str], ___: Times) -> str:
    return f"🚪 Table closed: {entry.body}"


def _waited(_: Sitting, entry: Entry, who: Sequence[str], __: Times) -> str:
    return f"⏳ The table waits for {_missing(entry, who)}."


def _kept(_: Sitting, entry: Entry, who: Sequence[str], __: Times) -> str:
    play = "A computer plays" if len(late(entry)) == 1 else "Computers play"
    return f"🤖 {play} for {_missing(entry, who)} until they press `I'm back`."


def _returned(_: Sitting, entry: Entry, who: Sequence[str], __: Times) -> str:
    return f"🪑 {_name(entry, who)} is back."


def _paced(_: Sitting, entry: Entry, __: Sequence[str], times: Times) -> str:
    return f"⏱️ The pace is {entry.body}: {spelled(getattr(times, entry.body))} a move."


def _declined(_: Sitting, entry: Entry, who: Sequence[str], __: Times) -> str:
    return f"🤝 The offer was declined: {_name(entry, who)} plays on."


def _given(_: Sitting, entry: Entry, who: Sequence[str], __: Times) -> str:
    return f"🤝 {safe(entry.body)} takes over from {_name(entry, who)}."


def _taken(sitting: Sitting, entry: Entry, who: Sequence[str], __: Times) -> str:
    if sitting.answered:
        return ""  # the entry before says who hands the seat over
    return f"🪑 {_name(entry, who)} plays on in seat {(entry.seat or 0) + 1}."


LINES: Mapping[str, Callable[[Sitting, Entry, Sequence[str], Times], str]] = {
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
"""By kind of entry: its line in the record. Reminders, votes and offers are shown by the call (`bot.call`) instead."""
