"""What is decided about a card room before it begins."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

RANGE = re.compile(r"([a-z]?)(\d+)(?:-(\d+))?", re.ASCII)
"""A name such as f1 or 7, or a range of them."""


@dataclass(frozen=True)
class Plan:
    """One card room. Everything that is not said here follows from its seed."""

    seed: int
    seconds: float
    """Time with people and faults."""
    tables: int = 12
    """Number of tables that people keep open at the same time, without daily deals."""
    between: tuple[float, float] = (0.3, 3.5)
    """Range of the seconds between two faults."""
    age: float = 8.0
    """Seconds that the bot runs before it is killed or stopped; a kill may come again while it starts."""
    deadly: float = 0.55
    """Part of the time at which kills end."""
    faulty: float = 0.9
    """Part of the time at which all faults end."""
    storm: bool = False
    """True when the power is cut again and again."""
    shards: int = 1
    """Number of shards, each with one of the servers."""
    processes: int = 1
    """Number of processes of the bot. Several share the shards, and a PostgreSQL database."""
    game: str = ""
    """The only game that is played; "" for all."""
    spared: frozenset[str] = frozenset()
    """Names of the kinds of faults that do not come."""
    dropped: frozenset[str] = frozenset()
    """Faults and people that are left out, such as f12 and p3."""


def numbered(text: str) -> tuple[str, ...]:
    """Return the names that a list with ranges stands for: "f1-3,p7" gives f1, f2, f3 and p7. Raises ValueError, with a
    sentence, for a part that stands for none."""
    found: list[str] = []
    for part in text.split(",") if text else ():
        parsed = RANGE.fullmatch(part)
        if parsed is None or int(parsed[2]) > int(parsed[3] or parsed[2]):
            raise ValueError(f"{part!r} is no name and no range of names.")
        found += [f"{parsed[1]}{n}" for n in range(int(parsed[2]), int(parsed[3] or parsed[2]) + 1)]
    return tuple(found)


def spelled(names: Iterable[str]) -> str:
    """Return the shortest list with ranges for names such as f1."""
    parts: list[str] = []
    for letter, group in groupby(sorted(names, key=_order), key=lambda name: name[0]):
        numbers = [int(name[1:]) for name in group]
        for _, run in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0]):
            found = [number for _, number in run]
            parts.append(f"{letter}{found[0]}" + (f"-{found[-1]}" if len(found) > 1 else ""))
    return ",".join(parts)


def _order(name: str) -> tuple[str, int]:
    return name[0], int(name[1:])
