"""The division of people into tables at the least cost: that of all pairs at a table, then that of their seats. Pure.

People are numbers from 0. `best_division` compares all ways, and divides each rest of the people only once: 12 people
take some 20 ms. `good_division` is an iterated local search: it exchanges two people as long as that is better, then
begins anew from a few exchanges by lot, and keeps what is as good. It ends after a number of looks, not after a time:
every machine finds the same.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import Final, TypeAlias

from games.chance import shuffled

LOOKS: Final = 200_000
"""Exchanges that `good_division` looks at before it ends."""
KICKS: Final = 3
"""Exchanges by lot with which it begins anew."""

Shape: TypeAlias = tuple[int, int]
"""Number of people at a table, then of its seats."""
Group: TypeAlias = tuple[int, ...]
"""The people at a table, ascending."""
Matrix: TypeAlias = Sequence[Sequence[int]]


def best_division(shapes: Sequence[Shape], weights: Matrix, uses: Matrix) -> list[tuple[Group, int]]:
    """Return the groups that cost least, with the number of their table's seats; of equal ones those of low numbers.

    `weights` has the cost of each pair at a table, `uses` that of each person in each seat.
    """
    pair = 1 + sum(map(sum, uses))  # all seats together cost less

    @cache
    def cost(group: Group, seats: int) -> int:
        pairs = sum(weights[one][other] for one, other in combinations(group, 2))
        return pair * pairs + in_seats([uses[person] for person in group], seats)[0]

    @cache
    def best(rest: Group, shapes: tuple[Shape, ...]) -> tuple[int, tuple[tuple[Group, int], ...]]:
        if not rest:
            return 0, ()
        ways = []
        first, *others = rest  # who sits at one of the tables, so that no way comes twice
        for shape in {*shapes}:
            people, seats = shape
            place = shapes.index(shape)
            left = shapes[:place] + shapes[place + 1 :]
            for mates in combinations(others, people - 1):
                group = (first, *mates)
                below, groups = best(tuple([each for each in others if each not in mates]), left)
                ways.append((below + cost(group, seats), ((group, seats), *groups)))
        return min(ways)

    return [*best(tuple(range(len(weights))), tuple(shapes))[1]]


def in_seats(uses: Matrix, seats: int) -> tuple[int, tuple[int, ...]]:
    """Return the least cost of people in different seats of a table, and the seat of each."""
    cheapest: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}  # by the seats that are taken, as bits
    for row in uses:
        found: dict[int, tuple[int, tuple[int, ...]]] = {}
        for taken, (cost, chosen) in cheapest.items():
            for seat in range(seats):
                if not taken >> seat & 1:
                    new = cost + row[seat], (*chosen, seat)
                    found[taken | 1 << seat] = min(found.get(taken | 1 << seat, new), new)
        cheapest = found
    return min(cheapest.values())


def good_division(
    shapes: Sequence[Shape], weights: Matrix, order: Sequence[int], seed: int | str
) -> list[tuple[Group, int]]:
    """Return groups whose pairs cost little, with the number of their table's seats. The search begins with the people
    as they are in `order`, table by table."""
    at = [table for table, (people, _) in enumerate(shapes) for _ in range(people)]
    search = _Search(weights, [table for _, table in sorted(zip(order, at, strict=True))], len(shapes))
    search.descend()
    while search.cost and search.looks < LOOKS:
        lot = shuffled(range(len(order)), seed, "exchange", search.looks, are_cards=False)
        search.retry(list(zip(lot[:KICKS], lot[KICKS : 2 * KICKS], strict=True)))
    return [
        (tuple([person for person, own in enumerate(search.at) if own == table]), seats)
        for table, (_, seats) in enumerate(shapes)
    ]


class _Search:
    def __init__(self, weights: Matrix, at: list[int], tables: int) -> None:
        self.weights = weights
        self.at = at
        """The table of each person."""
        self.pull = [[0] * tables for _ in weights]
        """Cost of each person together with those at each table."""
        for costs, row in zip(self.pull, weights, strict=True):
            for table, weight in zip(at, row, strict=True):
                costs[table] += weight
        self.cost = sum(costs[table] for costs, table in zip(self.pull, at, strict=True)) // 2
        self.looks = 0
        self.made: list[tuple[int, int]] = []
        """Exchanges since the search began anew."""

    def retry(self, exchanges: Sequence[tuple[int, int]]) -> None:
        """Begin anew from here with these exchanges, and come back unless that is as good."""
        before = self.cost
        self.made.clear()
        for one, other in exchanges:
            self.exchange(one, other)
        self.descend()
        if self.cost > before:
            for one, other in self.made[::-1]:
                self.exchange(one, other)

    def descend(self) -> None:
        """Exchange people until no exchange of two is better."""
        people, quiet, one = len(self.at), 0, 0
        while quiet < people:
            quiet = 0 if self._improve(one) else quiet + 1
            one = (one + 1) % people

    def _improve(self, one: int) -> bool:
        """Exchange a person with each other one with whom that is better; return whether it ever was."""
        at, pull, costs, weights = self.at, self.pull, self.pull[one], self.weights[one]
        before, table = self.cost, at[one]
        for other, there in enumerate([*at]):
            if there == table or other == one:
                continue
            if costs[there] - costs[table] + pull[other][table] - pull[other][there] < 2 * weights[other]:
                self.exchange(one, other)
                table = there
        self.looks += len(at)
        return self.cost < before

    def exchange(self, one: int, other: int) -> None:
        """Let two people exchange their tables."""
        here, there = self.at[one], self.at[other]
        if here == there:
            return
        ours, theirs = self.pull[one], self.pull[other]
        # Each of them is counted at the table of the other, who is not there any more.
        between = 2 * self.weights[one][other]
        self.cost += ours[there] - ours[here] + theirs[here] - theirs[there] - between
        for costs, leaving, coming in zip(self.pull, self.weights[one], self.weights[other], strict=True):
            costs[here] += coming - leaving
            costs[there] += leaving - coming
        self.at[one], self.at[other] = there, here
        self.made.append((one, other))
