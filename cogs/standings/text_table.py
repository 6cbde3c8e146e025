"""The table of a leaderboard as text: a code block that fits a phone."""

import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

from bot.match.names import distinct_names
from bot.pictures.scene import LeaderboardRow
from games.phrases import numbered, short

NAME: Final = 12
"""Width of a name, in columns of a code block."""
NUMBER: Final = 4
"""Smallest width of a column of numbers. So a table is at most 34 columns wide."""


def text_table(heads: Sequence[str], rows: Sequence[LeaderboardRow], users: Sequence[int]) -> str:
    """Return the rows as a code block, and below it the accounts of people with equal names.

    `heads` are the headings after the names. An arrow ">" stands before the place of a marked row.
    """
    names = distinct_names(cut(row.name) for row in rows)
    lines = [_line("", "player", heads, heads)]
    for row, name in zip(rows, names, strict=True):
        lines.append(_line(f"{'>' * row.marked}{row.place}", cut(name), row.cells, heads))
    return "\n".join(["```", *lines, "```", *accounts(names, users)])


def accounts(names: Sequence[str], users: Sequence[int]) -> Iterator[str]:
    """Yield a line with the accounts of people who share a name, if there are any. It pings nobody."""
    heads = [numbered(name)[0] for name in names]
    alike = [
        f"{name}: <@{user}>"
        for name, head, user in zip(names, heads, users, strict=True)
        if heads.count(head) > 1
    ]
    if alike:
        yield f"-# {' · '.join(alike)}"


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
