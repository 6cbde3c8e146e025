"""The facts of a match of Hand and Foot, the scores after each deal, and the best moment."""

from games.contract import Event
from games.hand_and_foot import GAME
from games.hand_and_foot.events import DealBegan, DealScored, PileMade, SideScore, Took
from games.hand_and_foot.options import HandAndFootOptions
from games.types import SEATS
from tests.seats import FIRST, FOURTH, SECOND, THIRD

NAMES = ["Alice", "Ben", "Cleo", "Dan"]
FIRST_DEAL = DealScored(
    1,
    THIRD,
    ((), (8,), (), (9,)),
    (
        SideScore((FIRST, THIRD), 1, 2, 300, 1, True, 0, 1600, 1600),
        SideScore((SECOND, FOURTH), 0, 1, 100, 0, False, 45, 355, 355),
    ),
)
SECOND_DEAL = DealScored(
    2,
    None,
    ((), (), (), ()),
    (
        SideScore((FIRST, THIRD), 0, 0, 0, 0, False, 200, -200, 1400),
        SideScore((SECOND, FOURTH), 0, 2, 100, 0, False, 0, 700, 1055),
    ),
)
EVENTS: list[Event] = [
    DealBegan(1, FOURTH, FIRST, 50),
    Took(FIRST, 8, (5, 9)),
    PileMade(FIRST, 10, True),
    FIRST_DEAL,
    DealBegan(2, FIRST, SECOND, 90),
    SECOND_DEAL,
]


def test_piles_count_for_both_of_a_pair_and_going_out_for_one() -> None:
    alice, ben, cleo, _ = (GAME.facts.count(EVENTS, seat) for seat in SEATS[:4])
    assert alice == {
        "deals": 2,
        "deals_out": 0,
        "clean_piles": 1,
        "dirty_piles": 2,
        "red_threes": 1,
        "piles_taken": 1,
        "most_points": 1600,
    }
    assert (cleo["deals_out"], cleo["clean_piles"], cleo["piles_taken"]) == (1, 1, 0)
    assert (ben["dirty_piles"], ben["most_points"]) == (3, 700)


def test_a_side_without_a_good_deal_has_no_best_one() -> None:
    score = SECOND_DEAL.scores[0]
    assert "most_points" not in GAME.facts.count([DealScored(1, None, ((), ()), (score, score))], FIRST)


def test_totals_are_known_by_seat_after_each_deal() -> None:
    assert GAME.record.scores_by_round(EVENTS, HandAndFootOptions(deals=2)) == [
        (1600, 355, 1600, 355),
        (1400, 1055, 1400, 1055),
    ]


def test_the_best_moment_is_the_deal_with_the_most_points() -> None:
    assert (
        GAME.record.highlight(EVENTS, NAMES)
        == "Alice and Cleo made 1,600 points in deal 1, with a clean pile of Ks."
    )
    assert GAME.record.highlight([], NAMES) == ""
