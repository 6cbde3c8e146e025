"""The highlight of games with tricks and bids: a high bid, no miss, or the round that decided the match."""

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from games.contract import Outcome
from games.tricks import best_moment, decided

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


def test_it_speaks_of_the_winner_also_when_they_missed_their_bid() -> None:
    assert highlight([(5, 7, 1), (6, 4, 2)], hit=False) == "In round 2 Alice went ahead of Ben for good."


def test_if_low_points_win_the_player_with_the_fewest_is_ahead() -> None:
    assert highlight([(3, 1, 9), (3, 6, 9)], low_wins=True) == (
        "In round 2 Alice hit 2, +5, and went ahead of Ben for good."
    )


def test_there_is_no_highlight_for_a_shared_first_place_or_if_totals_do_not_decide() -> None:
    assert highlight([(5, 5, 1)]) == ""
    rows = [[Row(2, 2, 4), Row(2, 2, 4)]]
    assert decided(rows, Outcome((1, 2), (4, 4), "More exact bids."), NAMES, "hand", lambda _: "") == ""


def moment(*rounds: Sequence[tuple[int, int]]) -> str:
    """Return the best moment of a match of Alice and Ben with these (bid, tricks). Ben wins, and 4 is a high bid."""
    totals = [(number, 2 * number) for number in range(1, len(rounds) + 1)]
    rows = [
        [Row(bid, tricks, total) for (bid, tricks), total in zip(sheet, sums, strict=True)]
        for sheet, sums in zip(rounds, totals, strict=True)
    ]
    return best_moment(
        rows, Outcome((2, 1), totals[-1], "Because."), NAMES[:2], "round", lambda _: ", +9", high_bid=4
    )


def test_the_best_moment_is_the_highest_high_bid_that_was_hit() -> None:
    assert moment([(4, 4), (1, 1)], [(5, 5), (1, 1)], [(5, 4), (5, 5)]) == (
        "In round 2 Alice bid 5 and won exactly 5, +9."
    )


def test_without_a_high_bid_the_best_moment_is_a_match_without_a_miss() -> None:
    always, missed = [(2, 2), (4, 1)], [(2, 2), (3, 3)]
    assert moment(always, always, missed) == "Alice hit all 3 bids."
    assert moment(missed, missed, missed) == "Alice and Ben each hit all 3 bids."
    assert moment(always, missed) == "Ben was ahead from round 1 to the end."


def test_otherwise_the_best_moment_is_the_round_that_decided() -> None:
    assert moment([(2, 2), (4, 1)], [(5, 4), (2, 2)]) == "Ben was ahead from round 1 to the end."


def test_without_a_winner_the_best_moment_is_the_highest_exact_bid() -> None:
    shared = Outcome((1, 1), (4, 4), "Because.")
    rows = [[Row(2, 2, 4), Row(3, 2, 4)], [Row(3, 3, 8), Row(2, 2, 8)]]
    assert best_moment(rows, shared, NAMES[:2], "round", lambda _: "", high_bid=4) == (
        "In round 2 Alice bid 3 and won exactly 3."
    )
    missed = [[Row(1, 2, 4), Row(3, 2, 4)]]
    assert best_moment(missed, shared, NAMES[:2], "round", lambda _: "", high_bid=4) == ""
