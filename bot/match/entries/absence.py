"""Entries on people who do not move in time.

All but `Back` list their seats in the body.
"""

from dataclasses import dataclass, replace
from typing import Self

from bot.match.entries.rows import SeatEntry, joined, numbers_in
from bot.match.names import seat_names
from bot.match.state import LogEntry, Poll, Reminder, TableState
from bot.match.times import Times
from bot.store import LogRow
from games.phrases import listed
from games.types import Seat


@dataclass(frozen=True, slots=True)
class _AboutSeats(LogEntry):
    """An entry about some seats."""

    seats: tuple[Seat, ...]

    @classmethod
    def read(cls, row: LogRow) -> Self:
        return cls((*map(Seat, numbers_in(row)),))

    def columns(self) -> tuple[None, None, str]:
        return None, None, joined(self.seats)


@dataclass(frozen=True, slots=True)
class _WithTimeLeft(LogEntry):
    """An entry about some seats, and a time in ms."""

    left: int
    seats: tuple[Seat, ...]

    @classmethod
    def read(cls, row: LogRow) -> Self:
        left, *seats = numbers_in(row)
        return cls(left, (*map(Seat, seats),))

    def columns(self) -> tuple[None, None, str]:
        return None, None, joined((self.left, *self.seats))


@dataclass(frozen=True, slots=True)
class Remind(_WithTimeLeft):
    """Players are reminded that `left` ms remain for their move."""

    kind = "remind"

    def apply(self, state: TableState) -> None:
        state.reminded.update(self.seats)
        others = [
            replace(each, seats=tuple(seat for seat in each.seats if seat not in self.seats))
            for each in state.reminders
        ]
        new = Reminder(state.told, state.at, self.left, self.seats)
        state.reminders = [*(each for each in others if each.seats), new]


@dataclass(frozen=True, slots=True)
class Overdue(_WithTimeLeft):
    """The time of these seats is up. The other players have `left` ms to vote on what to do."""

    kind = "overdue"

    def apply(self, state: TableState) -> None:
        state.open_poll(Poll(state.polled + 1, seats=self.seats, n=state.told, at=state.at, left=self.left))


@dataclass(frozen=True, slots=True)
class Wait(_AboutSeats):
    """The table voted to wait for these seats."""

    kind = "wait"

    def apply(self, state: TableState) -> None:
        for seat in self.seats:
            state.forgive(seat)

    def announcement(self, state: TableState, _: Times) -> str:
        return f"⏳ The table waits for {_listed(state, self.seats)}."


@dataclass(frozen=True, slots=True)
class Caretaker(_AboutSeats):
    """Computers play for these seats until their players are back."""

    kind = "caretaker"

    def apply(self, state: TableState) -> None:
        for seat in self.seats:
            state.forgive(seat)
            state.away.add(seat)

    def announcement(self, state: TableState, _: Times) -> str:
        play = "A computer plays" if len(self.seats) == 1 else "Computers play"
        return f"🤖 {play} for {_listed(state, self.seats)} until they press `I'm back`."


@dataclass(frozen=True, slots=True)
class Back(SeatEntry):
    """A player who was away or overdue is there again."""

    kind = "back"

    def apply(self, state: TableState) -> None:
        state.forgive(self.seat)
        state.away.discard(self.seat)
        state.returned.add(self.user)

    def announcement(self, state: TableState, _: Times) -> str:
        return f"🪑 {seat_names(state.players)[self.seat]} is back."


def _listed(state: TableState, seats: tuple[Seat, ...]) -> str:
    who = seat_names(state.players)
    return listed(who[seat] for seat in seats)
