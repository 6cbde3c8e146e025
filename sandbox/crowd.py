"""Servers of real size in which nothing happens. A bot that connects receives each of them whole, as Discord sends it.

They are made from their number each time, so thousands take no memory here.
"""

from dataclasses import dataclass
from random import Random
from typing import Final

from sandbox.checks import Json
from sandbox.guild_fields import GUILD_FIELDS
from sandbox.members import LOCALE, User
from sandbox.permissions import ALL, EVERYONE

ROLES: Final = 34
CATEGORIES: Final = 8
CHANNELS: Final = 45
THREADS: Final = 12
EMOJIS: Final = 60
SPEAKING: Final = 0.25
"""Share of voice channels among the channels."""
SPECIAL: Final = 0.3
"""Share of channels that lack an overwrite of their category."""
WORDS: Final = (
    *(
        "general",
        "chat",
        "voice",
        "memes",
        "art",
        "music",
        "games",
        "news",
        "rules",
        "welcome",
        "staff",
        "logs",
    ),
    *(
        "bots",
        "commands",
        "help",
        "support",
        "off",
        "topic",
        "events",
        "clips",
        "pets",
        "food",
        "travel",
        "study",
    ),
    *(
        "design",
        "lounge",
        "radio",
        "media",
        "feedback",
        "polls",
        "trade",
        "market",
        "ranked",
        "casual",
        "raids",
    ),
)
DATE: Final = "2026-01-01T00:00:00+00:00"
TEXT, VOICE, CATEGORY, THREAD = 0, 2, 4, 11
"""Discord's numbers of types of channels."""


@dataclass(frozen=True)
class Bystander:
    """A server of the crowd: 35 roles, 53 channels, 12 threads and 60 emojis, some 50 kB of JSON."""

    number: int
    bot: User

    @property
    def id(self) -> int:
        """Id of the server. Neighbours are on neighbouring shards."""
        return (self.number + 1) << 22

    def create_event(self) -> Json:
        """Return the server as GUILD_CREATE describes it. Its only member is the bot."""
        return _Drawn(self, Random(self.number)).event()  # noqa: S311 - no secrets


class _Drawn:
    """A server drawn at random."""

    def __init__(self, server: Bystander, rng: Random) -> None:
        self._server = server
        self._rng = rng

    def event(self) -> Json:
        server = self._server
        own = self._role(ROLES + 1) | {"managed": True, "tags": {"bot_id": str(server.bot.id)}}
        everyone = self._role(0) | {"id": str(server.id), "permissions": str(int(EVERYONE))}
        roles = [everyone, *(self._role(n) for n in range(1, ROLES + 1)), own]
        channels = self._channels([each["id"] for each in roles])
        return GUILD_FIELDS | {
            "id": str(server.id),
            "name": self._name().title(),
            "owner_id": self._id(),
            "preferred_locale": LOCALE,
            "roles": roles,
            "channels": channels,
            "threads": [self._thread(self._rng.choice(channels[CATEGORIES:])["id"]) for _ in range(THREADS)],
            "emojis": [self._emoji() for _ in range(EMOJIS)],
            "stickers": [],
            "features": ["COMMUNITY", "NEWS", "INVITE_SPLASH", "SOUNDBOARD"],
            "joined_at": DATE,
            "large": True,
            "member_count": 900,
            "members": [self._member([own["id"]])],
            "voice_states": [],
            "presences": [],
            "stage_instances": [],
            "guild_scheduled_events": [],
            "soundboard_sounds": [],
        }

    def _id(self) -> str:
        return str(self._rng.getrandbits(60))

    def _name(self) -> str:
        return "-".join(self._rng.sample(WORDS, self._rng.randint(1, 3)))

    def _role(self, position: int) -> Json:
        return {
            "id": self._id(),
            "name": self._name().title(),
            "permissions": str(self._rng.getrandbits(50) & int(ALL)),
            "position": position,
            "color": self._rng.getrandbits(24),
            "hoist": False,
            "icon": None,
            "unicode_emoji": None,
            "managed": False,
            "mentionable": False,
            "flags": 0,
        }

    def _channels(self, roles: list[str]) -> list[Json]:
        """Draw categories and channels in them. Most channels have the overwrites of their category."""
        rights = [
            [self._overwrite(role) for role in self._rng.sample(roles, self._rng.randint(2, 5))]
            for _ in range(CATEGORIES)
        ]
        above = [self._channel(CATEGORY, None, each) for each in rights]
        below = []
        for _ in range(CHANNELS):
            parent = self._rng.randrange(CATEGORIES)
            overwrites = rights[parent][self._rng.random() < SPECIAL :]
            kind = VOICE if self._rng.random() < SPEAKING else TEXT
            below.append(self._channel(kind, above[parent]["id"], overwrites))
        return above + below

    def _overwrite(self, role: str) -> Json:
        return {
            "id": role,
            "type": 0,
            "allow": str(self._rng.getrandbits(50) & int(ALL)),
            "deny": "1024",
        }

    def _channel(self, kind: int, parent: str | None, overwrites: list[Json]) -> Json:
        voice = {"bitrate": 64_000, "user_limit": 0, "rtc_region": None} if kind == VOICE else {}
        return voice | {
            "id": self._id(),
            "type": kind,
            "name": self._name(),
            "topic": " ".join(self._rng.choices(WORDS, k=10)) if kind == TEXT else None,
            "position": self._rng.randrange(CHANNELS),
            "parent_id": parent,
            "nsfw": False,
            "rate_limit_per_user": 0,
            "last_message_id": self._id(),
            "permission_overwrites": overwrites,
            "flags": 0,
        }

    def _thread(self, parent: str) -> Json:
        return {
            "id": self._id(),
            "type": THREAD,
            "name": f"{self._name()} {self._name()}",
            "parent_id": parent,
            "owner_id": self._id(),
            "last_message_id": self._id(),
            "rate_limit_per_user": 0,
            "message_count": 7,
            "total_message_sent": 9,
            "member_count": 3,
            "flags": 0,
            "thread_metadata": {
                "archived": False,
                "locked": False,
                "auto_archive_duration": 4320,
                "archive_timestamp": DATE,
                "create_timestamp": DATE,
            },
        }

    def _emoji(self) -> Json:
        return {
            "id": self._id(),
            "name": self._name().replace("-", "_"),
            "roles": [],
            "require_colons": True,
            "managed": False,
            "animated": False,
            "available": True,
        }

    def _member(self, roles: list[str]) -> Json:
        return {
            "user": self._server.bot.payload(),
            "nick": None,
            "avatar": None,
            "roles": roles,
            "joined_at": DATE,
            "deaf": False,
            "mute": False,
            "flags": 0,
        }
