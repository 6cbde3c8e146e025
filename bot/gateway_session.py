"""The session with Discord's gateway, continued after a restart.

A bot that stops in order leaves its session open, and stores where it was. When it starts soon after, Discord sends
what happened meanwhile, so a click in a short gap is answered in time. Discord then does not describe the servers
again: what discord.py knows of them is stored as well. After a kill, or when Discord refuses, a new session begins.
"""

import json
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any, Final, Self

import aiohttp
import discord
import discord.client
import yarl
from discord.gateway import DiscordWebSocket

from bot.guild_cache import GuildData, guild_data

LASTS: Final = 60_000
"""Ms after the stop in which the session is continued. Discord publishes no limit; later a click has long failed."""
FORM: Final = 1
"""Number of the stored form. Raise it with every change, so that another version of the bot does not misread it."""
MOST_GUILDS: Final = 100
"""Maximum number of servers of a continued session: with more of them, a stop would take too long."""
CLOSED: Final = 1000
"""Code with which a client closes its connection and ends the session."""
LEFT_OPEN: Final = 4000
"""Code with which it only closes its connection."""


@dataclass(frozen=True)
class GatewaySession:
    """A session that was left open."""

    id: str
    sequence: int
    """Number of the last event that the bot received."""
    gateway: str
    """URL where it can be continued."""
    left: int
    """Time of the stop in ms."""
    application: int
    guilds: list[GuildData]

    @classmethod
    def of(cls, client: discord.Client, now: int) -> Self | None:
        """Return the session of a client whose connection has just been closed; None when it cannot be continued."""
        connection = client.ws
        if connection.session_id is None or connection.sequence is None or len(client.guilds) > MOST_GUILDS:
            return None
        return cls(
            connection.session_id,
            connection.sequence,
            str(connection.gateway),
            now,
            client.application_id or 0,
            [guild_data(each) for each in client.guilds],
        )

    @classmethod
    def read(cls, stored: str | None, application: int, now: int) -> Self | None:
        """Return what `text` has stored; None if that is nothing, too old, of another application or gateway."""
        found = json.loads(stored) if stored else {}
        if found.pop("form", None) != FORM:
            return None
        session = cls(**found)
        if session.application != application or abs(now - session.left) > LASTS:
            return None
        return session if _is_discords(yarl.URL(session.gateway)) else None

    def text(self) -> str:
        """Return the session as text for the store."""
        return json.dumps({"form": FORM} | asdict(self), separators=(",", ":"))

    def add_guilds(self, client: discord.Client) -> None:
        """Let a client that has logged in know the servers."""
        for guild in self.guilds:
            client._connection._add_guild_from_data(guild)  # type: ignore[arg-type]  # as discord.py does


class Socket(DiscordWebSocket):
    """A connection to the gateway that continues the client's `session`, if there is one, and leaves it open."""

    @classmethod
    async def from_client(cls, client: discord.Client, *, initial: bool = False, **how: Any) -> Self:
        """Connect. Called by discord.py; `initial` for the first connection of the process."""
        session: GatewaySession | None = getattr(client, "session", None)
        if initial and session is not None:
            kept = {
                "gateway": yarl.URL(session.gateway),
                "session": session.id,
                "sequence": session.sequence,
                "resume": True,
            }
            with suppress(OSError, aiohttp.ClientError, discord.ConnectionClosed):
                return await super().from_client(client, initial=True, **how | kept)
        return await super().from_client(client, initial=initial, **how)

    async def close(self, code: int = LEFT_OPEN) -> None:
        """Close the connection, but not the session."""
        await super().close(LEFT_OPEN if code == CLOSED else code)


def use_sockets() -> None:
    """Let discord.py connect by `Socket`. It offers no other way to continue a session."""
    discord.client.DiscordWebSocket = Socket  # type: ignore[misc]


def _is_discords(gateway: yarl.URL) -> bool:
    """Return whether a gateway is Discord's or, on a sandbox, the sandbox's."""
    # The token is sent there, and the database may be a restored backup that somebody has changed.
    usual = DiscordWebSocket.DEFAULT_GATEWAY
    is_usual = (gateway.scheme, gateway.host, gateway.port) == (usual.scheme, usual.host, usual.port)
    return is_usual or (gateway.scheme == "wss" and str(gateway.host).endswith(".discord.gg"))
