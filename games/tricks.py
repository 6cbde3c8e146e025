"""Texts of games with tricks and bids: a trick in one line, hits and misses, the round that decided a match."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Final, Protocol, TypeAlias

from games.contract import Event, Outcome
from games.phrases import listed
from games.types import SEATS, Seat, with_seats


class Row(Protocol):
    """One seat's line of a score sheet."""

    @property
    def bid(self) -> int: ...
    @property
    def tricks(self) -> int: ...
    @property
    def total(self) -> int: ...


Worth: TypeAlias = Callable[[Row], str]
"""A function that returns the points of a row as text: ", +7"."""


FEW_ROUNDS: Final = 3
"""Fewest rounds in which it is an achievement to hit every bid."""


def stretches(
    events: Iterable[Event], together: Collection[tuple[type[Event], ...]], last: type[Event]
) -> Iterator[list[Event]]:
    """Split events into those that share a line.

    Neighbours share a line if a tuple of `together` contains both their classes. An event of class `last` ends a line.
    """
    run: list[Event] = []
    for event in events:
        if run and not (_alike(run[-1], event, together) and not isinstance(run[-1], last)):
            yield run
            run = []
        run.append(event)
    if run:
        yield run


def _alike(one: Event, other: Event, together: Collection[tuple[type[Event], ...]]) -> bool:
    return any(isinstance(one, classes) and isinstance(other, classes) for classes in together)


def trick(
    plays: Iterable[tuple[int, str]],
    names: Sequence[str],
    winner: Seat | None = None,
    cancelled: Collection[int] = (),
) -> str:
    """Return "Alice 🌴P3, cancelled · **Ben 🐬D4, takes it**".

    `plays` are (seat, cards) in order. The winner's play may be missing, when the line begins after it.
    """
    parts = []
    for seat, cards in plays:
        said = f"{names[seat]} {cards}{', cancelled' * (seat in cancelled)}"
        parts.append(f"**{said}, takes it**" if seat == winner else said)
    if winner is not None and not any(part.endswith("**") for part in parts):
        parts.append(f"**{names[winner]} takes it**")
    return " · ".join(parts)


def hits(rows: Sequence[Row], names: Sequence[str], worth: Worth) -> str:
    """Return "🎯 Ben hit 3, +7 · Alice needed 2, got 1, +1": hits first, then misses, both by seat."""
    exact = [f"{name} {bid_result(row, worth)}" for name, row in zip(names, rows, strict=True) if _hit(row)]
    missed = [
        f"{name} {bid_result(row, worth)}" for name, row in zip(names, rows, strict=True) if not _hit(row)
    ]
    return f"{'🎯' if exact else 'Nobody hit:'} {' · '.join([*exact, *missed])}"


def bid_result(row: Row, worth: Worth) -> str:
    """Return "hit 3, +7" or "needed 2, got 1, +1"."""
    return f"{f'hit {row.bid}' if _hit(row) else f'needed {row.bid}, got {row.tricks}'}{worth(row)}"


def _hit(row: Row) -> bool:
    return row.bid == row.tricks


def totals(rows: Sequence[Row], names: Sequence[str], *, low_wins: bool = False) -> str:
    """Return "Ben 20 · Alice 12", the best total first."""
    order = sorted(range(len(rows)), key=lambda seat: rows[seat].total, reverse=not low_wins)
    return " · ".join(f"{names[seat]} {rows[seat].total}" for seat in order)


def best_moment(
    rounds: Sequence[Sequence[Row]],
    outcome: Outcome,
    names: Sequence[str],
    thing: str,
    worth: Worth,
    *,
    high_bid: int,
    low_wins: bool = False,
) -> str:
    """Return a sentence on the best moment of a match, the rarest first: an exact bid of `high_bid` or more, a player
    without a miss, the round in which the winner went ahead for good, the highest exact bid.

    `thing` is the word for a round. Returns "" when nothing of this happened.
    """
    return (
        _highest_hit(rounds, names, thing, worth, high_bid)
        or _without_a_miss(rounds, names)
        or decided(rounds, outcome, names, thing, worth, low_wins=low_wins)
        or _highest_hit(rounds, names, thing, worth, 1)
    )


def _highest_hit(
    rounds: Sequence[Sequence[Row]], names: Sequence[str], thing: str, worth: Worth, least: int
) -> str:
    """Return a sentence on the first of the highest exact bids, if it is at least `least`; else ""."""
    found = [
        (number, name, row)
        for number, rows in enumerate(rounds, 1)
        for name, row in zip(names, rows, strict=True)
        if _hit(row) and row.bid >= least
    ]
    if not found:
        return ""
    number, name, row = max(found, key=lambda hit: hit[2].bid)
    return f"In {thing} {number} {name} bid {row.bid} and won exactly {row.bid}{worth(row)}."


def _without_a_miss(rounds: Sequence[Sequence[Row]], names: Sequence[str]) -> str:
    """Return a sentence on the players who hit every bid; "" for nobody, and for a match of fewer than three rounds."""
    if len(rounds) < FEW_ROUNDS:
        return ""
    exact = [name for seat, name in with_seats(names) if all(_hit(rows[seat]) for rows in rounds)]
    each = "each " * (len(exact) > 1)
    return f"{listed(exact)} {each}hit all {len(rounds)} bids." if exact else ""


def decided(
    rounds: Sequence[Sequence[Row]],
    outcome: Outcome,
    names: Sequence[str],
    thing: str,
    worth: Worth,
    *,
    low_wins: bool = False,
) -> str:
    """Return a sentence on the round in which the winner went ahead for good.

    `thing` is the word for a round. Returns "" when first place is shared or the totals do not decide.
    """
    if outcome.placings.count(1) != 1:
        return ""
    winner = SEATS[outcome.placings.index(1)]
    rivals = [_level_or_better(rows, winner, low_wins) for rows in rounds]
    if not rivals or rivals[-1]:
        return ""
    since = max((number for number, others in enumerate(rivals, 1) if others), default=0)
    if not since:
        return f"{names[winner]} was ahead from {thing} 1 to the end."
    own, passed = rounds[since][winner], listed(names[seat] for seat in rivals[since - 1])
    hit = f"{bid_result(own, worth)}, and " * _hit(own)
    return f"In {thing} {since + 1} {names[winner]} {hit}went ahead of {passed} for good."


def _level_or_better(rows: Sequence[Row], winner: Seat, low_wins: bool) -> list[int]:
    """Return the other seats whose total is at least as good as the winner's."""
    sign = -1 if low_wins else 1
    own = sign * rows[winner].total
    return [seat for seat, row in with_seats(rows) if seat != winner and sign * row.total >= own]
