"""The seating of a round of a game night: the sizes of its tables, who meets whom, who has which seat, and why. Pure.

Everybody plays: tables differ in size, or computers fill seats. The sizes are chosen first (`tables_for`). Of all ways
to divide the people into tables of these sizes, that one is best in which

1. the fewest pairs meet again; a pair counts as often as it has met before,
2. points are nearest: the sum of the differences of all pairs at a table is smallest,
3. people have had their seats the fewest times before.

Each aim decides only between ways that are equal in those before it, and a lot between ways that are equal in all. The
best way is found for up to EXACT people, and a good one for more (see `bot.standings.division`).
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Final, TypeAlias

from bot.standings.division import Shape, best_division, good_division, in_seats
from games.chance import shuffled
from games.phrases import counted

USUAL: Final = 4
"""Number of seats of a table where there is a choice: a placing means something, and nobody waits long."""
EXACT: Final = 12
"""Largest number of people for whom all ways are compared."""

Seats: TypeAlias = tuple[int | None, ...]
"""The people at a table, by seat; None for a computer."""


def seat_all(
    present: Collection[int],
    sizes: Collection[int],
    before: Sequence[Seats],
    points: Mapping[int, int],
    seed: int | str,
) -> list[Seats]:
    """Return the tables of a round for all people `present`. Their order has no influence.

    `sizes` are the numbers of seats that the game allows, `before` are all tables of earlier rounds, `points` has those
    of everybody present. `seed` draws the lot.
    """
    people = shuffled(present, seed, "seating", are_cards=False)
    shapes = tables_for(len(people), sizes)
    weights = _weights(people, _meetings(before), points)
    held = Counter((person, seat) for table in before for seat, person in enumerate(table))
    uses = [[held[person, seat] for seat in range(max(sizes))] for person in people]
    if len(people) <= EXACT:
        groups = best_division(shapes, weights, uses)
    else:
        by_points = sorted(range(len(people)), key=lambda number: points[people[number]])
        groups = good_division(shapes, weights, by_points, seed)
    return [
        _seated([people[number] for number in group], [uses[number] for number in group], seats)
        for group, seats in groups
    ]


def tables_for(people: int, sizes: Collection[int]) -> list[Shape]:
    """Return the tables for a number of people, smallest first.

    There are as few computers as possible. Then sizes are near USUAL, and alike, as only tables of one size can be
    compared: a table costs the square of its distance from USUAL, and 1 if no other has its size. Then tables are
    small. Computers are spread, so that nobody is alone with them where the others could sit closer.
    """
    most = people + min(sizes) - 1  # a multiple of the smallest size lies in between
    cheapest: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for size in sorted(sizes):
        found: dict[int, tuple[int, tuple[int, ...]]] = {}
        for seats, (cost, tables) in cheapest.items():
            for number in range((most - seats) // size + 1):
                new = cost + number * (size - USUAL) ** 2 + (number == 1), (*tables, *[size] * number)
                total = seats + number * size
                found[total] = min(found.get(total, new), new)
        cheapest = found
    seats = min(total for total in cheapest if total >= people)
    tables = cheapest[seats][1]
    at = [*tables]
    for _ in range(seats - people):
        at[at.index(max(at))] -= 1
    return sorted(zip(at, tables, strict=True))


def why(table: Seats, before: Sequence[Seats], points: Mapping[int, int]) -> str:
    """Return a sentence on why these people sit together, from what their seating was based on: "You have not met yet;
    you have 180 to 210 points."."""
    people = [person for person in table if person is not None]
    reasons = [
        _met(people, before),
        _near([points[person] for person in people]),
        _filled(len(table) - len(people)),
    ]
    return f"{'; '.join(filter(None, reasons))}."


def _met(people: Sequence[int], before: Sequence[Seats]) -> str:
    if len(people) == 1:
        return "Nobody else was left for this table"
    if not before:
        return "Drawn by lot, as this is the first round"
    meetings = _meetings(before)
    again = sum(bool(meetings[frozenset(pair)]) for pair in combinations(people, 2))
    if not again:
        return "You have not met yet"
    return f"{counted(again, 'pair')} {'has' if again == 1 else 'have'} met before, as few as could be found"


def _near(points: Sequence[int]) -> str:
    low, high = min(points), max(points)
    if len(points) == 1 or not high:
        return ""
    return "you have equally many points" if low == high else f"you have {low} to {high} points"


def _filled(computers: int) -> str:
    return f"{counted(computers, 'computer')} {'fills' if computers == 1 else 'fill'} in" if computers else ""


def _meetings(before: Iterable[Seats]) -> Counter[frozenset[int]]:
    """Return how often each pair has met."""
    return Counter(
        frozenset(pair)
        for table in before
        for pair in combinations([person for person in table if person is not None], 2)
    )


def _weights(
    people: Sequence[int], meetings: Mapping[frozenset[int], int], points: Mapping[int, int]
) -> list[list[int]]:
    """Return the first two aims for each pair as one number: all differences together weigh less than a meeting."""
    apart = [[abs(points[one] - points[other]) for other in people] for one in people]
    meeting = 1 + sum(map(sum, apart))
    return [
        [
            meeting * meetings.get(frozenset((one, other)), 0) + far
            for other, far in zip(people, row, strict=True)
        ]
        for one, row in zip(people, apart, strict=True)
    ]


def _seated(people: Sequence[int], uses: Sequence[Sequence[int]], seats: int) -> Seats:
    """Return the people of a table in the seats that they have had least."""
    placed = dict(zip(in_seats(uses, seats)[1], people, strict=True))
    return tuple([placed.get(seat) for seat in range(seats)])
