"""A search that compares a few actions by playing out imagined matches, called worlds.

Each world is drawn once and played out for every remaining action: all actions have equal luck. After each round the
worse half of the actions is dropped (sequential halving: Karnin, Koren and Somekh, "Almost Optimal Exploration in
Multi-Armed Bandits", 2013). When the playouts follow good rules of thumb, this finds as much as a tree search and needs
no statistics about later moves.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar, Final, Generic, NamedTuple, TypeVar

from games.advice import Advice, Expired, Strategy, V
from games.phrases import counted
from games.types import Action

W = TypeVar("W")

FEWEST_WORLDS: Final = 20
"""Worlds needed to trust the standard error; after one world it would be 0, whatever the results."""
LOOK_EVERY: Final = 5
"""Worlds between two looks at which actions are still worth playing out."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of a search: the best action, compared with the usual one."""

    action: Action
    gain: float
    """Mean gain over the usual action."""
    iterations: int
    """Playouts made."""
    worlds: int = 0
    """Worlds in which both actions were played out."""
    reached: float = 0.0
    """Share of these worlds in which the action reached the goal."""
    usually: float = 0.0
    """Share of these worlds in which the usual action reached the goal."""


class PlayoutResult(NamedTuple):
    gain: float
    """The player's gain over the deal, minus the mean gain of the others."""
    reached: bool
    """True when the player reached the goal of the deal, see `SearchingStrategy.goal`."""


class Problem(ABC, Generic[W]):
    """A decision whose actions can be tried out."""

    iterations: int
    """Number of playouts."""

    @abstractmethod
    def candidates(self) -> Sequence[Action]:
        """Return the actions to compare."""

    @abstractmethod
    def world(self, rng: Random) -> W:
        """Return a random world among those that the view allows."""

    @abstractmethod
    def play_out(self, world: W, action: Action) -> PlayoutResult:
        """Return the result of `action` in this world, which is not changed."""


def best(problem: Problem[Any], usual: Action, rng: Random, expired: Expired) -> SearchResult:
    """Return the action with the greatest mean gain, within about the number of playouts that the problem allows.

    The `usual` action is known to be good. Another one replaces it only if it is better by more than the standard
    error of the difference, world by world, in at least `FEWEST_WORLDS` worlds. The search ends early when no other
    action can be expected to do so.
    """
    trials = [_Trial(action) for action in problem.candidates() if action != usual]
    played = 0
    rounds = len(trials).bit_length()
    for _ in range(rounds):
        # Limited by playouts, not by time: results can be reproduced.
        for number in range(max(1, problem.iterations // rounds // (len(trials) + 1))):
            if not trials or (played and expired()):
                break
            world = problem.world(rng)
            expected = problem.play_out(world, usual)
            for trial in trials:
                trial.note(problem.play_out(world, trial.action), expected)
            played += len(trials) + 1
            if number % LOOK_EVERY == 0:
                trials = _promising(trials)
        trials = sorted(trials, key=_Trial.mean, reverse=True)[: (len(trials) + 1) // 2]
    if not trials or not trials[0].convinces():
        return SearchResult(usual, 0.0, played)
    return trials[0].finding(played)


def _promising(trials: "list[_Trial]") -> "list[_Trial]":
    """Return the trials of actions that may be better than the usual one and than the best other one."""
    least = max(
        (trial.mean() - trial.error() for trial in trials if trial.worlds >= FEWEST_WORLDS), default=0.0
    )
    return [
        trial
        for trial in trials
        if trial.worlds < FEWEST_WORLDS or trial.mean() + trial.error() >= max(0.0, least)
    ]


@dataclass(slots=True)
class _Trial:
    """Results of an action compared with the usual one, summed up over worlds."""

    action: Action
    worlds: int = 0
    total: float = 0.0
    """Sum of the differences in gain."""
    squares: float = 0.0
    """Sum of the squares of the differences in gain."""
    reached: int = 0
    """Worlds in which the action reached the goal."""
    usually: int = 0
    """Worlds in which the usual action reached the goal."""

    def note(self, result: PlayoutResult, usual: PlayoutResult) -> None:
        difference = result.gain - usual.gain
        self.worlds += 1
        self.reached += result.reached
        self.usually += usual.reached
        self.total += difference
        self.squares += difference * difference

    def mean(self) -> float:
        return self.total / self.worlds

    def convinces(self) -> bool:
        """Return whether the action is better by more than the standard error of the mean."""
        return self.worlds >= FEWEST_WORLDS and self.mean() > self.error()

    def error(self) -> float:
        """Return the standard error of the mean, after two worlds or more."""
        spread = self.squares / self.worlds - self.mean() ** 2
        return math.sqrt(max(0.0, spread) / (self.worlds - 1))

    def finding(self, iterations: int) -> SearchResult:
        return SearchResult(
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
    """The unit of gains, in the plural: "sand dollars"."""
    goal: ClassVar[str]
    """A player's goal in a deal, as it follows "you": "make your bid"."""

    @abstractmethod
    def problem(self, view: V, legal: Sequence[Action]) -> Problem[Any]:
        """Return the decision of the seat whose view it is."""

    @abstractmethod
    def label(self, action: Action) -> str:
        """Return the action as a person would say it."""

    def think(self, view: V, legal: Sequence[Action], rng: Random, expired: Expired) -> Advice:
        """Return the advice by rules of thumb, or a better action if the search finds one."""
        advice = self.advise(view, legal)
        found = best(self.problem(view, legal), advice.action, rng, expired)
        return (
            advice if found.action == advice.action else Advice(found.action, self._why(found, advice.action))
        )

    def _why(self, found: SearchResult, usual: Action) -> str:
        """Compare the results of the action found with those of the usual one, in a sentence."""
        then, now = (f"{share:.0%}" for share in (found.usually, found.reached))
        tried, other = counted(found.worlds, "possible deal"), f"“{self.label(usual)}”"
        if found.reached > found.usually and now != then:
            return f"Out of {tried}, you {self.goal} in {now} with this move, and in {then} with {other}."
        return f"Over {tried}, this move is {found.gain:.2f} {self.unit} better on average than {other}."
