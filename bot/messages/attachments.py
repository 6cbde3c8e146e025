"""Attachments that a message has already: an edit keeps those whose pictures have not changed."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias, TypedDict
from urllib.parse import urlsplit

import discord

Attachments: TypeAlias = Mapping[str, int]
"""Ids of the attachments that a message shows, by file name. Pictures with equal file names look the same."""
NOTHING: Final[Attachments] = {}
"""The attachments of a message without any, or with unknown ones: all pictures are sent."""


class _Id(TypedDict):
    id: int


class Kept(discord.Attachment):
    """An attachment that an edit leaves in its message. It can be sent and nothing else."""

    def __init__(self, id_: int) -> None:
        self.id = id_

    def to_dict(self) -> _Id:  # type: ignore[override]
        """Return what Discord needs to know of it."""
        return {"id": self.id}


def attachments_of(message: discord.Message | None) -> Attachments:
    """Return the attachments that the components of a message show."""
    # Discord does not list them in `attachments`: see https://github.com/discord/discord-api-docs/pull/8279
    return NOTHING if message is None else dict(_shown(message.components))


def _shown(components: Sequence[discord.Component]) -> Iterator[tuple[str, int]]:
    for part in components:
        if isinstance(part, discord.Container):
            yield from _shown(part.children)
        elif isinstance(part, discord.MediaGalleryComponent):
            yield from (
                (file_name(item.media.url), item.media.attachment_id)
                for item in part.items
                if item.media.attachment_id is not None
            )


def file_name(url: str) -> str:
    """Return the file name in the address of an attachment, as "attachment://name" or as Discord writes it."""
    address = urlsplit(url)
    return address.path.rpartition("/")[2] or address.netloc
