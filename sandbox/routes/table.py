"""The table of routes, in which each function that answers a request is registered."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

from sandbox import payloads, posting
from sandbox.checks import Check, Json, Refused, check, integer, record
from sandbox.commands import Commands
from sandbox.gateway import Gateway
from sandbox.guilds import Guild, Thread, guild_of
from sandbox.interactions import Interactions
from sandbox.members import User
from sandbox.permissions import Permission
from sandbox.posting import Upload
from sandbox.ratelimits import RateLimits
from sandbox.world import Channel, Message, World


@dataclass(frozen=True)
class Created:
    """An answer with status 201."""

    body: Json


@dataclass(frozen=True)
class Services:
    """The parts of the sandbox that routes use."""

    world: World
    guilds: Mapping[int, Guild]
    commands: Commands
    interactions: Interactions
    gateway: Gateway
    rate_limits: RateLimits


@dataclass(frozen=True)
class Call:
    """One request, and the parts of the sandbox that answer it."""

    services: Services
    ids: Mapping[str, str]
    """Parameters of the path."""
    query: Mapping[str, str]
    body: Any
    files: list[Upload]

    @property
    def world(self) -> World:
        return self.services.world

    @property
    def now(self) -> float:
        """Unix time of the sandbox's clock."""
        return self.world.clock.now()

    @property
    def bot(self) -> int:
        """Id of the bot, which sends the requests."""
        return self.world.bot.id

    def id(self, name: str) -> int:
        """Return a snowflake of the path."""
        return int(self.ids[name])

    def check_application(self) -> None:
        """Raise Refused (20012) unless the application in the path is the bot's own."""
        if self.id("application_id") != self.bot:
            raise Refused(403, 20012, "You are not authorized to perform this action on this application")

    def token(self) -> str:
        """Return the token of the path. Raises Refused (10015) unless the application before it is the bot's own."""
        if self.id("application_id") != self.bot:
            raise Refused(404, 10015, "Unknown Webhook")
        return self.ids["token"]

    def limit(self, most: int, usual: int = 50) -> int:
        """Return the length that the query sets for a list, else `usual`. Raises Refused (50035) above `most`."""
        given = self.query.get("limit", str(usual))
        number = int(given) if given.isdecimal() else given
        check({"limit": number}, record({"limit": integer(1, most)}, {}))
        return int(number)

    def form(self, required: Mapping[str, Check], optional: Mapping[str, Check]) -> Json:
        """Return the body. Raises Refused (50035) unless it has these fields and no others."""
        check(self.body, record(required, optional))
        return dict(self.body)

    def channel(self, *needed: Permission) -> Channel:
        """Return the channel of the path. Raises Refused unless the bot sees it and has these permissions."""
        channel = self.world.channel(self.id("channel_id"))
        channel.require(self.bot, *needed)
        return channel

    def thread(self) -> Thread:
        """Return the thread of the path. Raises Refused (50024) if that is another channel."""
        channel = self.channel()
        if not isinstance(channel, Thread):
            raise Refused(400, 50024, "Cannot execute action on this channel type")
        return channel

    def message(self, channel: Channel) -> Message:
        """Return the message of the path. Raises Refused (10008) if there is none, or if it is ephemeral."""
        message = channel.log.get(self.id("message_id"))
        if message is None or message.deleted or message.ephemeral:
            raise Refused(404, 10008, "Unknown Message")
        return message

    def message_in_use(self, *needed: Permission) -> Message:
        """Return the message of the path. Raises Refused unless the bot has these permissions and can write there."""
        channel = self.channel(*needed)
        message = self.message(channel)
        posting.check_writable(channel)
        return message

    def read(self, message: Message, *, new: bool = False) -> Json:
        """Return a message as the bot may read it; `new`: this request created it."""
        data = payloads.message(message, new=new)
        return data if guild_of(message.channel) is None else payloads.without_content(data, self.bot)

    def user(self) -> User:
        """Return the user of the path. Raises Refused (10013) if there is none."""
        if self.id("user_id") not in self.world.users:
            raise Refused(404, 10013, "Unknown User")
        return self.world.users[self.id("user_id")]

    def guild(self) -> Guild:
        """Return the guild of the path. Raises Refused unless it exists (10004) and the bot is a member (50001)."""
        guild = self.services.guilds.get(self.id("guild_id"))
        if guild is None:
            raise Refused(404, 10004, "Unknown Guild")
        if not guild.has_bot:
            raise Refused(403, 50001, "Missing Access")
        return guild


Action: TypeAlias = Callable[[Call], Any]
"""Answers a request: returns the JSON of the answer, or None for an answer of status 204 without any."""


@dataclass(frozen=True)
class Route:
    """A method, a path template such as "/channels/{channel_id}", and the function that answers them."""

    method: str
    template: str
    action: Action

    def match(self, method: str, path: str) -> Mapping[str, str] | None:
        """Return the parameters of a path, or None if it belongs to another route."""
        found = _pattern(self.template).fullmatch(path) if method == self.method else None
        return found.groupdict() if found else None


ROUTES: list[Route] = []


def route(method: str, template: str) -> Callable[[Action], Action]:
    """Register the decorated function as the answer to a route."""

    def register(action: Action) -> Action:
        ROUTES.append(Route(method, template, action))
        return action

    return register


@cache
def _pattern(template: str) -> re.Pattern[str]:
    parts = re.findall(r"([^{]+)(?:\{(\w+)\})?", template)
    return re.compile("".join(re.escape(text) + _parameter(name) for text, name in parts))


def _parameter(name: str) -> str:
    """Return the pattern of a parameter, or "" for none. Tokens are any text, all others are ids."""
    return name and f"(?P<{name}>{'[^/]+' if name == 'token' else '[0-9]+'})"
