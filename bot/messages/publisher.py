"""Showing tables in Discord: one worker per table makes its messages agree with its log, and retries after a failure.

A match has a card in the channel where it was opened. In the place where it is played, each round or deal has a
message: the last one is the live table, the earlier ones are records. Below the live table is at most one call. When
the match ends, a last message is posted there, and the result in the channel.

The store has the ids of the messages, and their content is made from the log. So the same code shows a change and
recovers after a kill. `published` in the store is the number of the entry up to which everything is shown.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Mapping
from dataclasses import replace

import discord

from bot.error_codes import MISSING_ACCESS, TOO_MANY_THREADS, UNKNOWN_CHANNEL, UNREACHABLE
from bot.gateway.acting import act_for
from bot.match.entries import CloseReason
from bot.match.pages import Page
from bot.match.refusal import Refusal
from bot.match.table import Table
from bot.match.tables import Outdated, Tables
from bot.messages.answers import may_stand
from bot.messages.archiving import ThreadArchiver
from bot.messages.command_mentions import CommandIds
from bot.messages.expected import EXPECTED, Failures
from bot.messages.game_ui import GameUI
from bot.messages.late_pictures import PictureRetries
from bot.messages.live_message import EditBudget
from bot.messages.live_messages import LiveMessages
from bot.messages.open_hands import OpenHands
from bot.messages.outbox import Outbox
from bot.messages.outdated import show_outdated
from bot.messages.records import Records
from bot.messages.recovery import Recovery
from bot.messages.requests import Requests
from bot.messages.venue import Venue, place_of
from bot.pictures.worker_client import WorkerClient

log = logging.getLogger(__name__)

RETRIES = (1.0, 5.0, 15.0, 60.0)
"""Seconds to wait after each failure in a row; the last value also after all further ones."""
# A permission is often back soon, and so is somebody who had closed their direct messages.
HOPE = 900_000
"""Ms after the end of a match for which its last messages are tried when they are not allowed, or cannot be edited."""
LAST_HOPE = 86_400_000
"""Ms after the end of a match until which they are tried seldom when they are not allowed: whoever has taken the
permission away may notice it the next morning, and the table would seem to be played for ever."""
SELDOM = 900.0
"""Seconds between these tries."""

ON_ITS_WAY = 60.0
"""Seconds after a start, or a request that has failed, within which Discord may still get what was on its way to it."""
BETWEEN_LOOKS = 0.1
"""Seconds between the second looks at two tables: people play meanwhile, and Discord allows 50 requests a second."""
NOT_POSTED = "Nothing was posted. Try `/table show` again in a moment, on the server of the table."
"""Refusal to post a table again; maybe another process runs it."""


class Publisher:
    """The workers of all tables, each alive only while there is something to show."""

    def __init__(
        self,
        client: discord.Client,
        tables: Tables,
        uis: Mapping[str, GameUI],
        command_ids: CommandIds,
        rasterizer: WorkerClient,
        edits: EditBudget | None = None,
    ) -> None:
        self._client = client
        self._tables = tables
        self._outbox = outbox = Outbox(client, rasterizer, tables.clock.now, self.look_again)
        self._requests = Requests()
        self.venue = Venue(client, tables)
        self.hands = OpenHands(tables, rasterizer)
        self._picture_retries = PictureRetries()
        self.live = LiveMessages(
            client,
            tables,
            uis,
            outbox,
            self.venue,
            self._requests,
            command_ids,
            self._start_worker,
            self._look_later,
            self.hands.is_looking,
            edits or EditBudget(),
            self._picture_retries,
        )
        self.archiver = ThreadArchiver(client, tables)
        self._records = Records(tables, uis, outbox, self.venue, self.live, self._picture_retries)
        self._recovery = Recovery(tables, self.venue, outbox, self.live)
        self._failing = Failures(log)
        """By table whose worker has failed and tries again."""
        self._closing = False
        self._resumed = 0
        """Time in ms from which the bot can post, after a stop or a loss of its connection."""
        self._left: list[int] = []
        """Tables that another run of the bot, or another process, has left with something to show."""
        self._looks: dict[int, float] = {}
        """By table that is looked at once more, as those in `_left` are: the time of the event loop from which Discord
        has got everything."""
        self._last_look = 0.0
        """Time of the event loop of the last of these looks."""
        self._workers: dict[int, asyncio.Task[None]] = {}
        self._pending: dict[int, Table | None] = {}
        """Tables with something to show, by number; None if the table must be loaded first."""
        self._timers: dict[int, asyncio.TimerHandle] = {}
        """By table: the timer that starts its worker again."""
        tables.on_change.append(self.wake)
        tables.closed_unread = self._forget_messages

    # Called from outside

    def wake(self, table: Table) -> None:
        """Show a table that has changed."""
        if table.match.placeless:  # answers to its person show it
            return
        self.live.touch(table)
        self._start_worker(table.id, table)

    async def load(self, concerns: Callable[[int], bool] = lambda _: True) -> None:
        """Read which tables are not completely shown, and which threads are to be archived, on servers for which
        `concerns` returns True. Call it before any player can act there."""

        def is_here(guild: int) -> bool:
            return self._tables.owns(guild) and concerns(guild)

        await self.archiver.load(is_here)
        self._left += [each.id for each in await self._tables.store.unpublished() if is_here(each.guild)]
        self._recovery.doubt(self._left)
        for match in self._workers.keys() & self._left:
            # The shard was left just now. A worker that has looked already would end, and forget the doubt.
            self._start_worker(match)

    async def let_go(self) -> None:
        """Show no more the tables that this process does not run any more."""
        self.hands.let_go()
        known = {*self._workers, *self._timers, *self.live.matches(), *self.venue.troubles}
        known |= {*self._picture_retries.matches(), *self._recovery.doubted()}
        gone = [match for match in known if not self._tables.runs(match)]
        working = [match for match in gone if match in self._workers or match in self._timers]
        tasks = [self._workers[match] for match in working if match in self._workers]
        for match in gone:
            self._drop(match)
            self._recovery.trust(match)
            tasks += self.live.let_go(match)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._recovery.doubt(working)  # Discord may have what was being sent
        for match in working:  # it may be over, and on a shard that this process keeps
            self._start_worker(match)

    def resume(self) -> None:
        """Show what the previous run of the bot did not show. Call it whenever the bot can post again."""
        self._resumed = self._tables.clock.now()
        for match in self._recovery.doubted():
            self._start_worker(match)
        for match in self._left:
            self._look_later(match)
        self._left = []

    def _look_later(self, match: int) -> None:
        """Look at a table once more when Discord has got everything: what comes after a look, or after a newer edit,
        would stay there, with buttons."""
        loop, is_awaited = asyncio.get_running_loop(), match in self._looks
        self._looks[match] = loop.time() + ON_ITS_WAY
        if not is_awaited:
            self._last_look = max(self._looks[match], self._last_look + BETWEEN_LOOKS)
            loop.call_at(self._last_look, self._look_once_more, match)

    def _look_once_more(self, match: int) -> None:
        loop = asyncio.get_running_loop()
        if self._looks.get(match, 0.0) > loop.time():  # another request has failed since then
            loop.call_at(self._looks[match], self._look_once_more, match)
            return
        if self._looks.pop(match, None) is None:
            return
        self._recovery.doubt([match])
        self.live.compare(match)
        self._start_worker(match)

    async def show_again(self, table: Table) -> None:
        """Post the live table again at the end of its place; before the match, the card.

        Raises discord.Forbidden where that is not allowed, Refusal for a table without a place.
        """
        if table.match.placeless:
            raise Refusal(
                "Only you see this table, so it is not posted. `/daily` or `/practice` shows it to you."
            )
        # The worker posts it: two tasks at the same time would leave two tables.
        self._start_worker(table.id)
        await self._requests.wait(table.id)

    async def leave_thread(self, thread: int) -> None:
        """Show the tables of a deleted thread in their channel. Else nobody would see them until somebody acts."""
        for match in self._tables.here(thread):
            with contextlib.suppress(*EXPECTED, Refusal):  # tried again, and logged by the worker
                await self.show_again(await self._tables.get(match))

    def not_shown(self) -> set[int]:
        """Return the tables that could not be shown as they are when it was last tried."""
        return {*self._failing.works, *self.live.stale()}

    def look_again(self, table: Table) -> None:
        """Look for messages of a table that are not in the store, such as a card whose receipt was lost, and post what
        is missing."""
        self._recovery.doubt([table.id])
        self._start_worker(table.id, table)

    async def wait(self) -> None:
        """Wait until everything is shown."""
        while self._workers:
            await asyncio.gather(*self._workers.values())
        await self.live.wait()
        await self.hands.wait()

    def backlog(self) -> int:
        """Return the number of messages being edited, and of tables with something else to show."""
        return len(self._workers) + sum(not edit.done() for edit in self.live.editing())

    async def close(self) -> None:
        """Stop. What is not shown yet is shown after the next start."""
        self._closing = True
        await self.hands.close()
        self.live.stop()
        for timer in self._timers.values():
            timer.cancel()
        # The end of one task may start an edit, which would fail once the connection is closed.
        while work := [each for each in (*self._workers.values(), *self.live.editing()) if not each.done()]:
            for task in work:
                task.cancel()
            await asyncio.gather(*work, return_exceptions=True)

    # The worker

    def _start_worker(self, match: int, table: Table | None = None) -> None:
        self._pending[match] = table or self._pending.get(match)
        worker = self._workers.get(match)
        # One that was cancelled before its first step has not removed itself.
        if not self._closing and (worker is None or worker.done()):
            self._workers[match] = asyncio.create_task(self._work(match), name=f"publish-{match}")

    def _start_worker_later(self, match: int, seconds: float) -> None:
        """Start the worker of a table after some seconds, or at an earlier time for which this was called already."""
        loop = asyncio.get_running_loop()
        if match in self._timers:
            if loop.time() < self._timers[match].when() < loop.time() + seconds:
                return
            self._timers[match].cancel()
        self._timers[match] = loop.call_later(seconds, self._start_worker, match)

    async def _work(self, match: int) -> None:
        failures = 0
        try:
            while match in self._pending:
                try:
                    await self._show_match(match)
                    self._outbox.note_stored(match)
                    failures = 0
                    self._failing.forget(match)
                except Refusal:
                    raise
                except Exception as error:  # also a bug: acknowledged moves must still be shown
                    self._note_failure(match, error, failures)
                    await self._requests.pause(match, RETRIES[min(failures, len(RETRIES) - 1)])
                    failures += 1
                    self._pending.setdefault(match, None)
        except Refusal as refusal:
            log.warning("table %s cannot be shown: %s", match, refusal)
        finally:
            del self._workers[match]
            self._failing.forget(match)
            # Nobody else would end the waiting. Another process may run the table, or its shard was just left.
            self._requests.done(match, Refusal(NOT_POSTED))

    async def _show_match(self, match: int) -> None:
        known = self._pending.pop(match)
        try:
            table = known if known and not known.is_behind else await self._tables.get(match)
        except Outdated as outdated:
            if self._tables.owns(outdated.match.guild):
                act_for(outdated.match.guild)
                hopes = self._tables.clock.now() < self._resumed + HOPE
                await show_outdated(self._client, self._tables, outdated.match, hopes=hopes)
            self._recovery.trust(match)  # else it would be shown again after each loss of the connection
        else:
            if table.match.placeless:  # its person was erased meanwhile
                self._forget(table)
            elif self._tables.owns(table.match.guild):
                act_for(table.match.guild)
                await self._show(table)
            else:  # the process that runs it looks by itself, and draws what is missing
                self._recovery.trust(table.id)
                self._drop(table.id)

    def _note_failure(self, match: int, error: Exception, failures: int) -> None:
        self._recovery.doubt([match])
        if isinstance(error, EXPECTED) and (failures or isinstance(error, discord.Forbidden)):
            self._requests.done(match, error)  # callers of `show_again` must not wait for the retries
        if may_stand(error):
            self._look_later(match)
        self._failing.note(match, f"table {match} could not be shown", error)

    async def _show(self, table: Table) -> None:
        """Bring all messages of a table up to date. Handle a lost place and missing permissions."""
        try:
            await self._show_all(table)
        except discord.NotFound as error:
            if error.code != UNKNOWN_CHANNEL:
                raise
            await self._leave_place(table)
        except discord.HTTPException as error:
            if error.code == MISSING_ACCESS and await self.venue.is_shut_out(table):
                await self._leave_place(table)
            elif not await self._accept(table, error):
                raise

    async def _accept(self, table: Table, error: discord.HTTPException) -> bool:
        """Do what follows when Discord refuses a message of a table. Return False if it is tried again soon."""
        is_full = error.code == TOO_MANY_THREADS  # its own one cannot leave the archive
        if is_full:
            self.venue.without_threads.add(table.match.guild)
            if place_of(table) != table.match.channel and not table.is_seated:
                await self.live.fall_back(table)
                return True
        if not (is_full or isinstance(error, discord.Forbidden)):
            return False
        if table.is_open:
            self.venue.note_trouble(table, error.code)
            self.hands.changed(table)
            if error.code not in UNREACHABLE:
                return False
            # Nobody else is there, so it is tried again when its person moves.
            self._requests.done(table.id, error)
        elif self._hopes(table, HOPE):
            return False
        else:
            await self._show_in_channel(table)
            self._requests.done(table.id, error)  # who has asked for it reads why it is not posted again
            if self._hopes(table, LAST_HOPE):
                self._tables.keep(table)
                self._start_worker_later(table.id, SELDOM)
            else:
                await self._give_up(table)
        return True

    def _hopes(self, table: Table, hope: int) -> bool:
        """Return whether a table has closed less than `hope` ms ago, so that its messages may still be allowed."""
        was_removed = table.state.reason == CloseReason.BOT_REMOVED.sentence
        return not (table.is_open or was_removed) and self._has_closed_lately(table, hope)

    def _has_closed_lately(self, table: Table, hope: int) -> bool:
        """Return whether a table has closed less than `hope` ms ago, or the bot has not been back for long."""
        return self._tables.clock.now() < max(table.state.at + hope, self._resumed + HOPE)

    async def _show_all(self, table: Table) -> None:
        n, told, shown = table.state.n, table.state.told, True
        await self._recovery.find_card(table)
        if table.state.game_state is not None:
            if await self.venue.find(table):
                self.wake(table)  # its card must now say where it is played
            await self._recovery.find_pages(table)
            pause = self.live.pause(table)
            for page in _in_order(table):
                await (self._hold_page if pause and table.is_open else self._show_page)(table, page)
            # What is new comes first, also when the table must be read anew; then what is below it.
            if table.state.told != told or table.is_behind:
                self._start_worker(table.id, table)
                return
            # What is due first: the end of the pause, a call, or somebody who wakes in hours.
            waits = [each for each in (await self.live.calls.show(table, pause), pause) if each > 0]
            if waits:
                self._start_worker_later(table.id, min(waits) / 1000)
            shown = not waits
            if not pause:
                await self._records.show_end(table)
        await self.live.show_card(table)
        is_read = await self._tidy(table)
        self._retry_place(table)
        if self._retry_pictures(table) or self._retry_messages(table) or not is_read:
            return
        began = table.state.game_state is not None or not table.is_open  # for a lobby, the card is everything
        if began and shown and n > table.match.published:
            await self._note_shown(table, n)
        # Pending again: it may have a message that was posted meanwhile.
        if not table.is_open and shown and table.state.told == told and table.id not in self._pending:
            self._forget(table)

    async def _note_shown(self, table: Table, n: int) -> None:
        is_awaited = table.id in self._looks or table.id in self._left
        if is_awaited and table.state.restored <= table.match.published:
            return  # after another kill meanwhile nobody would look a second time
        async with table.lock:  # new hours, of which no entry tells, are written under it
            if table.id not in self._pending and not table.is_behind:
                await self._tables.note_shown(table, n)

    async def _hold_page(self, table: Table, page: Page) -> None:
        """Show a page while people read how it ended: nothing is posted below it, and its message keeps its buttons."""
        live, post = self.live.get(table, "table"), table.posts.get(("page", page.first))
        if live is not None and post is not None and post.message == live.message.id:
            await live.update()
        elif page.closed:
            await self._show_page(table, page)

    async def _show_page(self, table: Table, page: Page) -> None:
        post = table.posts.get(("page", page.first))
        if post is not None and post.final:
            return
        if page.closed or not table.is_open:
            await self._records.show_page(table, page, post)
        elif post is None:
            await self.live.post_table(table, page)
            self.hands.move_down(table)
        elif post.message:
            await self.live.keep_in_sight(table, page)

    async def _tidy(self, table: Table) -> bool:
        """Delete what was posted twice. Return False if the bot may not read there and looks again later, also after a
        kill."""
        is_read = await self._recovery.tidy(table)
        if is_read or not (table.is_open or self._has_closed_lately(table, HOPE)):
            return True
        self._start_worker_later(table.id, RETRIES[-1])  # nobody may act for long
        return False

    def _retry_place(self, table: Table) -> None:
        """If posting the table again was not allowed, try it later; if it is allowed again, redraw the table."""
        if table.id in self.live.stuck:
            self.live.stuck.discard(table.id)
            self._start_worker_later(table.id, RETRIES[-1])
        elif self.venue.troubles.pop(table.id, None):
            self.wake(table)  # edits were not possible meanwhile, either
            self.hands.changed(table)

    def _retry_pictures(self, table: Table) -> bool:
        """If messages are shown in words until their pictures are drawn, try that later. Return whether it is tried."""
        lacking = self.live.lack_pictures(table) or self._records.lack_pictures(table)
        if lacking and self._picture_retries.more(table.id):
            self._start_worker_later(table.id, self._picture_retries.next(table.id))
            return True
        self._picture_retries.forget(table.id)
        return False

    def _retry_messages(self, table: Table) -> bool:
        """If a message could not be edited, or the card of a closed table is still on its way, look again later, also
        after a kill. Return whether that is so."""
        is_coming = not table.is_open and table.id in self.live.posting
        hopes = table.is_open or self._has_closed_lately(table, HOPE)
        is_late = is_coming or (self.live.is_stale(table.id) and hopes)
        if not hopes:
            self._looks.pop(table.id, None)  # else one that fails would be followed by another one for ever
        if is_late:
            self._start_worker_later(table.id, RETRIES[-1])
        return is_late

    # Lost places, and tables that are over

    async def _leave_place(self, table: Table) -> None:
        """Go on in the channel when the thread is gone. When the channel is gone, close the table."""
        if table.match.place in (None, table.match.channel):
            await table.close(CloseReason.CHANNEL_GONE)
            await self._show_in_channel(table)
            await self._give_up(table)
        else:
            await self.live.fall_back(table, gone=True)

    async def _give_up(self, table: Table) -> None:
        """Post no more for this table."""
        await self._tables.note_shown(table, table.state.n)
        for post in [post for post in table.posts.values() if post.old is not None]:
            await self._tables.save_post(table, replace(post, old=None))
        self._forget(table)

    async def _show_in_channel(self, table: Table) -> None:
        """Show the result and the card of a table that is over, if that is possible."""
        try:
            await self._records.show_result(table)
            await self.live.show_card(table)
        except discord.HTTPException as error:
            # It may be a thread that cannot leave the archive.
            if not (
                isinstance(error, discord.Forbidden | discord.NotFound) or error.code == TOO_MANY_THREADS
            ):
                raise

    def _forget(self, table: Table) -> None:
        """Remove a table that is over from memory. A click on an old button loads it from its log."""
        # None of its messages is edited from now on.
        self.archiver.add(table.match, table.state.at)
        self._forget_messages(table.id)
        self._tables.forget(table)

    def _forget_messages(self, match: int) -> None:
        """Remove the messages of a match from memory, and what is to be done for them."""
        self.live.let_go(match)
        self._recovery.trust(match)
        self._requests.done(match)
        self._drop(match)

    def _drop(self, match: int) -> None:
        """Drop what is to be done later for a table."""
        self.venue.troubles.pop(match, None)
        self._pending.pop(match, None)
        self._picture_retries.forget(match)
        if match in self._timers:
            self._timers.pop(match).cancel()


def _in_order(table: Table) -> list[Page]:
    """Return the pages in the order in which to show them: unposted ones, the last page, then earlier posted ones."""
    pages = [*table.pages.kept]
    posted = [page for page in pages[:-1] if ("page", page.first) in table.posts]
    # The new live table comes below the pages before it, and before the earlier one loses its buttons.
    return [*(page for page in pages if page not in posted), *posted]
