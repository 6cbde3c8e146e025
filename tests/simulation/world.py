"""The world of a simulation: its time, its chance, and who listens on which port."""

from asyncio import AbstractServer
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

EPOCH = 1_780_000_000.0
"""Usual Unix time at which a world begins."""
LIFE = 24 * 3600.0
"""Seconds of virtual time after which a world is taken to hang."""

Range: TypeAlias = tuple[float, float]


@dataclass(frozen=True)
class Delays:
    """Ranges in seconds from which delays are drawn."""

    network: Range = (0.0005, 0.003)
    """Of each chunk of bytes. Those of a connection arrive in order."""
    disk: Range = (0.0002, 0.001)
    """Of the result of a statement."""
    work: Range = (0.001, 0.005)
    """Of the result of other work that is done on a thread."""


class World:
    """The time of a simulation, its chance, and the open ports. Everything follows from `seed`."""

    def __init__(self, seed: object, delays: Delays | None = None) -> None:
        self.seed = seed
        self.is_calm = False
        """True: nothing is left to chance but random numbers. All delays are the same, and tasks run in the order in
        which they became ready. So what differs between two runs is due to what they do."""
        delays = delays or Delays()
        self.begins = EPOCH
        """Unix time of the beginning."""
        self.now = 0.0
        """Seconds since the beginning."""
        self.ends = LIFE
        self.order = self.chance("order")
        """Draws the order of tasks that are ready."""
        self.network = self._drawing("network", delays.network)
        self.disk = self._drawing("disk", delays.disk)
        self.work = self._drawing("work", delays.work)
        self.servers: dict[int, AbstractServer] = {}
        """By port."""
        self._ports = 20_000

    def chance(self, purpose: str) -> Random:
        """Return a generator of random numbers of its own for that purpose."""
        return Random(f"{purpose} {self.seed}")

    def _drawing(self, purpose: str, between: Range) -> Callable[[], float]:
        chance = self.chance(purpose)
        return lambda: sum(between) / 2 if self.is_calm else chance.uniform(*between)

    @property
    def unix_time(self) -> float:
        return self.begins + self.now

    def free_port(self) -> int:
        """Return a port that was never used."""
        self._ports += 1
        return self._ports
