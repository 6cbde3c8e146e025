"""The search finds what is best by more than luck, within its budget, and meets every candidate with the same luck."""

from collections.abc import Sequence
from random import Random

import pytest

from games.advice import never
from games.search import Problem, Result, best

USUAL = 0


class Lottery(Problem[float]):
    """Each action brings a prize, and luck that is the world's: the same for all."""

    def __init__(self, prizes: Sequence[float], iterations: int = 200, own_luck: float = 0.0) -> None:
        self.prizes = prizes
        self.iterations = iterations
        self.own_luck = own_luck
        self.rng = Random(7)
        self.asked: list[tuple[float, int]] = []
        """The world and the action of every playout."""

    def candidates(self) -> Sequence[int]:
        return range(len(self.prizes))

    def world(self, rng: Random) -> float:
        return rng.random() * 100

    def play_out(self, world: float, action: int) -> Result:
        self.asked.append((world, action))
        prize = world + self.prizes[action] + self.own_luck * self.rng.random()
        return Result(prize, prize > 50)


@pytest.mark.parametrize("prizes", [(0, 1), (0, 1, 2), (0, 5, 1, 2, 3, 4, 0, 1), (0, *[1] * 20, 2)])
def test_the_greatest_prize_is_found_whatever_the_common_luck(prizes: Sequence[float]) -> None:
    found = best(Lottery(prizes, 400), USUAL, Random(1), never)
    assert found.action == prizes.index(max(prizes))
    assert found.gain == pytest.approx(max(prizes))


def test_what_is_not_better_by_more_than_luck_does_not_replace_the_usual_action() -> None:
    found = best(Lottery((0.0, 0.001, 0.0, 0.001), 40, own_luck=50.0), USUAL, Random(1), never)
    assert found.action == USUAL
    assert found.gain == 0


def test_equal_prizes_leave_the_usual_action() -> None:
    assert best(Lottery((3, 3, 3)), 2, Random(1), never).action == 2


def test_with_nothing_to_compare_nothing_is_played_out() -> None:
    lottery = Lottery((1,))
    assert best(lottery, USUAL, Random(1), never).iterations == 0
    assert lottery.asked == []


@pytest.mark.parametrize("iterations", [50, 300, 1000])
def test_the_budget_is_kept_and_used(iterations: int) -> None:
    lottery = Lottery(range(9), iterations)
    found = best(lottery, USUAL, Random(1), never)
    assert found.iterations == len(lottery.asked)
    assert iterations * 0.6 <= found.iterations <= iterations


def test_every_candidate_still_in_question_meets_the_same_worlds() -> None:
    lottery = Lottery((0, 1, 2, 3))
    best(lottery, USUAL, Random(1), never)
    met = {action: [world for world, asked in lottery.asked if asked == action] for action in range(4)}
    assert met[USUAL] == met[3]
    assert all(met[USUAL][: len(worlds)] == worlds for worlds in met.values())
    assert len(met[1]) < len(met[3])


def test_when_the_time_is_up_the_best_so_far_is_the_answer() -> None:
    lottery = Lottery((0, 1, 2, 3), 10_000)
    found = best(lottery, USUAL, Random(1), lambda: True)
    assert found.action == 3
    assert found.iterations == 4


def test_the_same_seed_finds_the_same() -> None:
    again = [best(Lottery(range(6)), USUAL, Random(5), never) for _ in range(2)]
    assert again[0] == again[1]
