"""The scale beside a curve."""

from typing import Final

STEPS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
"""Possible distances between two lines of a scale."""


def axis(low: int, high: int, most: int) -> range:
    """Return the values at the lines of a scale, the lowest first, with at most `most` steps between them.

    All values from `low` to `high`, which is greater, are between the ends."""
    for step in STEPS:
        first, last = low // step * step, -(-high // step) * step
        if last - first <= most * step:
            return range(first, last + 1, step)
    step = -(-(high - low) // most)
    return range(low, low + most * step + 1, step)
