"""Messages as the bot sends them: components V2, retained by nobody.

discord.py keeps every view it sends so that it can call it back; an ephemeral one for 15 minutes (about 8 KiB each),
a modal without a timeout for ever. Here nothing is called back: each click is routed by its custom id alone
(`bot.messages.router`), which works the same after a restart. So a panel claims to be finished, and discord.py
forgets it.
"""

import logging
from typing import Any, Final, Self

import discord
from discord import ui

from bot.messages.custom_ids import CustomId
from bot.messages.emojis import Emojis
from bot.pictures import Picture, Undrawn, drawn

log = logging.getLogger(__name__)

Item = ui.Item[Any]

SECONDARY = discord.ButtonStyle.secondary
PRIMARY = discord.ButtonStyle.primary
SUCCESS = discord.ButtonStyle.success
DANGER = discord.ButtonStyle.danger

MOST_TEXT: Final = 4000
"""Characters of all texts of a message together."""


class Panel(ui.LayoutView):
    """One message: a list of components V2, written anew each time it is shown."""

    def __init__(self, *items: Item) -> None:
        super().__init__(timeout=None)
        for item in items:
            self.add_item(item)

    def is_finished(self) -> bool:
        """Always: see the module's docstring."""
        return True

    def payload(self) -> list[dict[str, Any]]:
        """Its components as they are sent: equal ones look equal."""
        components: list[dict[str, Any]] = self.to_components()  # type: ignore[no-untyped-call]
        return components

    def pictures(self) -> list[Picture]:
        """Those it shows."""
        return [item.picture for item in self.walk_children() if isinstance(item, _Shown)]

    def illustrate(self, emojis: Emojis) -> Self:
        """Show the cards that its texts name as emojis, unless Discord would find that too long."""
        texts = [item for item in self.walk_children() if isinstance(item, ui.TextDisplay)]
        drawn = [emojis.within(item.content) for item in texts]
        if sum(map(len, drawn)) <= MOST_TEXT:
            for item, content in zip(texts, drawn, strict=True):
                item.content = content
        return self

    def said(self) -> str:
        """The texts that stand by themselves, as Discord gives them back."""
        return "\n".join(item.content for item in self.children if isinstance(item, ui.TextDisplay))

    def put_into_words(self) -> None:
        """Let texts and labels say it alone: no picture, no emoji on a button."""
        boxes = [item for item in self.walk_children() if isinstance(item, ui.Container)]
        holders: list[ui.LayoutView | ui.Container[Any]] = [self, *boxes]
        for holder in holders:
            items = list(holder.children)
            holder.clear_items()
            for item in items:
                holder.add_item(in_words(item))
        self.take_emojis_off()

    def take_emojis_off(self) -> bool:
        """Let the labels of buttons and options say it alone. False when none has an emoji."""
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
        return bool(shown)

    async def files(self, *, answer: bool = False) -> list[discord.File]:
        """Its pictures, drawn now; those that `answer` a click wait for no board. They go with every sending: what is
        not sent again is shown no longer. When vectors cannot be drawn just now, the panel says it in words."""
        try:
            return await drawn(self.pictures(), answer=answer)
        except Undrawn as reason:
            log.debug("a message goes without its pictures: %s", reason)
            self.put_into_words()
            return []


class Modal(ui.Modal):
    """A modal whose submission comes back through the router, by its custom id."""

    def __init__(self, title: str, custom_id: CustomId, *items: Item) -> None:
        super().__init__(title=title, custom_id=str(custom_id), timeout=None)
        for item in items:
            self.add_item(item)

    def is_finished(self) -> bool:
        """Always: see the module's docstring."""
        return True


class _Shown(ui.MediaGallery[Any]):
    """One picture."""

    def __init__(self, picture: Picture) -> None:
        super().__init__(discord.MediaGalleryItem(f"attachment://{picture.name}", description=picture.alt))
        self.picture = picture


def shown(picture: Picture) -> Item:
    """A picture, as wide as the message. In one message no two have the same name."""
    return _Shown(picture)


def is_picture(item: Item) -> bool:
    """Tell whether an item shows a picture."""
    return isinstance(item, _Shown)


def in_words(item: Item) -> Item:
    """An item for where no files may be posted: of a picture, what it says."""
    return text(item.picture.alt) if isinstance(item, _Shown) else item


def text(content: str) -> Item:
    """A paragraph of Markdown."""
    return ui.TextDisplay(content)


def row(*items: Item) -> Item:
    """Up to four buttons side by side (a phone shows no more), or one select."""
    return ui.ActionRow(*items)


def button(
    label: str,
    custom_id: CustomId,
    *,
    style: discord.ButtonStyle = SECONDARY,
    disabled: bool = False,
    emoji: discord.PartialEmoji | None = None,
) -> Item:
    """A button that is answered by the route of its custom id. The label says all by itself; `emoji` is of the card
    that the button stands for."""
    return ui.Button(label=label, custom_id=str(custom_id), style=style, disabled=disabled, emoji=emoji)


class _CardButton(ui.Button[Any]):
    """A button with the emoji of a card, and the label that says the card where the emoji is refused."""

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
    """A button that stands for a card and says it once: as an emoji before `words`, else as letters. `words` may be
    empty where many cards stand in a row."""
    plain, emoji = " · ".join(filter(None, [card, words])), emojis.get(card)
    label = plain if emoji is None else words or None
    made = _CardButton(label=label, custom_id=str(custom_id), style=style, disabled=disabled, emoji=emoji)
    made.plain = plain
    return made


def box(*items: Item) -> Item:
    """A frame around items that belong together."""
    return ui.Container(*items)


def select(
    placeholder: str,
    custom_id: CustomId,
    options: list[discord.SelectOption],
    *,
    least: int = 1,
    most: int = 1,
) -> Item:
    """A menu of 1 to 25 options, of which `least` to `most` are chosen at once."""
    return ui.Select(
        placeholder=placeholder, custom_id=str(custom_id), options=options, min_values=least, max_values=most
    )
