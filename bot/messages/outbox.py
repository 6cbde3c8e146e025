"""Sending and deleting a table's messages, so that each is posted once, even if a request or its answer is lost.

Each message is sent with a nonce: if it is sent again within some minutes, Discord returns the message that exists.
After a kill or an error the outbox first reads which messages of the bot are in the table's channels.
"""

import contextlib
import logging
from collections import defaultdict
from collections.abc import Callable, Sequence

import discord

from bot.error_codes import MISSING_PERMISSIONS
from bot.gateway.discord_time import posted_at, snowflake_at
from bot.match.call import timeless
from bot.match.table import Table
from bot.messages.attachments import attachments_of
from bot.messages.custom_ids import ids_on
from bot.messages.late_pictures import draw_soon
from bot.messages.live_message import edit, is_content_refused, is_like
from bot.messages.lobby_card import is_card
from bot.messages.panel import Panel
from bot.messages.posts import page_of
from bot.pictures.worker_client import WorkerClient

log = logging.getLogger(__name__)

OF_CALLS = {"hand", "vote", "accept", "decline"}
"""Verbs of the buttons of calls."""
REMEMBERED = 60_000
"""Ms for which Discord knows a nonce at least."""
AHEAD = 500
"""Ms by which the bot's clock may be ahead of Discord's."""
FAR_BACK = 100
"""Number of last messages of a channel that are searched for one that may stand there already."""


class Outbox:
    """The messages sent for all tables."""

    def __init__(
        self,
        client: discord.Client,
        rasterizer: WorkerClient,
        now: Callable[[], int],
        doubt: Callable[[Table], None],
    ) -> None:
        """`now` returns Discord's time in ms. `doubt` is called with a table that may have a message twice."""
        self.rasterizer = rasterizer
        self._client = client
        self._now = now
        self.doubt = doubt
        self._found: dict[int, list[discord.Message]] = {}
        """By table: the bot's messages in its channels that a kill or an error kept out of the store."""
        self._unstored = defaultdict[int, dict[str, int]](dict)
        """By table: posted messages that may not be stored yet, each by its nonce, which Discord may forget first."""

    async def send(
        self,
        table: Table,
        channel: int,
        panel: Panel,
        nonce: str,
        pinged: Sequence[int] = (),
        after: int = 0,
    ) -> int:
        """Post a message unless `look_back` has found it below the message `after`; return its id. Discord notifies
        only the people in `pinged`.

        If its pictures are late, send it in words, with `panel.lacks_pictures`.

        If Discord refuses its content (400) or its files, send it without pictures. If Discord refuses that content,
        too, return 0.
        """
        if (found := self._take(table, channel, panel, after)) is not None:
            _compare_pictures(found, panel)
            return found.id
        try:
            await draw_soon(panel, self.rasterizer)
            return await self._post(table, channel, panel, nonce, pinged)
        except discord.HTTPException as error:
            # Of an archived thread it is not known whether files may be sent there.
            may_be_of_files = error.code == MISSING_PERMISSIONS and panel.pictures()
            if not (is_content_refused(error) or may_be_of_files):
                raise
            refused = error
        panel.put_into_words()
        try:
            posted = await self._post(table, channel, panel, nonce, pinged)
        except discord.HTTPException as error:
            if not is_content_refused(error):
                raise
            log.error(
                "table %s: a message was refused even without pictures, and is left out: %s", table.id, error
            )
            return 0  # no error, so later messages are sent
        # Only now: where nothing may be posted, it would be logged at each try.
        log.warning("table %s: a message was refused and sent without pictures: %s", table.id, refused)
        return posted

    async def _post(self, table: Table, channel: int, panel: Panel, nonce: str, pinged: Sequence[int]) -> int:
        if known := self._unstored[table.id].get(nonce):
            with contextlib.suppress(discord.NotFound):  # somebody has deleted it
                await edit(self.message(table, channel, known), panel, self.rasterizer)
                return known
        began = self._now()
        message = await self._place(table, channel).send(
            view=panel,
            files=await panel.files(self.rasterizer),
            nonce=nonce,
            silent=not pinged,
            allowed_mentions=discord.AllowedMentions(users=[discord.Object(user) for user in pinged]),
        )
        if posted_at(message.id) - began > REMEMBERED:
            # The machine slept before a retry. The first try may have succeeded, and Discord has forgotten its nonce.
            self.doubt(table)
            await self._delete_copies(table, message, panel, began)
        is_earlier = began - posted_at(message.id) > AHEAD
        if is_earlier or not is_like(message, panel):
            # One that Discord knows by its nonce, such as one that was posted after a backup.
            try:
                await edit(self.message(table, channel, message.id), panel, self.rasterizer)
            except discord.NotFound:  # Discord knows deleted ones, too
                anew = f"{table.id}-anew-{message.id % 10**9}"
                return await self._post(table, channel, panel, anew, pinged)
        _compare_pictures(message, panel)
        return self.remember(table, nonce, message.id)

    def remember(self, table: Table, nonce: str, message: int) -> int:
        """Remember a posted message until it is stored, so that it is not posted again. Return it."""
        self._unstored[table.id][nonce] = message
        return message

    def note_stored(self, match: int) -> None:
        """Note that all messages posted for a table are stored."""
        self._unstored.pop(match, None)

    async def _delete_copies(self, table: Table, posted: discord.Message, panel: Panel, began: int) -> None:
        """Delete the messages that look like one that was to be posted since `began` (ms): of a result or a record,
        nothing else tells that it stands twice."""
        since, kept = discord.Object(snowflake_at(began - AHEAD)), {posted.id, *_known(table)}
        with contextlib.suppress(discord.Forbidden, discord.NotFound):
            place = self._place(table, posted.channel.id)
            async for each in place.history(limit=FAR_BACK, after=since):
                if each.author == self._client.user and each.id not in kept and is_like(each, panel):
                    await delete(place.get_partial_message(each.id))

    async def delete(self, table: Table, channel: int, message: int) -> None:
        """Delete a message of the bot, if it is still there and no other application has posted it."""
        if message:
            await delete(self.message(table, channel, message))

    def message(self, table: Table, channel: int, message: int) -> discord.PartialMessage:
        """Return a message to edit, without asking Discord for it."""
        return self._place(table, channel).get_partial_message(message)

    def _place(self, table: Table, channel: int) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(channel, guild_id=table.match.guild)

    # After a kill or an error

    async def look_back(self, table: Table) -> set[int] | None:
        """Read the bot's messages in the table's channels that are not in the store. Skip channels it may not read.
        Return which of those in the store look like a live table; None if it may not read a channel and has not heard
        of that yet."""
        known, found, live, is_read = _known(table), list[discord.Message](), set[int](), True
        for channel in {table.match.place or table.match.channel, table.match.channel}:
            with contextlib.suppress(discord.Forbidden, discord.NotFound):
                history = [each async for each in self._place(table, channel).history(limit=FAR_BACK)]
                # Discord answers so, too, where the bot may not read.
                is_read &= bool(history) or not _stands_in(table, channel)
                own = [each for each in history if each.author == self._client.user]
                found += [each for each in own if each.id not in known]
                live |= {each.id for each in own if each.id in known and _is_live(table, each)}
        self._found[table.id] = found
        return live if is_read else None

    def take_page(self, table: Table, number: int, after: int) -> int | None:
        """Take from the messages found the newest one that was the live table of page `number`; None if none is newer
        than the message `after`."""
        for message in self._found.get(table.id, ()):
            if message.id > after and any(page_of(each, table.id) == number for each in ids_on(message)):
                self._found[table.id].remove(message)
                return message.id
        return None

    def take_card(self, table: Table, after: int) -> int | None:
        """Take from the messages found the newest one that is a card; None if none is newer than the message
        `after`."""
        for message in self._found.get(table.id, ()):
            if message.id > after and is_card(message, table.id):
                self._found[table.id].remove(message)
                return message.id
        return None

    def has_found(self, table: Table, channel: int, panel: Panel, after: int) -> bool:
        """Return whether `send` would post nothing."""
        return self._look_up(table, channel, panel, after) is not None

    def _take(self, table: Table, channel: int, panel: Panel, after: int) -> discord.Message | None:
        if (message := self._look_up(table, channel, panel, after)) is not None:
            self._found[table.id].remove(message)
        return message

    def _look_up(self, table: Table, channel: int, panel: Panel, after: int) -> discord.Message | None:
        if not (found := self._found.get(table.id)):
            return None
        # An outage since then has moved deadlines.
        said = {*map(timeless, (panel.texts(), panel.in_words().texts()))} - {""}
        for message in found:
            if (
                message.channel.id == channel
                and message.id > after
                and timeless(_text(message)) in said
                # Two matches in one channel may end in equal words.
                and not _is_of_another(table, message)
            ):
                return message
        return None

    async def tidy(self, table: Table) -> None:
        """Delete the other cards, live tables and calls found."""
        # By its nonce Discord may have returned one that was found.
        known = {table.match.card, *(post.message for post in table.posts.values())}
        for message in self._found.get(table.id, ()):
            # They were replaced before they could be stored.
            is_extra = is_card(message, table.id) or _is_live(table, message) or _is_call(table, message)
            if is_extra and message.id not in known:
                await self.delete(table, message.channel.id, message.id)

    def forget(self, match: int) -> None:
        """Forget the other messages found for a table."""
        self._found.pop(match, None)


async def delete(message: discord.PartialMessage) -> None:
    """Delete a message of the bot, if it is still there and no other application has posted it."""
    try:
        await message.delete()
    except discord.NotFound:
        pass
    except discord.Forbidden as error:
        if error.code != MISSING_PERMISSIONS:  # needed for messages of others alone
            raise


def _compare_pictures(message: discord.Message, panel: Panel) -> None:
    """Note in `panel` that a message lacks its pictures."""
    if panel.pictures() and not attachments_of(message):
        # It was posted in words before a kill.
        panel.lacks_pictures = True


def _known(table: Table) -> set[int | None]:
    """Return the messages of a table that are in the store."""
    # A live table that was posted again may have shown the next page before it could be deleted.
    posted = table.posts.values()
    return {table.match.card, *(post.message for post in posted), *(post.old for post in posted)}


def _is_of_another(table: Table, message: discord.Message) -> bool:
    """Return whether a message has buttons of another table."""
    return any(each.match not in (0, table.id) for each in ids_on(message))


def _stands_in(table: Table, channel: int) -> bool:
    """Return whether a message of a table is known in a channel."""
    has_card = table.match.channel == channel and bool(table.match.card)
    return has_card or any(post.message and post.channel == channel for post in table.posts.values())


def _is_live(table: Table, message: discord.Message) -> bool:
    return any(page_of(each, table.id) is not None for each in ids_on(message))


def _is_call(table: Table, message: discord.Message) -> bool:
    verbs = {each.verb for each in ids_on(message) if each.match == table.id}
    # Results have buttons of calls, too. They stay, but in the table's own thread, where a restore has undone them.
    has_thread = message.channel.id == table.match.place != table.match.channel
    return not verbs.isdisjoint(OF_CALLS) and (has_thread or "rules" not in verbs)


def _text(message: discord.Message) -> str:
    return "\n".join(part.content for part in message.components if isinstance(part, discord.TextDisplay))
