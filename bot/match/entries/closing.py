"""The entry that closes a table, and the reasons for it."""

from dataclasses import dataclass
from enum import Enum
from typing import Final, Self

from bot.match.entries.rows import BadRow
from bot.match.state import LogEntry, TableState
from bot.match.times import Times
from bot.store import FORMER, LogRow
from games.phrases import capitalized

UNCOUNTED: Final = "; the match does not count"
"""Ending of a sentence about a match that had begun."""


class CloseReason(Enum):
    """Reasons to close a table. Each has its code in the log, and the text that follows "Table closed:"."""

    CANCELLED = "cancelled", "{who} cancelled this table."
    """By the host, before the match."""
    ENDED = "ended", "ended by {who}" + UNCOUNTED + "."
    """By a person who manages the server."""
    EVERYBODY_LEFT = "everybody left", "everybody has left" + UNCOUNTED + "."
    OUTLASTED = "outlasted", "everybody else has left or was away, so {who} has won."
    """In a match of two that both had played, one has left or was long away; then the other one has left it, too, or
    not moved."""
    VOTED = "voted", "the table voted to end it" + UNCOUNTED + "."
    NOT_STARTED = "not started", "nobody started it in time."
    NOBODY_THERE = "nobody there", "nobody was left to play" + UNCOUNTED + "."
    """All people were overdue or away for the time of many moves (`bot.match.deadlines.IDLE`)."""
    ASLEEP = "asleep", "nobody has moved for a day" + UNCOUNTED + "."
    """The only person, alone with computers, has not moved."""
    CHANNEL_GONE = "channel gone", "its channel is gone."
    BOT_REMOVED = "bot removed", "the bot was removed from the server."
    NOT_SHOWN = "not shown", "it could not be shown."
    """Discord did not take the message of a new table."""
    DAY_OVER = "day over", "its daily deal has closed."
    ROUND_OVER = "round over", "this round of the game night has ended" + UNCOUNTED + "."
    DESERTED = "deserted", "nobody was left to play in this round of the game night" + UNCOUNTED + "."
    """All its people were away for some moves, or the only one did not move: the night does not wait for them."""
    REPLACED = "replaced", "its player has begun another practice match."
    OUTDATED = "outdated", "it began under older rules and cannot go on."

    def __init__(self, code: str, sentence: str) -> None:
        self.code = code
        self.sentence = sentence


CODES = {reason.code: reason for reason in CloseReason}


@dataclass(frozen=True, slots=True)
class Close(LogEntry):
    """The table closes, and its match does not count; or the match is over, as one of two has won by staying longer."""

    kind = "close"

    reason: CloseReason
    user: int | None = None
    """The person who cancelled or ended it, who left last, or who has won."""

    @classmethod
    def read(cls, row: LogRow) -> Self:
        if row.body not in CODES:
            raise BadRow(row, f"has the unknown reason {row.body!r}")
        return cls(CODES[row.body], row.user)

    def columns(self) -> tuple[None, int | None, str]:
        return None, self.user, self.reason.code

    @property
    def sentence(self) -> str:
        """The reason in words."""
        erased = self.user is not None and self.user < 0
        who = f"a {FORMER}" if erased else f"<@{self.user}>"
        return self.reason.sentence.format(who=who)

    @property
    def told(self) -> str:
        """The reason and the person, as a custom id carries what somebody was told."""
        return f"{self.reason.code} {self.user}"

    def apply(self, state: TableState) -> None:
        has_won = self.reason is CloseReason.OUTLASTED
        # Nothing that could count has begun in a lobby.
        state.reason = self.sentence.replace(UNCOUNTED, "") if state.phase == "lobby" else self.sentence
        state.phase = "over" if has_won else "closed"
        state.winner = (self.user or 0) if has_won else 0

    def announcement(self, state: TableState, _: Times) -> str:
        return f"🏁 {capitalized(self.sentence)}" if state.winner else f"🚪 Table closed: {self.sentence}"
