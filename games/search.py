"""Searching by playing out imagined matches: which of a few actions does best in worlds that the view allows.

Every world is drawn once and played out for each action still in question, so that all of them meet the same luck;
after each round the worse half is dropped (sequential halving: Karnin, Koren and Somekh, "Almost Optimal
Exploration in Multi-Armed Bandits", 2013). With playouts that know the game this finds as much as a tree does, and
needs no statistics of moves that are still far away.
"""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar, Generic, TypeVar

from games.advice import Advice, Expired, Mind, V

W = TypeVar("W")


@dataclass(frozen=True, slots=True)
class Finding:
    """What a search found: the best action, how much more it brings than the usual one, and the playouts made."""

    action: int
    gain: float
    iterations: int


def best(
    usual: int,
    others: Sequence[int],
    world: Callable[[], W],
    reward: Callable[[W, int], float],
    iterations: int,
    expired: Expired,
) -> Finding:
    """The action with the greatest mean of `reward` over about so many playouts in all.

    The `usual` action is known to be good, so another one must be better than it by more than chance would
    explain: by the standard error of the difference, world for world.
    """
    trials = [_Trial(action) for action in others]
    played = 0
    rounds = max(1, len(trials).bit_length())
    for _ in range(rounds):
        for _ in range(max(1, iterations // rounds // (len(trials) + 1))):
            if expired() and played:
                break
            imagined = world()
            expected = reward(imagined, usual)
            for trial in trials:
                trial.note(reward(imagined, trial.action) - expected)
            played += len(trials) + 1
        trials = sorted(trials, key=_Trial.mean, reverse=True)[: (len(trials) + 1) // 2]
    winner = trials[0]
    if winner.mean() <= winner.error():
        return Finding(usual, 0.0, played)
    return Finding(winner.action, winner.mean(), played)


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
        return float(max(0.0, spread) / self.worlds) ** 0.5


class SearchingMind(Mind[V], Generic[V, W]):
    """A mind that finds its best action by playing out worlds of a kind of its own, to the end of the deal."""

    iterations: ClassVar[int]
    """Playouts for one decision. This, not time, limits the search, so that it can be repeated."""

    @abstractmethod
    def candidates(self, view: V, legal: Sequence[int]) -> Sequence[int]:
        """The actions worth comparing."""

    @abstractmethod
    def world(self, view: V, rng: Random) -> W:
        """A world at random among those the view allows."""

    @abstractmethod
    def reward(self, view: V, world: W, action: int) -> float:
        """What `action` leads to in this world, which stays as it is: the own gain over the deal minus the mean of
        the others'."""

    @abstractmethod
    def gain(self, reward: float) -> str:
        """So much reward in words: "0.8 sand dollars"."""

    def think(self, view: V, legal: Sequence[int], rng: Random, expired: Expired) -> Advice:
        """The advice, unless something better was found."""
        advice = self.advise(view, legal)
        others = [action for action in self.candidates(view, legal) if action != advice.action]
        if not others:
            return advice
        found = best(
            advice.action,
            others,
            lambda: self.world(view, rng),
            lambda world, action: self.reward(view, world, action),
            self.iterations,
            expired,
        )
        if found.action == advice.action:
            return advice
        more = self.gain(found.gain)
        return Advice(found.action, f"Played out in deals that may be, it comes out {more} better than the usual move.")
