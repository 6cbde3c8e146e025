"""The connections to Discord's gateway: one for each shard, all in this process.

A shard receives the events of its share of the servers, and the first one direct messages too. Discord says how many
shards a bot needs, and how many may begin a session within five seconds. discord.py's own client for shards connects
one after the other, and begins a new session where the old one could be resumed.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from itertools import chain, repeat
from math import inf, nan
from typing import Any, Final

import aiohttp
import discord

from bot.gateway.identifies import too_few_left
from bot.gateway.private import CLOSED, Backoff, Ended, OwnBot, Socket, usual_gateway
from bot.gateway.session import Session
from bot.store import StoreFailed

log = logging.getLogger(__name__)

IDENTIFY_PAUSE: Final = 5.0
"""Seconds that Discord demands between two new sessions."""
CONNECT_TIMEOUT: Final = 60.0
"""Seconds within which the gateway must say hello."""
CLOSING: Final = 2.0
"""Seconds within which the connection of a shard that is not served any more is closed."""
PAUSES: Final = (1, 5, 10, 20, 40, 60)
"""Seconds before each retry of asking for the number of shards; the last one repeats."""
TROUBLES: Final = (
    *(OSError, TimeoutError, aiohttp.ClientError),
    *(discord.HTTPException, discord.GatewayNotFound, discord.ConnectionClosed),
    StoreFailed,  # then the sessions that were begun cannot be counted
)
"""Errors of a connection."""


def shard_of(guild: int, shards: int) -> int:
    """Return which of `shards` shards serves a guild. Direct messages (guild 0) are on shard 0."""
    return (guild >> 22) % shards


class ShardedBot(OwnBot):
    """A bot with a connection for each shard.

    It dispatches `shard_ready`, `shard_resumed` and `shard_disconnect` with the number of the shard."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.shard_ids: Sequence[int] = ()
        """The shards that this process serves. When none are set before it connects, these are all."""
        self._serving: dict[int, asyncio.Task[None]] = {}
        self._over = asyncio.Event()
        """Set when the bot is closed, and when a shard is ended for good."""
        self._failed: BaseException | None = None
        """The error with which Discord has ended a shard for good."""
        self.sockets: dict[int, Socket] = {}
        """The last connection of each shard."""
        self.left_open: dict[int, Session] = {}
        """Sessions to continue, by shard. With any, `shard_count` must be theirs."""
        self._at_once = 1
        """Number of sessions that may begin within IDENTIFY_PAUSE."""
        self._turns: dict[int, asyncio.Lock] = {}
        self._begun: dict[int, float] = {}
        """Time of the last new session by the event loop's clock. Both by the shard modulo `_at_once`."""
        self._ending = asyncio.Event()

    def socket_of(self, shard: int | None, guild: int) -> Socket:
        """Return the connection of a shard, or of a server where that is None."""
        return self.sockets[shard_of(guild, self.shard_count or 1) if shard is None else shard]

    @property
    def latency(self) -> float:
        """Mean seconds between a heartbeat and its receipt; NaN without a connection."""
        latencies = [each.latency for each in self.sockets.values()]
        return sum(latencies) / len(latencies) if latencies else nan

    async def connect(self, **_: bool) -> None:
        """Serve all shards until the bot is closed. Raises discord.ConnectionClosed when Discord ends one for good, and
        TooManySessions."""
        if not self.left_open:
            await self._ask_gateway()
        assert self.shard_count is not None
        self.state.shard_count = self.shard_count
        self.begin_shards()
        try:
            await self._over.wait()
            if self._failed is not None:
                raise self._failed
        finally:
            tasks = [*self._serving.values()]
            for each in tasks:
                each.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def begin_shards(self) -> None:
        """Begin to serve the shards. Called when their number is known."""
        assert self.shard_count is not None
        for each in self.shard_ids or range(self.shard_count):
            self.add_shard(each, self.serve(each))

    def add_shard(self, shard: int, serving: Coroutine[Any, Any, None]) -> None:
        """Serve a shard by a coroutine that ends by `serve`."""
        task = self._serving[shard] = asyncio.create_task(serving, name=f"shard {shard}")
        task.add_done_callback(self._note_end)
        self.shard_ids = sorted(self._serving)

    async def remove_shard(self, shard: int) -> None:
        """Serve a shard no longer."""
        task = self._serving.pop(shard)
        self.shard_ids = sorted(self._serving)
        task.cancel()
        await asyncio.wait([task])
        if (socket := self.sockets.pop(shard, None)) is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(CLOSING):
                    await socket.close()

    def _note_end(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            self._failed = self._failed or error
            self._over.set()

    async def close(self) -> None:
        """Close all connections and discord.py's parts."""
        self._ending.set()
        await asyncio.gather(*(each.close(CLOSED) for each in self.sockets.values() if each.open))
        self._over.set()
        await super().close()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Do nothing: a shard waits for its turn before it connects. Called by discord.py."""

    async def before_session(self, shard: int) -> None:
        """Do nothing. Called before a shard connects for a new session; it may wait, or raise TooManySessions."""

    async def _ask_gateway(self) -> None:
        """Learn how many sessions may begin, and how many shards the bot needs unless that is set. Retry while Discord
        cannot be reached. Raises TooManySessions."""
        for pause in chain(PAUSES, repeat(PAUSES[-1])):
            try:
                recommended, limits = await self.ask_gateway()
            except TROUBLES as error:
                log.warning(
                    "Discord does not say how many shards there are; next try in %d s: %r", pause, error
                )
                await asyncio.sleep(pause)
            else:
                self.shard_count = self.shard_count or recommended
                wanted = len(self.shard_ids) or self.shard_count
                if limits["remaining"] < wanted:
                    reset_at = time.time_ns() // 1_000_000 + limits["reset_after"]
                    raise too_few_left(limits["remaining"], wanted, reset_at)
                self._at_once = limits["max_concurrency"]
                return

    def serves(self, _shard: int) -> bool:
        """Return True. Called for each event of a shard, which is left out otherwise."""
        return True

    async def begin_turn(self, bucket: int) -> None:
        """Do nothing. Called before a session begins, of a shard modulo the number that may begin at once; it may
        wait."""

    async def end_turn(self, bucket: int) -> None:
        """Do nothing. Called after a session has begun."""

    async def serve(self, shard: int) -> None:
        """Keep a shard connected. Raises TooManySessions, and discord.ConnectionClosed if Discord ends it for good."""
        backoff: Backoff[Any] = Backoff()
        session = self.left_open.pop(shard, None)
        while not self._ending.is_set():
            try:
                await self._listen(shard, session)
            except Ended as ended:
                self._lost(shard)
                session = Session.of(self.sockets[shard]) if ended.resume else None
            except TROUBLES as error:
                self._lost(shard)
                if self._ending.is_set():
                    return
                if isinstance(error, discord.ConnectionClosed) and error.code != CLOSED:
                    raise
                is_of_last_run = session is not None and shard not in self.sockets
                if not is_of_last_run:  # else a new session begins at once, where the old one was not found
                    pause = min(backoff.delay(), PAUSES[-1])
                    log.warning("shard %d connects again in %.1f s: %r", shard, pause, error)
                    await asyncio.sleep(pause)
                # The gateway of the session may be gone. Any other one can continue it, or says that it has ended.
                session = Session.of(self.sockets.get(shard), usual_gateway())

    async def _listen(self, shard: int, session: Session | None) -> None:
        """Connect, continue the session or begin a new one, and handle events. Raises when the connection ends."""
        if session is None:
            await self.before_session(shard)
            async with self._turn(shard):
                self.sockets[shard] = await self._connected(shard)
        else:
            self.sockets[shard] = await self._connected(shard, **session.continuation())
        while True:
            await self.sockets[shard].poll_event()

    async def _connected(self, shard: int, **how: Any) -> Socket:
        try:
            async with asyncio.timeout(CONNECT_TIMEOUT):
                socket = await Socket.from_client(self, shard_id=shard, **how)
        except Ended as ended:  # the next try needs a pause: there was no connection yet
            raise ConnectionError("the gateway hung up before it said hello") from ended
        socket.is_served = partial(self.serves, shard)
        return socket

    @asynccontextmanager
    async def _turn(self, shard: int) -> AsyncIterator[None]:
        """Wait until the shard may begin a session, in the block."""
        loop, bucket = asyncio.get_running_loop(), shard % self._at_once
        async with self._turns.setdefault(bucket, asyncio.Lock()):
            await asyncio.sleep(self._begun.get(bucket, -inf) + IDENTIFY_PAUSE - loop.time())
            await self.begin_turn(bucket)
            try:
                yield
            finally:
                self._begun[bucket] = loop.time()
                await self.end_turn(bucket)

    def _lost(self, shard: int) -> None:
        self.dispatch("disconnect")
        self.dispatch("shard_disconnect", shard)
