"""Points and standings of a game night, from the results of its rounds. Pure.

A round gives a person up to MOST points, the mean of two shares in which a tie counts half:

- of the other sides at the table, those that came after theirs. It is the same as in a season, so tables of all sizes
  give equal points on average.
- of all others who had the same seat in the same deal, computers too, those who did worse, as in duplicate bridge. It
  compares ranks, not scores: a freak result at another table is one that did better or worse and no more, and no game
  needs a scale. Without others, the first share counts alone.

So one round moves a person by MOST at most, and what happens at one other table by half of that. Partners share their
placing and their score. Whoever is replaced gets nothing.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from bot.standings.ratings import RatedMatch
from bot.standings.season import points, share
from games.contract import ranked

Merit: TypeAlias = tuple[int, int]
EqualSeat: TypeAlias = tuple[str, int, int]
"""A deal, a number of seats, and a seat."""


@dataclass(frozen=True, slots=True)
class NightTable:
    """The people and the result of one table of a round."""

    people: tuple[int | None, ...]
    """The person in each seat, None for a computer; then those who left, as in `RatedMatch.people`."""
    match: RatedMatch | None = None
    """None for a match without a result, or of one side: it gives nobody points."""
    merits: tuple[Merit, ...] = ()
    """By seat, the greater the better: the score, negative where low scores win; then the negative placing, because all
    who are out may have the same score."""
    deal: str = ""
    """Name of the deal. Tables with the same deal, and as many seats, had the same cards in the same seats."""


class NightRow(NamedTuple):
    """One line of the standings."""

    place: int
    """People with equal points share a place (1, 1, 3)."""
    user: int
    points: int


def standings(rounds: Iterable[Sequence[NightTable]], present: Collection[int] = ()) -> list[NightRow]:
    """Return the standings of a night, most points first, also of those `present` for the next round."""
    rows = sorted(totals(rounds, present).items(), key=lambda row: (-row[1], row[0]))
    places = ranked([total for _, total in rows])
    return [NightRow(place, user, total) for place, (user, total) in zip(places, rows, strict=True)]


def totals(rounds: Iterable[Sequence[NightTable]], present: Collection[int] = ()) -> dict[int, int]:
    """Return the points of everybody who has played, and of those `present` for the next round.

    Who comes late begins with the mean of all standings before their first round. Who leaves keeps what they have.
    """
    found: dict[int, int] = {}
    for tables in rounds:
        gained = round_points(tables)
        _welcome(gained, found)
        for user, more in gained.items():
            found[user] += more
    _welcome(present, found)
    return found


def _welcome(people: Iterable[int], found: dict[int, int]) -> None:
    """Give newcomers their first points."""
    # Of leavers too, so that it does not move when people come and go in the pause.
    known = [*found.values()] or [0]
    mean = (2 * sum(known) + len(known)) // (2 * len(known))
    for user in people:
        found.setdefault(user, mean)


def round_points(tables: Sequence[NightTable]) -> dict[int, int]:
    """Return what a round gives each of its people: 0 to whoever is replaced."""
    equal: dict[EqualSeat, list[Merit]] = defaultdict(list)
    for table in tables:
        for seat, merit in enumerate(table.merits):
            equal[table.deal, len(table.merits), seat].append(merit)
    gained: dict[int, int] = defaultdict(int)
    for table in tables:
        for number, user in enumerate(table.people):
            if user is not None:
                gained[user] = max(gained[user], _points(table, number, equal))
    return gained


def _points(table: NightTable, number: int, equal: Mapping[EqualSeat, Sequence[Merit]]) -> int:
    if table.match is None or table.match.people[number].replaced:
        return 0
    placed, own = points(table.match, number), table.merits[number]
    others = [*equal[table.deal, len(table.merits), number]]
    others.remove(own)
    return (placed + share(own, others) + 1) // 2 if others else placed
