"""Base classes for computer players and hints.

A game has advice when its package has a module `advice` with a constant `STRATEGY`. A strategy receives the view of the
seat that is to act and nothing else, so it knows no more than a person in that seat. It reads no clock and no random
source of its own: both are arguments.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar, Final, Generic, Literal, TypeAlias, TypeVar, get_args

from games.types import Action

Strength: TypeAlias = Literal["casual", "steady", "sharp"]
STRENGTHS: Final[tuple[Strength, ...]] = get_args(Strength)
"""All strengths, the weakest first."""

V = TypeVar("V")

Expired: TypeAlias = Callable[[], bool]
"""Function that returns whether the time limit has passed. Once it has, a search returns its best result so far."""


def never() -> bool:
    """Return False: there is no time limit."""
    return False


@dataclass(frozen=True, slots=True)
class Advice:
    """An action and the reason for it, a whole sentence to the player."""

    action: Action
    reason: str
    waits: bool = False
    """True when the player had better wait, in a game of speed; `action` is then just a legal one."""


class RealTimePlayer(ABC, Generic[V]):
    """One computer in one seat of a game of speed. It acts without being asked.

    The caller calls `observe` whenever the view changes, and `act` at the time that `observe` returned. Times are in ms
    of the bot's clock. The object keeps what the computer has noticed, from the first view to the last.
    """

    @abstractmethod
    def observe(self, view: V, at: int) -> int | None:
        """Take in the view at time `at`. Return when to call `act` (`at` or later), or None for not at all."""

    @abstractmethod
    def act(self, view: V, at: int) -> Sequence[Action]:
        """Return the actions to do at time `at`, all at once; none when the planned ones are no longer possible.

        The next `observe` returns a time later than `at`."""


class Strategy(ABC, Generic[V]):
    """Strategy of computers for one game, used at three strengths.

    In each method, `view` is the view of the seat to act, and `legal` has at least two actions of this seat.
    """

    low_wins: ClassVar[bool] = False
    """True when the lowest score wins the match."""

    @abstractmethod
    def advise(self, view: V, legal: Sequence[Action]) -> Advice:
        """Return the action that the game's rules of thumb choose. Fast, and the same for equal views."""

    @abstractmethod
    def blunder(self, view: V, legal: Sequence[Action], rng: Random) -> Action:
        """Return a typical beginner's choice: it makes some sense, but is often not the best."""

    @abstractmethod
    def think(self, view: V, legal: Sequence[Action], rng: Random, expired: Expired) -> Advice:
        """Return the best action that a search finds before `expired` returns True."""

    def real_time_player(self, view: V, strength: Strength, seed: str) -> RealTimePlayer[V] | None:  # noqa: ARG002
        """Return a computer for the seat of `view`; None unless this is a game of speed."""
        return None
