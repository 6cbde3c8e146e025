"""Odds of dice that nobody has shown: binomial, and in words."""

from functools import cache
from math import comb
from typing import Final

ONE_IN_SIX: Final = 6
ONE_IN_THREE: Final = 3
"""Denominator of the chance that a die matches a face while ones are wild."""


@cache
def exactly(number: int, dice: int, one_in: int) -> float:
    """Return the probability that exactly `number` out of `dice` match, each with a chance of one in `one_in`."""
    if not 0 <= number <= dice:
        return 0.0
    ways: int = comb(dice, number) * (one_in - 1) ** (dice - number)
    return ways / float(one_in**dice)


@cache
def at_least(number: int, dice: int, one_in: int) -> float:
    """Return the probability that at least `number` out of `dice` match."""
    return sum(exactly(more, dice, one_in) for more in range(max(0, number), dice + 1))


@cache
def likely(dice: int, one_in: int, chance: float) -> int:
    """Return the greatest number of matching dice that has at least this probability."""
    return max(number for number in range(dice + 1) if at_least(number, dice, one_in) >= chance)


def often(probability: float) -> str:
    """Return "about 4 times in 10", "hardly ever" or "almost always"."""
    times = round(10 * probability)
    if times in (0, 10):
        return "almost always" if times else "hardly ever"
    return f"about {times} time{'s' * (times != 1)} in 10"
