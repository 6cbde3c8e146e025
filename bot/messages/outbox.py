"""Sending and deleting a table's messages, so that each stands there once, whatever is lost on the way.

A message goes out with a nonce: for some minutes Discord answers a second one with the message it already has. After a
kill or a fault the outbox looks at what stands in the table's place before it sends anything there.
"""

import contextlib
import logging
from collections.abc import Sequence

import discord

from bot.match.table import Table
from bot.messages.custom_ids import ids_on
from bot.messages.live_message import INVALID
from bot.messages.lobby_card import is_card
from bot.messages.panel import Panel
from bot.messages.posts import page_of

log = logging.getLogger(__name__)

FAR_BACK = 100
"""Messages that are looked at after a kill."""


class Outbox:
    """The messages sent for all tables."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client
        self._found: dict[int, list[discord.Message]] = {}
        """By table: messages of ours that stand in its place though no post names them. A kill or a fault came between
        posting and noting them."""

    async def send(
        self, table: Table, channel: int, panel: Panel, nonce: str, pinged: Sequence[int] = ()
    ) -> int:
        """Post a message, unless it stands there already; return its id.

        What Discord refuses as it is (400) is sent in words, and then given up: 0. It must not hold up what follows.
        """
        if (found := self._take(table, channel, panel)) is not None:
            return found
        try:
            return await self._post(table, channel, panel, nonce, pinged)
        except discord.HTTPException as error:
            if error.status != INVALID:
                raise
            log.warning("table %s: a message was refused and is sent in words: %s", table.id, error)
        panel.put_into_words()
        try:
            return await self._post(table, channel, panel, nonce, pinged)
        except discord.HTTPException as error:
            if error.status != INVALID:
                raise
            log.error("table %s: a message was refused even in words, and is left out: %s", table.id, error)
            return 0

    async def _post(self, table: Table, channel: int, panel: Panel, nonce: str, pinged: Sequence[int]) -> int:
        message = await self._place(table, channel).send(
            view=panel,
            files=await panel.files(),
            nonce=nonce,
            allowed_mentions=discord.AllowedMentions(users=[discord.Object(user) for user in pinged]),
        )
        return message.id

    async def delete(self, table: Table, channel: int, message: int) -> None:
        """Delete a message of ours; one that is gone already is as good."""
        if message:
            with contextlib.suppress(discord.NotFound):
                await self.message(table, channel, message).delete()

    def message(self, table: Table, channel: int, message: int) -> discord.PartialMessage:
        """Return a message to edit, without asking Discord for it."""
        return self._place(table, channel).get_partial_message(message)

    def _place(self, table: Table, channel: int) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(channel, guild_id=table.match.guild)

    # After a kill or a fault

    async def look_back(self, table: Table) -> None:
        """Learn what of ours stands in the table's places though no post names it; nothing where we may not read."""
        known = {table.match.card, *(post.message for post in table.posts.values())}
        found: list[discord.Message] = []
        for channel in {table.match.place or table.match.channel, table.match.channel}:
            with contextlib.suppress(discord.Forbidden, discord.NotFound):
                found += [
                    message
                    async for message in self._place(table, channel).history(limit=FAR_BACK)
                    if message.author == self._client.user and message.id not in known
                ]
        self._found[table.id] = found

    def take_page(self, table: Table, number: int) -> int | None:
        """Return the newest message that was the live table of that page, and know of it no more."""
        for message in self._found.get(table.id, ()):
            if any(page_of(each, table.id) == number for each in ids_on(message)):
                self._found[table.id].remove(message)
                return message.id
        return None

    def take_card(self, table: Table) -> int | None:
        """Return the newest message that is the table's card from before its first deal, and know of it no more."""
        for message in self._found.get(table.id, ()):
            if is_card(message, table.id):
                self._found[table.id].remove(message)
                return message.id
        return None

    def _take(self, table: Table, channel: int, panel: Panel) -> int | None:
        said = panel.texts()
        for message in self._found.get(table.id, ()):
            if said and message.channel.id == channel and _text(message) == said:
                self._found[table.id].remove(message)
                return message.id
        return None

    async def tidy(self, table: Table, after: int) -> None:
        """Delete what stands below message `after`, its first page, in a thread of the table's own and belongs to it no
        more: calls and live tables whose time was over before they could be noted."""
        for message in self._found.pop(table.id, ()):
            own = message.channel.id == table.match.place != table.match.channel
            if own and message.id > after > 0 and not _is_word(table, message):
                await self.delete(table, message.channel.id, message.id)


def _is_word(table: Table, message: discord.Message) -> bool:
    """Return whether a message is from before there were pages: each move had one of its own, with this button."""
    return any(
        (each.verb, each.match) == ("hand", table.id) and each.rest.isdigit() for each in ids_on(message)
    )


def _text(message: discord.Message) -> str:
    return "\n".join(part.content for part in message.components if isinstance(part, discord.TextDisplay))
