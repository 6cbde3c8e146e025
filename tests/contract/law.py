"""How a law becomes a test: for every game, over matches that Hypothesis draws."""

from collections.abc import Callable
from typing import Final

import pytest
from hypothesis import given, settings

from tests.contract.matches import DRAWS, Draw
from tests.contract.subjects import SUBJECTS, Subject

Check = Callable[[Subject, Draw], int]
"""Looks at one match of one game, fails when the law is broken, and returns how many things it compared."""

every_game = pytest.mark.parametrize("subject", SUBJECTS.values(), ids=str)


MOMENTS: Final = 100
"""Matches drawn for a law that looks at one moment of each."""
MATCHES: Final = 30
"""Matches drawn for a law that goes through them to the end: each of them has hundreds of moments."""


def holds(check: Check, subject: Subject, matches: int = MOMENTS) -> None:
    """Check so many drawn matches of `subject`. A check that never found anything to compare fails as well."""
    compared = 0

    @settings(max_examples=matches)
    @given(draw=DRAWS)
    def over_matches(draw: Draw) -> None:
        nonlocal compared
        compared += check(subject, draw)

    over_matches()
    assert compared, "no match had anything to compare, so nothing was tested"


def law(check: Check) -> Callable[[Subject], None]:
    """Turn a check of a moment into a test of every game, which keeps it as `check`."""
    return _test(check, MOMENTS)


def law_of_matches(check: Check) -> Callable[[Subject], None]:
    """The same with a check of whole matches."""
    return _test(check, MATCHES)


def _test(check: Check, matches: int) -> Callable[[Subject], None]:
    @every_game
    def test(subject: Subject) -> None:
        holds(check, subject, matches)

    test.__name__, test.__doc__ = check.__name__, check.__doc__
    vars(test)["check"] = check
    return test
