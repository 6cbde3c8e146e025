"""Messages and modals of Discord's components V2.

This bot has no callbacks in them: clicks are routed by their custom ids (`bot.messages.router`), also after a restart.
discord.py would keep each view to run its callbacks: an ephemeral one (about 8 KiB) for 15 minutes, a modal without a
timeout for ever. It does not keep panels and modals, because their `is_finished` returns True.
"""

import hashlib
import json
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from typing import Any, Final, Self

import discord
from discord import ui

from bot.messages.attachments import NOTHING, Attachments, Kept
from bot.messages.command_mentions import CommandIds, tappable
from bot.messages.custom_ids import CustomId
from bot.messages.emojis import Emojis
from bot.pictures.picture import Picture
from bot.pictures.worker_client import DrawingFailed, NotYet, WorkerClient

log = logging.getLogger(__name__)

Item = ui.Item[Any]

SECONDARY = discord.ButtonStyle.secondary
PRIMARY = discord.ButtonStyle.primary
SUCCESS = discord.ButtonStyle.success
DANGER = discord.ButtonStyle.danger

MOST_TEXT: Final = 4000
"""Maximum number of characters in a message, over all its texts."""
_SIGN: Final = re.compile("(?<=.)([\U0001f300-\U0001faff]\ufe0f?)(?: (?=\\S)|(?=[A-Za-z0-9]))")
"""An emoji within a line, with the space before what it belongs to: 🤖 Bamboo, 🌴P3."""
_NO_BREAK, _JOINER = "\u00a0", "\u2060"
"""The space at which no line ends, and the sign without width that forbids its end where there is no space."""


class Panel(ui.LayoutView):
    """A message: a list of components, built again each time it is shown."""

    is_in_letters = False
    """True once its emojis were taken off."""
    lacks_pictures = False
    """True when it has alt texts in place of pictures that are not drawn yet: an edit can add them."""

    def __init__(self, *items: Item) -> None:
        super().__init__(timeout=None)
        for item in items:
            self.add_item(item)

    def is_finished(self) -> bool:
        """Return True, so that discord.py does not store it (see the module)."""
        return True

    def payload(self) -> list[dict[str, Any]]:
        """Return the components as they are sent; panels that look alike have equal ones."""
        return self.to_components()

    def to_components(self) -> list[dict[str, Any]]:
        """Return the components for Discord. No line of a text ends between a sign and what it belongs to."""
        self._rewrite(_unparted)
        components: list[dict[str, Any]] = super().to_components()  # type: ignore[no-untyped-call]
        return components

    def pictures(self) -> list[Picture]:
        return [item.picture for item in self.walk_children() if isinstance(item, _PictureItem)]

    def illustrate(self, emojis: Emojis) -> Self:
        """Replace the names of cards in texts by emojis, unless the texts would be too long for Discord."""
        return self._rewrite(emojis.within)

    def with_mentions(self, ids: CommandIds) -> Self:
        """Replace the names of commands in texts by mentions that can be tapped, unless the texts would be too long."""
        return self._rewrite(lambda content: tappable(content, ids))

    def _rewrite(self, change: Callable[[str], str]) -> Self:
        texts = [item for item in self.walk_children() if isinstance(item, ui.TextDisplay)]
        changed = [change(item.content) for item in texts]
        alts = [picture.alt for picture in self.pictures()]  # stand in its place when it is late
        if sum(map(len, [*changed, *alts])) <= MOST_TEXT:
            for item, content in zip(texts, changed, strict=True):
                item.content = content
        return self

    def texts(self) -> str:
        """Return the texts outside boxes, as Discord returns them."""
        self._rewrite(_unparted)
        return "\n".join(item.content for item in self.children if isinstance(item, ui.TextDisplay))

    def put_into_words(self) -> None:
        """Replace pictures by their alt texts, and remove emojis from buttons and options."""
        self._replace_pictures()
        self.take_emojis_off()

    def _replace_pictures(self) -> None:
        boxes = [item for item in self.walk_children() if isinstance(item, ui.Container)]
        holders: list[ui.LayoutView | ui.Container[Any]] = [self, *boxes]
        for holder in holders:
            items = list(holder.children)
            holder.clear_items()
            for item in items:
                holder.add_item(in_words(item))

    def take_emojis_off(self) -> bool:
        """Remove emojis from buttons and options. Return False if there are none."""
        items = list(self.walk_children())
        holders: list[ui.Button[Any] | discord.SelectOption] = [
            *(item for item in items if isinstance(item, ui.Button)),
            *(option for item in items if isinstance(item, ui.Select) for option in item.options),
        ]
        shown = [holder for holder in holders if holder.emoji is not None]
        for holder in shown:
            holder.emoji = None
            if isinstance(holder, _CardButton):
                holder.label = holder.plain
        self.is_in_letters |= bool(shown)
        return bool(shown)

    def in_words(self) -> "Panel":
        """Return a copy with the alt texts instead of the pictures."""
        return self._with(in_words)

    def with_former_pictures(self, present: Attachments) -> "Panel | None":
        """Return a copy with former pictures, of `present`, in place of those that are not drawn yet, with the alt
        texts of the new ones; None when there are not enough."""
        new = [each.name for each in self.pictures() if each.name not in present]
        former = [name for name in present if name not in {each.name for each in self.pictures()}]
        if len(former) < len(new):
            return None
        # A message without them would change its height twice.
        stand_ins = dict(zip(new, former, strict=False))
        return self._with(lambda item: _stand_in(item, stand_ins))

    def _with(self, change: Callable[[Item], Item]) -> "Panel":
        items = list(self.children)
        return Panel(
            *(
                box(*map(change, item.children)) if isinstance(item, ui.Container) else change(item)
                for item in items
            )
        )

    async def files(self, rasterizer: WorkerClient) -> list[discord.File]:
        """Draw the pictures and return them as files, for each sending of the message.

        If they cannot be drawn now, replace them by their alt texts and return no files.
        """
        return await self._drawn(rasterizer, self.pictures()) or []

    async def attachments(
        self,
        rasterizer: WorkerClient,
        present: Attachments = NOTHING,
        *,
        answer: bool = False,
        within: float | None = None,
    ) -> list[discord.File | Kept]:
        """Return the pictures for an edit of a message with the attachments `present`: those it has are kept, the
        others are drawn as by `files`.

        Pictures for the answer to a click (`answer`) are drawn before others. Raises NotYet when they are not ready
        after `within` seconds.
        """
        pictures = self.pictures()
        kept = [Kept(present[each.name]) for each in pictures if each.name in present]
        new = [each for each in pictures if each.name not in present]
        drawn = await self._drawn(rasterizer, new, answer=answer, within=within)
        return [] if drawn is None else [*kept, *drawn]

    async def _drawn(
        self,
        rasterizer: WorkerClient,
        pictures: list[Picture],
        *,
        answer: bool = False,
        within: float | None = None,
    ) -> list[discord.File] | None:
        """Draw some pictures. If that fails, put all of the panel into words and return None. Raises NotYet, if there
        is a limit `within`."""
        try:
            drawn = await rasterizer.draw(pictures, answer=answer, within=within)
        except DrawingFailed as reason:
            if within is not None and isinstance(reason, NotYet):
                raise
            self.do_without(reason)
            return None
        return [
            discord.File(BytesIO(file), each.name, description=each.alt)
            for each, file in zip(pictures, drawn, strict=True)
        ]

    def do_without(self, reason: DrawingFailed) -> None:
        """Replace the pictures by their alt texts, because they cannot be drawn, or not yet."""
        log.debug("a message is sent without its pictures: %s", reason)
        self.lacks_pictures = isinstance(reason, NotYet)
        self._replace_pictures()


def _unparted(content: str) -> str:
    return _SIGN.sub(lambda sign: sign[1] + (_NO_BREAK if sign[0].endswith(" ") else _JOINER), content)


class Modal(ui.Modal):
    """A modal. Its submission is routed by its custom id."""

    def __init__(self, title: str, custom_id: CustomId, *items: Item) -> None:
        super().__init__(title=title, custom_id=str(custom_id), timeout=None)
        for item in items:
            self.add_item(item)
        # Phones show the former content of a modal whose custom id they know (discord-api-docs 7554), so the id changes
        # with the content.
        # The ids of the fields are random.
        shown = re.sub('"custom_id": "[^"]*"', "", json.dumps(self.to_dict()))
        self.custom_id = custom_id.of_content(hashlib.sha256(shown.encode()).hexdigest())

    def is_finished(self) -> bool:
        """Return True, so that discord.py does not store it (see the module)."""
        return True


class _PictureItem(ui.MediaGallery[Any]):
    def __init__(self, picture: Picture) -> None:
        super().__init__(discord.MediaGalleryItem(f"attachment://{picture.name}", description=picture.alt))
        self.picture = picture


def _stand_in(item: Item, stand_ins: Mapping[str, str]) -> Item:
    if not isinstance(item, _PictureItem) or item.picture.name not in stand_ins:
        return item
    name = stand_ins[item.picture.name]
    return ui.MediaGallery(discord.MediaGalleryItem(f"attachment://{name}", description=item.picture.alt))


def shown(picture: Picture) -> Item:
    """Return a picture as wide as the message. Names of pictures in one message must differ."""
    return _PictureItem(picture)


def is_picture(item: Item) -> bool:
    """Return whether an item shows a picture."""
    return isinstance(item, _PictureItem)


def in_words(item: Item) -> Item:
    """Return the item for a place where files are not allowed: the alt text of a picture, any other item as it is."""
    return text(item.picture.alt) if isinstance(item, _PictureItem) else item


def text(content: str) -> Item:
    """Return a paragraph of Markdown."""
    return ui.TextDisplay(content)


def row(*items: Item) -> Item:
    """Return a row of up to five buttons (a phone shows four side by side), or of one menu."""
    return ui.ActionRow(*items)


def rows(items: Sequence[Item]) -> list[Item]:
    """Return rows of four buttons, as many as a phone shows side by side."""
    return [row(*items[first : first + 4]) for first in range(0, len(items), 4)]


def button(
    label: str,
    custom_id: CustomId,
    *,
    style: discord.ButtonStyle = SECONDARY,
    disabled: bool = False,
) -> Item:
    return ui.Button(label=label, custom_id=str(custom_id), style=style, disabled=disabled)


def hand_button(match: int, rest: str = "", *, style: discord.ButtonStyle = PRIMARY) -> Item:
    """Return the button that shows people their own hand."""
    return button("My hand", CustomId("hand", match, rest), style=style)


class _CardButton(ui.Button[Any]):
    """A button with the emoji of a card. `plain` is its label without the emoji, in case Discord refuses that."""

    plain = ""


def card_button(
    card: str,
    words: str,
    custom_id: CustomId,
    emojis: Emojis,
    *,
    style: discord.ButtonStyle = SECONDARY,
    disabled: bool = False,
) -> Item:
    """Return a button for a card, which shows the card once: as an emoji before `words`, or as letters.

    `words` may be empty, to save room for more buttons in a row.
    """
    plain, emoji = " · ".join(filter(None, [card, words])), emojis.get(card)
    label = plain if emoji is None else words or None
    made = _CardButton(label=label, custom_id=str(custom_id), style=style, disabled=disabled, emoji=emoji)
    made.plain = plain
    return made


def beside(content: str, right: Item) -> Item:
    """Return a paragraph of Markdown with a button at its right."""
    return ui.Section(content, accessory=right)


def box(*items: Item) -> Item:
    """Return a frame around items."""
    return ui.Container(*items)


def channel_select(
    placeholder: str,
    custom_id: CustomId,
    chosen: Sequence[int],
    *,
    types: Sequence[discord.ChannelType],
    most: int = 25,
) -> Item:
    """Return a menu of the server's channels of these types, of which up to `most` are chosen at once, or none."""
    return ui.ChannelSelect(
        placeholder=placeholder,
        custom_id=str(custom_id),
        channel_types=[*types],
        default_values=[discord.SelectDefaultValue.from_channel(discord.Object(each)) for each in chosen],
        min_values=0,
        max_values=most,
    )


def role_select(placeholder: str, custom_id: CustomId, chosen: int | None) -> Item:
    """Return a menu of the server's roles, of which one is chosen, or none."""
    defaults = [] if chosen is None else [discord.SelectDefaultValue.from_role(discord.Object(chosen))]
    return ui.RoleSelect(
        placeholder=placeholder, custom_id=str(custom_id), default_values=defaults, min_values=0, max_values=1
    )


def select(
    placeholder: str,
    custom_id: CustomId,
    options: list[discord.SelectOption],
    *,
    least: int = 1,
    most: int = 1,
) -> Item:
    """Return a menu of 1 to 25 options, of which `least` to `most` are chosen at once."""
    return ui.Select(
        placeholder=placeholder, custom_id=str(custom_id), options=options, min_values=least, max_values=most
    )


def menu_field(
    label: str, options: list[discord.SelectOption], *, description: str | None = None, most: int = 1
) -> Item:
    """Return a menu of a modal, in which one option is chosen, or up to `most`."""
    menu: ui.Select[Any] = ui.Select(options=options, max_values=most)
    return ui.Label(text=label, description=description, component=menu)


def text_field(
    label: str,
    longest: int,
    *,
    description: str | None = None,
    placeholder: str | None = None,
    default: str | None = None,
    required: bool = True,
    style: discord.TextStyle = discord.TextStyle.short,
) -> Item:
    """Return a field of a modal, into which a person types up to `longest` characters."""
    field: ui.TextInput[Any] = ui.TextInput(
        max_length=longest, placeholder=placeholder, default=default, required=required, style=style
    )
    return ui.Label(text=label, description=description, component=field)
