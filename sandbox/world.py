"""The contents of the sandbox apart from guilds: users, channels with their messages, emojis and files.

A channel object always shows its latest messages. Methods that change something send an event to the bot (through
the gateway) and wake every task that waits on the clock.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from sandbox.bodies import DEFAULT, LOADING, components, texts
from sandbox.checks import Json, Refused
from sandbox.clock import Clock
from sandbox.components import BUTTON, SELECTS
from sandbox.links import Links
from sandbox.members import User
from sandbox.permissions import IN_DIRECT_MESSAGES, NONE, Permission
from sandbox.snowflakes import Snowflakes

Dispatch: TypeAlias = Callable[[str, Json], None]

DIRECT, GROUP = 1, 3
"""Discord's numbers of direct messages and group direct messages, among the types of channels."""


@dataclass(eq=False)
class Emoji:
    """An emoji that the application owns, with its picture."""

    id: int
    name: str
    media_type: str
    picture: bytes = field(repr=False)


class World:
    """Everything in the sandbox but guilds. `dispatch` passes an event to the bot's gateway sessions."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.snowflakes = Snowflakes(clock)
        self.links = Links(clock)
        self.dispatch: Dispatch = lambda _event, _data: None
        self.url = ""
        self.users: dict[int, User] = {}
        self.channels: dict[int, Channel] = {}
        self.deleted_channels: list[Channel] = []
        """Channels that no request finds any more, but whose messages people have seen."""
        self.about: Json = {}
        """Fields of the application that differ from those of a new one, such as its description and tags."""
        self.emojis: dict[int, Emoji] = {}
        """Emojis of the application by id."""
        self.files: dict[int, bytes] = {}
        """Files of attachments by id."""
        self.uploads: dict[bytes, bytes] = {}
        """Every upload once: a bot may send one file a thousand times."""
        self.bot = self.user("Sandbox Bot", bot=True)
        self.owner = self.user("Bot Owner")

    def user(self, name: str, *, bot: bool = False) -> User:
        user = User(self.snowflakes.next(), name, bot)
        self.users[user.id] = user
        return user

    def direct(self, person: User) -> "DirectChannel":
        """Return the direct messages between the bot and a person, opening them if necessary."""
        for channel in self.channels.values():
            if isinstance(channel, DirectChannel) and channel.person is person:
                return channel
        channel = DirectChannel(self, self.snowflakes.next(), person)
        self.channels[channel.id] = channel
        return channel

    def channel(self, id_: int) -> "Channel":
        """Return a channel. Raises Refused (10003) if there is none, or if it was deleted."""
        if id_ not in self.channels:
            raise Refused(404, 10003, "Unknown Channel")
        return self.channels[id_]

    def remove(self, channel: "Channel") -> None:
        """Remove a deleted channel."""
        self.deleted_channels.append(self.channels.pop(channel.id))
        self.clock.notify()


@dataclass(eq=False)
class Channel(ABC):
    """A place with messages. `log` holds every message ever posted, deleted ones too."""

    world: World = field(repr=False)
    id: int
    log: "dict[int, Message]" = field(default_factory=dict, repr=False, init=False)
    nonces: "dict[str, Message]" = field(default_factory=dict, repr=False, init=False)
    """The bot's latest message with each nonce."""

    @property
    @abstractmethod
    def type(self) -> int:
        """Discord's number of this kind of channel."""

    @abstractmethod
    def permissions(self, user: int) -> Permission:
        """Return a user's permissions here: none if the user cannot see the channel."""

    @abstractmethod
    def viewers(self) -> Iterable[int]:
        """Return the ids of the users who see this channel."""

    def address(self) -> Json:
        """Return the ids by which payloads name the channel, and its guild if it has one."""
        return {"channel_id": str(self.id)}

    def payload(self) -> Json:
        """Return the channel as Discord's API writes it."""
        last = max(self.log, default=None)
        return {"id": str(self.id), "type": self.type, "flags": 0, "last_message_id": last and str(last)}

    def sees(self, user: int) -> bool:
        """Return whether a user sees this channel."""
        return bool(self.permissions(user) & Permission.VIEW_CHANNEL)

    def require(self, user: int, *needed: Permission) -> None:
        """Raise Refused unless the user sees the channel (50001) and has all these permissions there (50013)."""
        granted = self.permissions(user)
        if not granted & Permission.VIEW_CHANNEL:
            raise Refused(403, 50001, "Missing Access")
        for permission in needed:
            if not granted & permission:
                raise Refused(403, 50013, "Missing Permissions")

    def messages(self) -> "list[Message]":
        """Return the messages that everybody in the channel sees, oldest first."""
        return [each for each in self.log.values() if not each.deleted and each.only_for is None]

    def dispatch(self, event: str, data: Json) -> None:
        """Send the bot an event of this channel, if the bot sees the channel."""
        if self.sees(self.world.bot.id):
            self.world.dispatch(event, data)
        self.world.clock.notify()


@dataclass(eq=False)
class DirectChannel(Channel):
    """The direct messages between the bot and one person."""

    person: User

    @property
    def type(self) -> int:
        """Discord's number of direct messages."""
        return DIRECT

    def payload(self) -> Json:
        """Return the channel as Discord's API writes it."""
        return super().payload() | {"recipients": [self.person.payload()]}

    def permissions(self, user: int) -> Permission:
        """Return the permissions of a direct message, which both people have."""
        return IN_DIRECT_MESSAGES if user in self.viewers() else NONE

    def viewers(self) -> Iterable[int]:
        """Return the ids of both sides."""
        return (self.person.id, self.world.bot.id)


@dataclass(eq=False)
class GroupChannel(Channel):
    """Direct messages of several people. The bot is never among them: it can only answer interactions there."""

    people: tuple[User, ...]

    @property
    def type(self) -> int:
        """Discord's number of group direct messages."""
        return GROUP

    def payload(self) -> Json:
        """Return the channel as Discord's API writes it."""
        recipients = [each.payload() for each in self.people]
        return super().payload() | {
            "recipients": recipients,
            "name": None,
            "icon": None,
            "owner_id": recipients[0]["id"],
        }

    def permissions(self, user: int) -> Permission:
        """Return the permissions of a direct message, which all people in the group have."""
        return IN_DIRECT_MESSAGES if user in self.viewers() else NONE

    def viewers(self) -> Iterable[int]:
        """Return the ids of the people in the group."""
        return [each.id for each in self.people]


@dataclass(eq=False)
class Message:
    """A message. `body` holds the fields that an edit can change, as Discord returns them: content, components,
    attachments, flags. An edit replaces it and appends the old one to `past`. `only_for` is the id of the one user who
    sees an ephemeral message."""

    id: int
    channel: Channel = field(repr=False)
    author: User = field(repr=False)
    body: Json
    type: int = DEFAULT
    only_for: int | None = None
    nonce: str | None = None
    reference: Json | None = None
    interaction: Json | None = None
    thread: Channel | None = field(default=None, repr=False)
    edited: float | None = None
    """Unix time of the last edit."""
    pinned: float | None = None
    """Unix time at which it was pinned."""
    deleted: bool = False
    mentions: tuple[int, ...] = ()
    mention_roles: tuple[int, ...] = ()
    mention_everyone: bool = False
    pings: frozenset[int] = frozenset()
    past: list[Json] = field(default_factory=list, repr=False)
    viewers: list[frozenset[int]] = field(default_factory=list, repr=False)
    """Users who could see each state when it was shown: one set for each of `past`, then one for `body`."""

    def change(self, body: Json, edited: float | None) -> None:
        """Show `body` from now on; `edited` is the time if that counts as an edit, else None."""
        self.past.append(self.body)
        self.body = body
        self.edited = edited
        self.note_viewers()

    def note_viewers(self) -> None:
        """Record which users see the present state."""
        one = () if self.only_for is None else (self.only_for,)
        self.viewers.append(frozenset(one or self.channel.viewers()))

    def visible_to(self, user: int) -> bool:
        """Return whether a user sees this message now."""
        if self.deleted or self.only_for not in (None, user):
            return False
        return self.channel.sees(user)

    def as_reference(self) -> Json:
        """Return the reference by which another message names this one."""
        return {"type": 0, "message_id": str(self.id), **self.channel.address()}

    @property
    def ephemeral(self) -> bool:
        """True when only one person sees it."""
        return self.only_for is not None

    @property
    def loading(self) -> bool:
        """True while it is the placeholder "… is thinking"."""
        return bool(self.body["flags"] & LOADING)

    @property
    def edits(self) -> int:
        """Number of edits so far."""
        return len(self.past)

    @property
    def text(self) -> str:
        """All text a reader sees, in order: content, text displays."""
        return "\n".join(texts(self.body))

    @property
    def components(self) -> list[Json]:
        """All components; nested ones follow the component that contains them."""
        return components(self.body)

    @property
    def buttons(self) -> list[Json]:
        return [each for each in self.components if each["type"] == BUTTON]

    @property
    def selects(self) -> list[Json]:
        return [each for each in self.components if each["type"] in SELECTS]

    @property
    def custom_ids(self) -> list[str]:
        """Custom ids of all components that have one."""
        return [each["custom_id"] for each in self.components if each.get("custom_id")]

    @property
    def files(self) -> list[Json]:
        """Attachments: `filename`, `description` (the alt text), `url` and so on."""
        return list(self.body["attachments"])
