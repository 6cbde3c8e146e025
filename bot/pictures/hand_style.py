"""How somebody likes to see their hands."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

Order: TypeAlias = Literal["suit", "rank"]


@dataclass(frozen=True, slots=True)
class HandStyle:
    """A person's own taste, on every server alike."""

    pictures: bool = True
    """Else text alone."""
    large: bool = False
    """Fewer cards in a row."""
    order: Order = "suit"
    """What a hand is sorted by first."""


USUAL_STYLE: Final = HandStyle()
