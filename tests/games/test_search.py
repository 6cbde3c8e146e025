"""The search finds the best action by more than chance, within its budget, and compares all candidates in the same
worlds."""

from collections.abc import Sequence
from random import Random

import pytest

from games.advice import Advice, never
from games.search import FEWEST_WORLDS, LOOK_EVERY, PlayoutResult, Problem, SearchingStrategy, best
from games.types import Action

USUAL = Action(0)


def tickets(prizes: Sequence[float]) -> list[Action]:
    return [*map(Action, range(len(prizes)))]


class Lottery(Problem[float]):
    """A problem in which each action brings a prize plus the luck of the world, which is the same for all actions."""

    def __init__(self, prizes: Sequence[float], iterations: int = 200, own_luck: float = 0.0) -> None:
        self.prizes = prizes
        self.iterations = iterations
        self.own_luck = own_luck
        self.rng = Random(7)
        self.asked: list[tuple[float, int]] = []
        """World and action of every playout."""

    def candidates(self) -> Sequence[Action]:
        return tickets(self.prizes)

    def world(self, rng: Random) -> float:
        return rng.random() * 100

    def play_out(self, world: float, action: Action) -> PlayoutResult:
        self.asked.append((world, action))
        prize = world + self.prizes[action] + self.own_luck * self.rng.random()
        return PlayoutResult(prize, prize > 50)


class Gambler(SearchingStrategy[None]):
    """A player who by default takes the first ticket of a lottery."""

    unit = "shells"
    goal = "win a prize"

    def __init__(self, prizes: Sequence[float]) -> None:
        self.prizes = prizes

    def advise(self, view: None, legal: Sequence[Action]) -> Advice:
        return Advice(USUAL, "It is the first.")

    def blunder(self, view: None, legal: Sequence[Action], rng: Random) -> Action:
        return rng.choice(legal)

    def problem(self, view: None, legal: Sequence[Action]) -> Problem[float]:
        return Lottery(self.prizes)

    def label(self, action: Action) -> str:
        return f"Ticket {action}"


@pytest.mark.parametrize("prizes", [(0, 1), (0, 1, 2), (0, 5, 1, 2, 3, 4, 0, 1), (0, *[1] * 20, 2)])
def test_the_greatest_prize_is_found_with_any_common_luck(prizes: Sequence[float]) -> None:
    found = best(Lottery(prizes, 400), USUAL, Random(1), never)
    assert found.action == prizes.index(max(prizes))
    assert found.gain == pytest.approx(max(prizes))


def test_an_action_replaces_the_usual_one_only_if_better_by_more_than_chance() -> None:
    found = best(Lottery((0.0, 0.001, 0.0, 0.001), 40, own_luck=50.0), USUAL, Random(1), never)
    assert found.action == USUAL
    assert found.gain == 0


def test_with_equal_prizes_the_usual_action_stays() -> None:
    assert best(Lottery((3, 3, 3)), Action(2), Random(1), never).action == 2


def test_with_a_single_candidate_nothing_is_played_out() -> None:
    lottery = Lottery((1,))
    assert best(lottery, USUAL, Random(1), never).iterations == 0
    assert lottery.asked == []


def test_the_result_says_how_often_the_goal_was_reached_by_the_best_and_the_usual_action() -> None:
    found = best(Lottery((0, 20, 10), 3000), USUAL, Random(1), never)
    assert found.usually == pytest.approx(0.5, abs=0.05)
    assert found.reached == pytest.approx(0.7, abs=0.05)
    assert 500 < found.worlds < 1500


@pytest.mark.parametrize(
    ("prizes", "reason"),
    [
        (
            (0.0, 20.0),
            "Out of 100 possible deals, you win a prize in 73% with this move, and in 53% with “Ticket 0”.",
        ),
        (
            (0.0, -20.0, 0.01),
            "Over 83 possible deals, this move is 0.01 shells better on average than “Ticket 0”.",
        ),
    ],
)
def test_the_reason_compares_the_best_action_with_the_usual_one(prizes: Sequence[float], reason: str) -> None:
    assert Gambler(prizes).think(None, tickets(prizes), Random(1), never) == Advice(
        Action(prizes.index(max(prizes))), reason
    )


@pytest.mark.parametrize("iterations", [50, 300, 1000])
def test_the_search_stays_within_its_budget_and_uses_most_of_it_while_actions_are_alike(
    iterations: int,
) -> None:
    lottery = Lottery([0.0] * 9, iterations, own_luck=1.0)
    found = best(lottery, USUAL, Random(1), never)
    assert found.iterations == len(lottery.asked)
    assert iterations * 0.5 <= found.iterations <= iterations


@pytest.mark.parametrize(
    ("prizes", "tried_on"),
    [((5, 1, 2, 3), set()), ((1, 5, 2, 3), {1}), ((1, 0, 2, 3), {3})],
)
def test_actions_that_are_clearly_worse_are_no_longer_played_out(
    prizes: Sequence[float], tried_on: set[int]
) -> None:
    lottery = Lottery(prizes, 10_000)
    best(lottery, USUAL, Random(1), never)
    late = {action for _, action in lottery.asked[(FEWEST_WORLDS + LOOK_EVERY) * len(prizes) :]}
    assert late - {USUAL} == tried_on


def test_all_remaining_candidates_are_played_out_in_the_same_worlds() -> None:
    lottery = Lottery((0, 1, 2, 3), 400)
    best(lottery, USUAL, Random(1), never)
    met = {action: [world for world, asked in lottery.asked if asked == action] for action in range(4)}
    assert met[USUAL] == met[3]
    assert all(met[USUAL][: len(worlds)] == worlds for worlds in met.values())
    assert len(met[1]) < len(met[3])


@pytest.mark.parametrize(("worlds", "action"), [(1, USUAL), (19, USUAL), (20, 1), (300, 1)])
def test_when_time_is_up_the_best_action_is_chosen_only_after_enough_worlds(
    worlds: int, action: Action
) -> None:
    lottery = Lottery((0, 3), 10_000)
    found = best(lottery, USUAL, Random(1), lambda: len(lottery.asked) >= worlds * 2)
    assert found.action == action
    assert found.iterations == worlds * 2


def test_the_same_seed_gives_the_same_result() -> None:
    again = [best(Lottery(range(6)), USUAL, Random(5), never) for _ in range(2)]
    assert again[0] == again[1]
