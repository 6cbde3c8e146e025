"""Posting bulletins: a chore that posts each one once, where the board of its server stands.

The row of a bulletin has its number (a day or week) before it is posted, and its message after that. So after a kill in
between the bot knows what it may have posted and where, and looks there.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Final, NamedTuple

import discord
from discord.ext import commands

from bot.client import Palmhouse
from bot.error_codes import REFUSED, UNKNOWN_CHANNEL
from bot.gateway.acting import act_for
from bot.messages.custom_ids import CustomId
from bot.messages.expected import Failures
from bot.messages.live_message import NO_MENTIONS
from bot.messages.panel import Panel
from bot.store import Bulletin, BulletinKind
from bot.upkeep.chores import Chore
from cogs.bulletins.daily import daily_post, day_id
from cogs.bulletins.quiz import Quizzes
from cogs.bulletins.week import week_due, week_id, week_post
from cogs.common.once import delete_copy, look_back, may_read
from cogs.settings.panel import may_post

log = logging.getLogger(__name__)

PAUSE: Final = 1.0
"""Seconds between two looks at whether settings have changed."""
LOOK: Final = 60.0
"""Seconds between two looks at what is due."""
BETWEEN: Final = 1.0
"""Seconds between two bulletins: those of a thousand servers, made at once, would hold up clicks."""
AGAIN: Final = 60.0
"""Seconds after which a bulletin that failed is tried again."""
WHEN_REFUSED: Final = 600.0
"""Seconds after which one that Discord has refused, as for lack of a permission, is tried again."""


class Making(NamedTuple):
    """The way to make bulletins of a kind."""

    due: Callable[[Palmhouse], int]
    """Returns the day or week of which one is due now."""
    build: Callable[[Palmhouse, discord.Guild, discord.abc.GuildChannel, int], Awaitable[Panel | None]]
    """Builds that of a day or week for a channel; None when there is nothing to tell."""
    own_id: Callable[[int], CustomId]
    """Returns the custom id by which it is found again."""


MAKING: Final[Mapping[BulletinKind, Making]] = {
    "daily": Making(lambda bot: bot.dailies.today(), daily_post, day_id),
    "weekly": Making(week_due, week_post, week_id),
}


class Bulletins(commands.Cog):
    """The bulletins of the servers of this process."""

    def __init__(self, bot: Palmhouse, between: float = BETWEEN) -> None:
        self.bot = bot
        self._between = between
        self._next = 0.0
        """Time of the event loop of the next look at what is due."""
        self._rests: dict[tuple[int, BulletinKind], float] = {}
        """By server and kind: the time of the event loop before which it is not tried there."""
        self._failing = {kind: Failures(log) for kind in MAKING}
        """By kind: by server."""
        bot.router.add("quiz", Quizzes(bot).click)
        bot.chores.append(Chore("bulletins", self._look, PAUSE, "bulletins could not be read"))

    @commands.Cog.listener()
    async def on_board_set(self, guild: int) -> None:
        """Post at once what is due on a server whose settings have changed."""
        for kind in MAKING:
            self._rests.pop((guild, kind), None)
        self._next = 0.0

    async def _look(self) -> None:
        """Post what is due, a server after the other: nobody waits for it."""
        now = asyncio.get_running_loop().time()
        if now < self._next or self.bot.time.jump:
            return
        self._next = now + LOOK
        try:
            for kind, making in MAKING.items():
                number = making.due(self.bot)
                found = await self.bot.store.due_bulletins(kind, number)
                self._failing[kind].keep({each.guild for each in found})
                for due in found:
                    if self._may_begin(due.guild) and await self._try(due.guild, kind, number):
                        await asyncio.sleep(self._between)
        except Exception:
            self._next = 0.0  # else the turns in between would count as done, and each failure be logged
            raise

    def _may_begin(self, guild: int) -> bool:
        return self.bot.tables.owns(guild) and not self.bot.tables.clock.has_outage(guild)

    async def _try(self, guild: int, kind: BulletinKind, number: int) -> bool:
        """Post a bulletin. Return False if none is to be posted there now. Log errors, and try again later."""
        act_for(guild)
        try:
            is_done = await self._post(guild, kind, number)
        except Exception as error:  # another server must not wait for this one
            self._failing[kind].note(guild, f"the {kind} bulletin of server {guild}", error)
            is_refused = isinstance(error, discord.HTTPException) and error.status in REFUSED
            if (guild, kind) in self._rests:  # else its settings have changed meanwhile
                pause = WHEN_REFUSED if is_refused else AGAIN
                self._rests[guild, kind] = asyncio.get_running_loop().time() + pause
            return True
        if is_done:
            self._failing[kind].forget(guild)
        return is_done

    async def _post(self, guild: int, kind: BulletinKind, number: int) -> bool:
        """Post a bulletin that is wanted and not there, once that is allowed. Return False if there was none."""
        server, wanted = self.bot.server(guild), await self._wanted(guild, kind)
        if wanted is None:
            return False  # it was switched off meanwhile
        last, board = wanted
        channel = server.get_channel(board) if server is not None else None
        if server is None or channel is None or not may_post(server, channel):
            self._rests.pop((guild, kind), None)
            return False
        now = asyncio.get_running_loop().time()
        # Noted also without a rest: new settings remove it, so that a refusal before them sets none.
        if now < self._rests.setdefault((guild, kind), now):
            return False
        # After a kill. Where the bot cannot know, it is taken as posted, as it shall not be there twice.
        former = await self._found(last) if last.message is None else last.message
        if last.number < number or former is None:
            panel = await MAKING[kind].build(self.bot, server, channel, number)
            files = [] if panel is None else await panel.files(self.bot.rasterizer)
            if await self._wanted(guild, kind) != wanted:
                return False  # it was switched off, or its board moved, while it was made
            if kind == "daily" and former:
                await self._delete(last.channel, former)
            last = last._replace(number=number, channel=board, message=None)
            former = 0 if panel is None else await self._send(last, panel, files)
        await self.bot.store.keep_bulletin(last._replace(message=former))
        return True

    async def _wanted(self, guild: int, kind: BulletinKind) -> tuple[Bulletin, int] | None:
        """Return the last bulletin of a server that wants the next one, and the channel of its board; else None."""
        board = (await self.bot.store.guild_settings(guild)).board
        last = next((each for each in await self.bot.store.bulletins(guild) if each.kind == kind), None)
        return (last, board) if last is not None and last.wanted and board is not None else None

    async def _send(self, new: Bulletin, panel: Panel, files: list[discord.File]) -> int:
        """Post a bulletin and return its message, or one that stands there already, as after a restore."""
        if standing := await self._found(new):
            return standing
        await self.bot.store.keep_bulletin(new)  # from here on it may have been posted
        place, began = self.bot.get_partial_messageable(new.channel, guild_id=new.guild), self.bot.time.now()
        try:
            posted = await place.send(
                view=panel.with_mentions(self.bot.command_ids),
                files=files,
                nonce=f"{new.kind}-{new.number}-{new.guild % 10**8}",  # Discord may compare those of all servers
                silent=True,
                allowed_mentions=NO_MENTIONS,
            )
        except discord.HTTPException as error:
            if error.status in REFUSED and not may_read(self.bot, place):  # else it would not be tried again
                await self.bot.store.keep_bulletin(new._replace(number=new.number - 1, message=0))
            raise
        await delete_copy(self.bot, posted, began, MAKING[new.kind].own_id(new.number))
        return posted.id

    async def _found(self, begun: Bulletin) -> int | None:
        """Return the message of a bulletin that may stand in Discord; None if it does not, 0 if that is unknown."""
        own_id = MAKING[begun.kind].own_id(begun.number)
        place = self.bot.get_partial_messageable(begun.channel, guild_id=begun.guild)
        try:
            return next((each.id for each in await look_back(self.bot, place, own_id)), None)
        except (discord.Forbidden, PermissionError):
            return 0
        except discord.NotFound as error:
            if error.code != UNKNOWN_CHANNEL:
                raise
        return None

    async def _delete(self, channel: int, message: int) -> None:
        """Delete the bulletin of the day before. It may be gone, or where the bot sees nothing any more."""
        place = self.bot.get_partial_messageable(channel)
        with contextlib.suppress(discord.NotFound, discord.Forbidden):
            await place.get_partial_message(message).delete()
