"""What exists in the sandbox: users, guilds with roles and members, and where to find their channels.

Objects are live: whoever holds a channel sees its messages change. Methods that change something tell the bot
(by the gateway) and all who wait on the clock.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from secrets import token_bytes
from typing import Any, TypeAlias

from sandbox import payloads
from sandbox.channels import Channel, DirectChannel, TextChannel, Thread
from sandbox.clock import Clock
from sandbox.form import Refused
from sandbox.permissions import EVERYONE, NONE, Permission
from sandbox.snowflakes import Snowflakes

SHORTEST_DURATION = 3600.0
"""Seconds without activity after which the most impatient of threads are archived."""

Json: TypeAlias = dict[str, Any]
Dispatch: TypeAlias = Callable[[str, Json], None]


@dataclass(eq=False)
class User:
    """A person or the bot."""

    id: int
    name: str
    bot: bool = False
    dms_open: bool = True
    locale: str = payloads.LOCALE


@dataclass
class Role:
    """A guild's role; the one with the guild's own id is everyone's."""

    id: int
    name: str
    permissions: Permission
    position: int
    mentionable: bool = False


@dataclass
class Member:
    """A user in a guild. `joined`, and `timeout` as the end of one, are Unix times in seconds."""

    user: User
    roles: list[int]
    joined: float
    nick: str | None = None
    timeout: float | None = None

    def in_timeout(self, now: float) -> bool:
        """Return whether a moderator keeps the member from doing anything but reading."""
        return self.timeout is not None and now < self.timeout


@dataclass(eq=False)
class Emoji:
    """An emoji of the application's own, and its picture."""

    id: int
    name: str
    media_type: str
    picture: bytes = field(repr=False)


class World:
    """Everything there is. `dispatch` passes an event to the bot's gateway sessions."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.snowflakes = Snowflakes(clock)
        self.dispatch: Dispatch = lambda _event, _data: None
        self.url = ""
        self.users: dict[int, User] = {}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.gone: list[Channel] = []
        """Deleted channels: nobody finds them, but people have seen them."""
        self.about: Json = {"description": ""}
        """The description and tags of the application."""
        self.emojis: dict[int, Emoji] = {}
        """The application's own."""
        self.secret = token_bytes(32)
        """The key that signs links to attachments."""
        self.files: dict[int, bytes] = {}
        self.uploads: dict[bytes, bytes] = {}
        """Every upload once, for a bot may send the same a thousand times."""
        self.bot = self.user("Sandbox Bot", bot=True)
        self.owner = self.user("Bot Owner")

    def user(self, name: str, *, bot: bool = False) -> User:
        """A new user."""
        user = User(self.snowflakes.next(), name, bot)
        self.users[user.id] = user
        return user

    def guild(self, name: str) -> "Guild":
        """A new guild, owned by the bot's owner, to which the bot is invited."""
        guild = Guild(self, self.snowflakes.next(), name, self.owner)
        self.guilds[guild.id] = guild
        guild.add(self.owner)
        guild.invite_bot()
        return guild

    def direct(self, person: User) -> DirectChannel:
        """The direct messages between the bot and a person; opened when there are none."""
        for channel in self.channels.values():
            if isinstance(channel, DirectChannel) and channel.person is person:
                return channel
        channel = DirectChannel(self, self.snowflakes.next(), person)
        self.channels[channel.id] = channel
        return channel

    def remove(self, channel: Channel) -> None:
        """Take a channel out of the world."""
        self.gone.append(self.channels.pop(channel.id))
        self.clock.tell()

    async def archive_idle_threads(self) -> None:
        """Archive each thread when nothing has happened in it for long enough, for ever."""
        while True:
            now = self.clock.now()
            awake = [
                each for each in self.channels.values() if isinstance(each, Thread) and not each.archived
            ]
            for thread in awake:
                if thread.idle_at <= now:
                    thread.archive()
            # A thread that becomes active later is idle no sooner than after the shortest duration there is.
            waits = [each.idle_at for each in awake if not each.archived]
            await self.clock.sleep(min([now + SHORTEST_DURATION, *waits]) - self.clock.now())

    def channel(self, id_: int) -> Channel:
        """The channel of an id. Refused with 10003 when there is none (any more)."""
        if id_ not in self.channels:
            raise Refused(404, 10003, "Unknown Channel")
        return self.channels[id_]


@dataclass(eq=False)
class Guild:
    """A server."""

    world: World = field(repr=False)
    id: int
    name: str
    owner: User
    locale: str = payloads.LOCALE
    roles: dict[int, Role] = field(default_factory=dict, repr=False)
    members: dict[int, Member] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self.roles[self.id] = Role(self.id, "@everyone", EVERYONE, 0)

    @property
    def has_bot(self) -> bool:
        """Whether the bot is a member."""
        return self.world.bot.id in self.members

    @property
    def channels(self) -> list[TextChannel]:
        """The text channels, oldest first."""
        every = self.world.channels.values()
        return [each for each in every if isinstance(each, TextChannel) and each.guild is self]

    @property
    def threads(self) -> list[Thread]:
        """All threads, also archived ones."""
        every = self.world.channels.values()
        return [each for each in every if isinstance(each, Thread) and each.guild is self]

    def dispatch(self, event: str, data: Json) -> None:
        """Tell the bot of something in this guild, if it is a member."""
        if self.has_bot:
            self.world.dispatch(event, data)
        self.world.clock.tell()

    def channel(self, name: str) -> TextChannel:
        """A new text channel."""
        channel = TextChannel(self.world, self.world.snowflakes.next(), self, name)
        self.world.channels[channel.id] = channel
        channel.dispatch("CHANNEL_CREATE", channel.payload())
        return channel

    def add(self, user: User) -> Member:
        """Make a user a member."""
        member = Member(user, [], self.world.clock.now())
        self.members[user.id] = member
        self.dispatch("GUILD_MEMBER_ADD", payloads.member(member) | {"guild_id": str(self.id)})
        return member

    def remove(self, user: User) -> None:
        """A member leaves, or is removed; without the bot the guild is gone for it."""
        gone = {"guild_id": str(self.id), "user": payloads.user(user)}
        if user is self.world.bot:
            self.dispatch("GUILD_DELETE", {"id": str(self.id)})
        del self.members[user.id]
        self.dispatch("GUILD_MEMBER_REMOVE", gone)

    def invite_bot(self, permissions: Permission = NONE) -> None:
        """Add the bot, with a role of its own that has these permissions."""
        role = self.role("Sandbox Bot", permissions)
        self.members[self.world.bot.id] = Member(self.world.bot, [role.id], self.world.clock.now())
        self.dispatch("GUILD_CREATE", payloads.guild_create(self))

    def role(self, name: str, permissions: Permission) -> Role:
        """A new role."""
        role = Role(self.world.snowflakes.next(), name, permissions, len(self.roles))
        self.roles[role.id] = role
        self.dispatch("GUILD_ROLE_CREATE", {"guild_id": str(self.id), "role": payloads.role(role)})
        return role

    def grant(self, user: User, permissions: Permission) -> None:
        """Give a member a new role with these permissions."""
        self.members[user.id].roles.append(self.role("granted", permissions).id)
        self._changed(user)

    def time_out(self, user: User, seconds: float) -> None:
        """Let a member only read for so many seconds."""
        self.members[user.id].timeout = self.world.clock.now() + seconds
        self._changed(user)

    def _changed(self, user: User) -> None:
        member = payloads.member(self.members[user.id])
        self.dispatch("GUILD_MEMBER_UPDATE", member | {"guild_id": str(self.id)})
