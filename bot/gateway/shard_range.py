"""The shards of a bot that one process serves, as the setting SHARDS names them."""

import re
from dataclasses import dataclass
from typing import Final, Self

FORM: Final = re.compile(r"(?:any|(\d{1,5})(?:-(\d{1,5}))?)/(\d{1,5})")
MALFORMED: Final = (
    "names no shards; write the first, the last and the number of all, counted from 0, such as 0-3/16, or any/16 for "
    "those of 16 that are free"
)


@dataclass(frozen=True, slots=True)
class ShardRange:
    """Shards out of `count`. With `is_any` the process takes those of them that are free, else all of them."""

    shards: range
    count: int
    is_any: bool

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the range that a text such as "0-3/16", "1/2" or "any/16" names. Raises ValueError, whose text is the
        end of a sentence."""
        found = FORM.fullmatch(text.strip())
        if found is None:
            raise ValueError(MALFORMED)
        first, last, count = (None if part is None else int(part) for part in found.groups())
        shards = range(count or 0) if first is None else range(first, (first if last is None else last) + 1)
        if not shards or shards.stop > (count or 0):
            raise ValueError(MALFORMED)
        return cls(shards, count or 0, first is None)
