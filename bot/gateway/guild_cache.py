"""The servers of the bot, kept small in memory: a server that is not in use is packed.

discord.py keeps 30 to 70 kB of objects for each server, most of which nobody needs today. Here only the servers used
last have objects; of the others the parts that the bot uses are kept, compressed to some 4 kB. Whoever asks for such a
server gets it as before, about a millisecond later.
"""

import json
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, MutableMapping
from typing import Any, Final

import discord

from bot.gateway.private import OwnState, overwrites

MOST_IN_USE: Final = 100
"""Maximum number of servers that have objects."""

GuildData = dict[str, Any]
"""A server in the form of Discord's event GUILD_CREATE."""


class GuildCache(MutableMapping[int, discord.Guild]):
    """The servers by id. `make` makes the objects of one from its data."""

    def __init__(self, make: Callable[[GuildData], discord.Guild]) -> None:
        self._make = make
        self._in_use: OrderedDict[int, discord.Guild] = OrderedDict()
        """The one used last is at the end."""
        self._packed: dict[int, bytes] = {}

    def __getitem__(self, id_: int) -> discord.Guild:
        if id_ not in self._in_use:
            self[id_] = self._make(json.loads(zlib.decompress(self._packed[id_])))
        self._in_use.move_to_end(id_)
        return self._in_use[id_]

    def __setitem__(self, id_: int, guild: discord.Guild) -> None:
        self._packed.pop(id_, None)
        self._in_use[id_] = guild
        if len(self._in_use) > MOST_IN_USE:
            self._pack(next(iter(self._in_use)))

    def rest(self, id_: int) -> None:
        """Pack a server that nobody uses now, if there are many."""
        if id_ in self._in_use and len(self) > MOST_IN_USE:
            self._pack(id_)

    def _pack(self, id_: int) -> None:
        data = guild_data(self._in_use.pop(id_))
        self._packed[id_] = zlib.compress(json.dumps(data, separators=(",", ":")).encode())

    def __delitem__(self, id_: int) -> None:
        del (self._in_use if id_ in self._in_use else self._packed)[id_]

    def __contains__(self, id_: object) -> bool:
        return id_ in self._in_use or id_ in self._packed

    def __iter__(self) -> Iterator[int]:
        return iter([*self._in_use, *self._packed])  # a copy, because reading a server moves it

    def __len__(self) -> int:
        return len(self._in_use) + len(self._packed)


class SlimState(OwnState):
    """discord.py's state of a client, with a `GuildCache`."""

    def new_guilds(self, make: Callable[[GuildData], discord.Guild]) -> GuildCache:
        """Return an empty cache. Called when everything is forgotten."""
        self._cache = GuildCache(make)
        return self._cache

    def on_guild(self, id_: int) -> None:
        """Pack a server that has arrived, if there are many."""
        # The objects of thousands, collected much later, would leave holes in the memory.
        self._cache.rest(id_)


def guild_data(guild: discord.Guild) -> GuildData:
    """Return the parts of a server that the bot uses."""
    return {
        "id": guild.id,
        "name": guild.name,
        "owner_id": guild.owner_id,
        "unavailable": guild.unavailable,
        "roles": [_role(each) for each in guild.roles],
        "channels": [_channel(each) for each in guild.channels],
        "threads": [_thread(each) for each in guild.threads],
        "members": [_member(each) for each in _only(guild.me)],
    }


def _only(member: discord.Member | None) -> Iterable[discord.Member]:
    return [] if member is None else [member]


def _role(role: discord.Role) -> dict[str, Any]:
    tags = {} if role.tags is None else {"tags": {"bot_id": role.tags.bot_id} if role.tags.bot_id else {}}
    return {
        "id": role.id,
        "name": role.name,
        "permissions": str(role.permissions.value),
        "position": role.position,
        "managed": role.managed,
        **tags,
    }


def _channel(channel: discord.abc.GuildChannel) -> dict[str, Any]:
    return {
        "id": channel.id,
        "type": channel.type.value,
        "name": channel.name,
        "position": channel.position,
        "parent_id": channel.category_id,
        "permission_overwrites": overwrites(channel),
        "nsfw": getattr(channel, "nsfw", False),
        "bitrate": getattr(channel, "bitrate", 0),
        "user_limit": getattr(channel, "user_limit", 0),
    }


def _thread(thread: discord.Thread) -> dict[str, Any]:
    return {
        "id": thread.id,
        "type": thread.type.value,
        "name": thread.name,
        "parent_id": thread.parent_id,
        "owner_id": thread.owner_id,  # a private one of the bot itself is found again by it
        "message_count": thread.message_count,
        "member_count": thread.member_count,
        "thread_metadata": {
            "archived": thread.archived,
            "locked": thread.locked,
            "auto_archive_duration": thread.auto_archive_duration,
            "archive_timestamp": thread.archive_timestamp.isoformat(),
            "invitable": thread.invitable,
        },
    }


def _member(member: discord.Member) -> dict[str, Any]:
    until, joined = member.timed_out_until, member.joined_at
    return {
        "user": {
            "id": member.id,
            "username": member.name,
            "global_name": member.global_name,
            "discriminator": member.discriminator,
            "avatar": member.avatar and member.avatar.key,
            "bot": member.bot,
        },
        "nick": member.nick,
        "roles": [str(each.id) for each in member.roles if not each.is_default()],
        "joined_at": joined and joined.isoformat(),
        "communication_disabled_until": until and until.isoformat(),
        "deaf": False,
        "mute": False,
        "flags": member.flags.value,
    }
