"""Users, the members of guilds, and their roles."""

from dataclasses import dataclass

from sandbox.checks import Json
from sandbox.clock import iso
from sandbox.permissions import Permission

LOCALE = "en-US"


@dataclass(eq=False)
class User:
    """A person or the bot."""

    id: int
    name: str
    bot: bool = False
    dms_open: bool = True
    installed: bool = False
    """True when the user has installed the application for themselves."""
    public_flags: int = 0
    """Badges, as bits of Discord's API."""

    def payload(self) -> Json:
        """Return the user as Discord's API writes it."""
        return {
            "id": str(self.id),
            "username": self.name,
            "discriminator": "0",
            "global_name": None if self.bot else self.name,
            "avatar": None,
            "bot": self.bot,
            "public_flags": self.public_flags,
            "flags": self.public_flags,
            "primary_guild": None,
        }


@dataclass
class Role:
    """A role of a guild. The role whose id is the guild's own id belongs to every member."""

    id: int
    name: str
    permissions: Permission
    position: int
    mentionable: bool = False
    bot: int | None = None
    """Bot that the role was made for when it joined; None for any other role."""

    def payload(self) -> Json:
        """Return the role as Discord's API writes it."""
        return {
            "id": str(self.id),
            "name": self.name,
            "permissions": str(int(self.permissions)),
            "position": self.position,
            "color": 0,
            "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
            "hoist": False,
            "icon": None,
            "unicode_emoji": None,
            "managed": self.bot is not None,
            "mentionable": self.mentionable,
            "flags": 0,
        } | ({} if self.bot is None else {"tags": {"bot_id": str(self.bot)}})


@dataclass
class Member:
    """A user in a guild. `joined` and `timeout` (the end of a timeout) are Unix times in seconds."""

    user: User
    roles: list[int]
    joined: float
    nick: str | None = None
    timeout: float | None = None

    def in_timeout(self, now: float) -> bool:
        """Return whether a moderator's timeout lets the member only read."""
        return self.timeout is not None and now < self.timeout

    def payload(self) -> Json:
        """Return the member as Discord's API writes it, with the user."""
        return {"user": self.user.payload(), **self.partial_payload()}

    def partial_payload(self) -> Json:
        """Return the member as Discord's API writes it, without the user."""
        return {
            "nick": self.nick,
            "avatar": None,
            "banner": None,
            "roles": [str(each) for each in self.roles],
            "joined_at": iso(self.joined),
            "premium_since": None,
            "deaf": False,
            "mute": False,
            "pending": False,
            "flags": 0,
            "communication_disabled_until": None if self.timeout is None else iso(self.timeout),
        }
