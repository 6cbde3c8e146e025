"""Messages of the bot that shall stand once in a channel, each known by the custom id of a button."""

import asyncio
import contextlib
import logging
import math
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import Any, Final, NamedTuple, TypeVar

import discord
from discord.ext import commands

from bot.client import Palmhouse
from bot.error_codes import REFUSED
from bot.gateway.discord_time import posted_at
from bot.messages.custom_ids import CustomId, ids_on
from bot.messages.outbox import FAR_BACK, REMEMBERED
from bot.messages.panel import Panel
from bot.messages.publisher import ON_ITS_WAY
from bot.messages.venue import permissions

log = logging.getLogger(__name__)

K = TypeVar("K")

KEEPS_COPIES: Final = 86_400_000
"""Ms after the post of a message for which each start looks for copies of it: the run that posted it may have been
killed before it did. Without an end, each start would look in the channels of all boards."""


class Shown(NamedTuple):
    """The components of a message that this run of the bot has edited."""

    components: list[dict[str, Any]]
    until: float
    """Time of the event loop at which it is looked at once more, as Discord may get until then what was on its way to
    it before a kill; endless once that is done."""


class Standing(commands.Cog):
    """A cog with messages that stand: one that was deleted, or may have been, is looked at again."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot
        self._shown: dict[tuple[int, int], Shown] = {}
        """By server and message; nothing for one that this run of the bot has not edited."""

    def _wake(self, guild: int) -> None:
        """Look at the messages of a server again."""
        raise NotImplementedError

    @commands.Cog.listener("on_guild_available")
    @commands.Cog.listener("on_guild_join")
    @commands.Cog.listener("on_guild_remove")
    async def lose_all(self, guild: discord.Guild) -> None:
        """Edit messages again: they may have been deleted while the bot, or this session, was not there."""
        for known in [each for each in self._shown if each[0] == guild.id]:
            self._lose(*known)

    @commands.Cog.listener()
    async def on_raw_message_delete(self, deleted: discord.RawMessageDeleteEvent) -> None:
        """Post a message again that somebody has deleted."""
        self._lose(deleted.guild_id or 0, deleted.message_id)

    @commands.Cog.listener()
    async def on_raw_bulk_message_delete(self, deleted: discord.RawBulkMessageDeleteEvent) -> None:
        """Post messages again that were deleted with others."""
        for message in deleted.message_ids:
            self._lose(deleted.guild_id or 0, message)

    def _shows(self, guild: int, message: discord.PartialMessage, shown: list[dict[str, Any]]) -> bool:
        """Return whether a message is known to show this."""
        known, now = self._shown.get((guild, message.id)), asyncio.get_running_loop().time()
        is_known = known is not None and known.components == shown and now < known.until
        return is_known and self._sees(guild, message.channel.id)

    def _sees(self, guild: int, number: int) -> bool:
        """Return whether the bot sees a channel. Else it does not hear that a message there is deleted."""
        granted = permissions(self.bot, guild, number)
        return granted is None or granted.view_channel

    @contextlib.contextmanager
    def _showing(self, guild: int, message: int, shown: list[dict[str, Any]]) -> Iterator[bool]:
        """Keep what a message shows by an edit. If the edit fails, it may show that or what was before. Yields whether
        it is time to look for copies of it, and it may have some."""
        now = asyncio.get_running_loop().time()
        known = self._shown.get((guild, message))
        until = now + ON_ITS_WAY if known is None else known.until
        # Before the edit: somebody may delete the message while Discord answers.
        self._shown[guild, message] = Shown(shown, until if now < until else math.inf)
        try:
            yield until <= now and self.bot.time.now() - posted_at(message) < KEEPS_COPIES
        except BaseException:
            self._shown.pop((guild, message), None)
            raise

    def _next_look(self, guild: int, messages: Iterable[int]) -> float:
        """Return the time of the event loop at which the last of these messages is looked at once more; 0 if all that
        this run has edited were."""
        found = [known.until for each in messages if (known := self._shown.get((guild, each))) is not None]
        return max([until for until in found if until < math.inf], default=0.0)

    def _lose(self, guild: int, message: int) -> None:
        if self._shown.pop((guild, message), None) is not None:
            self._wake(guild)


class Unstored(dict[K, int]):
    """Messages that were posted and could not be stored, each by what it is: they are not posted again."""

    async def keep(
        self, what: K, post: Callable[[], Awaitable[int]], store: Callable[[int], Awaitable[object]]
    ) -> int:
        """Store the message that `post` returns, or has returned before. Return it."""
        self[what] = posted = self.get(what) or await post()
        await store(posted)
        self.pop(what, None)
        return posted


async def look_back(
    bot: Palmhouse, place: discord.PartialMessageable, *own_ids: CustomId
) -> list[discord.Message]:
    """Return the messages of the bot with one of these buttons among the last ones of a channel, the newest first.

    Raises PermissionError where it may not read them: Discord would answer that nothing stands there."""
    if not may_read(bot, place):
        raise PermissionError(f"the bot may not read what stands in channel {place.id}")
    history = place.history(limit=FAR_BACK)
    own = {*own_ids}
    return [each async for each in history if each.author == bot.user and not own.isdisjoint(ids_on(each))]


def may_read(bot: Palmhouse, place: discord.PartialMessageable) -> bool:
    """Return whether older messages may be read in a channel; True where that is not known."""
    granted = permissions(bot, place.guild_id or 0, place.id)
    return granted is None or granted.read_message_history


def may_stand_twice(posted: discord.Message, began: int) -> bool:
    """Return whether the machine slept before a message that was to be posted since `began` (ms) was. A first try may
    have succeeded, and Discord has forgotten its nonce."""
    return posted_at(posted.id) - began > REMEMBERED


async def delete_copy(bot: Palmhouse, posted: discord.Message, began: int, *own_ids: CustomId) -> None:
    """Delete the other messages with a button of one that was to be posted since `began` (ms), if it may stand twice
    and the bot may read it now."""
    if may_stand_twice(posted, began):
        await delete_copies(bot, posted, *own_ids)


async def delete_copies(
    bot: Palmhouse, posted: discord.Message | discord.PartialMessage, *own_ids: CustomId
) -> None:
    """Delete the other messages with a button of one, if the bot may read them now."""
    place = bot.get_partial_messageable(posted.channel.id, guild_id=posted.guild.id if posted.guild else 0)
    with contextlib.suppress(discord.Forbidden, discord.NotFound, PermissionError):
        for message in await look_back(bot, place, *own_ids):
            if message.id != posted.id:
                await message.delete()


async def post_or_leave_out(
    panel: Panel, send: Callable[[], Awaitable[int]], what: str, *, hopes: bool
) -> int:
    """Post `panel` by `send`, in words where Discord refuses its pictures. Return the message; 0 if Discord refuses the
    words, too. Raises discord.Forbidden for those while the caller `hopes` that they may be allowed again."""
    refused = None
    for is_in_words in (False, True):
        try:
            posted = await send()
        except discord.HTTPException as error:
            waits = is_in_words and hopes and isinstance(error, discord.Forbidden)
            if error.status not in REFUSED or waits:
                raise
            panel.put_into_words()  # pictures may not be allowed there
            refused = error
        else:
            if refused is not None:  # only now: else it would be logged at each try
                log.warning("%s was refused and sent without pictures: %s", what, refused)
            return posted
    log.warning("%s was refused, and is left out: %s", what, refused)
    return 0
