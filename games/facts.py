"""Kinds of facts: the counts and bests of a match that the profile of a player adds up.

A game's module `facts` names its kinds in `KINDS` and counts them in `count` (see `games.contract.Facts`). Every value
is an int and at least 0.
"""

from dataclasses import KW_ONLY, dataclass
from typing import Literal, TypeAlias

Combine: TypeAlias = Literal["sum", "most", "least"]


@dataclass(frozen=True, slots=True)
class FactKind:
    """Meaning of one key of a game's facts."""

    title: str
    """Noun phrase in a player's words, without a capital, for use after a number or before a colon: "tricks won"."""
    combine: Combine
    """Way to make one value of those of several matches. Matches without a value are left out."""
    _: KW_ONLY
    unit: Literal["", "ms"] = ""
    """Unit of the values: "ms" for times, "" for numbers of what the title names."""
    of: str = ""
    """Key of the whole that this fact is a part of: "bids" for exact bids gives "214 of 301". If the whole is a time,
    the two give a rate."""
    shown: bool = True
    """False for a fact that tells a player nothing by itself: a whole, or what continues a run."""
