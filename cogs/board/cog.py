"""Keeping boards: a loop that makes the messages in Discord what settings and tables say.

Where a board is to stand and which boards stand are stored apart. So posting one, finding it after a kill, and taking
it away are the same code.
"""

import asyncio
import contextlib
import logging
from collections.abc import Sequence
from math import ceil
from typing import Final

import discord
from discord.ext import commands

from bot.client import Palmhouse
from bot.error_codes import REFUSED, UNKNOWN_CHANNEL
from bot.gateway.acting import act_for
from bot.match.announcements import names
from bot.match.table import Table
from bot.messages.expected import EXPECTED, Failures
from bot.messages.live_message import NO_MENTIONS, is_lost
from bot.messages.outbox import delete
from bot.messages.panel import Panel
from bot.store import BoardPost
from bot.upkeep.chores import Chore
from cogs.board.page import board
from cogs.common.door import BOARD
from cogs.common.once import Standing, delete_copies, look_back, may_read, may_stand_twice

log = logging.getLogger(__name__)

PAUSE: Final = 1.0
"""Seconds between two looks at which boards have changed."""
BETWEEN: Final = 10.0
"""Seconds between two edits of a board."""
AGAIN: Final = 60.0
"""Seconds after which a failed edit is tried again, and in which all boards are built again: days and seasons end."""


class Boards(Standing):
    """The boards of the servers of this process."""

    def __init__(self, bot: Palmhouse, pause: float = PAUSE, between: float = BETWEEN) -> None:
        super().__init__(bot)
        self._pause, self._between = pause, between
        self._known: set[int] = set()
        """Servers with a board."""
        self._changed: set[int] = set()
        """Servers whose board may look different now."""
        self._looks: dict[int, object] = {}
        """By open table: what of it is on a board."""
        self._rests: dict[int, float] = {}
        """By server: the time of the event loop before which its board is left alone."""
        self._built_again = 0.0
        """Time of the event loop at which all boards begin to be built again."""
        self._round: list[int] = []
        """Servers whose boards are still to be built again."""
        self._unpinned = set[int]()
        """Messages that this run of the bot has posted and could not pin yet."""
        self._gone = dict[int, int]()
        """By channel: the message of the last board that was taken away there."""
        self._failing = Failures(log)
        """By server."""
        self._work: dict[int, asyncio.Task[None]] = {}
        """By server: the task that changes its board."""
        bot.tables.on_change.append(self._note)
        bot.chores.append(Chore("boards", self._look, pause, "boards could not be read"))

    async def cog_unload(self) -> None:
        """Stop. What is not shown is shown after the next start."""
        for task in self._work.values():
            task.cancel()
        await asyncio.gather(*self._work.values(), return_exceptions=True)

    @commands.Cog.listener()
    async def on_board_set(self, guild: int) -> None:
        """Make a server's board what its settings say now."""
        self._known.add(guild)
        self._changed.add(guild)
        self._rests.pop(guild, None)

    @commands.Cog.listener()
    async def on_seeks(self, guild: int) -> None:
        """Show who looks for a game now."""
        self._changed.add(guild)

    @commands.Cog.listener()
    async def on_night_set(self, guild: int) -> None:
        """Show a game night as it is now."""
        self._changed.add(guild)

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Find out whether a board is gone with its channel."""
        await self.lose_all(channel.guild)

    def _wake(self, guild: int) -> None:
        self._changed.add(guild)

    def _note(self, table: Table) -> None:
        """Note a server whose board may look different now. A move changes nothing on it."""
        state, guild = table.state, table.match.guild
        if guild not in self._known:
            return
        looks = state.phase, names(state), [*state.reserved], state.options, state.pace, state.practice
        if self._looks.get(table.id) != looks:
            self._looks[table.id] = looks
            self._changed.add(guild)

    async def _look(self) -> None:
        """Begin to change the boards that may look different now."""
        now = asyncio.get_running_loop().time()
        if now >= self._built_again:
            before = {*self._known}
            self._round = await self.bot.store.boards()
            self._known = {*self._round} | (self._known - before)  # and those that were set meanwhile
            self._built_again = now + AGAIN
        # A share at a time: the boards of a thousand servers, built at once, would hold up clicks.
        share = ceil(len(self._known) * self._pause / AGAIN)
        self._changed |= {*self._round[:share]}
        del self._round[:share]
        # Another process may change those of servers that have left this one.
        self._shown = {each: shown for each, shown in self._shown.items() if self._owns(each[0])}
        self._looks = {match: looks for match, looks in self._looks.items() if self.bot.tables.runs(match)}
        self._failing.keep(self._known)
        self._changed &= {each for each in self._known if self._owns(each)}
        for guild in [each for each in self._changed if self._may_begin(each, now)]:
            self._changed.discard(guild)
            self._work[guild] = asyncio.create_task(self._keep(guild), name=f"board-{guild}")

    def _owns(self, guild: int) -> bool:
        return self.bot.tables.owns(guild)

    def _may_begin(self, guild: int, now: float) -> bool:
        rests = now < self._rests.get(guild, 0.0) or guild in self._work
        return not rests and not self.bot.tables.clock.has_outage(guild)

    async def _keep(self, guild: int) -> None:
        """Make the messages of a server's board what they should be. Log errors, and try again later."""
        act_for(guild)
        now = asyncio.get_running_loop().time()
        try:
            await self._make_right(guild)
            self._failing.forget(guild)
        except Exception as error:  # another server's board must not wait for this one
            self._failing.note(guild, f"the board of server {guild}", error)
            self._rests[guild] = now + AGAIN
            self._changed.add(guild)
        finally:
            del self._work[guild]

    async def _make_right(self, guild: int) -> None:
        wanted = (await self.bot.store.guild_settings(guild)).board
        try:
            await self._make_it_stand(guild, wanted)
        except discord.NotFound as error:
            if error.code != UNKNOWN_CHANNEL or wanted is None:
                raise
            await self.bot.store.end_board(guild, wanted)

    async def _make_it_stand(self, guild: int, wanted: int | None) -> None:
        posts = await self.bot.store.board_posts(guild)
        server = self.bot.server(guild)
        # Where the bot does not see, Discord would refuse each request. Once it is seen again, a board is looked at.
        if wanted is not None and not self._sees(guild, wanted):
            self._shown = {each: shown for each, shown in self._shown.items() if each[0] != guild}
        elif wanted is not None and server is not None:
            panel = await board(self.bot, server, wanted)
            standing = next((post for post in posts if post.channel == wanted), None)
            if standing is None or (
                self._is_findable(standing) and not await self._is_shown(standing, panel)
            ):
                await self._post(server, wanted, panel)
            elif standing.message in self._unpinned:
                await self._pin(server, standing)
        for post in posts:
            if post.channel != wanted and self._sees(guild, post.channel) and self._is_findable(post):
                await self._take_away(post)

    def _is_findable(self, post: BoardPost) -> bool:
        """Return whether it can be known whether a board stands. One without a receipt waits until the bot may read."""
        return bool(post.message) or may_read(self.bot, self._place(post))

    async def _take_away(self, post: BoardPost) -> None:
        """Delete a board."""
        self._shown.pop((post.guild, post.message), None)
        self._unpinned.discard(post.message)
        place = self._place(post)
        with contextlib.suppress(discord.NotFound):  # its channel is deleted already
            if post.message:
                self._gone[post.channel] = post.message
                await delete(place.get_partial_message(post.message))
            else:
                await self._delete(await look_back(self.bot, place, BOARD))
        await self.bot.store.delete_board_post(post)

    async def _is_shown(self, post: BoardPost, panel: Panel) -> bool:
        """Let a board show a panel. Return False when it is gone, or takes no more edits, or may not be posted yet."""
        if not post.message:
            return False
        shown, message = panel.payload(), self._place(post).get_partial_message(post.message)
        if self._shows(post.guild, message, shown):
            return True
        self._rests[post.guild] = asyncio.get_running_loop().time() + self._between
        try:
            with self._showing(post.guild, post.message, shown) as may_have_copies:
                await message.edit(view=panel, allowed_mentions=NO_MENTIONS)
                if may_have_copies:
                    await delete_copies(self.bot, message, BOARD)
        except discord.HTTPException as error:
            if error.code == UNKNOWN_CHANNEL or not is_lost(error):
                raise
            await self._take_away(post)
            # Where another bot deletes it at once, it shall not be posted again and again.
            self._rests[post.guild] = asyncio.get_running_loop().time() + AGAIN
            return False
        return True

    async def _post(self, server: discord.Guild, channel: int, panel: Panel) -> None:
        """Post a board unless there is one whose receipt was lost, and pin it where that is allowed."""
        post = BoardPost(server.id, channel, 0)
        await self.bot.store.add_board_post(post)  # before it may stand, so that it is taken away in any case
        place = self._place(post)
        standing = await look_back(self.bot, place, BOARD) if may_read(self.bot, place) else []
        if not standing:
            began = self.bot.time.now()
            # That of a try before a kill, too: it may still be on its way. Discord would return one that was deleted.
            nonce = f"board-{channel % 10**9}-{self._gone.get(channel, 0) % 10**9}"
            try:
                posted = await place.send(view=panel, nonce=nonce, silent=True, allowed_mentions=NO_MENTIONS)
            except discord.HTTPException as error:
                if error.status in REFUSED and not may_read(self.bot, place):
                    await self.bot.store.delete_board_post(post)  # else the next try waits, for nothing
                raise
            if may_stand_twice(posted, began) and may_read(self.bot, place):
                standing = await look_back(self.bot, place, BOARD)
            standing = standing or [posted]
        newest, *copies = standing
        await self._delete(copies)
        post = post._replace(message=newest.id)
        self._changed.add(server.id)  # it may show what was before, or be deleted already
        self._unpinned.add(newest.id)
        await self._pin(server, post)  # before it is stored: after a kill in between this is done again
        await self.bot.store.add_board_post(post)

    async def _pin(self, server: discord.Guild, post: BoardPost) -> None:
        """Pin a board once that is allowed."""
        channel = server.get_channel(post.channel)
        if channel is not None and channel.permissions_for(server.me).pin_messages:
            self._unpinned.discard(post.message)  # Discord is asked once
            with contextlib.suppress(*EXPECTED):
                await self._place(post).get_partial_message(post.message).pin()

    async def _delete(self, boards: Sequence[discord.Message]) -> None:
        """Delete boards. One that is gone already does not matter."""
        for each in boards:
            with contextlib.suppress(discord.NotFound):
                await each.delete()

    def _place(self, post: BoardPost) -> discord.PartialMessageable:
        return self.bot.get_partial_messageable(post.channel, guild_id=post.guild)
