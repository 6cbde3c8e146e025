"""Progress messages, summaries of times, and figures as a table."""

import os
import platform
import sys
from collections.abc import Iterator, Mapping, Sequence
from statistics import median, quantiles
from typing import Any, Final, TypeAlias

Figures: TypeAlias = dict[str, Any]
"""Figures by name, nested as they are printed. None is what could not be measured."""
DIGITS: Final = 3
"""Digits of a figure after its point."""
WIDE: Final = 8
"""Most columns of a table. Parts that are more become its lines."""


def machine() -> Figures:
    """Describe the machine that measures. If it was busy (`load`), only ratios are of use, and they are rough."""
    return {
        "python": platform.python_version(),
        "system": platform.platform(),
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0],
    }


def say(sentence: str) -> None:
    """Print a progress message to stderr."""
    print(sentence, file=sys.stderr, flush=True)


def wait(times: Sequence[float], name: str = "") -> Figures:
    """Summarize times in ms."""
    return {f"{name}p50_ms": percentile(times, 50), f"{name}p99_ms": percentile(times, 99)}


def percentile(values: Sequence[float], percent: int) -> float | None:
    """Return a percentile, interpolated; None without values."""
    if len(values) < 2:
        return next(iter(values), None)
    return quantiles(values, n=100)[percent - 1]


def ratio(one: float | None, other: float | None) -> float | None:
    """Divide, unless one of both was not measured."""
    return one / other if one is not None and other else None


def middle(runs: Sequence[Any]) -> Any:
    """Return the median of each figure of several runs; of what is no number, that of the first run."""
    if isinstance(runs[0], Mapping):
        return {name: middle([run[name] for run in runs if name in run]) for name in runs[0]}
    return median(runs) if all(isinstance(each, int | float) for each in runs) else runs[0]


def rounded(figures: Any) -> Any:
    """Return the same figures with DIGITS digits."""
    if isinstance(figures, Mapping):
        return {name: rounded(value) for name, value in figures.items()}
    return round(figures, DIGITS) if isinstance(figures, float) else figures


def table(figures: Mapping[str, Any]) -> str:
    """Return nested figures as text: parts that have the same figures side by side, all else line by line."""
    return "\n".join(_lines(figures, ""))


def _lines(figures: Mapping[str, Any], indent: str) -> Iterator[str]:
    for name, value in figures.items():
        title = indent + name.replace("_", " ")
        if not isinstance(value, Mapping):
            yield f"{title:<36}{shown(value):>14}"
        elif _is_grid(value):
            wide = len(value) > WIDE
            yield from _grid(title, value if wide else _turned(value))
        else:
            yield title
            yield from _lines(value, indent + "  ")


def _is_grid(parts: Mapping[str, Any]) -> bool:
    """Return whether the parts are two or more with the same figures."""
    rows = [*parts.values()]
    if len(rows) < 2 or not all(isinstance(row, Mapping) and row.keys() == rows[0].keys() for row in rows):
        return False
    return not any(isinstance(value, Mapping) for row in rows for value in row.values())


def _turned(parts: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    first = next(iter(parts.values()))
    return {name: {part: row[name] for part, row in parts.items()} for name in first}


def _grid(title: str, rows: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    columns = [*next(iter(rows.values()))]
    widths = [max(len(name), *(len(shown(row[name])) for row in rows.values())) + 2 for name in columns]
    yield f"{title:<36}" + "".join(
        f"{n.replace('_', ' '):>{w}}" for n, w in zip(columns, widths, strict=True)
    )
    for name, row in rows.items():
        cells = zip(row.values(), widths, strict=True)
        yield f"  {name.replace('_', ' '):<34}" + "".join(f"{shown(each):>{width}}" for each, width in cells)


def shown(value: object) -> str:
    """Return a figure as people read it: two decimals below 100, none above."""
    match value:
        case None:
            return "–"
        case float() if abs(value) < 100:
            return f"{value:.2f}"
        case float() | int():
            return f"{value:,.0f}"
    return str(value)
