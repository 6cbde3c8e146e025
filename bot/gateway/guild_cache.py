"""The servers of the bot, kept small in memory: a server that is not in use is packed.

discord.py keeps 30 to 70 kB of objects for each server, most of which nobody needs today. Here only the servers used
last have objects; of the others the parts that the bot uses are kept, compressed to some 4 kB. Whoever asks for such a
server gets it as before, about a millisecond later.
"""

import json
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, MutableMapping
from dataclasses import dataclass
from typing import Any, Final

import discord
from discord.state import AutoShardedConnectionState

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


@dataclass(frozen=True)
class Arrival:
    """A server that arrived while the bot becomes ready: what discord.py asks of it until it is ready."""

    id: int
    shard_id: int
    unavailable: bool


class SlimState(AutoShardedConnectionState[Any]):
    """discord.py's state of a client, with a `GuildCache`. `note_message` is called with the ids of the channel, the
    message and its author for each new message, for which no object is made."""

    def __init__(self, *, note_message: Callable[[int, int, int], None], **options: Any) -> None:
        super().__init__(**options)
        self._note_message = note_message

    def clear(self, *, views: bool = True) -> None:
        """Forget everything. Called by discord.py."""
        super().clear(views=views)
        self._cache = GuildCache(lambda data: discord.Guild(data=data, state=self))  # type: ignore[arg-type]
        self._guilds = self._cache  # type: ignore[assignment]  # it is used like a dict

    def parse_ready(self, data: Any) -> None:
        """Forget the servers of the shard, and learn which it has now. Called by discord.py."""
        self.forget_shard(*data["shard"])
        super().parse_ready(data)

    def forget_shard(self, shard: int, shards: int) -> None:
        """Forget the servers of `shard`; `shards` is the number of all shards."""
        for id_ in [each for each in self._cache if (each >> 22) % shards == shard]:
            del self._cache[id_]

    async def _delay_ready(self) -> None:
        """Do nothing: the client says when all shards are there. Called by discord.py."""

    def parse_guild_create(self, data: Any) -> None:
        """Add a server. Called by discord.py."""
        super().parse_guild_create(data)
        # The objects of thousands, collected much later, would leave holes in the memory.
        self._cache.rest(int(data["id"]))

    def _add_ready_state(self, guild: discord.Guild) -> bool:
        """Queue a server that arrived if the bot is not ready; return whether it was not. Called by discord.py."""
        # The queue is emptied more slowly than servers arrive. With their objects it would take all the memory.
        arrival = Arrival(guild.id, guild.shard_id, guild.unavailable)
        return super()._add_ready_state(arrival)  # type: ignore[arg-type]

    def parse_message_create(self, data: Any) -> None:
        """Note a new message. Called by discord.py."""
        self._note_message(int(data["channel_id"]), int(data["id"]), int(data["author"]["id"]))

    def parse_message_update(self, data: Any) -> None:
        """Ignore the change of a message, which would put its server in use. Called by discord.py."""


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
        "permission_overwrites": [each._asdict() for each in channel._overwrites],
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
        "owner_id": 0,  # a person; the bot does not use it
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
        "user": member._user._to_minimal_user_json(),
        "nick": member.nick,
        "roles": [str(each.id) for each in member.roles if not each.is_default()],
        "joined_at": joined and joined.isoformat(),
        "communication_disabled_until": until and until.isoformat(),
        "deaf": False,
        "mute": False,
        "flags": member.flags.value,
    }
