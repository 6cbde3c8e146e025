"""Health and metrics over HTTP, for programs on the same machine: `/health` for any, `/metrics` for Prometheus.

This module imports `prometheus_client`; import it only where METRICS_PORT is set.
"""

import asyncio
import re
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from math import nan
from pathlib import Path
from typing import Any, Final

import aiohttp
import discord
from aiohttp import web

from bot.client import Palmhouse
from bot.hosting.backup_files import last_good_backup
from bot.hosting.metrics import CONTENT_TYPE, OVERDUE, Metrics, Snapshot
from bot.hosting.systemd import LATE
from bot.messages.answers import OUTCOME
from bot.store import StoreFailed
from bot.upkeep.clock import HEARTBEAT

HERE: Final = "127.0.0.1"
"""The only address to listen on: no other machine can reach it."""

# With any name, a website could have one that leads here, and read the answers in a browser on this machine.
OWN_NAME: Final = re.compile(r"(127\.0\.0\.1|localhost|\[::1\])(:\d+)?", re.IGNORECASE)
"""Host of a request that is answered; the port may differ where another one is forwarded to this."""
PATIENCE: Final = 10.0
"""Seconds that a connection is given."""
MOST_CONNECTIONS: Final = 20
"""Maximum number of connections at a time."""

KINDS: Final = {
    discord.InteractionType.application_command: "command",
    discord.InteractionType.component: "component",
    discord.InteractionType.modal_submit: "modal",
    discord.InteractionType.autocomplete: "autocomplete",
}
"""Kind of each type of interaction, as the metrics name it."""

LAG_PAUSE: Final = 1.0
"""Seconds between two measurements of the event loop's lag."""
LAGS: Final = 10
"""Number of last measurements that count for the health."""

QUIET: Final = 3 * HEARTBEAT
"""Seconds without a commit after which something is wrong: the clock writes at each heartbeat."""


@asynccontextmanager
async def watched(bot: Palmhouse, database: Path | None, port: int) -> AsyncIterator[None]:
    """Serve health and metrics on `port` until the end of the block. Enter it before the login, after which discord.py
    takes no more callbacks for its requests. Raises OSError when the port is taken."""
    watch = Watch(bot, database)
    runner = web.ServerRunner(Port(watch.answer, access_log=None), shutdown_timeout=0.1)
    await runner.setup()
    measuring = asyncio.create_task(watch.measure_lag(), name="loop lag")
    try:
        await web.TCPSite(runner, HERE, port).start()
        yield
    finally:
        measuring.cancel()
        await runner.cleanup()


class Port(web.Server):
    """The server of the port. A program that sends half a request, or many, takes nothing from the players."""

    def connection_made(self, handler: web.RequestHandler, transport: asyncio.Transport) -> None:
        """Give a connection its time; close one too many at once. Called by aiohttp."""
        super().connection_made(handler, transport)
        wait = PATIENCE if len(self.connections) <= MOST_CONNECTIONS else 0
        asyncio.get_running_loop().call_later(wait, transport.abort)


class Watch:
    """The answers of the port. It adds its callbacks to the bot and its store."""

    def __init__(self, bot: Palmhouse, database: Path | None) -> None:
        self._bot = bot
        self._database = database
        self._metrics = Metrics(OUTCOME)
        self._committed: float | None = None
        """Time of the last commit by the monotonic clock; None before the first."""
        self._lags = deque([0.0], maxlen=LAGS)
        bot.note_arrival = self._note_arrival
        bot.store.on_write.append(self._note_write)
        bot.trace.on_request_end.append(self._note_response)

    async def answer(self, request: web.BaseRequest) -> web.Response:
        """Return the answer to a request, the only one of its connection."""
        answers = {"/health": self.health, "/metrics": self.metrics}
        if OWN_NAME.fullmatch(request.headers.get("Host", "")) is None:
            answer = web.Response(
                status=403, text=f"Ask for {HERE} or localhost. No other name is answered.\n"
            )
        elif request.path not in answers:
            answer = web.Response(status=404, text=f"There are only {' and '.join(answers)}.\n")
        else:
            answer = await answers[request.path]()
        # No time runs out in a connection that waits for another request.
        answer.force_close()
        return answer

    async def health(self) -> web.Response:
        """Return JSON with the faults, and the status 200 without any, else 503."""
        quiet = None if self._committed is None else round(time.monotonic() - self._committed, 1)
        lag = round(max(self._lags), 3)
        faults = []
        away = [shard for shard in self._bot.shard_ids if not self._is_connected(shard)]
        shards = len(self._bot.shard_ids)
        is_connected = 2 * len(away) < shards
        if len(away) == shards:
            faults.append("Discord is not connected.")
        elif not is_connected:
            faults.append(f"{len(away)} of {shards} shards are not connected to Discord.")
        elif quiet is None or quiet > QUIET:
            faults.append("Nothing reaches the database.")
        if lag > LATE:
            faults.append("The event loop is late: the machine is too busy, or out of memory.")
        about = {
            "faults": faults,
            "gateway_connected": is_connected,
            "shards_away": away,
            "seconds_since_commit": quiet,
            "loop_lag_seconds": lag,
        }
        return web.json_response(about, status=503 if faults else 200)

    async def metrics(self) -> web.Response:
        now = Snapshot(
            shards={each: (self._is_connected(each), self._latency(each)) for each in self._bot.shard_ids},
            tables=self._bot.tables.by_game(),
            overdue=await self._overdue(),
            edits=self._bot.publisher.backlog(),
            backup=await asyncio.to_thread(_last_backup, self._database),
        )
        return web.Response(body=self._metrics.text(now), headers={"Content-Type": CONTENT_TYPE})

    async def measure_lag(self) -> None:
        """Measure the lag of the event loop until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + LAG_PAUSE
            await asyncio.sleep(LAG_PAUSE)
            lag = max(0.0, loop.time() - due)
            self._metrics.lagged(lag)
            self._lags.append(lag)

    def _is_connected(self, shard: int) -> bool:
        # Both are needed: the bot learns of a closed socket when it reads the next time.
        return shard in self._bot.shards_there and self._bot.sockets[shard].open

    def _latency(self, shard: int) -> float:
        socket = self._bot.sockets.get(shard)
        return nan if socket is None else socket.latency

    async def _overdue(self) -> float:
        tables = self._bot.tables
        try:
            return len(await tables.due_deadlines(tables.clock.now() - OVERDUE * 1000))
        except StoreFailed:
            return nan

    def _note_arrival(self, interaction: discord.Interaction[Any]) -> None:
        if (kind := KINDS.get(interaction.type)) is not None:
            self._metrics.answers.arrived(interaction.id, kind, interaction.extras)

    def _note_write(self, seconds: float, kept: bool) -> None:
        self._metrics.committed(seconds, kept)
        if kept:
            self._committed = time.monotonic()

    async def _note_response(
        self, _session: object, _context: object, ended: aiohttp.TraceRequestEndParams
    ) -> None:
        self._metrics.responded(ended.method, ended.url.path, ended.response.status)


def _last_backup(database: Path | None) -> float:
    """Return the time of the last good backup in seconds since the Unix epoch; 0 without one, and NaN for
    PostgreSQL, whose host makes them."""
    if database is None:
        return nan
    with suppress(OSError):  # the folder may not be readable
        if (made := last_good_backup(database)) is not None:
            return made.timestamp()
    return 0.0
