"""An account of each table, kept by the laws themselves: who plays each seat, who has held which, and until when each
person has time. It is made from the entries alone, as the bot's own state may be what is wrong."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from bot.match.entries import (
    Back,
    Caretaker,
    Close,
    KeepPace,
    Leave,
    Move,
    Overdue,
    Remind,
    SetPace,
    Start,
    Take,
    Wait,
)
from bot.match.state import LogEntry, Poll, TableState
from bot.match.times import Times
from bot.store import LogRow
from games.types import with_seats

DECISIONS = (Wait, Caretaker, SetPace, KeepPace, Close)
"""Entries that carry out a vote."""


@dataclass
class Account:
    """What the entries of one log amount to. The times in it are in ms."""

    away: set[int] = field(default_factory=set)
    """Seats that computers play until their people are back."""
    gone: set[int] = field(default_factory=set)
    """Seats whose people have left the match."""
    held: dict[int, int] = field(default_factory=dict)
    """By person: the seat whose hand they have seen."""
    decided: list[int] = field(default_factory=list)
    """Numbers of the open votes that have a verdict."""
    asked: dict[int, tuple[object, int]] = field(default_factory=dict)
    """By seat: when its time last began anew with the pace, and the time since which both are so."""
    until: dict[int, tuple[int, int]] = field(default_factory=dict)
    """By seat: the time at which the table said how much time is left, and how much that was."""

    def faults(
        self, entry: LogEntry, row: LogRow, before: TableState, times: Times, but: Collection[int] = ()
    ) -> Iterator[str]:
        """Yield a sentence for each thing in an entry that the earlier ones do not allow. Nothing is said about the
        time of the people in `but`, of whose hours an account knows nothing."""
        yield from self._wrong_actor(entry, before)
        yield from self._skipped_vote(entry)
        for seat, since, left in self._promised(entry, before, times):
            if row.at < since + left and before.players[seat].user not in but:
                yield f"seat {seat} was promised {left} ms at {since}"

    def _wrong_actor(self, entry: LogEntry, before: TableState) -> Iterator[str]:
        left = self.away | self.gone
        match entry:
            case Move(seat, _, None) if before.players[seat].user and seat not in left:
                yield f"a computer has moved for seat {seat}, whose player is there"
            # An id below 0 is of somebody who had erased themselves before their move was read.
            case Move(seat, _, user) if (
                user and user > 0 and (seat in left or before.players[seat].user != user)
            ):
                yield f"{user} has moved for seat {seat}, which somebody else plays"
            case Remind() | Overdue() if left & {*entry.seats}:
                yield f"seats {left & {*entry.seats}} are called late, but computers play them"
            case Take(seat, user) if self.held.get(user, seat) != seat:
                yield f"{user} has held seat {self.held[user]}, and gets seat {seat}, too"

    def _skipped_vote(self, entry: LogEntry) -> Iterator[str]:
        if self.decided and not isinstance(entry, DECISIONS):
            yield f"the votes {self.decided} are decided, and not carried out"

    def _promised(self, entry: LogEntry, before: TableState, times: Times) -> Iterator[tuple[int, int, int]]:
        """Yield each seat that an entry takes time from, with what it was promised and since when."""
        if isinstance(entry, Remind):
            for seat in entry.seats:
                _, since = self.asked.get(seat, (None, 0))
                yield seat, since, times.move(before.pace) - entry.left
        elif isinstance(entry, Overdue) or (isinstance(entry, Caretaker) and not self.decided):
            for seat in entry.seats:
                yield seat, *self.until.get(seat, (0, 0))

    def add(self, entry: LogEntry, row: LogRow, state: TableState, times: Times) -> None:
        """Take in an entry. `state` is the table after it; its players, decisions and open votes are used."""
        match entry:
            case Start():
                self.held = {player.user: seat for seat, player in enumerate(state.players) if player.user}
            case Caretaker(seats):
                self.away |= {*seats}
            case Back(seat):
                self.away.discard(seat)
            case Take(seat, user):
                self.away.discard(seat)
                self.gone.discard(seat)
                self.held[user] = seat
            case Leave(user) if state.phase != "lobby":
                self.gone.add(self.held[user])
            case Remind(left, seats) | Overdue(left, seats):
                # Of nobody's time, so also not of the time that a deserted table waits.
                self.until |= dict.fromkeys(seats, (row.at, min(left, times.move(state.pace) // 3)))
            case SetPace():
                self.until = {}
        for seat, _ in with_seats(state.prompts):
            question = state.since.get(seat, 0), state.pace  # a secret move gives no new time
            if self.asked.get(seat, (None, 0))[0] != question:
                self.asked[seat] = question, row.at
        self.decided = [poll.number for poll in state.polls.values() if self._is_decided(state, poll)]

    def _is_decided(self, state: TableState, poll: Poll) -> bool:
        """Return whether a choice has more than half of the votes of those who are there; on a pace, whether all have
        voted."""
        overdue = {seat for each in state.polls.values() for seat in each.seats} if poll.seats else set()
        absent = self.away | self.gone | overdue
        there = [seat for seat, each in enumerate(state.players) if each.user and seat not in absent]
        votes = [vote for seat, vote in poll.votes.items() if seat in there and vote]
        most = max((votes.count(choice) for choice in state.choices(poll)), default=0)
        return 2 * most > len(there) or bool(poll.pace and votes and len(votes) == len(there))
