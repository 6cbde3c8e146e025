"""The WebSocket of a bot's client: reads its payloads, sends it payloads, and closes it with Discord's codes."""

import asyncio
import json
import zlib
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from aiohttp import WSMessage, WSMsgType, web

from sandbox.checks import Json

Closing: TypeAlias = tuple[int, str]
"""A close code and its reason."""
Action: TypeAlias = "Callable[[Connection, Any], Awaitable[Closing | None]]"
"""Carries out what a payload asks, given its data. Returns why to close the connection, if it must be closed."""

DISPATCH, HEARTBEAT, IDENTIFY, RESUME, RECONNECT, INVALID_SESSION, HELLO, ACK = 0, 1, 2, 6, 7, 9, 10, 11
LARGEST = 4096
SENDS, PER = 120, 60.0
ACK_DELAY = 0.02
ALIVE = 5.0
"""Seconds within which a client that is alive answers when it is asked for a heartbeat."""
KEPT = 1000
"""Events that a session can replay."""


@dataclass(eq=False)
class Session:
    """A client that has identified. It has a connection except between a disconnect and its resume."""

    id: str
    intents: int
    shard: int = 0
    shards: int = 1
    """Number of shards that the client has, of which this session is `shard`."""
    sequence: int = 0
    left: float = 0.0
    """Unix time at which its last connection ended."""
    left_open: bool = False
    """True once its client has disconnected without ending it."""
    sent: deque[Json] = field(default_factory=lambda: deque(maxlen=KEPT))
    """Latest events, kept for a resume."""
    connection: "Connection | None" = None
    is_described: bool = False
    """True once its guilds were sent. Until then their ids are all that is known of them."""

    def covers(self, guild: int | None) -> bool:
        """Return whether it receives the events of a guild; None for direct messages, which shard 0 receives."""
        return self.shard == ((guild or 0) >> 22) % self.shards


class Connection:
    """A client's socket. It has a session once the client has identified or resumed.

    `actions` carry out payloads by their opcode; `heartbeat` is the interval in seconds. `sent` is called with each
    payload that was sent.
    """

    def __init__(
        self,
        socket: web.WebSocketResponse,
        compressed: bool,
        heartbeat: float,
        actions: Mapping[int, Action],
        sent: "Callable[[Connection, Json], object]",
    ) -> None:
        self.socket = socket
        self.process: Any = socket.get_extra_info("process")
        """The simulated process of the client, if it is one."""
        self.session: Session | None = None
        self.dropped = False
        self._interval = heartbeat
        self._actions: Mapping[int, Action] = {HEARTBEAT: _acknowledge, **actions}
        self._sent = sent
        self._outbox: asyncio.Queue[Json] = asyncio.Queue()
        self._compressor = zlib.compressobj(zlib.Z_BEST_SPEED) if compressed else None
        self._sends: deque[float] = deque()
        self._last_heartbeat = asyncio.get_running_loop().time()
        self._heard = asyncio.Event()
        """Set by a heartbeat, and by the end."""

    @property
    def backlog(self) -> int:
        """Number of payloads to be sent; 0 once the connection is closed."""
        return 0 if self.socket.closed else self._outbox.qsize()

    def send(self, payload: Json) -> None:
        """Queue a payload. Payloads are sent in order."""
        self._outbox.put_nowait(payload)

    def acknowledge(self) -> None:
        """Record a heartbeat and acknowledge it."""
        loop = asyncio.get_running_loop()
        self._last_heartbeat = loop.time()
        self._heard.set()
        # Not at once: discord.py notes the time of a heartbeat only after it was sent.
        loop.call_later(ACK_DELAY, self.send, {"op": ACK})

    async def is_alive(self) -> bool:
        """Ask the client for a heartbeat, and return whether it answers."""
        self._heard.clear()
        self.send({"op": HEARTBEAT, "d": None})
        with suppress(TimeoutError):
            async with asyncio.timeout(ALIVE):
                await self._heard.wait()
        return self._heard.is_set() and not self.socket.closed

    async def close(self, code: int, reason: str) -> None:
        self.dropped = True
        await self.socket.close(code=code, message=reason.encode(), drain=False)

    async def run(self) -> None:
        """Send HELLO, then read payloads until the socket is closed."""
        writer = asyncio.create_task(self._write())
        self.send({"op": HELLO, "d": {"heartbeat_interval": int(self._interval * 1000), "_trace": []}})
        try:
            while await self._read():
                pass
        finally:
            self._heard.set()
            writer.cancel()
            with suppress(asyncio.CancelledError):
                await writer

    async def _write(self) -> None:
        with suppress(ConnectionError):
            while True:
                payload = await self._outbox.get()
                text = json.dumps(payload)
                if self._compressor is None:
                    await self.socket.send_str(text)
                else:
                    data = self._compressor.compress(text.encode())
                    await self.socket.send_bytes(data + self._compressor.flush(zlib.Z_SYNC_FLUSH))
                self._sent(self, payload)

    async def _read(self) -> bool:
        """Read and carry out one payload. Return whether the socket stays open."""
        loop = asyncio.get_running_loop()
        try:
            left = self._last_heartbeat + 2 * self._interval - loop.time()
            message = await self.socket.receive(timeout=max(left, 0.001))
        except TimeoutError:
            await self.close(4009, "Session timed out")
            return False
        if message.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
            return False
        problem = self._too_much(message, loop.time()) or await self._obey(message)
        if problem is not None:
            await self.close(*problem)
        return problem is None

    def _too_much(self, message: WSMessage, now: float) -> Closing | None:
        self._sends.append(now)
        while self._sends[0] < now - PER:
            self._sends.popleft()
        if len(self._sends) > SENDS:
            return 4008, "You are being rate limited."
        return (4002, "Payload too large") if len(message.data) > LARGEST else None

    async def _obey(self, message: WSMessage) -> Closing | None:
        """Carry out a payload. Return why to close the connection, if it must be closed."""
        try:
            payload = json.loads(message.data)
            return await self._act(payload["op"], payload.get("d"))
        except (ValueError, KeyError, TypeError):
            return 4002, "Error while decoding payload."

    async def _act(self, op: int, data: Any) -> Closing | None:
        if op not in self._actions:
            return 4001, "Unknown opcode."
        return await self._actions[op](self, data)


async def _acknowledge(connection: Connection, _data: Any) -> None:
    connection.acknowledge()
