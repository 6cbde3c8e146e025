"""The application's own emojis: pictures under a name, usable in every message of the bot."""

import base64
import binascii
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from sandbox import payloads
from sandbox.form import Check, Form, Refused, apply, check, record, text
from sandbox.world import Emoji, World

Json: TypeAlias = dict[str, Any]

MOST = 2000
LARGEST = 256 * 1024
"""Bytes of a picture."""
_URI = re.compile(r"data:image/(png|jpeg|gif|webp|avif);base64,(.*)", re.DOTALL)
_MAGIC = {
    "png": b"\x89PNG\r\n",
    "jpeg": b"\xff\xd8\xff",
    "gif": b"GIF8",
    "webp": b"RIFF",
    "avif": b"\0\0\0",
}
"""How the files begin."""


def _name(value: Any, form: Form) -> None:
    """2 to 32 letters, digits and underscores."""
    apply(value, form, text(2, 32))
    if form.sound and not re.fullmatch(r"[A-Za-z0-9_]+", value):
        form.fail("STRING_TYPE_REGEX", "String value did not match validation regex.")


def _image(value: Any, form: Form) -> None:
    """A picture as a data URI."""
    apply(value, form, text(1, 2**25))
    if not form.sound:
        return
    given = picture(value)
    if given is None:
        form.fail("IMAGE_INVALID", "Unsupported image type given")
    elif len(given[1]) > LARGEST:
        form.fail("BINARY_TYPE_MAX_SIZE", "File cannot be larger than 256.0 kb.")


def picture(uri: str) -> tuple[str, bytes] | None:
    """The media type and the file in a data URI; None when it is no picture."""
    found = _URI.fullmatch(uri)
    if found is None:
        return None
    try:
        data = base64.b64decode(found[2], validate=True)
    except binascii.Error:
        return None
    return (f"image/{found[1]}", data) if data.startswith(_MAGIC[found[1]]) else None


_NAMED: dict[str, Check] = {"name": _name}
_NEW = record({**_NAMED, "image": _image}, {})
_CHANGED = record({}, _NAMED)


@dataclass(frozen=True)
class ApplicationEmojis:
    """Creates, renames and deletes them; they are kept in the world, where messages find them."""

    world: World

    def all(self) -> list[Json]:
        """Every emoji, oldest first."""
        return [*map(self.payload, self.world.emojis.values())]

    def one(self, id_: int) -> Emoji:
        """The emoji of an id. Refused with 10014 when there is none."""
        if id_ not in self.world.emojis:
            raise Refused(404, 10014, "Unknown Emoji")
        return self.world.emojis[id_]

    def create(self, raw: Mapping[str, Any]) -> Emoji:
        """Return a new emoji. Refused with 50035 when its name is taken, 30008 when there are too many."""
        check(raw, _NEW)
        if len(self.world.emojis) >= MOST:
            raise Refused(400, 30008, f"Maximum number of emojis reached ({MOST})")
        self._check_free(raw["name"])
        given = picture(raw["image"])
        assert given is not None
        emoji = Emoji(self.world.snowflakes.next(), raw["name"], *given)
        self.world.emojis[emoji.id] = emoji
        return emoji

    def rename(self, id_: int, raw: Mapping[str, Any]) -> Emoji:
        """Give an emoji another name."""
        check(raw, _CHANGED)
        emoji = self.one(id_)
        if raw.get("name") not in (None, emoji.name):
            self._check_free(raw["name"])
            emoji.name = raw["name"]
        return emoji

    def _check_free(self, name: str) -> None:
        form = Form()
        if any(each.name == name for each in self.world.emojis.values()):
            form.at("name").fail(
                "APPLICATION_EMOJI_NAME_ALREADY_TAKEN", "An emoji with that name already exists"
            )
        form.close()

    def delete(self, id_: int) -> None:
        """Remove an emoji; messages that show it show its name from then on."""
        del self.world.emojis[self.one(id_).id]

    def payload(self, emoji: Emoji) -> Json:
        """An emoji as the API writes it."""
        return {
            "id": str(emoji.id),
            "name": emoji.name,
            "roles": [],
            "user": payloads.user(self.world.bot),
            "require_colons": True,
            "managed": False,
            "animated": False,
            "available": True,
        }
