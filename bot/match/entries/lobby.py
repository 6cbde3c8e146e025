"""Entries from before a match: people and computers sit down, computers leave, seats are kept, people cut and choose
partners, options change, hints are switched on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self, cast

from bot.match.deals import DealStep, terms_of
from bot.match.entries.rows import BareEntry, PersonEntry, SeatEntry, TextEntry, user_of
from bot.match.state import LogEntry, Player, TableState, Words
from bot.store import LogRow
from games.advice import Strength


@dataclass(frozen=True, slots=True)
class Join(LogEntry):
    """A person takes the next free seat."""

    kind = "sit"

    user: int
    name: str
    interaction: int = 0
    """Id of the interaction by which they joined; 0 when the deal does not depend on it."""

    @classmethod
    def read(cls, row: LogRow) -> Self:
        interaction, _, name = row.body.partition(" ")
        return cls(user_of(row), name, int(interaction))

    def columns(self) -> tuple[None, int, str]:
        return None, self.user, f"{self.interaction} {self.name}"

    def deal_step(self, _: TableState) -> Sequence[str]:
        return "join", str(self.interaction)  # the person's id is no part of it, as erasing replaces that

    def apply(self, state: TableState) -> None:
        state.players += (Player(self.user, self.name),)
        state.reserved.pop(self.user, None)


@dataclass(frozen=True, slots=True)
class Reserve(TextEntry):
    """A seat is kept for a person: of a rematch, for those who played the match before, or for somebody who is
    challenged. The text is their name."""

    kind = "reserve"

    def apply(self, state: TableState) -> None:
        if self.user > 0:  # not for somebody who was erased
            state.reserved[self.user] = Player(self.user, self.text)


@dataclass(frozen=True, slots=True)
class Release(BareEntry):
    """The kept seats are free for anybody."""

    kind = "release"

    def apply(self, state: TableState) -> None:
        state.reserved = {}


@dataclass(frozen=True, slots=True)
class DeclineKept(PersonEntry):
    """A person declines the seat that was kept for them: it is free for anybody."""

    kind = "decline-kept"

    def apply(self, state: TableState) -> None:
        state.reserved.pop(self.user, None)
        state.declined.add(self.user)


@dataclass(frozen=True, slots=True)
class Cut(LogEntry):
    """A person, with or without a seat, adds words to the seed of the deal. On the card their last
    cut replaces those before; the seed follows from all of them."""

    kind = "cut"

    user: int
    name: str
    words: str
    """Safe to print, in one line; "" when the person was erased."""
    digest: str
    """64 characters (see `bot.store.seeds.cut_digest`)."""

    @classmethod
    def read(cls, row: LogRow) -> Self:
        words, _, name = row.body[65:].partition("\n")
        return cls(user_of(row), name, words, row.body[:64])

    def columns(self) -> tuple[None, int, str]:
        return None, self.user, f"{self.digest} {self.words}\n{self.name}"

    def deal_step(self, _: TableState) -> Sequence[str]:
        return "cut", self.digest

    def apply(self, state: TableState) -> None:
        state.cuts.pop(self.user, None)  # the new one is the last
        state.cuts[self.user] = Words(self.name, self.words, self.digest)


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

    def deal_step(self, _: TableState) -> Sequence[str]:
        return "computer", self.strength

    def apply(self, state: TableState) -> None:
        state.players += (Player(0, self.name, self.strength),)


@dataclass(frozen=True, slots=True)
class Dismiss(SeatEntry):
    """The host removes a computer."""

    kind = "dismiss"

    def deal_step(self, _: TableState) -> Sequence[str | int]:
        return "departure", self.seat

    def apply(self, state: TableState) -> None:
        state.remove_player(self.seat)


@dataclass(frozen=True, slots=True)
class SetOptions(TextEntry):
    """The host changes the options of the game. The text has all of them, as JSON."""

    kind = "options"

    def deal_step(self, state: TableState) -> DealStep:
        return "options", terms_of(state.game, state.game.Options.model_validate_json(self.text))

    def apply(self, state: TableState) -> None:
        state.options = state.game.Options.model_validate_json(self.text)


@dataclass(frozen=True, slots=True)
class Wish(SeatEntry):
    """A person wishes for the one at a place in the lobby as their partner; for themselves: for nobody."""

    kind = "wish"

    def deal_step(self, state: TableState) -> Sequence[str]:
        return "partner", f"{state.seat_of(self.user)} {self.seat}"

    def apply(self, state: TableState) -> None:
        state.wishes[self.user] = state.players[self.seat].user


@dataclass(frozen=True, slots=True)
class Practice(BareEntry):
    """The match gives hints and does not count."""

    kind = "practice"

    def apply(self, state: TableState) -> None:
        state.practice = True
