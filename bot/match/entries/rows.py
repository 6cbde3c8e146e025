"""Columns of a row of the store that a kind of entry cannot do without."""

from bot.store import LogRow


class BadRow(ValueError):
    """A row of the log that is no entry. The message names its number and what is wrong with it."""

    def __init__(self, row: LogRow, fault: str) -> None:
        super().__init__(f"entry {row.n} of the log, {row.kind!r}, {fault}")


def seat_of(row: LogRow) -> int:
    """Return the seat. Raises BadRow when there is none."""
    if row.seat is None:
        raise BadRow(row, "has no seat")
    return row.seat


def user_of(row: LogRow) -> int:
    """Return the user. Raises BadRow when there is none."""
    if row.user is None:
        raise BadRow(row, "has no user")
    return row.user


def numbers_in(row: LogRow) -> list[int]:
    """Return the numbers of which the body consists."""
    return [*map(int, row.body.split())]


def joined(numbers: tuple[int, ...]) -> str:
    """Return numbers as the text of a body."""
    return " ".join(map(str, numbers))
