"""Entries from before a match: players and computers sit down, computers leave, hints are switched on."""

from dataclasses import dataclass
from typing import Self, cast

from bot.match.entries.rows import SeatEntry, user_of
from bot.match.state import LogEntry, Player, TableState
from bot.store import LogRow
from games.advice import Strength


@dataclass(frozen=True, slots=True)
class Join(LogEntry):
    """A person takes the next free seat."""

    kind = "join"

    user: int
    name: str

    @classmethod
    def read(cls, row: LogRow) -> Self:
        return cls(user_of(row), row.body)

    def columns(self) -> tuple[None, int, str]:
        return None, self.user, self.name

    def apply(self, state: TableState) -> None:
        state.players.append(Player(self.user, self.name))


@dataclass(frozen=True, slots=True)
class Computer(LogEntry):
    """A computer takes the next free seat."""

    kind = "computer"

    strength: Strength
    name: str
    user: int | None = None
    """The host who added it; None when the table was opened with it."""

    @classmethod
    def read(cls, row: LogRow) -> Self:
        strength, _, name = row.body.partition(" ")
        return cls(cast(Strength, strength), name, row.user)

    def columns(self) -> tuple[None, int | None, str]:
        return None, self.user, f"{self.strength} {self.name}"

    def apply(self, state: TableState) -> None:
        state.players.append(Player(0, self.name, self.strength))


@dataclass(frozen=True, slots=True)
class Dismiss(SeatEntry):
    """The host removes a computer."""

    kind = "dismiss"

    def apply(self, state: TableState) -> None:
        del state.players[self.seat]


@dataclass(frozen=True, slots=True)
class Practice(LogEntry):
    """The match gives hints and does not count."""

    kind = "practice"

    @classmethod
    def read(cls, _: LogRow) -> Self:
        return cls()

    def columns(self) -> tuple[None, None, str]:
        return None, None, ""

    def apply(self, state: TableState) -> None:
        state.practice = True
