"""Emojis that the application owns: named pictures that every message of the bot can use."""

import base64
import binascii
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sandbox.checks import Form, Json, Refused, apply, check, record, text
from sandbox.world import Emoji, World

MOST = 2000
"""Emojis of an application."""
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
"""First bytes of the files, by type."""


def _name(value: Any, form: Form) -> None:
    """Accept 2 to 32 letters, digits and underscores."""
    apply(value, form, text(2, 32))
    if form.valid and not re.fullmatch(r"[A-Za-z0-9_]+", value):
        form.fail("STRING_TYPE_REGEX", "String value did not match validation regex.")


def _image(value: Any, form: Form) -> None:
    """Accept a picture as a data URI."""
    apply(value, form, text(1, 2**25))
    if not form.valid:
        return
    given = picture(value)
    if given is None:
        form.fail("IMAGE_INVALID", "Unsupported image type given")
    elif len(given[1]) > LARGEST:
        form.fail("BINARY_TYPE_MAX_SIZE", "File cannot be larger than 256.0 kb.")


def picture(uri: str) -> tuple[str, bytes] | None:
    """Return the media type and the file in a data URI; None if it is not a picture."""
    found = _URI.fullmatch(uri)
    if found is None:
        return None
    try:
        data = base64.b64decode(found[2], validate=True)
    except binascii.Error:
        return None
    return (f"image/{found[1]}", data) if data.startswith(_MAGIC[found[1]]) else None


_NEW = record({"name": _name, "image": _image}, {})


@dataclass(frozen=True)
class ApplicationEmojis:
    """Creates and deletes the emojis in `world.emojis`."""

    world: World

    def all(self) -> list[Json]:
        """Return every emoji, oldest first."""
        return [*map(self.payload, self.world.emojis.values())]

    def create(self, raw: Mapping[str, Any]) -> Emoji:
        """Create an emoji. Raises Refused if its name is taken (50035) or there are too many (30008)."""
        check(raw, _NEW)
        if len(self.world.emojis) >= MOST:
            raise Refused(400, 30008, f"Maximum number of emojis reached ({MOST})")
        self._check_free(raw["name"])
        given = picture(raw["image"])
        assert given is not None
        emoji = Emoji(self.world.snowflakes.next(), raw["name"], *given)
        self.world.emojis[emoji.id] = emoji
        return emoji

    def _check_free(self, name: str) -> None:
        form = Form()
        if any(each.name == name for each in self.world.emojis.values()):
            form.at("name").fail(
                "APPLICATION_EMOJI_NAME_ALREADY_TAKEN", "An emoji with that name already exists"
            )
        form.close()

    def delete(self, id_: int) -> None:
        """Delete an emoji. Raises Refused (10014) if there is none of that id."""
        if self.world.emojis.pop(id_, None) is None:
            raise Refused(404, 10014, "Unknown Emoji")

    def payload(self, emoji: Emoji) -> Json:
        """Return an emoji as Discord's API writes it."""
        return {
            "id": str(emoji.id),
            "name": emoji.name,
            "roles": [],
            "user": self.world.bot.payload(),
            "require_colons": True,
            "managed": False,
            "animated": False,
            "available": True,
        }
