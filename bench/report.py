"""Progress messages, and the table of figures."""

import os
import platform
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Machine:
    """The machine that measured. If it was busy, only the ratios are of use, and they are rough."""

    python: str = field(default_factory=platform.python_version)
    system: str = field(default_factory=platform.platform)
    cores: int | None = field(default_factory=os.cpu_count)
    load: float = field(default_factory=lambda: round(os.getloadavg()[0], 2))
    """Load average of the minute before the measurement."""


def say(sentence: str) -> None:
    """Print a progress message to stderr."""
    print(sentence, file=sys.stderr, flush=True)


def table(figures: Mapping[str, Any]) -> str:
    """Return nested figures as text: one line each, under headings."""
    return "\n".join(_lines(figures, ""))


def _lines(figures: Mapping[str, Any], indent: str) -> Iterator[str]:
    for name, value in figures.items():
        title = name.replace("_", " ")
        if isinstance(value, Mapping):
            yield f"{indent}{title}"
            yield from _lines(value, indent + "  ")
        else:
            yield f"{indent + title:<36}{shown(value):>14}"


def shown(value: object) -> str:
    """Return a figure as people read it: two decimals below 100, none above."""
    match value:
        case None:
            return "not measured"
        case float() if abs(value) < 100:
            return f"{value:.2f}"
        case float() | int():
            return f"{value:,.0f}"
    return str(value)
