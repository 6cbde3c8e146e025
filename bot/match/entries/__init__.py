"""The entries of a log: a frozen class for each kind.

Each class reads and writes its row of the store, changes the state of a table, names the people to call, and returns
the public announcement.
"""
# What this package offers is imported here.
# mypy: implicit-reexport
# ruff: noqa: F401

from collections.abc import Mapping

from bot.match.entries.absence import Back, Caretaker, Overdue, Remind, Wait
from bot.match.entries.ahead import Ahead
from bot.match.entries.closing import Close, CloseReason
from bot.match.entries.lobby import (
    Computer,
    Cut,
    DeclineKept,
    Dismiss,
    Join,
    Practice,
    Release,
    Reserve,
    SetOptions,
    Wish,
)
from bot.match.entries.play import Move, Restored, Resume, Start, Tick
from bot.match.entries.rows import BadRow
from bot.match.entries.seats import Decline, Give, Leave, Offer, Take
from bot.match.entries.votes import KeepPace, Propose, SetPace, Vote
from bot.match.state import LogEntry

_CLASSES: tuple[type[LogEntry], ...] = (
    *(Join, Computer, Dismiss, Practice, Cut, Reserve, Release, DeclineKept, SetOptions, Wish),
    *(Start, Move, Ahead, Tick, Resume, Restored),
    *(Remind, Overdue, Wait, Caretaker, Back),
    *(Propose, Vote, SetPace, KeepPace),
    *(Leave, Offer, Decline, Give, Take),
    Close,
)

KINDS: Mapping[str, type[LogEntry]] = {entry.kind: entry for entry in _CLASSES}
"""The class that reads each kind of row."""
