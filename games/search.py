"""Searching by playing out imagined matches: which of a few actions does best in worlds that the view allows.

Every world is drawn once and played out for each action still in question, so that all of them meet the same luck;
after each round the worse half is dropped (sequential halving: Karnin, Koren and Somekh, "Almost Optimal
Exploration in Multi-Armed Bandits", 2013). With playouts that know the game this finds as much as a tree does, and
needs no statistics of moves that are still far away.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar, Generic, TypeVar

from games.advice import Advice, Expired, Mind, V

W = TypeVar("W")


@dataclass(frozen=True, slots=True)
class Finding:
    """What a search found: the best action, how much more it brings than the usual one, and the playouts made."""

    action: int
    gain: float
    iterations: int


class Problem(ABC, Generic[W]):
    """One decision, and how to try its answers out."""

    iterations: int
    """Playouts for this decision. They, not time, limit the search, so that it can be repeated."""

    @abstractmethod
    def candidates(self) -> Sequence[int]:
        """The actions worth comparing."""

    @abstractmethod
    def world(self, rng: Random) -> W:
        """A world at random among those the view allows."""

    @abstractmethod
    def reward(self, world: W, action: int) -> float:
        """What `action` leads to in this world, which stays as it is: the own gain over the deal minus the mean of
        the others'."""


def best(problem: Problem[Any], usual: int, rng: Random, expired: Expired) -> Finding:
    """The action with the greatest mean reward over about as many playouts as the problem allows.

    The `usual` action is known to be good, so another one must be better than it by more than chance would
    explain: by the standard error of the difference, world for world.
    """
    trials = [_Trial(action) for action in problem.candidates() if action != usual]
    played = 0
    rounds = len(trials).bit_length()
    for _ in range(rounds):
        for _ in range(max(1, problem.iterations // rounds // (len(trials) + 1))):
            if played and expired():
                break
            world = problem.world(rng)
            expected = problem.reward(world, usual)
            for trial in trials:
                trial.note(problem.reward(world, trial.action) - expected)
            played += len(trials) + 1
        trials = sorted(trials, key=_Trial.mean, reverse=True)[: (len(trials) + 1) // 2]
    if not trials or trials[0].mean() <= trials[0].error():
        return Finding(usual, 0.0, played)
    return Finding(trials[0].action, trials[0].mean(), played)


class _Trial:
    """How much more an action brought than the usual one, world by world."""

    __slots__ = ("action", "squares", "total", "worlds")

    def __init__(self, action: int) -> None:
        self.action = action
        self.worlds = 0
        self.total = 0.0
        self.squares = 0.0

    def note(self, difference: float) -> None:
        self.worlds += 1
        self.total += difference
        self.squares += difference * difference

    def mean(self) -> float:
        return self.total / self.worlds

    def error(self) -> float:
        """The standard error of the mean."""
        spread = self.squares / self.worlds - self.mean() ** 2
        return math.sqrt(max(0.0, spread) / self.worlds)


class SearchingMind(Mind[V]):
    """A mind that finds its best action by playing out worlds to the end of the deal."""

    unit: ClassVar[str]
    """What rewards are counted in: "sand dollars"."""

    @abstractmethod
    def problem(self, view: V, legal: Sequence[int]) -> Problem[Any]:
        """The decision before the seat whose view it is."""

    def think(self, view: V, legal: Sequence[int], rng: Random, expired: Expired) -> Advice:
        """The advice, unless something better is found."""
        advice = self.advise(view, legal)
        found = best(self.problem(view, legal), advice.action, rng, expired)
        if found.action == advice.action:
            return advice
        return Advice(
            found.action,
            f"Played out in deals that may be, it comes out {found.gain:.2f} {self.unit} better than the usual move.",
        )
