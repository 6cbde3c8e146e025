"""How a law becomes a test: for every game, over matches that Hypothesis draws."""

from collections.abc import Callable

import pytest
from hypothesis import given

from tests.contract.matches import DRAWS, Draw
from tests.contract.subjects import SUBJECTS, Subject

Check = Callable[[Subject, Draw], int]
"""Looks at one match of one game, fails when the law is broken, and returns how many things it compared."""

every_game = pytest.mark.parametrize("subject", SUBJECTS.values(), ids=str)


def holds(check: Check, subject: Subject) -> None:
    """Check drawn matches of `subject`. A check that never found anything to compare fails as well."""
    compared = 0

    @given(draw=DRAWS)
    def over_matches(draw: Draw) -> None:
        nonlocal compared
        compared += check(subject, draw)

    over_matches()
    assert compared, "no match had anything to compare, so nothing was tested"


def law(check: Check) -> Callable[[Subject], None]:
    """Turn a check into a test of every game, which keeps it as `check`."""

    @every_game
    def test(subject: Subject) -> None:
        holds(check, subject)

    test.__name__, test.__doc__ = check.__name__, check.__doc__
    vars(test)["check"] = check
    return test
