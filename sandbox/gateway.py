"""The gateway, v10: sessions of the bot, what they are told, and how they resume."""

import asyncio
import json
import secrets
import zlib
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from aiohttp import WSCloseCode, WSMessage, WSMsgType, web

from sandbox import payloads
from sandbox.world import World

Json: TypeAlias = dict[str, Any]

DISPATCH, HEARTBEAT, IDENTIFY, PRESENCE, VOICE_STATE, RESUME = 0, 1, 2, 3, 4, 6
RECONNECT, REQUEST_MEMBERS, INVALID_SESSION, HELLO, ACK = 7, 8, 9, 10, 11

GUILDS, MEMBERS, PRESENCES, GUILD_MESSAGES = 1 << 0, 1 << 1, 1 << 8, 1 << 9
DIRECT_MESSAGES, MESSAGE_CONTENT = 1 << 12, 1 << 15
PRIVILEGED = MEMBERS | PRESENCES | MESSAGE_CONTENT
LARGEST = 4096
SENDS, PER = 120, 60.0
KEPT = 1000
"""How many events a session can replay."""


@dataclass(eq=False)
class Session:
    """One identified client: what it wants to hear, what it was told, and its socket while it has one."""

    id: str
    intents: int
    sequence: int = 0
    told: deque[Json] = field(default_factory=lambda: deque(maxlen=KEPT))
    connection: "Connection | None" = None


class Gateway:
    """All sessions. `privileged` are the privileged intents enabled for the application."""

    def __init__(self, world: World, token: str, privileged: int, heartbeat: float) -> None:
        self.world = world
        self.token = token
        self.privileged = privileged
        self.heartbeat = heartbeat
        self.identifies = 0
        self._sessions: dict[str, Session] = {}
        self._open: set[Connection] = set()
        self._dropped = False

    @property
    def connected(self) -> bool:
        """Whether a bot is connected and identified."""
        return any(session.connection for session in self._sessions.values())

    @property
    def expected(self) -> bool:
        """Whether a bot is connected, or was dropped by us and has not come back yet."""
        return self.connected or self._dropped

    def dispatch(self, event: str, data: Json) -> None:
        """Tell every session that wants to hear of it, also those that may yet resume."""
        for session in self._sessions.values():
            if wanted(session.intents, event, data) or self._joins(event, data):
                self.tell(session, event, self._shown(session, event, data))

    def _joins(self, event: str, data: Json) -> bool:
        """Whether the bot itself joins or leaves a thread, of which it hears in any case."""
        bot = str(self.world.bot.id)
        changed = [each["user_id"] for each in data.get("added_members", ())]
        changed += data.get("removed_member_ids", ())
        return event == "THREAD_MEMBERS_UPDATE" and bot in changed

    def tell(self, session: Session, event: str, data: Json) -> None:
        """Tell one session."""
        session.sequence += 1
        payload = {"op": DISPATCH, "t": event, "s": session.sequence, "d": data}
        session.told.append(payload)
        if session.connection is not None:
            session.connection.send(payload)

    def _shown(self, session: Session, event: str, data: Json) -> Json:
        """Messages of others come without content, unless the intent, a mention or a direct message shows it."""
        if event not in ("MESSAGE_CREATE", "MESSAGE_UPDATE") or session.intents & MESSAGE_CONTENT:
            return data
        bot = str(self.world.bot.id)
        known = data["author"]["id"] == bot or "guild_id" not in data
        if known or bot in (each["id"] for each in data["mentions"]):
            return data
        return data | {"content": "", "embeds": [], "attachments": [], "components": []}

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        """One connection, from HELLO until it is closed."""
        socket = web.WebSocketResponse(compress=False, max_msg_size=0, timeout=1)
        await socket.prepare(request)
        connection = Connection(self, socket, request.query.get("compress") == "zlib-stream")
        self._open.add(connection)
        try:
            await connection.run()
        finally:
            self._open.discard(connection)
            self._parted(connection)
        return socket

    def _parted(self, connection: "Connection") -> None:
        session = connection.session
        if session is not None and session.connection is connection:
            session.connection = None
            if connection.socket.close_code in (1000, 1001) and not connection.dropped:
                self._sessions.pop(session.id, None)
        self.world.clock.tell()

    def identify(self, connection: "Connection", intents: int) -> None:
        """A new session. Sessions that nobody is connected to can no longer be resumed."""
        self.identifies += 1
        self._dropped = False
        gone = [id_ for id_, each in self._sessions.items() if each.connection is None]
        for id_ in gone:
            del self._sessions[id_]
        session = Session(secrets.token_hex(16), intents, connection=connection)
        self._sessions[session.id] = session
        connection.session = session
        self.tell(session, "READY", self._ready(session))
        for guild in self._guilds():
            if intents & GUILDS:
                every = bool(intents & MEMBERS)
                self.tell(session, "GUILD_CREATE", payloads.guild_create(guild, all_members=every))
        self.world.clock.tell()

    def _guilds(self) -> list[Any]:
        return [guild for guild in self.world.guilds.values() if guild.has_bot]

    def _ready(self, session: Session) -> Json:
        return {
            "v": 10,
            "user": payloads.user(self.world.bot) | {"verified": True, "mfa_enabled": False},
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in self._guilds()],
            "session_id": session.id,
            "session_type": "normal",
            "resume_gateway_url": self.url,
            "shard": [0, 1],
            "application": {"id": str(self.world.bot.id), "flags": 0},
            "private_channels": [],
            "geo_ordered_rtc_regions": [],
        }

    @property
    def url(self) -> str:
        """Where clients connect."""
        return self.world.url.replace("http", "ws", 1) + "/gateway"

    def resume(self, connection: "Connection", session_id: str, sequence: int) -> bool:
        """Go on with a session and replay what it missed; False when it is unknown or has missed too much."""
        session = self._sessions.get(session_id)
        missed = [each for each in session.told if each["s"] > sequence] if session else []
        if session is None or sequence + len(missed) != session.sequence:
            return False
        self._dropped = False
        session.connection = connection
        connection.session = session
        for payload in missed:
            connection.send(payload)
        self.tell(session, "RESUMED", {"_trace": []})
        self.world.clock.tell()
        return True

    async def drop(self, resumable: bool = True) -> None:
        """Cut every connection, as when Discord restarts. Not resumable: the session is gone, too."""
        self._dropped = True
        if not resumable:
            self._sessions.clear()
        for connection in list(self._open):
            await connection.close(4000, "Dropped by the sandbox")

    async def invalidate(self, resumable: bool = False) -> None:
        """Send INVALID_SESSION."""
        self._send_all({"op": INVALID_SESSION, "d": resumable})
        if not resumable:
            self._sessions.clear()

    async def ask_to_reconnect(self) -> None:
        """Send RECONNECT."""
        self._send_all({"op": RECONNECT, "d": None})

    def _send_all(self, payload: Json) -> None:
        self._dropped = True
        for connection in self._open:
            connection.dropped = True
            connection.send(payload)

    async def close(self) -> None:
        """Cut every connection for good."""
        for connection in list(self._open):
            await connection.close(WSCloseCode.GOING_AWAY, "The sandbox ends")


def wanted(intents: int, event: str, data: Json) -> bool:
    """Whether a session of these intents hears of an event."""
    if event.startswith(("MESSAGE_", "TYPING_")):
        return bool(intents & (GUILD_MESSAGES if "guild_id" in data else DIRECT_MESSAGES))
    if event.startswith(("GUILD_MEMBER_", "THREAD_MEMBERS_")):
        return bool(intents & MEMBERS)
    if event.startswith(("GUILD_", "CHANNEL_", "THREAD_")):
        return bool(intents & GUILDS)
    return True


class Connection:
    """One socket of a client."""

    def __init__(self, gateway: Gateway, socket: web.WebSocketResponse, compressed: bool) -> None:
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

    def _too_much(self, message: WSMessage, now: float) -> tuple[int, str] | None:
        self._sends.append(now)
        while self._sends[0] < now - PER:
            self._sends.popleft()
        if len(self._sends) > SENDS:
            return 4008, "You are being rate limited."
        return (4002, "Payload too large") if len(message.data) > LARGEST else None

    async def _obey(self, message: WSMessage) -> tuple[int, str] | None:
        """Do what a payload asks; a close code and reason if it must not be."""
        try:
            payload = json.loads(message.data)
            return await self._act(payload["op"], payload.get("d"))
        except (ValueError, KeyError, TypeError):
            return 4002, "Error while decoding payload."

    async def _act(self, op: int, data: Any) -> tuple[int, str] | None:
        acts: dict[int, Callable[[Any], Awaitable[tuple[int, str] | None]]] = {
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
        self.send({"op": ACK})

    async def _identify(self, data: Json) -> tuple[int, str] | None:
        gateway = self.gateway
        if self.session is not None:
            return 4005, "Already authenticated."
        if data["token"].removeprefix("Bot ") != gateway.token:
            return 4004, "Authentication failed."
        intents = int(data["intents"])
        if intents >> 26:
            return 4013, "Invalid intent(s)."
        if intents & PRIVILEGED & ~gateway.privileged:
            return 4014, "Disallowed intent(s)."
        gateway.identify(self, intents)
        return None

    async def _resume(self, data: Json) -> tuple[int, str] | None:
        if data["token"].removeprefix("Bot ") != self.gateway.token:
            return 4004, "Authentication failed."
        if not self.gateway.resume(self, data["session_id"], int(data["seq"])):
            self.send({"op": INVALID_SESSION, "d": False})
        return None

    async def _members(self, data: Json) -> None:
        guild = self.gateway.world.guilds[int(data["guild_id"])]
        assert self.session is not None
        query, ids = data.get("query"), data.get("user_ids") or ()
        found = [
            payloads.member(member)
            for member in guild.members.values()
            if (query is not None and member.user.name.startswith(query))
            or str(member.user.id) in {str(id_) for id_ in (ids if isinstance(ids, list) else [ids])}
        ]
        chunk = {"guild_id": str(guild.id), "members": found, "chunk_index": 0, "chunk_count": 1}
        if data.get("nonce"):
            chunk["nonce"] = data["nonce"]
        self.gateway.tell(self.session, "GUILD_MEMBERS_CHUNK", chunk)
