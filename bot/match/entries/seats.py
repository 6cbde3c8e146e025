"""Entries on people leaving, and on seats that pass to other people."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from bot.match.entries.rows import NamedSeatEntry, PersonEntry, SeatEntry, seat_of, user_of
from bot.match.names import own_name, seat_names
from bot.match.state import LogEntry, Player, TableState
from bot.match.times import Times
from bot.store import LogRow
from games.types import SEATS, Seat


@dataclass(frozen=True, slots=True)
class Leave(PersonEntry):
    """A person leaves. In a match a computer plays on in the seat."""

    kind = "leave"

    def deal_step(self, state: TableState) -> Sequence[str | int]:
        return ("departure", self._seat(state)) if state.phase == "lobby" else ()

    def apply(self, state: TableState) -> None:
        seat = self._seat(state)
        if state.phase == "lobby":
            state.remove_player(seat)
        else:
            state.forgive(seat)
            state.offers.pop(seat, None)
            state.gone.add(seat)
            state.left[self.user] = state.players[seat]

    def announcement(self, state: TableState, _: Times) -> str:
        name = seat_names(state.players)[self._seat(state)]
        if not state.people():
            return f"👋 {name} left."
        return (
            f"👋 {name} left. A computer plays on in that seat{'; anybody may take it' * bool(state.vacant)}."
        )

    def _seat(self, state: TableState) -> Seat:
        return SEATS[[player.user for player in state.players].index(self.user)]


@dataclass(frozen=True, slots=True)
class Offer(LogEntry):
    """A player offers their seat to somebody."""

    kind = "offer"

    seat: Seat
    user: int
    to: int
    """The user to whom it is offered."""
    name: str

    @classmethod
    def read(cls, row: LogRow) -> Self:
        to, _, name = row.body.partition(" ")
        return cls(seat_of(row), user_of(row), int(to), name)

    def columns(self) -> tuple[int, int, str]:
        return self.seat, self.user, f"{self.to} {self.name}"

    def apply(self, state: TableState) -> None:
        state.offers[self.seat] = self.to
        state.offered[self.seat] = state.told


@dataclass(frozen=True, slots=True)
class Decline(SeatEntry):
    """A person declines the seat that they were offered, or its player takes the offer back."""

    kind = "decline"

    def apply(self, state: TableState) -> None:
        state.offers.pop(self.seat)

    def announcement(self, state: TableState, _: Times) -> str:
        how = "taken back" if self.user == state.players[self.seat].user else "declined"
        return f"🤝 The offer was {how}: {seat_names(state.players)[self.seat]} plays on."


@dataclass(frozen=True, slots=True)
class Give(NamedSeatEntry):
    """A player (`user`) hands their seat over to the person called `name`. The next entry is the Take.

    `Store.members` reads from this entry that the giver is no longer a member of the match.
    """

    kind = "give"

    def apply(self, state: TableState) -> None:
        """Note who has left: the Take changes the seat."""
        state.left[self.user] = state.players[self.seat]

    def announcement(self, state: TableState, _: Times) -> str:
        return f"🤝 {own_name(self.name)} takes over from {seat_names(state.players)[self.seat]}."


@dataclass(frozen=True, slots=True)
class Take(NamedSeatEntry):
    """A person takes a seat whose player has left, or that they were offered."""

    kind = "take"

    def apply(self, state: TableState) -> None:
        state.forgive(self.seat)
        state.gone.discard(self.seat)
        state.away.discard(self.seat)
        state.offers.pop(self.seat, None)
        state.former = state.players[self.seat]
        player = Player(self.user, self.name)
        state.players = (*state.players[: self.seat], player, *state.players[self.seat + 1 :])
        if self.user in state.held:
            state.returned.add(self.user)
        state.held[self.user] = self.seat
        state.withdraw_votes(self.seat)
        state.forget_ahead(self.seat)
        state.left.pop(self.user, None)
        state.prompts[self.seat] += 1
        state.changed = [self.seat]

    def announcement(self, state: TableState, _: Times) -> str:
        if state.offer_ended:
            return ""  # the Give before it says that the seat changes hands
        former = state.former
        whose = f" for {own_name(former.name)}" if former and former.user != self.user else ""
        return f"🪑 {seat_names(state.players)[self.seat]} plays on{whose}."

    def ending(self, state: TableState, _: Times) -> str:
        return f"🤝 {seat_names(state.players)[self.seat]} has the seat."
