"""Chance that replays: every deck comes from (seed, purpose, round), in any process and any year.

Python promises the stability of neither `random.shuffle` nor `randrange`, so the shuffle and the stream under it
are written out here. No generator is kept in a state: asking twice gives the same deck twice.
"""

import hashlib
import struct
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def shuffled(cards: Sequence[T], seed: int | str, purpose: str, number: int = 0) -> list[T]:
    """`cards` in the order that belongs to (seed, purpose, number): a Fisher-Yates shuffle over SHAKE-128."""
    deck = list(cards)
    stream = hashlib.shake_128(f"{seed}/{purpose}/{number}".encode()).digest(8 * len(deck))
    # 64 bits a card: the modulo favours no card of 104 by more than 2**-57, which no number of matches could show.
    draws = struct.unpack(f">{len(deck)}Q", stream)
    for last in range(len(deck) - 1, 0, -1):
        other = draws[last] % (last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    return deck


def drawn(below: int, seed: int | str, purpose: str, number: int = 0) -> int:
    """A number from 0 up to but not including `below` that belongs to (seed, purpose, number)."""
    return shuffled(range(below), seed, purpose, number)[0]
