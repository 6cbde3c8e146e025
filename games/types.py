"""Types of the ints that could be taken for each other: seats and actions.

Both are ints at run time, and free. Arithmetic with them gives plain ints: look its result up in `SEATS`, or in a table
of actions, rather than wrap it, because in a playout a call costs more than a look-up.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final, NewType, TypeVar

T = TypeVar("T")

Seat = NewType("Seat", int)
"""A place at the table: 0 to n-1, clockwise. Where there may be nobody, the type is `Seat | None`."""
Action = NewType("Action", int)
"""Something that a seat may do: a small int that is private to each game."""

SEATS: Final = tuple(map(Seat, range(8)))
"""The seats of the largest table. A table of n has `SEATS[:n]`; `SEATS[(seat + 1) % n]` is the next one to the left."""


def around(first: Seat, seats: int) -> tuple[Seat, ...]:
    """Return all seats of a table, clockwise from `first` on."""
    return SEATS[first:seats] + SEATS[:first]


if TYPE_CHECKING:

    def with_seats(values: Iterable[T]) -> Iterator[tuple[Seat, T]]:
        """Yield each seat with its value. `values` are by seat."""
else:  # a function of our own would cost a call for each loop
    with_seats = enumerate
