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
from typing import Any, ClassVar, Final, Generic, NamedTuple, TypeVar

from games.advice import Advice, Expired, Strategy, V
from games.phrases import counted

W = TypeVar("W")

FEWEST_WORLDS: Final = 20
"""In fewer than these the standard error says little: after the first one it would be 0, whatever was found."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a search found: the best action, how much more it brings than the usual one, and the playouts made.

    In so many `worlds` both were played out; the goal was reached in a part `reached` of them, and with the usual
    action in `usually`.
    """

    action: int
    gain: float
    iterations: int
    worlds: int = 0
    reached: float = 0.0
    usually: float = 0.0


class Result(NamedTuple):
    """What a playout came to: the own gain over the deal minus the mean of the others', and whether the player's
    goal in it, which the strategy names, was reached."""

    gain: float
    reached: bool


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
    def play_out(self, world: W, action: int) -> Result:
        """What `action` leads to in this world, which stays as it is."""


def best(problem: Problem[Any], usual: int, rng: Random, expired: Expired) -> Finding:
    """The action with the greatest mean reward over about as many playouts as the problem allows.

    The `usual` action is known to be good, so another one must be better than it by more than chance would
    explain: by the standard error of the difference, world for world, and in worlds enough to tell.
    """
    trials = [_Trial(action) for action in problem.candidates() if action != usual]
    played = 0
    rounds = len(trials).bit_length()
    for _ in range(rounds):
        for _ in range(max(1, problem.iterations // rounds // (len(trials) + 1))):
            if played and expired():
                break
            world = problem.world(rng)
            expected = problem.play_out(world, usual)
            for trial in trials:
                trial.note(problem.play_out(world, trial.action), expected)
            played += len(trials) + 1
        trials = sorted(trials, key=_Trial.mean, reverse=True)[: (len(trials) + 1) // 2]
    if not trials or not trials[0].convinces():
        return Finding(usual, 0.0, played)
    return trials[0].finding(played)


class _Trial:
    """How much more an action brought than the usual one, world by world."""

    __slots__ = ("action", "reached", "squares", "total", "usually", "worlds")

    def __init__(self, action: int) -> None:
        self.action = action
        self.worlds = 0
        self.total = 0.0
        self.squares = 0.0
        self.reached = 0
        self.usually = 0

    def note(self, result: Result, usual: Result) -> None:
        difference = result.gain - usual.gain
        self.worlds += 1
        self.reached += result.reached
        self.usually += usual.reached
        self.total += difference
        self.squares += difference * difference

    def mean(self) -> float:
        return self.total / self.worlds

    def convinces(self) -> bool:
        """Whether it is better by more than the standard error of the mean."""
        if self.worlds < FEWEST_WORLDS:
            return False
        spread = self.squares / self.worlds - self.mean() ** 2
        return self.mean() > math.sqrt(max(0.0, spread) / (self.worlds - 1))

    def finding(self, iterations: int) -> Finding:
        return Finding(
            self.action,
            self.mean(),
            iterations,
            self.worlds,
            self.reached / self.worlds,
            self.usually / self.worlds,
        )


class SearchingStrategy(Strategy[V]):
    """A strategy that finds its best action by playing out worlds to the end of the deal."""

    unit: ClassVar[str]
    """What gains are counted in: "sand dollars"."""
    goal: ClassVar[str]
    """What a player wants of a deal, after "you": "make your bid"."""

    @abstractmethod
    def problem(self, view: V, legal: Sequence[int]) -> Problem[Any]:
        """The decision before the seat whose view it is."""

    @abstractmethod
    def label(self, action: int) -> str:
        """The action as a person would say it."""

    def think(self, view: V, legal: Sequence[int], rng: Random, expired: Expired) -> Advice:
        """The advice, unless something better is found."""
        advice = self.advise(view, legal)
        found = best(self.problem(view, legal), advice.action, rng, expired)
        return (
            advice if found.action == advice.action else Advice(found.action, self._why(found, advice.action))
        )

    def _why(self, found: Finding, usual: int) -> str:
        """Say what was seen in the worlds, beside what the rules of thumb would have done."""
        then, now = (f"{share:.0%}" for share in (found.usually, found.reached))
        tried, other = counted(found.worlds, "possible deal"), f"“{self.label(usual)}”"
        if found.reached > found.usually and now != then:
            return f"Out of {tried}, you {self.goal} in {now} with this move, and in {then} with {other}."
        return f"Over {tried}, this move is {found.gain:.2f} {self.unit} better on average than {other}."
