"""The style in which a person wants to see hands."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

Order: TypeAlias = Literal["suit", "rank"]


@dataclass(frozen=True, slots=True)
class HandStyle:
    """A person's preferences about hands, on every server alike."""

    pictures: bool = True
    """False for text alone."""
    large: bool = False
    """True for larger cards, fewer in a row."""
    order: Order = "suit"
    """The first sorting criterion of a hand."""


USUAL_STYLE: Final = HandStyle()
