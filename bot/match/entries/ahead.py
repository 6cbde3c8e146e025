"""The entry by which a person decides ahead."""

from dataclasses import dataclass
from typing import Self

from bot.match.entries.rows import seat_of, user_of
from bot.match.state import LogEntry, TableState
from bot.store import LogRow
from games.types import Seat


@dataclass(frozen=True, slots=True)
class Ahead(LogEntry):
    """A person whose turn it is not decides what to play when it comes; with no text: that they are asked, as usual.

    The move follows as an entry of its own, `bot.match.deadlines` says when. By another move they take this back first.
    """

    kind = "ahead"
    is_told = False

    seat: Seat
    user: int
    text: str = ""

    @classmethod
    def read(cls, row: LogRow) -> Self:
        return cls(seat_of(row), user_of(row), row.body)

    def columns(self) -> tuple[int, int, str]:
        return self.seat, self.user, self.text

    def apply(self, state: TableState) -> None:
        state.forget_ahead(self.seat)
        if self.text:
            state.ahead[self.seat] = self.text
            state.ahead_count[self.seat] = state.ahead_count.get(self.seat, 0) + 1
