"""Figures of a profile: winning streaks, facts of several matches, the trend and the points of a rating chart."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.store import FactValues, Placed
from games.facts import FactKind
from games.phrases import capitalized, signed

RECENT: Final = 10
"""Number of rated matches over which the trend is measured."""
LEVEL: Final = 10
"""Largest change of a rating that is no trend."""
MINUTE: Final = 60_000
"""One minute in ms."""


@dataclass(frozen=True, slots=True)
class Streak:
    """Wins without a match between them that was not won."""

    wins: int = 0
    since: int = 0
    """End of the first of these matches, in ms."""
    until: int = 0
    """End of the last of these matches, in ms."""


def streaks(placings: Iterable[Placed]) -> tuple[Streak, Streak]:
    """Return the present winning streak and the longest one. `placings` are in order of time."""
    present = longest = Streak()
    for placed in placings:
        if placed.placing == 1:
            present = Streak(present.wins + 1, present.since or placed.ended, placed.ended)
        else:
            present = Streak()
        longest = max(longest, present, key=lambda streak: streak.wins)
    return present, longest


def trend(ratings: Sequence[int]) -> str:
    """Return the change over the last RECENT matches in words: "up 40 over the last 10 matches".

    `ratings` are those after each rated match, at least two."""
    matches = min(RECENT, len(ratings) - 1)
    change = ratings[-1] - ratings[-1 - matches]
    way = "level" if abs(change) <= LEVEL else f"up {change}" if change > 0 else f"down {-change}"
    return f"{way} over the last {f'{matches} matches' if matches > 1 else 'match'}"


def thinned(values: Sequence[int], most: int) -> list[int]:
    """Return the places of at most `most` values that show the course of all: always the first, last, highest and
    lowest one, the others at equal distances. `most` is at least 5."""
    if len(values) <= most:
        return [*range(len(values))]
    last = len(values) - 1
    kept = {values.index(max(values)), values.index(min(values))}
    even = most - len(kept)
    return sorted(kept | {last * place // (even - 1) for place in range(even)})


def fact_line(key: str, kinds: Mapping[str, FactKind], values: Mapping[str, FactValues]) -> str:
    """Return a fact of several matches in words: "214 of 301 bids hit exactly", "Tricks won: 31".

    Return "" for a fact that is not shown, that no match has, or that is part of nothing."""
    kind, found = kinds[key], values.get(key)
    if not kind.shown or found is None:
        return ""
    value = combined(kind, found)
    if not kind.of:
        return f"{_title(kind)}: {amount(kind, value)}"
    whole = values[kind.of].total if kind.of in values else 0
    if not whole:
        return ""
    if kinds[kind.of].unit == "ms":
        return f"{_title(kind)}: {signed(value)}, {value * MINUTE / whole:.1f} a minute"
    return f"{signed(value)} of {signed(whole)} {kind.title}"


def combined(kind: FactKind, values: FactValues) -> int:
    """Return the one value for several matches."""
    return {"sum": values.total, "most": values.most, "least": values.least}[kind.combine]


def record(kind: FactKind | None, values: FactValues) -> int:
    """Return the best value of several matches; 0 for a fact that has no best one, that only one match has, or that is
    not shown."""
    compared = kind and kind.shown and kind.combine != "sum" and values.matches > 1
    return combined(kind, values) if kind and compared else 0


def amount(kind: FactKind, value: int) -> str:
    """Return a value with its unit: "0.84 s", "4,345"."""
    return f"{value / 1000:.2f} s" if kind.unit == "ms" else signed(value)


def fact_of_match(kind: FactKind, value: int) -> str:
    """Return one value of a fact in words: "exact bids in a row: 7"."""
    return f"{kind.title}: {amount(kind, value)}"


def _title(kind: FactKind) -> str:
    return capitalized(kind.title)
