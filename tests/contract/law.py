"""Turn a law into a test of every game, over matches that Hypothesis generates."""

from collections.abc import Callable
from typing import Final

import pytest
from hypothesis import given, settings

from tests.contract.matches import DRAWS, Draw
from tests.contract.subjects import SUBJECTS, Subject

Check = Callable[[Subject, Draw], int]
"""A function that checks one match of one game, raises AssertionError when the law is broken, and returns the number
of comparisons it made."""

every_game = pytest.mark.parametrize("subject", SUBJECTS.values(), ids=str)


WHOLE: Final = 3
"""A law that checks whole matches, which have hundreds of moments each, has a third of the examples."""


def holds(check: Check, subject: Subject, share: int = 1) -> None:
    """Run `check` on generated matches of `subject`. Fails also when no match gave it anything to compare."""
    compared = 0

    @settings(max_examples=settings().max_examples // share)
    @given(draw=DRAWS)
    def over_matches(draw: Draw) -> None:
        nonlocal compared
        compared += check(subject, draw)

    over_matches()
    assert compared, "no match had anything to compare, so nothing was tested"


def law(check: Check) -> Callable[[Subject], None]:
    """Turn a check of one moment into a test of every game. The test keeps the check as attribute `check`."""
    return _test(check, 1)


def law_of_matches(check: Check) -> Callable[[Subject], None]:
    """Turn a check of whole matches into a test of every game. The test keeps the check as attribute `check`."""
    return _test(check, WHOLE)


def _test(check: Check, share: int) -> Callable[[Subject], None]:
    @every_game
    def test(subject: Subject) -> None:
        holds(check, subject, share)

    test.__name__, test.__doc__ = check.__name__, check.__doc__
    vars(test)["check"] = check
    return test
