"""The highlight of games with tricks and bids: the round that decided the match."""

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from games.contract import Outcome
from games.tricks import decided

NAMES = ["Alice", "Ben", "Cleo"]


class Row(NamedTuple):
    """A line of a score sheet."""

    bid: int
    tricks: int
    total: int


def highlight(totals: Sequence[Sequence[int]], *, hit: bool = True, low_wins: bool = False) -> str:
    """Return the highlight of a match with these totals by round. Everybody bids 2 and hits it, or misses it by one."""
    rounds = [[Row(2, 2 if hit else 1, total) for total in sums] for sums in totals]
    best = (min if low_wins else max)(totals[-1])
    placings = tuple(
        1 + sum((other < own) == low_wins and other != own for other in totals[-1]) for own in totals[-1]
    )
    assert placings[totals[-1].index(best)] == 1
    outcome = Outcome(placings, tuple(totals[-1]), "Because.")
    return decided(rounds, outcome, NAMES, "round", lambda _: ", +5", low_wins=low_wins)


@pytest.mark.parametrize(
    ("totals", "said"),
    [
        ([(5, 2, 1), (9, 4, 2)], "Alice was ahead from round 1 to the end."),
        ([(5, 7, 1), (9, 8, 2)], "In round 2 Alice hit 2, +5, and went ahead of Ben for good."),
        ([(5, 5, 5), (9, 8, 2)], "In round 2 Alice hit 2, +5, and went ahead of Ben and Cleo for good."),
        ([(5, 2, 1), (5, 7, 1), (9, 8, 2)], "In round 3 Alice hit 2, +5, and went ahead of Ben for good."),
    ],
)
def test_the_round_in_which_the_winner_went_ahead_for_good_decides(
    totals: list[list[int]], said: str
) -> None:
    assert highlight(totals) == said


def test_if_the_winner_missed_the_bid_the_rivals_miss_is_described() -> None:
    assert highlight([(5, 7, 1), (6, 4, 2)], hit=False) == (
        "In round 2 Ben needed 2, got 1, +5, and Alice went ahead for good."
    )


def test_if_low_points_win_the_player_with_the_fewest_is_ahead() -> None:
    assert highlight([(3, 1, 9), (3, 6, 9)], low_wins=True) == (
        "In round 2 Alice hit 2, +5, and went ahead of Ben for good."
    )


def test_there_is_no_highlight_for_a_shared_first_place_or_if_totals_do_not_decide() -> None:
    assert highlight([(5, 5, 1)]) == ""
    rows = [[Row(2, 2, 4), Row(2, 2, 4)]]
    assert decided(rows, Outcome((1, 2), (4, 4), "More exact bids."), NAMES, "hand", lambda _: "") == ""
