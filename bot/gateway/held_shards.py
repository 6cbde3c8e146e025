"""Leases of shards. Several processes share the shards; each serves those of which it holds a lease.

A lease is renewed every few seconds. A process that could not renew one stops to serve the shard some seconds before
the lease ends, so that no shard is ever served by two. When a process dies, its leases end, and its shards go to a
process started for any shards, or to its successor.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from math import ceil, inf
from typing import TYPE_CHECKING, Final, NamedTuple

from bot.gateway.shard_range import ShardRange
from bot.gateway.shards import shard_of
from bot.store import StoreFailed
from bot.store.processes import LEASE, LOGGING_IN, QUEUED, Lease

if TYPE_CHECKING:
    from bot.store.postgresql.processes import PostgreSQLProcesses

log = logging.getLogger(__name__)

CONNECTING: Final = 10.0
"""Seconds for which a process that begins a session keeps others from that; less once it has begun."""
TRY: Final = 0.25
"""Seconds between two tries to begin a session."""


@dataclass(frozen=True, slots=True)
class Waits:
    """Times of leases in seconds: between two renewals, and until one ends."""

    renewal: float = 3.0
    """Between two renewals."""
    sure: float = LEASE - 5.0
    """After a renewal, for which a shard is served. The rest of the lease is for stopping."""
    look: float = 1.0
    """Between two looks whether a lease has ended."""


class ShardsTaken(Exception):
    """Another process serves shards that this one shall serve. `str()` says which, until when, and what to do."""


class Bot(NamedTuple):
    """Callbacks for shards that come and go."""

    begin: Callable[[int, int, Mapping[int, int]], None]
    """Begin to serve a shard. The second number is the time in ms up to which people could act there; 0: unknown. The
    third argument has the same for each server that had an outage of its own."""
    end: Callable[[int], Awaitable[None]]
    """Serve a shard no longer."""
    is_lively: Callable[[int], bool]
    """Return whether people can act on a shard now."""
    now: Callable[[], int]
    """Return Discord's time in ms."""
    away: Callable[[], Mapping[int, int]]
    """Return since when servers with tables have an outage of their own, in ms, by server."""
    hand_over: Callable[[Sequence[int]], Awaitable[None]]
    """Correct the clock if the machine has slept, and move the deadlines of all shards that are served, before others
    serve some. Raises StoreFailed."""


def uptime() -> float:
    """Return seconds of a clock that goes on while the machine sleeps, where there is one."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


class HeldShards:
    """The leases of this process, to serve `wanted`."""

    def __init__(
        self, processes: "PostgreSQLProcesses", wanted: ShardRange, waits: Waits | None = None
    ) -> None:
        self.processes = processes
        self._waits = waits or Waits()
        self.wanted = wanted
        self._sure_until: dict[int, float] = {}
        """By shard that is leased: the time by `uptime` until which it is served."""
        self._since: dict[int, tuple[int, Mapping[int, int]]] = {}
        """By shard that is leased and not served yet: what `Bot.begin` is told of it."""
        self._bot: Bot | None = None
        self._place = LOGGING_IN - secrets.randbelow(2**31)
        """The place of a process that takes what is free: among those that log in, later among those that have."""
        self._awaited = asyncio.Event()
        """Set when the next renewal shall come at once."""

    def __iter__(self) -> Iterator[int]:
        """Yield the shards that are held."""
        now = uptime()
        return (shard for shard, until in self._sure_until.items() if shard >= 0 and now < until)

    def owns(self, guild: int) -> bool:
        """Return whether this process serves the shard of a server (0: direct messages)."""
        return self.serves(shard_of(guild, self.wanted.count))

    def serves(self, shard: int) -> bool:
        """Return whether this process serves a shard."""
        # Before the bot begins to serve it, its clock does not know the time in which nobody could act.
        return shard not in self._since and uptime() < self._sure_until.get(shard, 0)

    def serve_with(self, bot: Bot) -> None:
        """Let a bot that has logged in serve the shards that are held, and those that it may take now."""
        self._bot, self._place = bot, QUEUED - secrets.randbelow(2**31)
        self.renew_soon()

    async def claim(self) -> None:
        """Take the shards that SHARDS names; any others are taken after the login. Wait for the leases of a process
        that has died. Raises ShardsTaken and StoreFailed."""
        seen: dict[int, int] = {}
        while True:
            leases = await self._renew()
            in_the_way = [each for each in leases if self._is_in_the_way(each)]
            if not in_the_way:
                return
            for lease in in_the_way:
                if seen.setdefault(lease.shard, lease.until) < lease.until:  # it is alive
                    raise taken(lease, self.wanted)
            await asyncio.sleep(self._waits.look)

    def renew_soon(self) -> None:
        """Renew the leases at once, as people can act again on a shard: the next holder gives back what comes later."""
        self._awaited.set()

    async def run(self) -> None:
        """Renew the leases until cancelled. Begin and end to serve shards as they come and go."""
        said = ""
        while True:
            self._awaited.clear()
            try:
                await self._renew()
                self._begin_new()
                said = ""
            except StoreFailed as error:
                if said != str(error):  # a database may be away for hours
                    log.warning("the leases of the shards could not be renewed: %s", error)
                said = str(error)
            except Exception:
                log.exception("the leases of the shards could not be renewed")
            await self._end_unsure()
            ends = min(self._sure_until.values(), default=inf) - uptime()
            with suppress(TimeoutError):
                async with asyncio.timeout(min(self._waits.renewal, max(0, ends))):
                    await self._awaited.wait()

    async def close(self) -> None:
        """Leave all shards to others."""
        await self.processes.close()

    # New sessions

    async def begin_session(self, bucket: int) -> None:
        """Wait until no other process begins a session."""
        while True:
            with suppress(StoreFailed):
                if await self.processes.begin_session(bucket, CONNECTING):
                    return
            await asyncio.sleep(TRY)

    async def end_turn(self, bucket: int, seconds: float) -> None:
        """Let other processes begin the next session after `seconds`."""
        with suppress(StoreFailed):
            await self.processes.end_turn(bucket, seconds)

    # Leases

    async def _renew(self) -> Sequence[Lease]:
        """Renew the leases, and take those that this process may. Return all leases. Raises StoreFailed."""
        asked = uptime()
        away = None if self._bot is None else self._bot.away()
        renewed = await self.processes.renew([*self._sure_until], self._lively(), self._now(), away)
        now = uptime()
        for shard, until in self._sure_until.items():
            # After a lapse it begins anew, even if nobody else has it: what changed meanwhile was left to others.
            keeps = shard in renewed and now < until
            self._sure_until[shard] = asked + self._waits.sure if keeps else 0
        await self._end_unsure()
        if self.wanted.is_any:
            await self._take(self._place)
        leases = await self.processes.leases()
        if not any(each.out_of != self.wanted.count for each in leases):
            for shard in self._free(leases):
                await self._take(shard)
            await self._release([*self][self._share(leases) :])
        return leases

    async def _take(self, shard: int) -> None:
        asked = uptime()
        if shard in self._sure_until:
            return
        since = await self.processes.take(shard, self.wanted.count)
        if since is not None:
            away = await self.processes.away(shard)
            self._sure_until[shard] = asked + self._waits.sure
            self._since[shard] = since, away

    async def _release(self, shards: Sequence[int]) -> None:
        """Leave shards to other processes."""
        if not shards:
            return
        if self._bot is not None:
            await self._bot.hand_over(shards)
        # Of a sleep that is known later the deadlines there know nothing: those who take them give it back.
        lively, now = {*shards} & {*self._lively()}, self._now()
        for shard in shards:
            self._sure_until[shard] = 0
        await self._end_unsure()
        await self.processes.release(shards, lively, now)

    def _lively(self) -> list[int]:
        """Return the shards on which people can act now."""
        return [each for each in self if self._bot is not None and self._bot.is_lively(each)]

    def _now(self) -> int:
        """Return Discord's time in ms; 0 before the login."""
        return 0 if self._bot is None else self._bot.now()

    def _free(self, leases: Sequence[Lease]) -> Sequence[int]:
        """Return the shards that this process may take now."""
        held = {each.shard for each in leases if each.holder != self.processes.holder}
        free = [each for each in self.wanted.shards if each not in held and each not in self._sure_until]
        return free[: max(0, self._share(leases) - len([*self]))]

    def _share(self, leases: Sequence[Lease]) -> int:
        """Return the number of shards that this process may hold: for any, from the login on, an equal part of what is
        not fixed."""
        if not self.wanted.is_any:
            return len(self.wanted.shards)
        if self._bot is None:
            return 0  # it may never get to Discord, and others serve them meanwhile
        any_ = {each.holder for each in leases if LOGGING_IN < each.shard <= QUEUED} | {self.processes.holder}
        fixed = sum(each.shard >= 0 and each.holder not in any_ for each in leases)
        return ceil((self.wanted.count - fixed) / len(any_))

    def _is_in_the_way(self, lease: Lease) -> bool:
        is_ours = lease.holder == self.processes.holder
        is_wanted = not self.wanted.is_any and lease.shard in self.wanted.shards
        return not is_ours and (is_wanted or lease.out_of != self.wanted.count)

    # Serving

    async def _end_unsure(self) -> None:
        """End to serve shards whose lease is not sure any more."""
        now = uptime()
        unsure = [shard for shard, until in self._sure_until.items() if until <= now]
        for shard in unsure:
            del self._sure_until[shard]
        # Those without an entry in `_since` are served.
        served = [shard for shard in unsure if self._since.pop(shard, None) is None]
        if served and self._bot is not None:
            log.warning("not served by this process any more: shard %s", ", ".join(map(str, served)))
            for error in await asyncio.gather(*map(self._bot.end, served), return_exceptions=True):
                if isinstance(error, Exception):
                    log.error("a shard could not be left in order", exc_info=error)

    def _begin_new(self) -> None:
        if self._bot is not None:
            for shard in [each for each in self if each in self._since]:
                self._bot.begin(shard, *self._since.pop(shard))


def taken(lease: Lease, wanted: ShardRange) -> ShardsTaken:
    """Return the refusal to serve `wanted` because of a lease."""
    until = f"{datetime.fromtimestamp(lease.until / 1000, UTC):%H:%M:%S} UTC"
    if lease.out_of != wanted.count:
        return ShardsTaken(
            f"SHARDS names {wanted.count} shards in all, but {lease.holder} has {lease.out_of}. Write the same number "
            "for every process; to change it, stop all of them first."
        )
    return ShardsTaken(
        f"Shard {lease.shard} of {lease.out_of} is served by {lease.holder}, which has it until {until} and renews "
        "that while it runs. Stop that process, or name other shards in SHARDS."
    )
