"""The table of routes: which function answers which request."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

from sandbox import payloads
from sandbox.channels import Channel
from sandbox.form import Check, Refused, check, integer, record
from sandbox.gateway import MESSAGE_CONTENT
from sandbox.messages import Message
from sandbox.permissions import Permission, require
from sandbox.posting import Upload

if TYPE_CHECKING:
    from sandbox.sandbox import Sandbox
    from sandbox.world import Guild

Json: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Created:
    """An answer of status 201."""

    body: Json


@dataclass(frozen=True)
class Call:
    """One request: the parameters of its path, its query, its JSON body and its files."""

    box: "Sandbox"
    ids: Mapping[str, str]
    query: Mapping[str, str]
    body: Any
    files: list[Upload]

    def id(self, name: str) -> int:
        """A snowflake of the path."""
        return int(self.ids[name])

    @property
    def bot(self) -> int:
        """The id of the bot, who asks."""
        return self.box.world.bot.id

    def application(self) -> None:
        """Refused unless the application of the path is the bot's own."""
        if self.id("application_id") != self.bot:
            raise Refused(403, 20012, "You are not authorized to perform this action on this application")

    def token(self) -> str:
        """Return the token of the path. Refused (10015) unless the application before it is the bot's own."""
        if self.id("application_id") != self.bot:
            raise Refused(404, 10015, "Unknown Webhook")
        return self.ids["token"]

    def limit(self, most: int) -> int:
        """Return how many things a list may have: 50 unless the query says else. Refused (50035) beyond `most`."""
        given = self.query.get("limit", "50")
        number = int(given) if given.isdecimal() else given
        check({"limit": number}, record({"limit": integer(1, most)}, {}))
        return int(number)

    def form(self, required: Mapping[str, Check], optional: Mapping[str, Check]) -> Json:
        """The body, refused (50035) unless it has these fields and no others."""
        check(self.body, record(required, optional))
        return dict(self.body)

    def channel(self, *needed: Permission) -> Channel:
        """The channel of the path. Refused unless the bot sees it and has the permissions."""
        channel = self.box.world.channel(self.id("channel_id"))
        require(channel, self.bot, *needed)
        return channel

    def message(self, channel: Channel) -> Message:
        """The message of the path. Ephemeral ones cannot be reached this way: refused with 10008."""
        message = channel.log.get(self.id("message_id"))
        if message is None or message.deleted or message.ephemeral:
            raise Refused(404, 10008, "Unknown Message")
        return message

    def read(self, message: Message, *, new: bool = False) -> Json:
        """Return a message as the bot may read it; `new` says that this request has made it."""
        data = payloads.message(message, new=new)
        if message.channel.guild is None or self.box.gateway.privileged & MESSAGE_CONTENT:
            return data
        return payloads.without_content(data, self.bot)

    def guild(self) -> "Guild":
        """The guild of the path. Refused unless the bot is a member."""
        guild = self.box.world.guilds.get(self.id("guild_id"))
        if guild is None:
            raise Refused(404, 10004, "Unknown Guild")
        if not guild.has_bot:
            raise Refused(403, 50001, "Missing Access")
        return guild


Act: TypeAlias = Callable[[Call], Any]


@dataclass(frozen=True)
class Route:
    """A method and a path template such as "/channels/{channel_id}", and what answers it.

    The act returns the JSON of the answer; None answers 204 without any."""

    method: str
    template: str
    act: Act

    def match(self, method: str, path: str) -> Mapping[str, str] | None:
        """The parameters of a path, or None when it is another route's."""
        found = _pattern(self.template).fullmatch(path) if method == self.method else None
        return found.groupdict() if found else None


ROUTES: list[Route] = []


def route(method: str, template: str) -> Callable[[Act], Act]:
    """Let a function answer a route."""

    def enlist(act: Act) -> Act:
        ROUTES.append(Route(method, template, act))
        return act

    return enlist


@cache
def _pattern(template: str) -> re.Pattern[str]:
    parts = re.findall(r"([^{]+)(?:\{(\w+)\})?", template)
    return re.compile("".join(re.escape(text) + _parameter(name) for text, name in parts))


def _parameter(name: str) -> str:
    """The pattern of a parameter ("" for none): a token and an emoji are any text, all others are ids."""
    return name and f"(?P<{name}>{'[^/]+' if name in ('token', 'emoji') else '[0-9]+'})"
