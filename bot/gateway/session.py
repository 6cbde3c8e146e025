"""The sessions with Discord's gateway, one for each shard, continued after a restart.

A bot that stops in order leaves its sessions open, and stores where they were. When it starts soon after, Discord sends
what happened meanwhile, so a click in a short gap is answered in time. Discord then does not describe the servers
again: what discord.py knows of them is stored as well. After a kill, or when Discord refuses, a new session begins.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, Self

import yarl

from bot.gateway.guild_cache import GuildData, guild_data
from bot.gateway.private import OwnBot, Socket, usual_gateway

LASTS: Final = 60_000
"""Ms after the stop in which a session is continued. Discord publishes no limit; later a click has long failed."""
FORM: Final = 1
"""Number of the stored form. Raise it with every change: another version of the bot must not misread it."""
MOST_GUILDS: Final = 100
"""Maximum number of servers of a bot that continues: with more of them, a stop would take too long."""


@dataclass(frozen=True)
class Session:
    """The session of a shard."""

    shard: int
    id: str
    sequence: int
    """Number of the last event that the bot received."""
    gateway: str
    """URL where it can be continued."""

    @classmethod
    def of(cls, socket: Socket | None, gateway: yarl.URL | None = None) -> Self | None:
        """Return the session of a connection, to continue at its own gateway or at this one; None when it has none that
        can be continued."""
        if socket is None or socket.is_refused or socket.session_id is None or socket.sequence is None:
            return None
        return cls(socket.shard_id or 0, socket.session_id, socket.sequence, str(gateway or socket.gateway))

    def continuation(self) -> dict[str, Any]:
        """Return the arguments with which `Socket.from_client` continues it."""
        return {
            "gateway": yarl.URL(self.gateway),
            "session": self.id,
            "sequence": self.sequence,
            "resume": True,
        }


@dataclass(frozen=True)
class SessionsLeftOpen:
    """The sessions that a run of the bot has left open."""

    shards: int
    """Number of shards of the bot; not each of them need have a session."""
    left: int
    """Time of the stop in ms."""
    application: int
    guilds: list[GuildData]
    sessions: list[Session]

    @classmethod
    def of(cls, client: OwnBot, sockets: Mapping[int, Socket], now: int) -> Self | None:
        """Return the sessions of a client whose connections have just been closed; None when none can be continued."""
        sessions = [session for each in sockets.values() if (session := Session.of(each)) is not None]
        if not sessions or len(client.guilds) > MOST_GUILDS:
            return None
        guilds = [guild_data(each) for each in client.guilds]
        return cls(client.shard_count or 1, now, client.application_id or 0, guilds, sessions)

    @classmethod
    def read(cls, stored: str | None, application: int, now: int) -> Self | None:
        """Return what `text` has stored; None if that is nothing, too old, of another application or gateway."""
        found = json.loads(stored) if stored else {}
        if found.pop("form", None) != FORM:
            return None
        found["sessions"] = [Session(**each) for each in found["sessions"]]
        left = cls(**found)
        if left.application != application or abs(now - left.left) > LASTS:
            return None
        return left if all(_is_discords(yarl.URL(each.gateway)) for each in left.sessions) else None

    def text(self) -> str:
        """Return the sessions as text for the store."""
        return json.dumps({"form": FORM} | asdict(self), separators=(",", ":"))

    def add_guilds(self, client: OwnBot) -> None:
        """Let a client that has logged in know the servers."""
        for guild in self.guilds:
            client.state.add_guild(guild)


def _is_discords(gateway: yarl.URL) -> bool:
    """Return whether a gateway is Discord's or, on a sandbox, the sandbox's."""
    # The token is sent there, and the database may be a restored backup that somebody has changed.
    usual = usual_gateway()
    is_usual = (gateway.scheme, gateway.host, gateway.port) == (usual.scheme, usual.host, usual.port)
    return is_usual or (gateway.scheme == "wss" and str(gateway.host).endswith(".discord.gg"))
