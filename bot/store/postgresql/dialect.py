"""Translate statements of `bot.store.sql` for PostgreSQL."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from bot.store.sql.database import Values

PARAMETER: Final = re.compile(r"\?(\d+)?|(?<!:):([a-z]\w*)")
RESERVED: Final = re.compile(r"\b(user|placing|only)\b")
"""Names of columns that mean something else unless they are quoted."""
HINTS: Final = re.compile(r" INDEXED BY \w+|\bCROSS(?= JOIN\b)")
"""Hints for SQLite's planner: an index, and the order of tables."""


@cache
def translate(statement: str) -> tuple[str, Sequence[str]]:
    """Return a statement with the parameters $1, $2 and so on, and the names of the values in that order; no names for
    a statement whose values have none."""
    names: list[str] = []
    count = 0

    def number(found: re.Match[str]) -> str:
        nonlocal count
        place, name = found.groups()
        if name is not None:
            if name not in names:
                names.append(name)
            return f"${names.index(name) + 1}"
        count += 1
        return f"${place or count}"

    plain = HINTS.sub("", statement)
    return RESERVED.sub(r'"\1"', PARAMETER.sub(number, plain)), tuple(names)


def arranged(values: Values, names: Sequence[str]) -> Sequence[Any]:
    """Return the values of a translated statement in the order of its parameters."""
    return [values[name] for name in names] if isinstance(values, Mapping) else values
