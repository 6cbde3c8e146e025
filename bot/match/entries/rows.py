"""Read the required columns of a row of the store."""

from dataclasses import dataclass
from typing import Self

from bot.match.state import LogEntry
from bot.store import LogRow
from games.types import Seat


class BadRow(ValueError):
    """A row of the log that cannot be read as an entry. The message gives its number and the fault."""

    def __init__(self, row: LogRow, fault: str) -> None:
        super().__init__(f"entry {row.n} of the log, {row.kind!r}, {fault}")


def seat_of(row: LogRow) -> Seat:
    """Return the seat. Raises BadRow when there is none."""
    if row.seat is None:
        raise BadRow(row, "has no seat")
    return Seat(row.seat)


def user_of(row: LogRow) -> int:
    """Return the user. Raises BadRow when there is none."""
    if row.user is None:
        raise BadRow(row, "has no user")
    return row.user


def numbers_in(row: LogRow) -> list[int]:
    return [*map(int, row.body.split())]


def joined(numbers: tuple[int, ...]) -> str:
    """Return the body that lists these numbers."""
    return " ".join(map(str, numbers))


@dataclass(frozen=True, slots=True)
class BareEntry(LogEntry):
    """An entry without columns."""

    @classmethod
    def read(cls, _: LogRow) -> Self:
        return cls()

    def columns(self) -> tuple[None, None, str]:
        return None, None, ""


@dataclass(frozen=True, slots=True)
class PersonEntry(LogEntry):
    """An entry of a person, without a text."""

    user: int

    @classmethod
    def read(cls, row: LogRow) -> Self:
        return cls(user_of(row))

    def columns(self) -> tuple[None, int, str]:
        return None, self.user, ""


@dataclass(frozen=True, slots=True)
class TextEntry(LogEntry):
    """An entry of a person, or about one, with a text."""

    user: int
    text: str

    @classmethod
    def read(cls, row: LogRow) -> Self:
        return cls(user_of(row), row.body)

    def columns(self) -> tuple[None, int, str]:
        return None, self.user, self.text


@dataclass(frozen=True, slots=True)
class SeatEntry(LogEntry):
    """An entry of a person about a seat."""

    seat: Seat
    user: int

    @classmethod
    def read(cls, row: LogRow) -> Self:
        return cls(seat_of(row), user_of(row))

    def columns(self) -> tuple[int, int, str]:
        return self.seat, self.user, ""


@dataclass(frozen=True, slots=True)
class NamedSeatEntry(SeatEntry):
    """An entry of a person about a seat, with the name of its next player."""

    name: str

    @classmethod
    def read(cls, row: LogRow) -> Self:
        return cls(seat_of(row), user_of(row), row.body)

    def columns(self) -> tuple[int, int, str]:
        return self.seat, self.user, self.name
