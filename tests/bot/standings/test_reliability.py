"""Reliability in words."""

from bot.standings.reliability import ENOUGH, MATCHES, reliability


def test_nothing_is_said_of_too_few_matches() -> None:
    assert reliability([]) == ""
    assert reliability([False] * (ENOUGH - 1)) == ""
    assert reliability([True] * ENOUGH) == "finishes 10 of the last 10"


def test_one_lapse_is_forgiven() -> None:
    for lapses, finished in ((0, 20), (1, 20), (2, 19), (20, 1)):
        finishes = [False] * lapses + [True] * (MATCHES - lapses)
        assert reliability(finishes) == f"finishes {finished} of the last 20"
