"""Guilds (Discord's servers) with their members, roles, text channels and threads.

The methods change things as a moderator would, without asking for permissions; the REST routes check what the bot may
change.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from sandbox.checks import Json
from sandbox.clock import iso
from sandbox.guild_fields import GUILD_FIELDS
from sandbox.members import LOCALE, Member, Role, User
from sandbox.permissions import ALL, EVERYONE, IN_TIMEOUT, NONE, Overwrite, Permission, overwritten
from sandbox.snowflakes import time_of
from sandbox.world import Channel, DirectChannel, World

SHORTEST_AUTO_ARCHIVE = 3600.0
"""Seconds without activity after which the threads with the shortest duration are archived."""
TEXT, PUBLIC_THREAD, PRIVATE_THREAD = 0, 11, 12
"""Discord's numbers of these types of channels."""
OBSCURED = 1 << 17
"""Flag of a channel that the bot does not see, as the gateway tells of it since 2026-11-16."""
GUILD_CONTEXT, BOT_DM_CONTEXT, PRIVATE_CONTEXT = 0, 1, 2
"""Discord's numbers of the contexts of interactions: guilds, direct messages with the bot, and other ones."""


@dataclass(eq=False)
class Guild:
    """A server."""

    world: World = field(repr=False)
    id: int
    name: str
    owner: User
    roles: dict[int, Role] = field(default_factory=dict, repr=False)
    members: dict[int, Member] = field(default_factory=dict, repr=False)
    events: dict[int, Json] = field(default_factory=dict, repr=False)
    """Scheduled events by id, as Discord's API writes them."""
    allows_commands: bool = True
    """True when the bot was invited with the scope `applications.commands`."""
    commands_for_all: bool = False
    """True when the server lets everybody use every command."""
    most_threads: int = 1000
    """Number of active threads from which no further one can be made."""

    def __post_init__(self) -> None:
        self.roles[self.id] = Role(self.id, "@everyone", EVERYONE, 0)

    @property
    def has_bot(self) -> bool:
        """True while the bot is a member."""
        return self.world.bot.id in self.members

    @property
    def channels(self) -> "list[TextChannel]":
        """Text channels, oldest first."""
        every = self.world.channels.values()
        return [each for each in every if isinstance(each, TextChannel) and each.guild is self]

    @property
    def threads(self) -> "list[Thread]":
        """Threads, archived ones too."""
        every = self.world.channels.values()
        return [each for each in every if isinstance(each, Thread) and each.guild is self]

    def payload(self) -> Json:
        """Return the guild as its REST route answers."""
        return GUILD_FIELDS | {
            "id": str(self.id),
            "name": self.name,
            "owner_id": str(self.owner.id),
            "preferred_locale": LOCALE,
            "roles": [each.payload() for each in self.roles.values()],
            "emojis": [],
            "stickers": [],
            "features": [],
        }

    def create_event(self) -> Json:
        """Return the guild as GUILD_CREATE describes it: with its channels and with the active threads that the bot
        sees. Of the members it holds only the bot."""
        bot = self.world.bot.id
        return self.payload() | {
            "joined_at": iso(self.members[bot].joined),
            "large": False,
            "member_count": len(self.members),
            "members": [self.members[bot].payload()],
            "channels": [each.told() for each in self.channels],
            "threads": [each.payload() for each in self.threads if not each.archived and each.sees(bot)],
            "voice_states": [],
            "presences": [],
            "stage_instances": [],
            "guild_scheduled_events": [*self.events.values()],
            "soundboard_sounds": [],
        }

    def permissions(self, user: int) -> Permission:
        """Return a user's permissions in this guild, without any channel's overwrites."""
        member = self.members.get(user)
        if member is None:
            return NONE
        if self.owner.id == user:
            return ALL
        granted = self.roles[self.id].permissions
        for role in member.roles:
            granted |= self.roles[role].permissions
        if granted & Permission.ADMINISTRATOR:
            return ALL
        return granted & IN_TIMEOUT if member.in_timeout(self.world.clock.now()) else granted

    def dispatch(self, event: str, data: Json) -> None:
        """Send the bot an event of this guild, if the bot is a member."""
        if self.has_bot:
            self.world.dispatch(event, data)
        self.world.clock.notify()

    def channel(self, name: str) -> "TextChannel":
        """Create a text channel."""
        channel = TextChannel(self.world, self.world.snowflakes.next(), self, name)
        self.world.channels[channel.id] = channel
        self.dispatch("CHANNEL_CREATE", channel.told())
        return channel

    def add(self, user: User) -> Member:
        """Make a user a member."""
        member = self.members[user.id] = Member(user, [], self.world.clock.now())
        self.world.clock.notify()
        return member

    def remove(self, user: User) -> None:
        """Remove a member, also from threads. After the bot is removed, the guild no longer exists for it."""
        if user is self.world.bot:
            self.dispatch("GUILD_DELETE", {"id": str(self.id)})
        del self.members[user.id]
        for thread in self.threads:
            thread.members.pop(user.id, None)
        self.world.clock.notify()

    def invite_bot(self, permissions: Permission = NONE) -> None:
        """Add the bot, with a role of its own that has these permissions."""
        role = self.role("Sandbox Bot", permissions)
        role.bot = self.world.bot.id
        self.members[self.world.bot.id] = Member(self.world.bot, [role.id], self.world.clock.now())
        self.dispatch("GUILD_CREATE", self.create_event())

    def role(self, name: str, permissions: Permission) -> Role:
        role = Role(self.world.snowflakes.next(), name, permissions, len(self.roles))
        self.roles[role.id] = role
        self.dispatch("GUILD_ROLE_CREATE", {"guild_id": str(self.id), "role": role.payload()})
        return role

    def delete_role(self, role: Role) -> None:
        """Delete a role, which its members lose."""
        del self.roles[role.id]
        for member in self.members.values():
            member.roles = [each for each in member.roles if each != role.id]
        self.dispatch("GUILD_ROLE_DELETE", {"guild_id": str(self.id), "role_id": str(role.id)})

    def grant(self, user: User, permissions: Permission) -> None:
        """Give a member a new role with these permissions."""
        self.members[user.id].roles.append(self.role("granted", permissions).id)
        self.member_changed(user)

    def time_out(self, user: User, seconds: float) -> None:
        """Give a member a timeout: for that many seconds the member can only read."""
        self.members[user.id].timeout = self.world.clock.now() + seconds
        self.member_changed(user)

    def member_changed(self, user: User) -> None:
        """Send the bot the present state of a member: of itself, also of the channels, which it may see since."""
        member = self.members[user.id].payload()
        self.dispatch("GUILD_MEMBER_UPDATE", member | {"guild_id": str(self.id)})
        for channel in self.channels if user is self.world.bot else ():
            channel.changed()


@dataclass(eq=False)
class GuildChannel(Channel):
    """A channel of a guild: a text channel or a thread."""

    guild: Guild = field(repr=False)

    def viewers(self) -> Iterable[int]:
        """Return the ids of the members who see this channel."""
        return [user for user in self.guild.members if self.sees(user)]

    def address(self) -> Json:
        """Return the ids by which payloads name the channel and its guild."""
        return super().address() | {"guild_id": str(self.guild.id)}


@dataclass(eq=False)
class TextChannel(GuildChannel):
    """A text channel of a guild."""

    name: str
    overwrites: dict[int, Overwrite] = field(default_factory=dict, repr=False)
    """Overwrites by the id of their role or member."""

    @property
    def type(self) -> int:
        """Discord's number of a text channel."""
        return TEXT

    @property
    def threads(self) -> "list[Thread]":
        """Threads of this channel, archived ones too."""
        return [thread for thread in self.guild.threads if thread.parent is self]

    def payload(self) -> Json:
        """Return the channel as Discord's API writes it."""
        return super().payload() | {
            "guild_id": str(self.guild.id),
            "name": self.name,
            "topic": None,
            "position": self.guild.channels.index(self),
            "parent_id": None,
            "nsfw": False,
            "rate_limit_per_user": 0,
            "permission_overwrites": [each.payload() for each in self.overwrites.values()],
        }

    def told(self) -> Json:
        """Return the channel as the gateway tells the bot of it: of one that it does not see, only that it is there."""
        closed = Overwrite(self.guild.id, 0, deny=Permission.VIEW_CHANNEL)
        obscured = {"name": "___hidden___", "flags": OBSCURED, "last_message_id": None}
        is_seen = self.sees(self.world.bot.id)
        return self.payload() | ({} if is_seen else obscured | {"permission_overwrites": [closed.payload()]})

    def permissions(self, user: int) -> Permission:
        """Return a user's permissions here: those of the roles, changed by the overwrites of this channel."""
        granted = self.guild.permissions(user)
        if granted & Permission.ADMINISTRATOR or not granted:
            return granted
        member = self.guild.members[user]
        for ids in ([self.guild.id], member.roles, [user]):
            granted = overwritten(granted, [self.overwrites[id_] for id_ in ids if id_ in self.overwrites])
        if member.in_timeout(self.world.clock.now()):
            granted &= IN_TIMEOUT
        return granted if granted & Permission.VIEW_CHANNEL else NONE

    def allow(self, whom: User | None, permission: Permission) -> None:
        """Allow a member (None: everyone) these permissions here, whatever the roles say."""
        overwrite = self._overwrite(whom)
        overwrite.allow |= permission
        overwrite.deny &= ~permission
        self.changed()

    def deny(self, whom: User | None, permission: Permission) -> None:
        """Deny a member (None: everyone) these permissions here."""
        overwrite = self._overwrite(whom)
        overwrite.deny |= permission
        overwrite.allow &= ~permission
        self.changed()

    def changed(self) -> None:
        """Send the bot the present state of the channel."""
        self.guild.dispatch("CHANNEL_UPDATE", self.told())

    def delete(self) -> None:
        """Delete the channel and its threads."""
        payload = self.payload()
        for thread in self.threads:
            self.world.remove(thread)
        self.dispatch("CHANNEL_DELETE", payload)
        self.world.remove(self)

    def _overwrite(self, whom: User | None) -> Overwrite:
        id_ = self.guild.id if whom is None else whom.id
        return self.overwrites.setdefault(id_, Overwrite(id_, 0 if whom is None else 1))


@dataclass(eq=False)
class Thread(GuildChannel):
    """A thread of a text channel."""

    guild: Guild = field(init=False, repr=False)
    parent: TextChannel = field(repr=False)
    owner: User
    name: str
    private: bool
    archived_at: float
    """Unix time at which it was archived or unarchived last."""
    auto_archive: int = 4320
    """Minutes without activity after which it is archived."""
    archived: bool = False
    locked: bool = False
    invitable: bool = True
    active_at: float = field(init=False, repr=False)
    """Unix time of its last activity: a message, or being unarchived."""
    members: dict[int, float] = field(default_factory=dict, repr=False)
    """Unix times at which its members joined, by user id."""

    def __post_init__(self) -> None:
        self.guild = self.parent.guild
        self.active_at = self.archived_at

    @property
    def idle_at(self) -> float:
        """Unix time at which it will be archived if nothing happens in it."""
        return self.active_at + 60 * self.auto_archive

    @property
    def type(self) -> int:
        """Discord's number of a public or private thread."""
        return PRIVATE_THREAD if self.private else PUBLIC_THREAD

    def payload(self) -> Json:
        """Return the thread as Discord's API writes it, with the bot's membership if it has one."""
        data = super().payload() | {
            "guild_id": str(self.guild.id),
            "parent_id": str(self.parent.id),
            "owner_id": str(self.owner.id),
            "name": self.name,
            "rate_limit_per_user": 0,
            "message_count": len(self.messages()),
            "total_message_sent": len(self.log),
            "member_count": len(self.members),
            "thread_metadata": self._metadata(),
        }
        bot = self.world.bot.id
        return data | {"member": self.member(bot)} if bot in self.members else data

    def member(self, user: int) -> Json:
        """Return a membership as Discord's API writes it."""
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
        """Return the user's permissions in the parent channel. In a private thread only its members and moderators
        have any."""
        granted = self.parent.permissions(user)
        if self.private and user not in self.members and not granted & Permission.MANAGE_THREADS:
            return NONE
        return granted

    def add(self, user: User) -> None:
        """Make a user a member of the thread."""
        if user.id in self.members:
            return
        self.members[user.id] = self.world.clock.now()
        about = {"id": str(self.id), "guild_id": str(self.guild.id), "member_count": len(self.members)}
        added = {"added_members": [self.member(user.id)]}
        self.parent.dispatch("THREAD_MEMBERS_UPDATE", about | added)
        if user is self.world.bot and self.private:
            self.dispatch("THREAD_CREATE", self.payload())

    def archive(self, archived: bool = True, *, locked: bool | None = None) -> None:
        """Archive or unarchive the thread. When it is `locked`, only moderators can unarchive it; None changes
        nothing about that."""
        if archived != self.archived:
            self.archived_at = self.world.clock.now()
            self.touch()
        self.archived = archived
        self.locked = self.locked if locked is None else locked
        self.changed()

    def touch(self) -> None:
        """Record activity, which restarts the time until the thread is archived."""
        self.active_at = self.world.clock.now()

    def changed(self) -> None:
        """Send the bot the present state of the thread."""
        self.dispatch("THREAD_UPDATE", self.payload())

    def delete(self) -> None:
        """Delete the thread."""
        ids = {"id": str(self.id), "guild_id": str(self.guild.id), "parent_id": str(self.parent.id)}
        self.dispatch("THREAD_DELETE", ids | {"type": self.type})
        self.world.remove(self)


def guild_of(channel: Channel) -> Guild | None:
    """Return the guild of a channel, None for direct messages."""
    return channel.guild if isinstance(channel, GuildChannel) else None


def context_of(channel: Channel) -> int:
    """Return Discord's number of the context of a channel."""
    if guild_of(channel) is not None:
        return GUILD_CONTEXT
    return BOT_DM_CONTEXT if isinstance(channel, DirectChannel) else PRIVATE_CONTEXT


async def archive_idle_threads(world: World) -> None:
    """Archive each thread when it has been idle for long enough. Runs until cancelled."""
    clock = world.clock
    while True:
        now = clock.now()
        active = [each for each in world.channels.values() if isinstance(each, Thread) and not each.archived]
        for thread in active:
            if thread.idle_at <= now:
                thread.archive()
        # A thread that becomes active later is not idle before the shortest duration is over.
        waits = [each.idle_at for each in active if not each.archived]
        await clock.sleep(min([now + SHORTEST_AUTO_ARCHIVE, *waits]) - clock.now())
