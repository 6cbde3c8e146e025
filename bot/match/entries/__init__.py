"""The entries of a log: a frozen class for each kind.

Each class reads and writes its row of the store, changes the state of a table, names the people to call, and returns
the public announcement.
"""

from collections.abc import Mapping

from bot.match.entries.absence import Back as Back
from bot.match.entries.absence import Caretaker as Caretaker
from bot.match.entries.absence import Overdue as Overdue
from bot.match.entries.absence import Remind as Remind
from bot.match.entries.absence import Wait as Wait
from bot.match.entries.closing import Close as Close
from bot.match.entries.closing import CloseReason as CloseReason
from bot.match.entries.lobby import Computer as Computer
from bot.match.entries.lobby import Cut as Cut
from bot.match.entries.lobby import Dismiss as Dismiss
from bot.match.entries.lobby import Join as Join
from bot.match.entries.lobby import Practice as Practice
from bot.match.entries.lobby import Release as Release
from bot.match.entries.lobby import Reserve as Reserve
from bot.match.entries.lobby import SetOptions as SetOptions
from bot.match.entries.lobby import Wish as Wish
from bot.match.entries.play import Move as Move
from bot.match.entries.play import Resume as Resume
from bot.match.entries.play import Start as Start
from bot.match.entries.play import Tick as Tick
from bot.match.entries.rows import BadRow as BadRow
from bot.match.entries.seats import Decline as Decline
from bot.match.entries.seats import Give as Give
from bot.match.entries.seats import Leave as Leave
from bot.match.entries.seats import Offer as Offer
from bot.match.entries.seats import Take as Take
from bot.match.entries.votes import KeepPace as KeepPace
from bot.match.entries.votes import Propose as Propose
from bot.match.entries.votes import SetPace as SetPace
from bot.match.entries.votes import Vote as Vote
from bot.match.state import LogEntry

_CLASSES: tuple[type[LogEntry], ...] = (
    *(Join, Computer, Dismiss, Practice, Cut, Reserve, Release, SetOptions, Wish),
    *(Start, Move, Tick, Resume),
    *(Remind, Overdue, Wait, Caretaker, Back),
    *(Propose, Vote, SetPace, KeepPace),
    *(Leave, Offer, Decline, Give, Take),
    Close,
)

KINDS: Mapping[str, type[LogEntry]] = {entry.kind: entry for entry in _CLASSES}
"""The class that reads each kind of row."""
