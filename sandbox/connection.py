"""One socket of the bot's client: what it sends, is sent, and is closed for."""

import asyncio
import json
import zlib
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeAlias

from aiohttp import WSMessage, WSMsgType, web

if TYPE_CHECKING:
    from sandbox.gateway import Gateway, Session

Json: TypeAlias = dict[str, Any]
Closing: TypeAlias = tuple[int, str]
"""A close code and its reason."""

DISPATCH, HEARTBEAT, IDENTIFY, PRESENCE, VOICE_STATE, RESUME = 0, 1, 2, 3, 4, 6
RECONNECT, REQUEST_MEMBERS, INVALID_SESSION, HELLO, ACK = 7, 8, 9, 10, 11
LARGEST = 4096
SENDS, PER = 120, 60.0


class Connection:
    """A client's socket; it has a session once it has identified or resumed."""

    def __init__(self, gateway: "Gateway", socket: web.WebSocketResponse, compressed: bool) -> None:
        self.gateway = gateway
        self.socket = socket
        self.session: Session | None = None
        self.dropped = False
        self._outbox: asyncio.Queue[Json] = asyncio.Queue()
        self._compressor = zlib.compressobj() if compressed else None
        self._sends: deque[float] = deque()
        self._beat = asyncio.get_running_loop().time()

    def send(self, payload: Json) -> None:
        """Send a payload soon, in order."""
        self._outbox.put_nowait(payload)

    async def close(self, code: int, reason: str) -> None:
        """Close the socket."""
        self.dropped = True
        await self.socket.close(code=code, message=reason.encode(), drain=False)

    async def run(self) -> None:
        """Greet, then listen until the socket is closed."""
        writer = asyncio.create_task(self._write())
        self.send(
            {"op": HELLO, "d": {"heartbeat_interval": int(self.gateway.heartbeat * 1000), "_trace": []}}
        )
        try:
            while await self._heard():
                pass
        finally:
            writer.cancel()
            with suppress(asyncio.CancelledError):
                await writer

    async def _write(self) -> None:
        with suppress(ConnectionError):
            while True:
                text = json.dumps(await self._outbox.get())
                if self._compressor is None:
                    await self.socket.send_str(text)
                else:
                    data = self._compressor.compress(text.encode())
                    await self.socket.send_bytes(data + self._compressor.flush(zlib.Z_SYNC_FLUSH))

    async def _heard(self) -> bool:
        """Read one payload; whether to go on."""
        loop = asyncio.get_running_loop()
        try:
            left = self._beat + 2 * self.gateway.heartbeat - loop.time()
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
        """Do what a payload asks; a close code and reason if it must not be."""
        try:
            payload = json.loads(message.data)
            return await self._act(payload["op"], payload.get("d"))
        except (ValueError, KeyError, TypeError):
            return 4002, "Error while decoding payload."

    async def _act(self, op: int, data: Any) -> Closing | None:
        acts: dict[int, Callable[[Any], Awaitable[Closing | None]]] = {
            HEARTBEAT: self._heartbeat,
            IDENTIFY: self._identify,
            RESUME: self._resume,
            REQUEST_MEMBERS: self._members,
            PRESENCE: self._nothing,
            VOICE_STATE: self._nothing,
        }
        if op not in acts:
            return 4001, "Unknown opcode."
        if op not in (HEARTBEAT, IDENTIFY, RESUME) and self.session is None:
            return 4003, "Not authenticated."
        return await acts[op](data)

    async def _nothing(self, _data: Any) -> None:
        """Presences and voice are accepted and shown nowhere."""

    async def _heartbeat(self, _data: Any) -> None:
        self._beat = asyncio.get_running_loop().time()
        # As far off as a real one: discord.py notes when it sent a beat only after it has.
        asyncio.get_running_loop().call_later(0.02, self.send, {"op": ACK})

    async def _identify(self, data: Json) -> Closing | None:
        if self.session is not None:
            return 4005, "Already authenticated."
        if not self._knows_token(data):
            return 4004, "Authentication failed."
        if data.get("shard", [0, 1]) != [0, 1]:
            return 4010, "The sandbox has one shard."
        return self.gateway.identify(self, int(data["intents"]))

    def _knows_token(self, data: Json) -> bool:
        return bool(data["token"].removeprefix("Bot ") == self.gateway.token)

    async def _resume(self, data: Json) -> Closing | None:
        if not self._knows_token(data):
            return 4004, "Authentication failed."
        if not self.gateway.resume(self, data["session_id"], int(data["seq"])):
            self.send({"op": INVALID_SESSION, "d": False})
        return None

    async def _members(self, data: Json) -> None:
        assert self.session is not None
        self.gateway.tell_members(self.session, data)
