"""What a sensible player of a game knows: the contract between a game's `advice` and whoever asks for it.

A game has advice when its package has a module `advice` with a `MIND`. A mind gets a view of the seat that is to act
and nothing else, so it can know no more than a person in that seat. It decides nothing by itself: chance comes from
the generator it is given, time from `expired`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, ClassVar, Generic, TypeAlias, TypeVar

if TYPE_CHECKING:
    from games.minds import Strength

V = TypeVar("V")

Expired: TypeAlias = Callable[[], bool]
"""Whether the time for thinking is up. A search that is told so answers with the best it has found."""


def never() -> bool:
    """No limit of time."""
    return False


@dataclass(frozen=True, slots=True)
class Advice:
    """What to do, and why: a whole sentence to the player."""

    action: int
    reason: str


class Reflexes(ABC, Generic[V]):
    """One computer at a game of speed, for as long as it sits there: what it notices, and does when nobody asks it.

    It is told how things stand whenever they change, and when its moment has come. Times are ms of the house's clock.
    """

    @abstractmethod
    def moment(self, view: V, at: int) -> int | None:
        """Take in what shows at `at`. Returns when it will act, perhaps at once, or None: nothing of that moves it."""

    @abstractmethod
    def act(self, view: V, at: int) -> Sequence[int]:
        """What it does now, all in one; nothing if what it had in mind has gone. The next moment is later than `at`."""


class Mind(ABC, Generic[V]):
    """How one game is played, at three strengths. `legal` has at least two actions of the seat whose view it is."""

    low_wins: ClassVar[bool] = False
    """Whether the lowest score wins the match."""

    @abstractmethod
    def advise(self, view: V, legal: Sequence[int]) -> Advice:
        """What the game's rules of thumb say: quick, and the same for the same view."""

    @abstractmethod
    def blunder(self, view: V, legal: Sequence[int], rng: Random) -> int:
        """What tempts a beginner: an action with some sense in it, often not the best."""

    @abstractmethod
    def think(self, view: V, legal: Sequence[int], rng: Random, expired: Expired) -> Advice:
        """The best the game knows how to find, by searching."""

    def reflexes(self, view: V, strength: "Strength", seed: str) -> Reflexes[V] | None:  # noqa: ARG002
        """A computer of this strength in that seat of a game of speed; None where everybody is asked."""
        return None
