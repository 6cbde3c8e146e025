"""Custom ids of buttons, menus and modals. `bot.messages.router` finds the route of a click by its custom id alone."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

import discord

LONGEST: Final = 100
"""Maximum length of a custom id, set by Discord."""
MARK: Final = "~"
"""Begins the part of a custom id that no route reads."""


@dataclass(frozen=True, slots=True)
class CustomId:
    """A custom id, written as `verb:match:rest` or `verb:match`.

    `verb` names the route. `match` is the number of the table, 0 if there is none. Only the route reads `rest`.
    """

    verb: str
    match: int
    rest: str = ""

    def __str__(self) -> str:
        """Return the custom id as Discord gets it. Raises ValueError for one that Discord would refuse."""
        written = f"{self.verb}:{self.match}:{self.rest}" if self.rest else f"{self.verb}:{self.match}"
        if len(written) > LONGEST:
            raise ValueError(f"A custom id has at most {LONGEST} characters: {written!r}")
        return written

    def of_content(self, digest: str) -> str:
        """Return the custom id with a mark by which other content has another one. `read` ignores the mark."""
        return str(replace(self, rest=f"{self.rest}{MARK}{digest[:8]}"))

    @classmethod
    def read(cls, written: str) -> "CustomId | None":
        """Return the parts of a custom id; None for one that the bot does not write."""
        verb, _, after = written.partition(MARK)[0].partition(":")
        digits, _, rest = after.partition(":")
        match = number(digits)
        return None if match is None else cls(verb, match, rest)


def number(digits: str) -> int | None:
    """Return the number written in a custom id or by a person; None for anything but 1 to 15 digits from 0 to 9."""
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 16 else None


def ids_on(message: discord.Message) -> list[CustomId]:
    """Return the custom ids of a message's buttons."""
    return [found for written in _written(message.components) if (found := CustomId.read(written))]


def _written(components: Iterable[discord.Component]) -> Iterator[str]:
    for part in components:
        if isinstance(part, discord.Button):
            yield part.custom_id or ""
        elif isinstance(part, discord.ActionRow | discord.Container):
            yield from _written(part.children)
