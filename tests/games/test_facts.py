"""Facts and pools beyond the laws of the contract: bids, defaults, and names of pools among all games."""

from collections import Counter
from typing import NamedTuple

import pytest

from games import GAMES
from games.bids import BID_KINDS, bid_facts
from tests.toy import GAME as TOY
from tests.toy.rules import HighCardOptions


class Row(NamedTuple):
    bid: int
    tricks: int
    total: int = 0


def runs(results: str) -> tuple[int, int, int]:
    """Return the runs at the start, at the end and anywhere. A letter is a bid: "x" exact, "-" missed."""
    facts = bid_facts([Row(2, 2 if result == "x" else 3) for result in results])
    return facts["exact_start"], facts["exact_end"], facts["exact_run"]


@pytest.mark.parametrize(
    ("results", "found"),
    [
        ("x", (1, 1, 1)),
        ("-", (0, 0, 0)),
        ("xx-x", (2, 1, 2)),
        ("-xxx-x-", (0, 0, 3)),
        ("x-xx", (1, 2, 2)),
        ("xxxx", (4, 4, 4)),
    ],
)
def test_runs_of_exact_bids_start_with_a_match_end_with_it_or_lie_within(
    results: str, found: tuple[int, int, int]
) -> None:
    assert runs(results) == found


@pytest.mark.parametrize("first", ["xx", "x-", "-x", "--x", "-xx-x"])
@pytest.mark.parametrize("second", ["x", "xx-x", "-xxx", "--"])
def test_the_runs_of_two_matches_give_the_run_of_both(first: str, second: str) -> None:
    (_, end, run), (start, _, next_run) = runs(first), runs(second)
    assert runs(first + second)[2] == max(run, end + start, next_run)


def test_bids_exact_ones_and_tricks_are_counted() -> None:
    facts = bid_facts([Row(0, 0), Row(3, 3), Row(2, 5), Row(4, 2)])
    assert (facts["bids"], facts["exact"], facts["tricks"]) == (4, 2, 10)
    assert facts.keys() == BID_KINDS.keys()


def test_a_game_that_says_nothing_has_one_pool_of_its_own_name() -> None:
    assert TOY.pools == {"high-card": "High Card"}
    assert TOY.pool(HighCardOptions()) == "high-card"


def test_no_two_games_share_the_name_or_the_title_of_a_pool() -> None:
    pools = [pool for game in GAMES.values() for pool in game.pools.items()]
    assert max(Counter(name for name, _ in pools).values()) == 1
    assert max(Counter(title for _, title in pools).values()) == 1
