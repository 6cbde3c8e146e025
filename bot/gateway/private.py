"""Everything that the bot uses of discord.py without its promise: names that begin with `_`, and parts that its
documentation leaves out. Other modules use the plain names given here, and no private ones.

All of it is so since discord.py 2.0, but for what says another version, and was read in 2.7.1. A new version may change
it without a word: `tests/bot/test_private.py` compares what is named here with the installed one, and says what to do.
"""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeVar

import discord
import yarl
from discord import app_commands
from discord.backoff import ExponentialBackoff
from discord.ext import commands
from discord.gateway import DiscordWebSocket, ReconnectWebSocket
from discord.http import HTTPClient, Route
from discord.state import AutoShardedConnectionState

from bot.error_codes import NETWORK_FAILED

ClientT = TypeVar("ClientT", bound=discord.Client)

CLOSED: Final = 1000
"""Code with which a client closes its connection and ends the session."""
LEFT_OPEN: Final = 4000
"""Code with which it only closes its connection."""
EVENTS_LOST: Final = 4007
"""Code with which Discord closes a connection that would continue a session, but knows less of that than the client.
discord.py would try it again at once, and for ever."""

Backoff = ExponentialBackoff
"""Growing pauses between tries to connect: `delay` returns the next one in seconds."""
Ended = ReconnectWebSocket
"""Raised by `Socket.poll_event` when the connection ended and a new one may begin. `resume` is true if the session can
be continued."""


# The gateway


class Socket(DiscordWebSocket):
    """A connection to the gateway that leaves its session open.

    `from_client` makes one, `poll_event` handles the next event; the session is in `session_id` and `sequence`."""

    is_served: Callable[[], bool] = staticmethod(lambda: True)
    """Returns whether events that arrive are handled."""

    @property
    def is_refused(self) -> bool:
        """True when Discord has ended it because its session cannot be continued."""
        return self.socket.close_code == EVENTS_LOST

    async def received_message(self, msg: Any, /) -> None:
        """Handle an event, unless its shard is another process's now. Called by discord.py."""
        if self.is_served():
            await super().received_message(msg)

    async def close(self, code: int = LEFT_OPEN) -> None:
        """Close the connection, but not the session."""
        await super().close(LEFT_OPEN if code == CLOSED else code)


def usual_gateway() -> yarl.URL:
    """Return the gateway where new sessions begin."""
    return DiscordWebSocket.DEFAULT_GATEWAY


def point_at(api: yarl.URL, gateway: yarl.URL) -> None:
    """Let all clients in this process use another API and gateway than Discord's."""
    Route.BASE = str(api)
    DiscordWebSocket.DEFAULT_GATEWAY = gateway


# The servers that a client knows


@dataclass(frozen=True)
class Arrival:
    """A server that arrived while the bot becomes ready: what discord.py asks of it until it is ready."""

    id: int
    shard_id: int
    unavailable: bool


class OwnState(AutoShardedConnectionState[Any]):
    """The servers that discord.py knows. A subclass gives the mapping that holds them. `note_message` is
    called with the ids of the channel, the message and its author for each new message, for which no object is made."""

    shard_count: int | None

    def __init__(self, *, note_message: Callable[[int, int, int], None], **options: Any) -> None:
        super().__init__(**options)
        self._note_message = note_message

    def new_guilds(self, make: Callable[[Any], discord.Guild]) -> MutableMapping[int, discord.Guild]:
        """Return an empty mapping of servers by id. `make` makes a server from the data of GUILD_CREATE."""
        raise NotImplementedError

    def on_guild(self, id_: int) -> None:
        """Called for each server that has arrived."""

    def add_guild(self, data: Any) -> None:
        """Add a server as if it had arrived, without an event."""
        self._add_guild_from_data(data)

    def guild_ids(self) -> set[int]:
        """Return the ids of the servers. (`Client.guilds` makes the objects of all.)"""
        return {*self._guilds}

    def forget_shard(self, shard: int, shards: int) -> None:
        """Forget the servers of `shard`, which is not ready then. `shards` is the number of all shards."""
        if (task := self._ready_tasks.pop(shard, None)) is not None:
            task.cancel()  # else its next connection would be called ready before its servers are known
        for id_ in [each for each in self._guilds if (each >> 22) % shards == shard]:
            del self._guilds[id_]

    def mark_ready(self) -> None:
        """Let `Client.is_ready` return True, and dispatch `ready`."""
        self.call_handlers("ready")
        self.dispatch("ready")

    # Called by discord.py

    def clear(self, *, views: bool = True) -> None:
        """Forget everything."""
        super().clear(views=views)
        # It is used like a dict.
        self._guilds = self.new_guilds(lambda data: discord.Guild(data=data, state=self))  # type: ignore[assignment]

    def parse_ready(self, data: Any) -> None:
        """Forget the servers of the shard, and learn which it has now."""
        self.forget_shard(*data["shard"])
        super().parse_ready(data)

    async def _delay_ready(self) -> None:
        """Do nothing: the bot says when all shards are there (`mark_ready`)."""

    def parse_guild_create(self, data: Any) -> None:
        """Add a server, or describe it anew after its outage."""
        id_ = int(data["id"])
        # discord.py would keep what was deleted during the outage.
        if id_ in self._guilds and not data.get("unavailable"):
            del self._guilds[id_]
        super().parse_guild_create(data)
        self.on_guild(id_)

    def _add_ready_state(self, guild: discord.Guild) -> bool:
        """Queue a server that arrived if the bot is not ready; return whether it was not."""
        # The queue is emptied more slowly than servers arrive. With their objects it would take all the memory.
        arrival = Arrival(guild.id, guild.shard_id, guild.unavailable)
        return super()._add_ready_state(arrival)  # type: ignore[arg-type]

    def parse_message_create(self, data: Any) -> None:
        """Note a new message."""
        self._note_message(int(data["channel_id"]), int(data["id"]), int(data["author"]["id"]))

    def parse_message_update(self, data: Any) -> None:
        """Ignore the change of a message, which would put its server in use."""


def overwrites(channel: discord.abc.GuildChannel) -> list[Any]:
    """Return the permission overwrites of a channel as Discord sends them. (Its public `overwrites` makes an object of
    fifty flags for each, which takes longer than all the rest of a server.)"""
    return [each._asdict() for each in channel._overwrites]


# The client and its commands


class OwnBot(commands.Bot):
    """discord.py's bot. A subclass makes the state and the connections."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        _mend_requests(self.http)

    def new_state(self, **options: Any) -> OwnState:
        """Return the state, of which discord.py gives the options."""
        raise NotImplementedError

    def socket_of(self, shard: int | None, guild: int) -> Socket:
        """Return the connection of a shard, or of a server where that is None."""
        raise NotImplementedError

    @property
    def state(self) -> OwnState:
        """The servers that discord.py knows."""
        state: object = self._connection
        assert isinstance(state, OwnState)
        return state

    async def ask_gateway(self) -> tuple[int, Any]:
        """Ask Discord for the number of shards that it recommends, and for the limits of new sessions (as in its
        documentation, `session_start_limit`). Raises GatewayNotFound."""
        # Since 2.5 there are three.
        recommended, _, limits = await self.http.get_bot_gateway()
        return recommended, limits

    async def end_requests(self) -> None:
        """Close the session of requests, so that the next login opens a new one."""
        await self.http.close()
        self.http.connector = discord.utils.MISSING

    # Called by discord.py

    def _get_state(self, **options: Any) -> OwnState:
        return self.new_state(
            dispatch=self.dispatch, handlers=self._handlers, hooks=self._hooks, http=self.http, **options
        )

    def _get_websocket(self, guild_id: int | None = None, *, shard_id: int | None = None) -> Socket:
        return self.socket_of(shard_id, guild_id or 0)


class NetworkFailed(discord.DiscordServerError):
    """Discord's network has failed, and said so by the status of a missing permission."""

    def __init__(self, refusal: discord.Forbidden) -> None:
        super().__init__(refusal.response, {"code": refusal.code, "message": refusal.text})
        self.status = 503


def _mend_requests(http: HTTPClient) -> None:
    """Let a request that is cancelled end the pause of all requests that it may have begun. discord.py leaves them
    waiting for ever when that happens during a global rate limit. If it was too early, Discord says so once more.

    Let no failure of Discord's network pass for a missing permission, after which much is given up."""
    request = http.request

    async def requested(*arguments: Any, **options: Any) -> Any:
        try:
            return await request(*arguments, **options)
        except asyncio.CancelledError:
            if http._global_over is not discord.utils.MISSING:  # before the login
                http._global_over.set()
            raise
        except discord.Forbidden as error:
            if error.code == NETWORK_FAILED:
                raise NetworkFailed(error) from error
            raise

    http.request = requested  # type: ignore[method-assign]


class OwnTree(app_commands.CommandTree[ClientT]):
    """discord.py's slash commands. A subclass decides when one runs."""

    async def run(
        self, interaction: discord.Interaction[ClientT], work: Callable[[], Awaitable[None]]
    ) -> None:
        """Handle a command or an autocompletion, which `work` does."""
        raise NotImplementedError

    async def _call(self, interaction: discord.Interaction[ClientT]) -> None:
        """Called by discord.py for each command and autocompletion."""
        await self.run(interaction, partial(super()._call, interaction))


def without_voice() -> None:
    """Silence discord.py's warnings about missing voice libraries: the bot has no use for them."""
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # the second since 2.7.1


# Requests for which discord.py has no public method


async def application_of(token: str) -> int:
    """Return the id of the application that has a token. (`Client.login` would log that the bot logs in.)"""
    without_voice()
    async with discord.Client(intents=discord.Intents(guilds=True)) as client:
        await client.http.static_login(token)
        return (await client.application_info()).id


async def start_thread(
    client: discord.Client, channel: int, message: int, name: str, auto_archive_duration: Any
) -> int:
    """Make a thread below a message; return its id. (For `Message.create_thread` discord.py must know the server.)"""
    made = await client.http.start_thread_with_message(
        channel, message, name=name, auto_archive_duration=auto_archive_duration
    )
    return int(made["id"])


async def fetch_application(client: discord.Client) -> Any:
    """Return the application as Discord describes it. (`Client.application_info` leaves some of it out.)"""
    return await client.http.request(Route("GET", "/applications/@me"))
