"""The course of game nights, and their messages: a chore lets the nights go on.

`bot.match.nights` has the steps of a night. What stands in Discord follows from what is stored (`cogs.night.page`):
after each step the messages are made what they should be. One that a kill left unstored is found by its buttons.
"""

import asyncio
import contextlib
import logging
from functools import partial
from math import ceil
from typing import Final

import discord
from discord.ext import commands

from bot.client import Palmhouse
from bot.error_codes import UNKNOWN_CHANNEL
from bot.gateway.acting import act_for
from bot.messages.expected import Failures
from bot.messages.live_message import NO_MENTIONS, is_lost
from bot.messages.outbox import delete
from bot.messages.panel import Panel
from bot.messages.venue import find_channel
from bot.store import Night, StoreFailed
from bot.upkeep.chores import Chore
from cogs.common.once import Standing, Unstored, delete_copies, delete_copy, look_back, post_or_leave_out
from cogs.night.around import EVENT, delete_copies_of_event, keep_event, reward, take_back
from cogs.night.page import LAST, Evening, own_ids

log = logging.getLogger(__name__)

PAUSE: Final = 2.0
"""Seconds between two looks at the nights."""
RESULTS_FIRST: Final = 15_000
"""Ms after the end of a match within which its last message goes before those of the night."""
AGAIN: Final = 60.0
"""Seconds after which messages that could not be posted are tried again, and planned nights are looked at again."""
GIVE_UP: Final = 6 * 3_600.0
"""Seconds of tries after which the messages of a night that is over are left as they are where they are not allowed."""


class NightCourse(Standing):
    """The nights of the servers of this process."""

    def __init__(self, bot: Palmhouse, pause: float = PAUSE) -> None:
        super().__init__(bot)
        self._pause = pause
        self._woken = set[int]()
        """Servers whose planned nights are to be shown again."""
        self._round: list[int] = []
        """Servers with planned nights that are still to be woken in this turn: somebody may have erased themselves."""
        self._share = 0
        """Number of them that are woken at once."""
        self._looked_again = 0.0
        """Time of the event loop at which all are woken again, one after the other."""
        self._work: dict[int, asyncio.Task[None]] = {}
        """By night: the task that lets it go on."""
        self._rests: dict[int, float] = {}
        """By night: the time of the event loop before which no message is tried again."""
        self._hidden: dict[int, float] = {}
        """By night that is over and lacks only messages that are not allowed: the time of the event loop since when."""
        self._failing = Failures(log)
        """By night."""
        self._began: dict[tuple[int, int], int] = {}
        """By night and number of a message that is not stored yet: the time in ms of the first try."""
        self._sent = Unstored[tuple[int, int]]()
        """By night and number."""
        self._gone: dict[tuple[int, int], int] = {}
        """By night and number of a message that was deleted or takes no edits: that message."""
        bot.chores.append(Chore("nights", self._look, pause, "game nights could not be read"))
        bot.chores.append(
            Chore("roles", partial(take_back, bot), AGAIN, "roles of winners could not be read")
        )

    async def cog_unload(self) -> None:
        """Stop. What is not done is done after the next start."""
        for task in self._work.values():
            task.cancel()
        await asyncio.gather(*self._work.values(), return_exceptions=True)

    @commands.Cog.listener()
    async def on_night_set(self, guild: int) -> None:
        """Show what has changed."""
        self._wake(guild)

    def _wake(self, guild: int) -> None:
        self._woken.add(guild)

    async def _look(self) -> None:
        """Begin to let the nights of this process go on."""
        if self.bot.time.jump:
            return  # this machine's clock is wrong, and is corrected in a moment
        time = asyncio.get_running_loop().time()
        if time >= self._looked_again:
            await self._look_again()
            self._looked_again = time + AGAIN
        self._woken |= {*self._round[: self._share]}
        del self._round[: self._share]
        # What is woken meanwhile may have changed since it was read.
        woken, self._woken = self._woken, set()
        try:
            found = await self.bot.store.due_nights(self.bot.time.now(), woken)
        except StoreFailed:
            self._woken |= woken
            raise
        # A task of its own, so that no server waits for one whose requests are slow.
        for night in found:
            if night.id in self._work:
                self._woken.add(night.guild)  # it may have begun before the change
            elif self._may_go_on(night):
                self._work[night.id] = asyncio.create_task(self._keep(night), name=f"night-{night.id}")

    async def _look_again(self) -> None:
        """Note the servers with nights of this process, and forget what is over."""
        found = [each for each in await self.bot.store.nights_to_do() if self.bot.tables.owns(each.guild)]
        nights, guilds = {each.id for each in found}, dict.fromkeys(each.guild for each in found)
        self._round, self._share = [*guilds], ceil(len(guilds) * self._pause / AGAIN)
        self._rests = {night: until for night, until in self._rests.items() if night in nights}
        self._hidden = {night: since for night, since in self._hidden.items() if night in nights}
        self._failing.keep(nights)
        for known in (self._began, self._gone, self._sent):
            for key in [each for each in known if each[0] not in nights]:
                del known[key]
        self._shown = {each: shown for each, shown in self._shown.items() if each[0] in guilds}

    def _may_go_on(self, night: Night) -> bool:
        tables, is_here = self.bot.tables, self.bot.server(night.guild) is not None
        return is_here and tables.owns(night.guild) and not tables.clock.has_outage(night.guild)

    async def _keep(self, night: Night) -> None:
        act_for(night.guild)
        try:
            if await self._has_lost_its_channel(night):
                await self.bot.nights.cancel(night)
            await self.bot.nights.step(night)  # also then: it closes the tables that have not begun
            now = await self.bot.store.night(night.id)
            if now is None:
                return
            if now != night:
                self.bot.dispatch("night_set", night.guild)
            await self._tell(now)
        except Exception as error:  # another night must not wait for this one
            self._failing.note(
                night.id, f"game night {night.id} could not go on, which is tried again", error
            )
        finally:
            del self._work[night.id]

    async def _has_lost_its_channel(self, night: Night) -> bool:
        """Return whether the channel of a night that goes on was deleted: no table can be opened there."""
        if night.phase in ("over", "off") or find_channel(self.bot, night.guild, night.channel) is not None:
            return False
        with contextlib.suppress(discord.Forbidden):  # it may be seen again
            try:
                await self.bot.fetch_channel(night.channel)
            except discord.NotFound:
                return True
        return False

    async def _tell(self, night: Night) -> None:
        """Make the messages of a night what they should be, and what is around it."""
        time, is_over = asyncio.get_running_loop().time(), night.phase in ("over", "off")
        if not (is_over or self._sees(night.guild, night.channel)):
            # Discord would refuse each request. Once it is seen again, each message is edited.
            await self._forget(night)
            self._note(night, None)
            return
        # First each table tells its own result, but one that cannot be shown holds nothing up.
        since = self.bot.time.now() - RESULTS_FIRST
        if time < self._rests.get(night.id, 0.0) or await self.bot.store.has_unpublished_results(
            night, since
        ):
            self._wake(night.guild)
            return
        self._rests[night.id] = time + AGAIN
        evening = await Evening.of(self.bot.store, night)
        posts = await self.bot.store.night_posts(night.id)
        refused = None
        try:
            wanted = [*evening.messages()]
            # Of a round that is not played; first, as posting may not be allowed.
            for each in [*{*posts}.difference(wanted, [EVENT])]:
                await self._take_away(night, each, posts[each])
            for each in wanted:
                await self._show(evening, each, posts.get(each))
        except discord.HTTPException as error:
            is_gone = isinstance(error, discord.NotFound) and error.code == UNKNOWN_CHANNEL
            if not (is_over and (is_gone or isinstance(error, discord.Forbidden))):
                raise
            # The announcement has its buttons, and the bot may see the channel again.
            refused = error if not is_gone and self._hopes(night) else None
            if refused is None:
                await self._forget(night)  # nothing of it is looked at once more
        await self._keep_one_event(night, posts.get(EVENT, 0))
        self._note(night, refused)
        is_event_right = night.id in self._hidden or await keep_event(self.bot, night, posts)
        if not is_over:
            self._rests.pop(night.id, None)
        elif is_event_right:
            await self._finish(evening, refused)

    async def _finish(self, evening: Evening, refused: Exception | None) -> None:
        """Reward the winners of a night that is over, and keep that it is told, unless messages of it were refused and
        may be allowed again, or are to be looked at once more."""
        night = evening.night
        found = (await self.bot.store.night_posts(night.id)).values()
        if refused is None and (again := self._next_look(night.guild, found)):
            self._rests[night.id] = again
        elif night.id in self._hidden or await reward(self.bot, evening):
            if refused is not None:
                self._hidden.setdefault(night.id, asyncio.get_running_loop().time())
            else:
                await self.bot.store.night_is_told(night.id)
                await self._forget(night)
                self._rests.pop(night.id, None)

    async def _keep_one_event(self, night: Night, event: int) -> None:
        """Look once for copies of the event of a planned night, as for those of its messages."""
        if night.phase != "planned":
            self._shown.pop((night.guild, event), None)
        elif event:
            with self._showing(night.guild, event, []) as may_have_copies:
                if may_have_copies:
                    await delete_copies_of_event(self.bot, night, event)

    def _note(self, night: Night, refused: Exception | None) -> None:
        """Log why the last messages of a night wait. Without a reason, let its next failure be logged anew."""
        if refused is None:
            self._failing.forget(night.id)
        else:
            self._failing.note(night.id, f"the last messages of game night {night.id} wait", refused)

    def _hopes(self, night: Night) -> bool:
        """Return whether the messages of a night that is over may be allowed again."""
        time = asyncio.get_running_loop().time()
        return time < self._hidden.get(night.id, time) + GIVE_UP

    async def _forget(self, night: Night) -> None:
        """Forget what the messages of a night show."""
        for message in (await self.bot.store.night_posts(night.id)).values():
            self._shown.pop((night.guild, message), None)

    async def _take_away(self, night: Night, each: int, message: int) -> None:
        place = self.bot.get_partial_messageable(night.channel, guild_id=night.guild)
        await delete(place.get_partial_message(message))
        await self.bot.store.delete_night_post(night.id, each)

    async def _show(self, evening: Evening, each: int, message: int | None) -> None:
        """Post or edit one message of a night."""
        night = evening.night
        panel = evening.panel(each, self.bot.tables.clock.times).with_mentions(self.bot.command_ids)
        if message is None:
            post = partial(self._posted, evening, each, panel)
            message = await self._sent.keep(
                (night.id, each), post, partial(self.bot.store.add_night_post, night.id, each)
            )
            self._began.pop((night.id, each), None)  # it may have been found, after a lost receipt
        if not message or each == LAST:
            return
        place = self.bot.get_partial_messageable(night.channel, guild_id=night.guild)
        posted = place.get_partial_message(message)
        if self._shows(night.guild, posted, panel.payload()):
            return
        try:
            with self._showing(night.guild, message, panel.payload()) as may_have_copies:
                await posted.edit(view=panel, allowed_mentions=NO_MENTIONS)
                if may_have_copies:
                    await delete_copies(self.bot, posted, *own_ids(night, each))
        except discord.HTTPException as error:
            if error.code == UNKNOWN_CHANNEL or not is_lost(error):
                raise
            # Where it stands, it would be found again, and refuse the next edit.
            await self._take_away(night, each, message)
            self._gone[night.id, each] = message
            if isinstance(error, discord.NotFound):
                self._wake(night.guild)
            else:  # at once, as the night may be over
                await self._show(evening, each, None)

    async def _posted(self, evening: Evening, each: int, panel: Panel) -> int:
        """Return the message with this number. Post it if it is not there; return 0 if the night is over and Discord
        refuses that for good."""
        night = evening.night
        called = evening.away if each > night.round else []
        place = self.bot.get_partial_messageable(night.channel, guild_id=night.guild)
        with contextlib.suppress(discord.Forbidden, PermissionError):
            for message in await look_back(self.bot, place, *own_ids(night, each)):
                return message.id
        send = partial(self._send, place, night, each, panel, called)
        if night.phase not in ("over", "off"):
            return await send()
        what = f"a message of game night {night.id}"
        return await post_or_leave_out(panel, send, what, hopes=self._hopes(night))

    async def _send(
        self, place: discord.PartialMessageable, night: Night, each: int, panel: Panel, called: list[int]
    ) -> int:
        pinged = await self.bot.store.who_want_pings(called, urgent=True)
        files = await panel.files(self.bot.rasterizer)
        began = self._began.setdefault((night.id, each), self.bot.time.now())
        gone = self._gone.get((night.id, each), 0)
        sent = await place.send(
            view=panel,
            files=files,
            # Of the first try, which may still be on its way, also after a kill; in place of one that was deleted,
            # another one.
            nonce=f"night-{night.id}-{each}-{gone % 10**7}",
            silent=not pinged,
            allowed_mentions=discord.AllowedMentions(users=[discord.Object(user) for user in pinged]),
        )
        await delete_copy(self.bot, sent, began, *own_ids(night, each))
        return sent.id
