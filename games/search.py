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
    """What a search found: the best action, its mean reward, that of the first candidate, and the playouts made."""

    action: int
    reward: float
    first: float
    iterations: int


def best(
    candidates: Sequence[int],
    world: Callable[[], W],
    reward: Callable[[W, int], float],
    iterations: int,
    expired: Expired,
) -> Finding:
    """The action with the greatest mean of `reward` over about so many playouts in all. Among equals the earlier
    candidate is preferred, so the first should be what is known to be good."""
    totals = dict.fromkeys(candidates, 0.0)
    played = dict.fromkeys(candidates, 0)
    alive = list(candidates)
    rounds = max(1, (len(alive) - 1).bit_length())
    for _ in range(rounds):
        for _ in range(max(1, iterations // rounds // len(alive))):
            if played[alive[0]] and expired():
                break
            imagined = world()
            for action in alive:
                totals[action] += reward(imagined, action)
                played[action] += 1
        alive.sort(key=lambda action: -totals[action] / played[action])
        alive = alive[: (len(alive) + 1) // 2]
    means = {action: totals[action] / played[action] for action in (candidates[0], alive[0])}
    return Finding(alive[0], means[alive[0]], means[candidates[0]], sum(played.values()))


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
        found = best(
            [advice.action, *others],
            lambda: self.world(view, rng),
            lambda world, action: self.reward(view, world, action),
            self.iterations,
            expired,
        )
        if found.action == advice.action:
            return advice
        more = self.gain(found.reward - found.first)
        return Advice(found.action, f"Played out in deals that may be, it comes out {more} better than the usual move.")
