"""The gateway, v10: sessions of the bot, the events they receive, and how they resume."""

import asyncio
import secrets
import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from aiohttp import WSCloseCode, web

from sandbox import payloads
from sandbox.checks import Json
from sandbox.connection import (
    DISPATCH,
    IDENTIFY,
    INVALID_SESSION,
    RECONNECT,
    RESUME,
    Closing,
    Connection,
    Session,
)
from sandbox.crowd import Bystander
from sandbox.guilds import Guild
from sandbox.world import World

GUILDS, MEMBERS, PRESENCES, GUILD_MESSAGES = 1 << 0, 1 << 1, 1 << 8, 1 << 9
DIRECT_MESSAGES, MESSAGE_CONTENT = 1 << 12, 1 << 15
PRIVILEGED = MEMBERS | PRESENCES | MESSAGE_CONTENT
"""Intents that are enabled for no bot here."""
LEFT_OPEN = 4000
"""Code with which a client closes a connection, but not its session."""
RESUMABLE = 3600.0
"""Seconds after which a session without a connection is over. Discord publishes no number."""
MOST_GUILDS = 2500
"""Guilds that a shard may have."""
IDENTIFY_PERIOD = 5.0
"""Seconds within which `Gateway.max_concurrency` sessions may begin."""
SESSIONS_A_DAY = 1000
EVERY_INTENT = sum(1 << bit for bit in (*range(17), 20, 21, 24, 25))


class Carried(NamedTuple):
    """An event that was sent: the Unix time, the time of `time.monotonic`, and the connection."""

    time: float
    monotonic: float
    connection: Connection


class Gateway:
    """All sessions of the bot."""

    def __init__(
        self,
        world: World,
        guilds: Mapping[int, Guild],
        token: str,
        heartbeat: float,
        limits_identifies: bool,
    ) -> None:
        """`heartbeat`: the interval in seconds."""
        self.shards = 1
        """Number of shards that the gateway recommends."""
        self.max_concurrency = 1
        """Number of sessions that may begin within IDENTIFY_PERIOD."""
        self.remaining = SESSIONS_A_DAY
        """Number of sessions that may still begin today."""
        self.limits_identifies = limits_identifies
        """True when a session that begins too early is refused."""
        self.identifies = 0
        """Number of sessions begun."""
        self.refused = 0
        """Number of sessions that were refused because they would have begun too early."""
        self._begun: dict[int, float] = {}
        """Time of the last identify, by the shard modulo `max_concurrency`."""
        self._world = world
        self._guilds = guilds
        self.token = token
        self._heartbeat = heartbeat
        self.sessions: dict[str, Session] = {}
        """By session id, with those that may still resume."""
        self.crowd: Sequence[Bystander] = ()
        """Servers in which nothing happens. They are sent after the guilds."""
        self.describes_after = 0.0
        """Seconds from the beginning of a session until its guilds are sent. Until then it knows their ids alone."""
        self.carried: dict[int, Carried] = {}
        """By the id of an interaction: how its event was sent last to a client that reads it."""
        self._describing: dict[asyncio.Task[None], None] = {}
        self._open: dict[Connection, None] = {}  # not a set, whose order is another one in each run
        self._dropped = False
        self._unavailable: set[Guild] = set()

    @property
    def connected(self) -> bool:
        """True while a bot is connected and identified."""
        return any(session.connection for session in self.sessions.values())

    @property
    def expected(self) -> bool:
        """True while a bot is connected, was disconnected by the sandbox, or has left its session open, and so may
        come back."""
        return self.connected or self._dropped or any(each.left_open for each in self.sessions.values())

    def dispatch(self, event: str, data: Json) -> None:
        """Send an event to every session whose intents include it, also to sessions that may still resume."""
        if data.get("guild_id") in {str(guild.id) for guild in self._unavailable}:
            return
        guild = _guild_of(event, data)
        for session in self.sessions.values():
            wanted = _included(session.intents, event, data) or self._concerns_bot(event, data)
            if wanted and session.covers(guild):
                self._send(session, event, self._readable(event, data))

    def _concerns_bot(self, event: str, data: Json) -> bool:
        """Return whether the bot joins a thread, or its own member changes: it receives these events with any
        intents."""
        bot = str(self._world.bot.id)
        if event == "GUILD_MEMBER_UPDATE":
            return bool(data["user"]["id"] == bot)
        return event == "THREAD_MEMBERS_UPDATE" and bot in [each["user_id"] for each in data["added_members"]]

    def _send(self, session: Session, event: str, data: Json) -> None:
        session.sequence += 1
        payload = {"op": DISPATCH, "t": event, "s": session.sequence, "d": data}
        session.sent.append(payload)
        if session.connection is not None:
            session.connection.send(payload)

    def _readable(self, event: str, data: Json) -> Json:
        """Return the event's data, without the content of guild messages that the bot may not read."""
        if event not in ("MESSAGE_CREATE", "MESSAGE_UPDATE") or "guild_id" not in data:
            return data
        return payloads.without_content(data, self._world.bot.id)

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one connection, from HELLO until it is closed."""
        socket = web.WebSocketResponse(compress=False, max_msg_size=0, timeout=1)
        await socket.prepare(request)
        compressed = request.query.get("compress") == "zlib-stream"
        actions = {IDENTIFY: self._identify, RESUME: self._resume}
        connection = Connection(socket, compressed, self._heartbeat, actions, self._note_sent)
        self._open[connection] = None
        try:
            await connection.run()
        finally:
            self._open.pop(connection, None)
            self._disconnected(connection)
        return socket

    def _note_sent(self, connection: Connection, payload: Json) -> None:
        # A client that is asked to leave reads no more of this connection.
        if payload.get("t") == "INTERACTION_CREATE" and not connection.dropped:
            sent = Carried(self._world.clock.now(), time.monotonic(), connection)
            self.carried[int(payload["d"]["id"])] = sent

    def _disconnected(self, connection: Connection) -> None:
        session = connection.session
        if session is not None and session.connection is connection:
            session.connection = None
            session.left = self._world.clock.now()
            session.left_open = connection.socket.close_code == LEFT_OPEN
            if connection.socket.close_code in (1000, 1001) and not connection.dropped:
                self.sessions.pop(session.id, None)
        self._world.clock.notify()

    async def _identify(self, connection: Connection, data: Json) -> Closing | None:
        if connection.session is not None:
            return 4005, "Already authenticated."
        if not self._knows_token(data):
            return 4004, "Authentication failed."
        shard, shards = map(int, data.get("shard", [0, 1]))
        session = Session(secrets.token_hex(16), int(data["intents"]), shard, shards, connection=connection)
        if (problem := self._refusal(session)) is not None:
            return problem
        if await self._is_taken(session):
            return 4010, "Invalid shard: another client that is connected has it."
        if self._is_too_early(session):
            self.refused += 1
            connection.send({"op": INVALID_SESSION, "d": False})
            return None
        self._begin_session(connection, session)
        return None

    def _refusal(self, session: Session) -> Closing | None:
        """Return why a session cannot begin at all, if it cannot."""
        if not 0 <= session.shard < session.shards:
            return 4010, "Invalid shard."
        if sum(map(session.covers, self._guild_ids())) > MOST_GUILDS:
            return 4011, "Sharding required."
        if session.intents & ~EVERY_INTENT:
            return 4013, "Invalid intent(s)."
        if session.intents & PRIVILEGED:
            return 4014, "Disallowed intent(s)."
        return None

    async def _is_taken(self, session: Session) -> bool:
        """Return whether another client has the session's shard, and is alive. (Discord would let both in.)"""
        silent: list[Connection | None] = [None]
        while others := [each.connection for each in self._alike(session) if each.connection not in silent]:
            if others[0] and await others[0].is_alive():
                return True
            silent.append(others[0])
        return False

    def _alike(self, session: Session) -> list[Session]:
        """Return the sessions of the same shard."""
        return [
            each
            for each in self.sessions.values()
            if (each.shard, each.shards) == (session.shard, session.shards)
        ]

    def _is_too_early(self, session: Session) -> bool:
        """Return whether other sessions have just begun. If not, note that this one begins."""
        now, bucket = self._world.clock.now(), session.shard % self.max_concurrency
        last = self._begun.get(bucket)
        if self.limits_identifies and last is not None and now < last + IDENTIFY_PERIOD:
            return True
        self._begun[bucket] = now
        return False

    def _knows_token(self, data: Json) -> bool:
        return bool(data["token"].removeprefix("Bot ") == self.token)

    def _begin_session(self, connection: Connection, session: Session) -> None:
        """Begin a session. Other sessions of its shard that have no connection can no longer be resumed."""
        self.identifies += 1
        self.remaining -= 1
        self._dropped = False
        for each in self._alike(session):
            if each.connection is None:
                del self.sessions[each.id]
        self.sessions[session.id] = session
        connection.session = session
        self._send(session, "READY", self._ready(session))
        if session.intents & GUILDS:
            if not self.describes_after:
                self._send_guilds(session)
            if self.describes_after or self.crowd:
                describing = asyncio.create_task(self._describe(session, connection))
                self._describing[describing] = None
                describing.add_done_callback(self._describing.pop)
        self._world.clock.notify()

    def _send_guilds(self, session: Session) -> None:
        session.is_described = True
        for guild in self._guilds_of_bot():
            if session.covers(guild.id) and not self.is_out(guild):
                self._send_available(session, guild)

    async def _describe(self, session: Session, connection: Connection) -> None:
        """Send what is not sent at once: late guilds, and the crowd, one server after the other, as all at once would
        take too much memory."""
        if self.describes_after:
            await asyncio.sleep(self.describes_after)
            self._send_guilds(session)  # kept until it resumes, if it has no connection
        for each in filter(lambda each: session.covers(each.id), self.crowd):
            while connection.backlog:  # noqa: ASYNC110 - it is empty within a millisecond
                await asyncio.sleep(0)
            if session.connection is not connection:
                return
            self._send_available(session, each)

    @property
    def is_all_sent(self) -> bool:
        """True when no session waits for servers that are sent later."""
        return not self._describing

    def _send_available(self, session: Session, guild: Guild | Bystander) -> None:
        """Send GUILD_CREATE for a guild that the bot was in before, which the field `unavailable` tells apart from a
        guild that it joins now."""
        self._send(session, "GUILD_CREATE", guild.create_event() | {"unavailable": False})

    def _guilds_of_bot(self) -> list[Guild]:
        return [guild for guild in self._guilds.values() if guild.has_bot]

    def _ready(self, session: Session) -> Json:
        return {
            "v": 10,
            "user": self._world.bot.payload() | {"verified": True, "mfa_enabled": False},
            "guilds": [
                {"id": str(id_), "unavailable": True} for id_ in self._guild_ids() if session.covers(id_)
            ],
            "session_id": session.id,
            "session_type": "normal",
            "resume_gateway_url": self.url,
            "shard": [session.shard, session.shards],
            "application": {"id": str(self._world.bot.id), "flags": 0},
            "private_channels": [],
            "geo_ordered_rtc_regions": [],
        }

    def _guild_ids(self) -> list[int]:
        return [each.id for each in self._guilds_of_bot()] + [each.id for each in self.crowd]

    @property
    def url(self) -> str:
        """Address to which clients connect."""
        return self._world.url.replace("http", "ws", 1) + "/gateway"

    async def _resume(self, connection: Connection, data: Json) -> Closing | None:
        if not self._knows_token(data):
            return 4004, "Authentication failed."
        session, sequence = self.sessions.get(data["session_id"]), int(data["seq"])
        if session is not None and sequence > session.sequence:
            return 4007, "Invalid seq."
        if not self._continue_session(connection, data["session_id"], sequence):
            connection.send({"op": INVALID_SESSION, "d": False})
        return None

    def _continue_session(self, connection: Connection, session_id: str, sequence: int) -> bool:
        """Resume a session and replay the events it missed. Return False if it is unknown, over or missed too many."""
        session = self.sessions.get(session_id)
        if session is not None and not session.connection and self._over(session):
            del self.sessions[session_id]
            return False
        missed = [each for each in session.sent if each["s"] > sequence] if session else []
        if session is None or sequence + len(missed) != session.sequence:
            return False
        self._dropped = False
        session.connection = connection
        session.left_open = False
        connection.session = session
        for payload in missed:
            connection.send(payload)
        self._send(session, "RESUMED", {"_trace": []})
        self._world.clock.notify()
        return True

    def _over(self, session: Session) -> bool:
        return self._world.clock.now() >= session.left + RESUMABLE

    def is_out(self, guild: Guild) -> bool:
        """Return whether an outage makes a guild unavailable."""
        return guild in self._unavailable

    def begin_outage(self, guild: Guild) -> None:
        """Make a guild unavailable: people cannot act there, and the bot receives no events of it."""
        self.dispatch("GUILD_DELETE", {"id": str(guild.id), "unavailable": True})
        self._unavailable.add(guild)
        self._world.clock.notify()

    def end_outage(self, guild: Guild) -> None:
        """Make a guild available again."""
        self._unavailable.remove(guild)
        for session in self.sessions.values():
            if guild.has_bot and session.is_described and session.covers(guild.id):
                self._send_available(session, guild)
        self._world.clock.notify()

    async def drop(self, resumable: bool = True, shard: int | None = None) -> None:
        """Close every connection, or that of one shard, as when Discord restarts. Unless `resumable`, end the sessions
        too."""
        self._dropped = True
        gone = [
            each for each in self._open if shard is None or (each.session and each.session.shard == shard)
        ]
        for connection in gone:
            if not resumable and connection.session is not None:
                self.sessions.pop(connection.session.id, None)
            await connection.close(4000, "Dropped by the sandbox")
        if not resumable and shard is None:
            self.sessions.clear()

    async def invalidate(self, resumable: bool = False) -> None:
        """Send INVALID_SESSION to every connection. Unless `resumable`, end the sessions."""
        self._send_all({"op": INVALID_SESSION, "d": resumable})
        if not resumable:
            self.sessions.clear()

    async def ask_to_reconnect(self) -> None:
        """Send RECONNECT to every connection."""
        self._send_all({"op": RECONNECT, "d": None})

    def _send_all(self, payload: Json) -> None:
        self._dropped = True
        for connection in self._open:
            connection.dropped = True
            connection.send(payload)

    async def close(self) -> None:
        """Close every connection: the sandbox ends."""
        for each in self._describing:
            each.cancel()
        for connection in list(self._open):
            await connection.close(WSCloseCode.GOING_AWAY, "The sandbox ends")


def _included(intents: int, event: str, data: Json) -> bool:
    """Return whether a session with these intents receives an event."""
    if event.startswith("MESSAGE_"):
        return bool(intents & (GUILD_MESSAGES if "guild_id" in data else DIRECT_MESSAGES))
    if event.startswith(("GUILD_MEMBER_", "THREAD_MEMBERS_")):
        return False  # they need a privileged intent
    if event.startswith(("GUILD_", "CHANNEL_", "THREAD_")):
        return bool(intents & GUILDS)
    return True


def _guild_of(event: str, data: Json) -> int | None:
    """Return the id of the guild that an event is about; None for direct messages."""
    name = "id" if event in ("GUILD_CREATE", "GUILD_UPDATE", "GUILD_DELETE") else "guild_id"
    return int(data[name]) if data.get(name) else None
