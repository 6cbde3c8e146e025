"""Chance that can be replayed: a deck depends only on (seed, purpose, number), in every process and every version.

Python does not promise that `random.shuffle` and `randrange` give the same results in every version, so shuffle and
random numbers are written out here. States hold no generator: the same arguments give the same deck again.
"""

import hashlib
import struct
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, NamedTuple


class Shuffle(NamedTuple):
    """A shuffle that was made: its arguments without the cards, and the order that it gave."""

    seed: int | str
    purpose: str
    number: int
    after: Sequence[int]
    are_cards: bool
    """False when numbers were shuffled, as for `drawn`."""


_RECORD: Final[ContextVar[list[Shuffle] | None]] = ContextVar("_RECORD", default=None)


@contextmanager
def recorded() -> Iterator[list[Shuffle]]:
    """Collect the shuffles that are made in the block, in order."""
    shuffles: list[Shuffle] = []
    token = _RECORD.set(shuffles)
    try:
        yield shuffles
    finally:
        _RECORD.reset(token)


def shuffled(
    cards: Iterable[int], seed: int | str, purpose: str, number: int = 0, *, are_cards: bool = True
) -> list[int]:
    """Return `cards` in the order given by (seed, purpose, number): a Fisher-Yates shuffle with SHAKE-128.

    Pass `are_cards=False` for numbers that are no cards: the deal file then shows them as numbers.
    """
    # The order before is nobody's choice: with another one, the same seed would deal other cards.
    deck = sorted(cards)
    stream = hashlib.shake_128(f"{seed}/{purpose}/{number}".encode()).digest(8 * len(deck))
    # 64 bits a card: with 104 cards, the modulo favours no card by more than 2**-57, far too little to be noticed.
    draws = struct.unpack(f">{len(deck)}Q", stream)
    for last in range(len(deck) - 1, 0, -1):
        other = draws[last] % (last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    record = _RECORD.get()
    if record is not None:
        record.append(Shuffle(seed, purpose, number, [*deck], are_cards))
    return deck


def drawn(below: int, seed: int | str, purpose: str, number: int = 0) -> int:
    """Return an int from 0 to `below` - 1, given by (seed, purpose, number)."""
    return shuffled(range(below), seed, purpose, number, are_cards=False)[0]
