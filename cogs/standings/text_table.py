"""The table of a leaderboard as text: a code block that fits a phone."""

import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final

from bot.pictures.scene import LeaderboardRow
from games.phrases import short

NAME: Final = 10
"""Width of a name, in columns of a code block."""
NUMBER: Final = 4
"""Smallest width of a column of numbers. So a table is at most 34 columns wide."""


def text_table(heads: Sequence[str], rows: Iterable[LeaderboardRow]) -> str:
    """Return the rows as a code block. `heads` are the headings after the names.

    An arrow ">" stands before the place of a marked row.
    """
    lines = (_line(f"{'>' * row.marked}{row.place or '–'}", cut(row.name), row.cells, heads) for row in rows)
    return "\n".join(["```", _line("", "player", heads, heads), *lines, "```"])


def cut(name: str) -> str:
    """Return a name, cut to at most NAME columns."""
    return next(part for length in range(NAME, 0, -1) if _columns(part := short(name, length)) <= NAME)


def _line(place: str, name: str, cells: Sequence[str], heads: Sequence[str]) -> str:
    numbers = (f"{cell:>{max(NUMBER, len(head))}}" for cell, head in zip(cells, heads, strict=True))
    return " ".join([f"{place:>{NUMBER}}", name + " " * (NAME - _columns(name)), *numbers])


def _columns(text: str) -> int:
    """Return the width of a text in columns of a code block: Chinese and Japanese letters take two, accents none."""
    seen = [letter for letter in text if unicodedata.category(letter) not in ("Mn", "Me", "Cf")]
    return sum(1 + (unicodedata.east_asian_width(letter) in "WF") for letter in seen)
