"""Places with messages: text channels, threads, and direct messages.

Methods that change something do it as a moderator of the sandbox would; what the bot may change is checked by
the routes, before.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from sandbox import payloads
from sandbox.clock import iso
from sandbox.messages import Message
from sandbox.permissions import IN_DIRECT_MESSAGES, NONE, Permission, with_overwrites
from sandbox.snowflakes import time_of

if TYPE_CHECKING:
    from sandbox.world import Guild, User, World

Json: TypeAlias = dict[str, Any]

WITHOUT_SLOWMODE = Permission.MANAGE_CHANNELS | Permission.MANAGE_MESSAGES | Permission.BYPASS_SLOWMODE
TEXT, DIRECT, PUBLIC_THREAD, PRIVATE_THREAD = 0, 1, 11, 12


@dataclass
class Overwrite:
    """What a channel allows and denies a role (kind 0) or a member (kind 1)."""

    id: int
    kind: int
    allow: Permission = NONE
    deny: Permission = NONE

    def payload(self) -> Json:
        """The overwrite as Discord's API writes it."""
        allow, deny = str(int(self.allow)), str(int(self.deny))
        return {"id": str(self.id), "type": self.kind, "allow": allow, "deny": deny}


@dataclass(eq=False)
class Channel:
    """A place with messages. `log` holds every message ever posted, deleted ones too."""

    world: "World" = field(repr=False)
    id: int
    log: dict[int, Message] = field(default_factory=dict, repr=False, init=False)
    nonces: dict[str, Message] = field(default_factory=dict, repr=False, init=False)
    """What the bot posted last with each nonce."""
    slowmode: int = field(default=0, repr=False, init=False)
    """Seconds between two messages of one person."""

    @property
    def guild(self) -> "Guild | None":
        """The guild it belongs to."""
        return None

    @property
    def type(self) -> int:
        """Discord's number of this kind of channel."""
        raise NotImplementedError

    def payload(self) -> Json:
        """The channel as Discord's API writes it."""
        last = max(self.log, default=None)
        return {"id": str(self.id), "type": self.type, "flags": 0, "last_message_id": last and str(last)}

    def permissions(self, user: int) -> Permission:
        """What a user may do here; nothing at all if they cannot see it."""
        raise NotImplementedError

    def onlookers(self) -> Iterable[int]:
        """Users who see this channel."""
        guild = self.guild
        return [user for user in guild.members if self.sees(user)] if guild else []

    def sees(self, user: int) -> bool:
        """Whether a user sees this channel."""
        return bool(self.permissions(user) & Permission.VIEW_CHANNEL)

    def wait(self, user: int) -> float:
        """Return the seconds before a person may write here again in slowmode. Moderators need not wait."""
        if self.permissions(user) & WITHOUT_SLOWMODE:
            return 0.0
        last = max((each.id for each in self.log.values() if each.author.id == user), default=0)
        return max(time_of(last) + self.slowmode - self.world.clock.now(), 0.0)

    def messages(self) -> list[Message]:
        """The messages all onlookers see, oldest first."""
        return [each for each in self.log.values() if not each.deleted and each.only_for is None]

    def dispatch(self, event: str, data: Json) -> None:
        """Tell the bot of something here, if it sees this channel."""
        if self.sees(self.world.bot.id):
            self.world.dispatch(event, data)
        self.world.clock.tell()


@dataclass(eq=False)
class DirectChannel(Channel):
    """The direct messages between the bot and one person."""

    person: "User"

    @property
    def type(self) -> int:
        """Discord's number of direct messages."""
        return DIRECT

    def payload(self) -> Json:
        """The channel as Discord's API writes it."""
        return super().payload() | {"recipients": [payloads.user(self.person)]}

    def permissions(self, user: int) -> Permission:
        """Both sides may do the same."""
        return IN_DIRECT_MESSAGES if user in self.onlookers() else NONE

    def onlookers(self) -> Iterable[int]:
        """The two sides."""
        return (self.person.id, self.world.bot.id)


@dataclass(eq=False)
class TextChannel(Channel):
    """A text channel of a guild."""

    home: "Guild" = field(repr=False)
    name: str
    topic: str | None = None
    overwrites: dict[int, Overwrite] = field(default_factory=dict, repr=False)

    @property
    def type(self) -> int:
        """Discord's number of a text channel."""
        return TEXT

    @property
    def guild(self) -> "Guild":
        """The guild it belongs to."""
        return self.home

    @property
    def threads(self) -> "list[Thread]":
        """Its threads, also archived ones."""
        return [thread for thread in self.home.threads if thread.parent is self]

    def payload(self) -> Json:
        """The channel as Discord's API writes it."""
        return super().payload() | {
            "guild_id": str(self.home.id),
            "name": self.name,
            "topic": self.topic,
            "position": self.home.channels.index(self),
            "parent_id": None,
            "nsfw": False,
            "rate_limit_per_user": self.slowmode,
            "permission_overwrites": [each.payload() for each in self.overwrites.values()],
        }

    def permissions(self, user: int) -> Permission:
        """What roles and this channel's overwrites leave a user."""
        return with_overwrites(self, user)

    def allow(self, whom: "User | None", permission: Permission) -> None:
        """Allow a member (None: everyone) something here, whatever the roles say."""
        overwrite = self._overwrite(whom)
        overwrite.allow |= permission
        overwrite.deny &= ~permission
        self.changed()

    def deny(self, whom: "User | None", permission: Permission) -> None:
        """Deny a member (None: everyone) something here."""
        overwrite = self._overwrite(whom)
        overwrite.deny |= permission
        overwrite.allow &= ~permission
        self.changed()

    def changed(self) -> None:
        """Tell the bot what the channel is like now."""
        self.home.dispatch("CHANNEL_UPDATE", self.payload())

    def delete(self) -> None:
        """Remove the channel and its threads."""
        gone = self.payload()
        for thread in self.threads:
            self.world.remove(thread)
        self.dispatch("CHANNEL_DELETE", gone)
        self.world.remove(self)

    def _overwrite(self, whom: "User | None") -> Overwrite:
        id_ = self.home.id if whom is None else whom.id
        return self.overwrites.setdefault(id_, Overwrite(id_, 0 if whom is None else 1))


@dataclass(eq=False)
class Thread(Channel):
    """A thread under a text channel. `archived_at` is when it was archived or unarchived last, Unix time;
    `auto_archive` how many minutes without activity it stays open."""

    parent: TextChannel = field(repr=False)
    owner: "User"
    name: str
    private: bool
    archived_at: float
    auto_archive: int = 4320
    archived: bool = False
    locked: bool = False
    invitable: bool = True
    active_at: float = field(init=False, repr=False)
    """The time of its last activity: by a message, by being woken, or by a change of `auto_archive`."""
    members: dict[int, float] = field(default_factory=dict, repr=False)
    """Who joined it, and when."""

    def __post_init__(self) -> None:
        self.active_at = self.archived_at

    @property
    def idle_at(self) -> float:
        """The Unix time at which it is archived if nothing happens in it."""
        return self.active_at + 60 * self.auto_archive

    @property
    def type(self) -> int:
        """Discord's number of a public or private thread."""
        return PRIVATE_THREAD if self.private else PUBLIC_THREAD

    @property
    def guild(self) -> "Guild":
        """The guild it belongs to."""
        return self.parent.guild

    def payload(self) -> Json:
        """The thread as Discord's API writes it, with the bot's membership if it has one."""
        data = super().payload() | {
            "guild_id": str(self.guild.id),
            "parent_id": str(self.parent.id),
            "owner_id": str(self.owner.id),
            "name": self.name,
            "rate_limit_per_user": self.slowmode,
            "message_count": len(self.messages()),
            "total_message_sent": len(self.log),
            "member_count": len(self.members),
            "thread_metadata": self._metadata(),
        }
        bot = self.world.bot.id
        return data | {"member": self.member(bot)} if bot in self.members else data

    def member(self, user: int) -> Json:
        """A membership as Discord's API writes it."""
        joined = iso(self.members[user])
        return {"id": str(self.id), "user_id": str(user), "join_timestamp": joined, "flags": 0}

    def _metadata(self) -> Json:
        metadata: Json = {
            "archived": self.archived,
            "locked": self.locked,
            "auto_archive_duration": self.auto_archive,
            "archive_timestamp": iso(self.archived_at),
            "create_timestamp": iso(time_of(self.id)),
        }
        return metadata | {"invitable": self.invitable} if self.private else metadata

    def permissions(self, user: int) -> Permission:
        """The parent channel's, if a private thread lets the user in at all."""
        granted = self.parent.permissions(user)
        if self.private and user not in self.members and not granted & Permission.MANAGE_THREADS:
            return NONE
        return granted

    def add(self, user: "User") -> None:
        """Make a user a member of the thread."""
        if user.id in self.members:
            return
        self.members[user.id] = self.world.clock.now()
        self._members_changed({"added_members": [self.member(user.id)]})
        if user is self.world.bot and self.private:
            self.dispatch("THREAD_CREATE", self.payload())

    def remove(self, user: "User") -> None:
        """Take a user out of the thread."""
        if user.id in self.members:
            del self.members[user.id]
            self._members_changed({"removed_member_ids": [str(user.id)]})

    def archive(self, archived: bool = True, *, locked: bool | None = None) -> None:
        """Archive the thread, or wake it; `locked` says whether only moderators may wake it."""
        if archived != self.archived:
            self.archived_at = self.world.clock.now()
            self.touch()
        self.archived = archived
        self.locked = self.locked if locked is None else locked
        self.changed()

    def touch(self) -> None:
        """Note activity: the time until it is archived begins anew."""
        self.active_at = self.world.clock.now()

    def changed(self) -> None:
        """Tell the bot what the thread is like now."""
        self.dispatch("THREAD_UPDATE", self.payload())

    def delete(self) -> None:
        """Remove the thread."""
        gone = {"id": str(self.id), "guild_id": str(self.guild.id), "parent_id": str(self.parent.id)}
        self.dispatch("THREAD_DELETE", gone | {"type": self.type})
        self.world.remove(self)

    def _members_changed(self, change: Json) -> None:
        about = {"id": str(self.id), "guild_id": str(self.guild.id), "member_count": len(self.members)}
        self.parent.dispatch("THREAD_MEMBERS_UPDATE", about | change)
