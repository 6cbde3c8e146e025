"""The scale beside a curve."""

from itertools import count


def axis(low: int, high: int, most: int) -> range:
    """Return the values at the lines of a scale, the lowest first, with at most `most` steps between them.

    All values from `low` to `high`, which is greater, are between the ends."""
    steps = (digit * 10**zeros for zeros in count() for digit in (1, 2, 5))
    scales = (range(low // step * step, -(-high // step) * step + 1, step) for step in steps)
    return next(scale for scale in scales if len(scale) <= most + 1)
