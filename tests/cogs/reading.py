"""What a message says to somebody who sees no pictures."""

from collections.abc import Iterator, Sequence
from typing import Any


def said(components: Sequence[Any]) -> str:
    """Its texts, and the alt texts of its pictures, in order."""
    return "\n".join(_parts(components))


def _parts(components: Sequence[Any]) -> Iterator[str]:
    for part in components:
        if part["type"] == 10:
            yield part["content"]
        elif part["type"] == 12:
            yield from (item["description"] for item in part["items"])
        elif part["type"] == 17:
            yield from _parts(part["components"])
