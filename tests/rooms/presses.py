"""Presses of people apart from moves, for the laws to find them in the log: nothing is there that nobody has pressed,
and all is there that a person was told to have done."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from math import inf
from types import MappingProxyType
from typing import Any

from bot.match.entries import CloseReason
from bot.store import LogRow
from sandbox import Answer
from sandbox.checks import Json
from sandbox.interactions import DEFER_UPDATE, UPDATE, Interaction
from sandbox.snowflakes import time_of

AT_ONCE = 1.5
"""Seconds after which the bot defers the answer to a click, whatever becomes of it."""
ALONE = frozenset({"daily", "try", "practice"})
"""Verbs and commands that open a table for one person and start it."""
CAUSES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "sit": frozenset({"join", "sit", "rematch"}),
        "cut": frozenset({"cut-with"}),
        "decline-kept": frozenset({"decline-challenge"}),
        "computer": frozenset({"computer"}),
        "dismiss": frozenset({"computer"}),
        "options": frozenset({"option"}),
        "wish": frozenset({"partner"}),
        "start": frozenset({"start", *ALONE}),
        "vote": frozenset({"vote"}),
        "propose": frozenset({"table pace"}),
        "leave": frozenset({"leave", "quit", "table leave", "ask-leave", "table end", "night"}),
        "offer": frozenset({"table hand-over"}),
        "decline": frozenset({"decline"}),
        "take": frozenset({"take", "accept", "back", "table back", "night"}),
        "back": frozenset(),
        "close": frozenset({"cancel", "end", "leave", "quit", "table leave", "table end", "ask-leave"}),
    }
)
"""By kind of entry: the verbs and commands by which its person makes it; none where any may, such as a move."""
TOLD: Mapping[str, tuple[str, frozenset[str]]] = MappingProxyType(
    {
        "join": ("", frozenset({"sit"})),
        "vote": ("", frozenset({"vote"})),
        "decline": ("", frozenset({"decline"})),
        "leave": ("You have left table", frozenset({"leave"})),
        "quit": ("You have left table", frozenset({"leave"})),
        "cut-with": ("Your cut is on the card", frozenset({"cut"})),
        "take": ("The seat is yours", frozenset({"take"})),
        "accept": ("The seat is yours", frozenset({"take"})),
        "back": ("You are back in your seat", frozenset({"back", "take"})),
        "table pace": ("The others are asked to vote", frozenset({"propose"})),
        "table hand-over": ("You have offered your seat", frozenset({"offer"})),
    }
)
"""By verb or command: what its person is told when it has made an entry, and the kinds of that; "" when nothing is
said but that the message is edited, now or later."""


@dataclass(frozen=True)
class Press:
    """Something that a person has pressed or typed about a match."""

    id: int
    user: int
    verb: str
    """Verb of the custom id, or full name of the command."""
    match: int

    @classmethod
    def of(cls, given: Interaction) -> "Press":
        """Return what an interaction is about."""
        verb, _, rest = given.data.get("custom_id", "").partition(":")
        if verb:
            about = rest.partition(":")[0]
        else:
            verb, about = _command(given.data)
        return cls(given.id, given.user.id, verb, int(about) if about.isdecimal() else 0)

    @property
    def at(self) -> float:
        """Unix time."""
        return time_of(self.id)


def _command(data: Json) -> tuple[str, str]:
    """Return the full name of a command, and its option `table`."""
    options: list[Any] = data.get("options") or []
    inner = next((each for each in options if "options" in each), None)
    if inner is not None:
        name, about = _command(inner)
        return f"{data['name']} {name}", about
    return data["name"], next((str(each["value"]) for each in options if each["name"] == "table"), "")


def acknowledged(answer: Answer, age: float) -> Press | None:
    """Return what an answer, at that age in seconds, says that its person has done; None for nothing."""
    press, given = Press.of(answer.interaction), answer.interaction.answer
    text, _ = TOLD.get(press.verb, ("", frozenset()))
    if text:
        # A deferred update may leave the text of an earlier one.
        is_told = text in answer.text and given != DEFER_UPDATE
    else:
        is_told = given == UPDATE or (given == DEFER_UPDATE and age < AT_ONCE and not answer.followups)
    return press if is_told and press.verb in TOLD else None


def lost(told: Iterable[Press], log: Sequence[LogRow]) -> list[str]:
    """Return a sentence for what people were told at a match that they have done, more often than the log says it."""
    wanted = Counter((each.user, TOLD[each.verb][1]) for each in told)
    found = [
        (user, kinds, count, sum(row.user == user and row.kind in kinds for row in log))
        for (user, kinds), count in wanted.items()
    ]
    return [
        f"{user} was told {count} times of {' or '.join(sorted(kinds))}, which is in the log {there} times"
        for user, kinds, count, there in found
        if there < count
    ]


def unpressed(
    presses: Iterable[Press],
    log: Sequence[LogRow],
    seen: Mapping[int, float],
    *,
    seated: bool = False,
    alone: bool = False,
) -> list[str]:
    """Return a sentence for each entry of a person that they have not pressed for: the n-th one of a kind needs n of
    its causes before it was `seen`, by its number. `seated`: people were given their seats, and it begins by itself.
    `alone`: one press opens and starts it, or after a kill two."""
    by_user, found = defaultdict[int, list[Press]](list), list[str]()
    for press in sorted(presses, key=lambda each: each.id):
        if alone or press.verb not in ALONE:
            by_user[press.user].append(press)
    entries = defaultdict[tuple[int, str], list[LogRow]](list)
    for row in log:
        user = row.user or 0  # below 0 of somebody who was erased
        if row.kind in CAUSES and user > 0 and not _is_by_itself(row, log[0], seated=seated):
            entries[user, row.kind].append(row)
    for (user, kind), rows in entries.items():
        causes = [each for each in by_user[user] if not CAUSES[kind] or each.verb in CAUSES[kind]]
        for row, cause in zip_longest(rows, causes[: len(rows)]):
            if cause is None or cause.at > seen.get(row.n, inf):
                found.append(f"entry {row.n} ({kind} {row.body!r} of {user}) was pressed for by nobody")
    return found


def _is_by_itself(row: LogRow, first: LogRow, *, seated: bool) -> bool:
    """Return whether an entry names a person who need not have pressed anything at this table."""
    if row.kind == "close":  # who has won need not be the one who has left
        return row.body == CloseReason.OUTLASTED.code
    # Who has opened it has done so elsewhere.
    return row.at == first.at or (seated and row.kind in ("sit", "start"))
