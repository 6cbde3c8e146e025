"""The gateway, v10: sessions of the bot, what they are told, and how they resume."""

import secrets
from collections import deque
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from aiohttp import WSCloseCode, web

from sandbox import payloads
from sandbox.connection import DISPATCH, INVALID_SESSION, RECONNECT, Connection
from sandbox.world import Guild, World

Json: TypeAlias = dict[str, Any]

GUILDS, MEMBERS, PRESENCES, GUILD_MESSAGES = 1 << 0, 1 << 1, 1 << 8, 1 << 9
DIRECT_MESSAGES, MESSAGE_CONTENT = 1 << 12, 1 << 15
PRIVILEGED = MEMBERS | PRESENCES | MESSAGE_CONTENT
KEPT = 1000
"""How many events a session can replay."""
RESUMABLE = 3600.0
"""Seconds after which a session without a connection is over. Discord tells no number."""
EVERY_INTENT = sum(1 << bit for bit in (*range(17), 20, 21, 24, 25))


@dataclass(eq=False)
class Session:
    """One identified client: what it wants to hear, what it was told, and its socket while it has one."""

    id: str
    intents: int
    sequence: int = 0
    left: float = 0.0
    """Unix time at which its last connection ended."""
    told: deque[Json] = field(default_factory=lambda: deque(maxlen=KEPT))
    connection: Connection | None = None


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
        self._out: set[Guild] = set()

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
        if data.get("guild_id") in {str(guild.id) for guild in self._out}:
            return
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
        return payloads.without_content(data, self.world.bot.id) if "guild_id" in data else data

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

    def _parted(self, connection: Connection) -> None:
        session = connection.session
        if session is not None and session.connection is connection:
            session.connection = None
            session.left = self.world.clock.now()
            if connection.socket.close_code in (1000, 1001) and not connection.dropped:
                self._sessions.pop(session.id, None)
        self.world.clock.tell()

    def identify(self, connection: Connection, intents: int) -> tuple[int, str] | None:
        """Begin a session, or return why to close. Sessions without a connection can no longer be resumed."""
        if intents & ~EVERY_INTENT:
            return 4013, "Invalid intent(s)."
        if intents & PRIVILEGED & ~self.privileged:
            return 4014, "Disallowed intent(s)."
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
            if intents & GUILDS and not self.is_out(guild):
                self._tell_available(session, guild)
        self.world.clock.tell()
        return None

    def _tell_available(self, session: Session, guild: Guild) -> None:
        """Tell of a guild that the bot is in already; of one that it joins only now `unavailable` says nothing."""
        every = bool(session.intents & MEMBERS)
        there = payloads.guild_create(guild, all_members=every) | {"unavailable": False}
        self.tell(session, "GUILD_CREATE", there)

    def _guilds(self) -> list[Guild]:
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

    def resume(self, connection: Connection, session_id: str, sequence: int) -> bool:
        """Go on with a session and replay what it missed; False when it is unknown, over or has missed too much."""
        session = self._sessions.get(session_id)
        if session is not None and not session.connection and self._over(session):
            del self._sessions[session_id]
            return False
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

    def _over(self, session: Session) -> bool:
        return self.world.clock.now() >= session.left + RESUMABLE

    def tell_members(self, session: Session, asked: Json) -> None:
        """Answer a request for members, by the beginning of a name or by ids."""
        guild = self.world.guilds[int(asked["guild_id"])]
        query, ids = asked.get("query"), asked.get("user_ids") or []
        wanted = {str(id_) for id_ in (ids if isinstance(ids, list) else [ids])}
        found = [
            payloads.member(member)
            for member in guild.members.values()
            if str(member.user.id) in wanted or (query is not None and member.user.name.startswith(query))
        ]
        chunk = {"guild_id": str(guild.id), "members": found, "chunk_index": 0, "chunk_count": 1}
        self.tell(
            session, "GUILD_MEMBERS_CHUNK", chunk | ({"nonce": asked["nonce"]} if "nonce" in asked else {})
        )

    def is_out(self, guild: Guild) -> bool:
        """Return whether an outage makes a guild unavailable."""
        return guild in self._out

    def begin_outage(self, guild: Guild) -> None:
        """Make a guild unavailable: nobody can do anything there, and the bot hears nothing of it."""
        self.dispatch("GUILD_DELETE", {"id": str(guild.id), "unavailable": True})
        self._out.add(guild)
        self.world.clock.tell()

    def end_outage(self, guild: Guild) -> None:
        """Make a guild available again."""
        self._out.remove(guild)
        for session in self._sessions.values():
            if guild.has_bot and session.intents & GUILDS:
                self._tell_available(session, guild)
        self.world.clock.tell()

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
