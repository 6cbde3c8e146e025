"""Entries on votes and the pace."""

from dataclasses import dataclass, replace
from typing import Self, cast

from bot.match.entries.rows import seat_of, user_of
from bot.match.state import LogEntry, Poll, TableState
from bot.match.times import Pace, Times
from bot.store import LogRow
from games.types import Seat, with_seats


@dataclass(frozen=True, slots=True)
class Propose(LogEntry):
    """A player proposes another pace, and votes for it."""

    kind = "propose"

    seat: Seat
    user: int
    pace: Pace

    @classmethod
    def read(cls, row: LogRow) -> Self:
        return cls(seat_of(row), user_of(row), cast(Pace, row.body))

    def columns(self) -> tuple[int, int, str]:
        return self.seat, self.user, self.pace

    def apply(self, state: TableState) -> None:
        votes, proposer = {self.seat: "yes"}, state.players[self.seat]
        state.open_poll(Poll(state.polled + 1, pace=self.pace, votes=votes, n=state.told, proposer=proposer))


@dataclass(frozen=True, slots=True)
class Vote(LogEntry):
    """A player votes in a poll, or changes their vote."""

    kind = "vote"

    seat: Seat
    user: int
    poll: int
    choice: str
    """One of `TableState.choices`."""

    @classmethod
    def read(cls, row: LogRow) -> Self:
        poll, _, choice = row.body.partition(" ")
        return cls(seat_of(row), user_of(row), int(poll), choice)

    def columns(self) -> tuple[int, int, str]:
        return self.seat, self.user, f"{self.poll} {self.choice}"

    def apply(self, state: TableState) -> None:
        if poll := state.polls.get(self.poll):  # in logs of 0.1.0 another pace did not end it
            state.polls[self.poll] = replace(poll, votes={**poll.votes, self.seat: self.choice})


@dataclass(frozen=True, slots=True)
class SetPace(LogEntry):
    """The pace is set, when the table opens or by a vote. All polls end."""

    kind = "pace"

    pace: Pace

    @classmethod
    def read(cls, row: LogRow) -> Self:
        return cls(cast(Pace, row.body))

    def columns(self) -> tuple[None, None, str]:
        return None, None, self.pace

    def apply(self, state: TableState) -> None:
        state.pace = self.pace
        state.reminders, state.polls = [], {}
        for seat, _ in with_seats(state.players):
            state.forgive(seat)

    def announcement(self, _: TableState, times: Times) -> str:
        return f"⏱️ The pace is {self.pace}: {times.in_words(self.pace)}."


@dataclass(frozen=True, slots=True)
class KeepPace(LogEntry):
    """A poll on another pace ends with a no."""

    kind = "keep pace"

    poll: int

    @classmethod
    def read(cls, row: LogRow) -> Self:
        return cls(int(row.body))

    def columns(self) -> tuple[None, None, str]:
        return None, None, str(self.poll)

    def apply(self, state: TableState) -> None:
        del state.polls[self.poll]

    def announcement(self, state: TableState, _: Times) -> str:
        return f"⏱️ No majority for another pace: it stays {state.pace}."
