"""Parts of messages: their types and flags, and the texts and components in their bodies."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from sandbox.checks import Json
from sandbox.components import TEXT_DISPLAY, every

DEFAULT, RECIPIENT_ADD, PINNED, CHAT_INPUT, THREAD_STARTER, CONTEXT_MENU = 0, 1, 6, 20, 21, 23
WRITTEN = (DEFAULT, CHAT_INPUT, CONTEXT_MENU)
"""Types of messages that a user wrote; all other types are system messages."""
HAS_THREAD, EPHEMERAL, LOADING, IS_COMPONENTS_V2 = 1 << 5, 1 << 6, 1 << 7, 1 << 15
SETTABLE = (1 << 12) | IS_COMPONENTS_V2
"""Flags a bot may choose: no notification, components V2."""

_COMMAND: Final = re.compile(r"</([^:>]+):\d+>")
_NO_BREAK: Final = str.maketrans({"\u00a0": " ", "\u2060": None})
"""Characters that forbid the end of a line, as they read."""


def components(body: Mapping[str, Any]) -> list[Json]:
    """Return every component in the body of a message or modal."""
    return every(body["components"])


def texts(body: Mapping[str, Any]) -> Iterator[str]:
    """Yield the texts that a reader sees, in order, without marks against the end of a line. A mention of a command
    reads as a bot writes it that does not know its id: `/play`."""
    yield from (_COMMAND.sub(r"`/\1`", each).translate(_NO_BREAK) for each in _texts(body))


def _texts(body: Mapping[str, Any]) -> Iterator[str]:
    if body.get("content"):
        yield body["content"]
    for component in components(body):
        if component["type"] == TEXT_DISPLAY:
            yield component["content"]


def strings(part: object) -> Iterator[str]:
    """Yield every string in a body, shown or not: texts, labels, custom ids, values, file names, alt texts, URLs."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        for each in part.values():
            yield from strings(each)
    elif isinstance(part, list | tuple):
        for each in part:
            yield from strings(each)
