"""Showing tables in Discord: what stands there becomes what the log says, message by message.

A match has a card in the channel where it was opened. Where it is played each round or deal has a message: the last
one is the live table, the others are records. Below the table stands at most one call. At the end comes a last message,
and a line in the channel. The store knows where they are, and what they say follows from the log: so showing a change
and recovering after a kill are the same code. `published` in the store is the entry up to which all of it is shown.
"""

import asyncio
import contextlib
import logging
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Literal, TypeAlias

import discord

from bot.clock import EPOCH
from bot.match.call import call
from bot.match.pages import Page
from bot.match.refusal import Refusal
from bot.match.table import Table
from bot.match.tables import Tables
from bot.messages import lobby_card, posts, venue
from bot.messages.calls import Calls
from bot.messages.game_ui import GameUI
from bot.messages.live_message import EXPECTED, Budget, Card, edit, is_lost
from bot.messages.outbox import Outbox
from bot.messages.panel import Panel
from bot.messages.venue import place_of
from bot.store import Post

log = logging.getLogger(__name__)

RETRIES = (1.0, 5.0, 15.0, 60.0)
"""Seconds to wait before what failed is tried again; the last one from then on."""

IN_SIGHT = 3
"""Messages that a phone shows at least."""

SUNK = 3
"""Messages of others below a live table after which it comes down to them though nothing has happened."""

DEEP = 8
"""Messages below a card, or below a table in real time, after which it is posted anew. Others come down sooner."""

OLD = 3_300_000
"""Ms after which a live table is posted anew instead of edited: Discord takes few edits of a message older than an
hour, and only new messages keep a thread awake."""

CHATTY = 10.0
"""Seconds at least from one table to the next that comes down though nothing has happened."""

UNKNOWN_CHANNEL = 10003

Where: TypeAlias = Literal["card", "table"]
"""The card stands in the channel where the table was opened, the live table where the match is played."""


class Publisher:
    """The worker of each table, alive only while there is something to show."""

    def __init__(self, client: discord.Client, tables: Tables, uis: Mapping[str, GameUI]) -> None:
        self._client = client
        self._tables = tables
        self._uis = uis
        self._outbox = Outbox(client)
        self._calls = Calls(tables, self._outbox)
        self._budget = Budget()
        self._closing = False
        self._work: dict[int, asyncio.Task[None]] = {}
        self._pending: dict[int, Table | None] = {}
        """Tables with something to show; None: it is to be loaded first."""
        self._cards: dict[tuple[int, Where], Card] = {}
        self._former: dict[int, Card] = {}
        """By table: the live table before the present one, until it is a record."""
        self._wishes: dict[int, asyncio.Future[None]] = {}
        """By table: done when it is posted anew, for everybody who wants that."""
        self._hampered: set[int] = set()
        """Tables that were edited, though they should have been posted anew."""
        self._timers: dict[int, asyncio.TimerHandle] = {}
        """By table: when somebody is called who was given a moment to act."""
        self.troubles: dict[int, str] = {}
        """By table: why nothing can be posted there just now, and who can mend it. Shown with the hands."""
        self._doubted: set[int] = set()
        """Tables that a kill or a fault left not wholly shown; some of it may be posted all the same."""
        tables.on_change.append(self.wake)

    # What is asked of it

    def wake(self, table: Table) -> None:
        """The table has changed: show it."""
        if card := self._cards.get((table.id, "card")):
            card.touch()
        card = self._cards.get((table.id, "table"))
        if card is not None and table.is_open and card.message.id == self._live(table):
            card.touch()
        self._set_to_work(table.id, table)

    def seen(self, message: discord.Message) -> None:
        """A message has come in: one by somebody else pushes what is above it out of sight. Those of the bot's own do
        not count: two tables in one channel would chase each other."""
        if message.author == self._client.user:
            return
        for (match, where), card in self._cards.items():
            if card.message.channel.id == message.channel.id and message.id > card.message.id:
                card.below += 1
                if where == "table" and card.below >= SUNK:
                    self._come_down_soon(match, card)

    def _come_down_soon(self, match: int, card: Card) -> None:
        """Bring a table down to people who chat, though nothing has happened there: not at each of their words."""
        age = (self._tables.now() - _born(card.message.id)) / 1000
        asyncio.get_running_loop().call_later(max(0.0, CHATTY - age), self._set_to_work, match)

    async def load(self) -> None:
        """Before anybody can act: learn which tables are not wholly shown."""
        self._doubted.update(await self._tables.store.untold())

    def resume(self) -> None:
        """Show what is not shown since before the start."""
        for match in sorted(self._doubted):
            self._set_to_work(match)

    async def rest(self) -> None:
        """Wait until everything is shown."""
        while self._work:
            await asyncio.gather(*self._work.values())
        await asyncio.gather(*(card.rest() for card in [*self._cards.values()]))

    async def close(self) -> None:
        """Stop: what is not shown yet is shown after the next start."""
        self._closing = True
        for timer in self._timers.values():
            timer.cancel()
        work = [*self._work.values(), *(card.work for card in self._cards.values() if card.work)]
        for task in work:
            task.cancel()
        await asyncio.gather(*work, return_exceptions=True)

    def message(self, table: Table, where: Where) -> discord.PartialMessage | None:
        """Return the message of the table's card, or of its live table; None until it is posted."""
        message = table.match.card if where == "card" else self._live(table)
        if not message:
            return None
        channel = table.match.channel if where == "card" else table.match.place
        assert channel is not None
        return self._outbox.message(table, channel, message)

    def card(self, table: Table, where: Where) -> Card | None:
        """Return the table's card, or its live table; None until it is posted. It is kept until the table is over and
        all of that is shown."""
        message = self.message(table, where)
        if message is None:
            return None
        card = self._cards.get((table.id, where))
        if card is None or card.message.id != message.id:
            card = self._cards[table.id, where] = Card(
                message,
                partial(self._draw, table.id, where),
                partial(self._set_to_work, table.id),
                self._budget,
            )
        return card

    def clicked(self, interaction: discord.Interaction[Any], table: Table) -> Card | None:
        """Return the live table when it is the message that was clicked; None for an older one."""
        card = self.card(table, "table")
        return card if card and interaction.message and interaction.message.id == card.message.id else None

    async def in_sight(self, message: discord.PartialMessage) -> bool:
        """Return whether a message is among the last of its channel, so that to post it anew would only be noise."""
        with contextlib.suppress(discord.Forbidden, discord.NotFound):
            history = self._client.get_partial_messageable(message.channel.id).history(limit=IN_SIGHT)
            return message.id in [each.id async for each in history]
        return False

    def find_card(self, table: Table) -> None:
        """Find the card of a new table in its channel, or post it, when Discord did not say whether it stands."""
        self._doubted.add(table.id)
        self._set_to_work(table.id, table)

    async def post_card(self, match: int) -> None:
        """Post a table's card anew, at the end of its channel; the old one, if any, is shortened to a pointer."""
        table = await self._tables.get(match)
        old, panel = self.card(table, "card"), await self._draw(match, "card")
        nonce = f"{match}-card-{(table.match.card or 0) % 10**9}"
        message = await self._outbox.send(table, table.match.channel, panel, nonce)
        await self._tables.note(table, card=message)
        if card := self.card(table, "card"):
            card.posted(panel)
        if old is not None:
            with contextlib.suppress(*EXPECTED):
                await old.finish(posts.moved(table))

    async def show_again(self, table: Table) -> None:
        """Post the live table, or before the match the card, anew at the end of its place. Only the worker does that:
        two at it would leave two tables. Raises discord.Forbidden where that is not allowed."""
        wish = self._wishes.setdefault(table.id, asyncio.get_running_loop().create_future())
        self._set_to_work(table.id)
        await asyncio.shield(wish)  # several may wait for the same

    def _grant(self, match: int, error: Exception | None = None) -> None:
        """Tell whoever wants a table posted anew that it is, or why it cannot be."""
        wish = self._wishes.pop(match, None)
        if wish is None or wish.done():
            return
        if error is None:
            wish.set_result(None)
        else:
            wish.set_exception(error)

    # The worker

    def _set_to_work(self, match: int, table: Table | None = None) -> None:
        self._pending[match] = table or self._pending.get(match)
        if self._closing:
            return
        if match not in self._work:
            self._work[match] = asyncio.create_task(self._publish(match), name=f"publish-{match}")

    def _work_later(self, match: int, seconds: float) -> None:
        if match in self._timers:
            self._timers[match].cancel()
        loop = asyncio.get_running_loop()
        self._timers[match] = loop.call_later(seconds, self._set_to_work, match)

    async def _publish(self, match: int) -> None:
        failures = 0
        try:
            while match in self._pending:
                try:
                    known = self._pending.pop(match)
                    table = known if known and not known.is_behind else await self._tables.get(match)
                    await self._show(table)
                    failures = 0
                except Refusal:
                    raise
                except Exception as error:  # whatever it is, what was acknowledged is still to be shown
                    self._doubted.add(match)
                    expected = isinstance(error, EXPECTED)
                    if expected and (failures or isinstance(error, discord.Forbidden)):
                        self._grant(match, error)  # who waits for it must not wait for long
                    log.warning("table %s could not be shown: %s", match, error, exc_info=not expected)
                    await asyncio.sleep(RETRIES[min(failures, len(RETRIES) - 1)])
                    failures += 1
                    self._pending.setdefault(match, None)
        except Refusal as refusal:
            log.warning("table %s cannot be shown: %s", match, refusal)
        finally:
            del self._work[match]
            self._grant(match)  # nothing more is to come

    async def _show(self, table: Table) -> None:
        """Bring everything up to date, or find out why that cannot be."""
        try:
            await self._show_all(table)
        except discord.NotFound as error:
            if error.code != UNKNOWN_CHANNEL:
                raise
            await self._move(table)
        except discord.Forbidden as error:
            if table.is_open:
                self.troubles[table.id] = venue.trouble(table.match.place or table.match.channel, error.code)
                raise
            await self._give_up(table)

    async def _show_all(self, table: Table) -> None:
        n, shown = table.state.n, True
        await self._find_lost_card(table)
        if table.state.game_state is not None:
            await self._settle(table)
            if table.id in self._doubted:
                await self._look_back(table)
            for page in _in_order(table):
                await self._show_page(table, page)
            if table.state.n != n:  # what has happened meanwhile comes before what is below it
                self._set_to_work(table.id, table)
                return
            wait = await self._calls.show(table)
            if wait > 0:
                self._work_later(table.id, wait / 1000)
            shown = wait == 0
            await self._show_end(table)
        await self._show_card(table)
        await self._tidy(table)
        if table.id in self._hampered:
            self._hampered.discard(table.id)
            self._work_later(table.id, RETRIES[-1])
        elif self.troubles.pop(table.id, None):
            self.wake(table)  # while nothing could be posted there, nothing could be edited
        began = table.state.game_state is not None or not table.is_open  # a lobby's card shows all of it
        if began and shown and n > table.match.published:
            await self._tables.note(table, published=n)
        if not table.is_open and table.state.n == n:
            self._retire(table)

    # Pages

    async def _show_page(self, table: Table, page: Page) -> None:
        post = table.posts.get(("page", page.first))
        if post is not None and post.final:
            return
        if page.closed or not table.is_open:
            await self._show_record(table, page, post)
        elif post is None:
            await self._post_table(table, page)
        elif post.message:
            await self._keep_in_sight(table, page)

    async def _show_record(self, table: Table, page: Page, post: Post | None) -> None:
        panel = posts.record(table, page, self._ui(table), pictures=venue.may_attach(self._client, table))
        place = place_of(table)
        if panel is None:
            if post is not None:
                await self._outbox.delete(table, post.channel, post.message)
            message = 0
        elif post is None:
            message = await self._outbox.send(table, place, panel, f"{table.id}-page-{page.first}")
        else:
            message = await self._edit_record(table, post, panel)
        await self._tables.keep_post(table, Post(table.id, "page", page.first, place, message, final=1))
        table.story.forget(page)

    async def _edit_record(self, table: Table, post: Post, panel: Panel) -> int:
        """Let the live table become a record; return the message. One that takes no edit any more is posted anew."""
        cards = self._former.pop(table.id, None), self._cards.get((table.id, "table"))
        card = next((each for each in cards if each and each.message.id == post.message), None)
        try:
            if card is not None:
                await card.finish(panel)
            else:
                await edit(self._outbox.message(table, post.channel, post.message), panel)
        except discord.HTTPException as error:
            if not is_lost(error) or getattr(error, "code", 0) == UNKNOWN_CHANNEL:
                raise
            anew = await self._outbox.send(table, place_of(table), panel, f"{table.id}-again-{post.number}")
            await self._outbox.delete(table, post.channel, post.message)
            return anew
        return post.message

    async def _post_table(self, table: Table, page: Page) -> None:
        """Post the live table of a page. The first one in a thread calls everybody there."""
        if former := self._cards.pop((table.id, "table"), None):
            former.freeze()  # it would draw this page from now on
            self._former[table.id] = former
        greets = posts.greets(table)
        pinged = await self._greet(table) if greets else []
        panel, place = await self._draw(table.id, "table"), place_of(table)
        try:
            message = await self._outbox.send(table, place, panel, f"{table.id}-page-{page.first}", pinged)
        except discord.Forbidden:  # threads can be made here, but not written in
            if not greets:
                raise
            await self._move(table)
            return
        await self._tables.keep_post(table, Post(table.id, "page", page.first, place, message))
        if card := self.card(table, "table"):
            card.posted(panel)
        await self._calls.lift(table, message)

    async def _greet(self, table: Table) -> list[int]:
        """Return the people who are called to the thread by a mention; bring in the others quietly. Nobody who is
        awaited needs another call."""
        if number := call(table.state, self._tables.times).number:
            await self._tables.keep_post(table, Post(table.id, "call", number, place_of(table), 0))
        users = [table.state.players[seat].user for seat in table.state.people()]
        pinged = await self._tables.store.pinged(users, urgent=False)
        await venue.bring_in(self._client, place_of(table), [user for user in users if user not in pinged])
        return pinged

    async def _keep_in_sight(self, table: Table, page: Page) -> None:
        """Bring the live table up to date where it stands, or down to the end of its place."""
        card = self.card(table, "table")
        assert card is not None
        changed = not await card.shows(await self._draw(table.id, "table"))
        most = DEEP if table.state.game.real_time else 0 if changed else SUNK - 1
        sunk = card.below > most
        too_old = changed and self._tables.now() - _born(card.message.id) > OLD
        if card.is_lost or sunk or too_old or table.id in self._wishes:
            try:
                await self._bring_down(table, page)
                self._grant(table.id)
                return
            except discord.Forbidden as error:
                self._grant(table.id, error)
                if card.is_lost or card.message.id != self._live(table):
                    raise  # it cannot be edited in its old place instead
                self.troubles[table.id] = venue.trouble(place_of(table), error.code)
                self._hampered.add(table.id)
        if await card.settle():
            await self._bring_down(table, page)

    async def _bring_down(self, table: Table, page: Page) -> None:
        """Post the live table anew, at the end of where it is played; the old one is deleted."""
        old = table.posts["page", page.first]
        new = replace(old, channel=place_of(table), old=old.message, copies=old.copies + 1)
        await self._tables.keep_post(table, new)
        panel = await self._draw(table.id, "table")
        nonce = f"{table.id}-page-{old.number}-{new.copies}"
        try:
            message = await self._outbox.send(table, place_of(table), panel, nonce)
        except discord.Forbidden:
            await self._tables.keep_post(table, old)
            raise
        await self._tables.keep_post(table, replace(new, message=message))
        if card := self.card(table, "table"):
            card.posted(panel)
        await self._finish_move(table, table.posts["page", old.number])

    async def _finish_move(self, table: Table, post: Post) -> None:
        """Delete the message that a page's new one replaces, and the call above the new one."""
        await self._calls.lift(table, post.message)
        if post.old is not None and post.old != post.message:
            await self._outbox.delete(table, post.channel, post.old)
        await self._tables.keep_post(table, replace(post, old=None))

    # The end

    async def _show_end(self, table: Table) -> None:
        """Post the last message where the match was played, and its result in the channel."""
        if table.state.phase != "over":
            return
        place = place_of(table)
        if ("end", 0) not in table.posts:
            events = await self._tables.public_events(table.id)
            pictures = venue.may_attach(self._client, table)
            panel = posts.end(table, self._ui(table), events, pictures=pictures)
            await self._post_once(table, "end", place, panel)
        await self._show_result(table)

    async def _show_result(self, table: Table) -> None:
        """Say in the channel how a match ended that was played in a thread."""
        place = place_of(table)
        if table.state.phase != "over" or ("result", 0) in table.posts or place == table.match.channel:
            return
        end = table.posts.get(("end", 0))
        link = self._outbox.message(table, place, end.message).jump_url if end else f"<#{place}>"
        await self._post_once(table, "result", table.match.channel, posts.result(table, link))

    async def _post_once(
        self, table: Table, kind: Literal["end", "result"], channel: int, panel: Panel
    ) -> None:
        message = await self._outbox.send(table, channel, panel, f"{table.id}-{kind}")
        await self._tables.keep_post(table, Post(table.id, kind, 0, channel, message, final=1))

    async def _give_up(self, table: Table) -> None:
        """Nobody there can read it any more; the channel may still hear how it ended."""
        with contextlib.suppress(*EXPECTED):
            await self._show_result(table)
            await self._show_card(table)
        await self._tables.note(table, published=table.state.n)
        for post in [post for post in table.posts.values() if post.old is not None]:
            await self._tables.keep_post(table, replace(post, old=None))
        self._retire(table)

    def _retire(self, table: Table) -> None:
        """A table that is over needs no place in memory; old buttons load it from its log."""
        for where in ("card", "table"):
            self._cards.pop((table.id, where), None)
        self.troubles.pop(table.id, None)
        self._calls.forget(table)
        self._former.pop(table.id, None)
        self._pending.pop(table.id, None)
        self._doubted.discard(table.id)
        self._grant(table.id)
        if table.id in self._timers:
            self._timers.pop(table.id).cancel()
        self._tables.forget(table)

    # The card in the channel

    async def _show_card(self, table: Table) -> None:
        card = self.card(table, "card")
        if table.state.phase == "play":
            self._grant(table.id)  # a new table has just been posted
        sunk = card is not None and (card.is_lost or (card.below > DEEP and table.is_open))
        if sunk or table.id in self._wishes:
            try:
                await self.post_card(table.id)
                self._grant(table.id)
                return
            except discord.HTTPException as error:
                self._grant(table.id, error)
                if not isinstance(error, discord.Forbidden | discord.NotFound):
                    raise
        if card is not None and not card.is_lost and await card.settle() and not table.is_open:
            # There is no later time for it. Where that is not allowed, the match is shown where it was played.
            with contextlib.suppress(discord.Forbidden, discord.NotFound):
                await self.post_card(table.id)

    # After a kill or a fault

    async def _find_lost_card(self, table: Table) -> None:
        """Know the card again that was posted though that could not be noted; post it when there is none."""
        if table.id not in self._doubted or not _lacks_card(table):
            return
        await self._outbox.look_back(table)
        if found := self._outbox.take_card(table):
            await self._tables.note(table, card=found)
        elif table.is_open:
            await self.post_card(table.id)

    async def _look_back(self, table: Table) -> None:
        """Know again what was posted though it could not be noted."""
        await self._outbox.look_back(table)
        for page in table.story.pages:
            post, found = table.posts.get(("page", page.first)), self._outbox.take_page(table, page.first)
            if found and (post is None or found > post.message):
                old = post.message if post else None
                post = Post(table.id, "page", page.first, place_of(table), found, old)
                await self._tables.keep_post(table, post)
        for post in [post for post in table.posts.values() if post.old is not None]:
            await self._finish_move(table, post)

    async def _tidy(self, table: Table) -> None:
        if table.id in self._doubted:
            pages = [post.message for post in table.posts.values() if post.kind == "page" and post.message]
            await self._outbox.tidy(table, min(pages, default=0))
            self._doubted.discard(table.id)

    # Places

    async def _settle(self, table: Table) -> None:
        """See to it that the match has a place."""
        if table.match.place is None:
            thread = await venue.make_thread(self._client, table)
            await self._tables.settle(table, thread or table.match.channel)
            self.wake(table)  # its card says where it is played

    async def _move(self, table: Table) -> None:
        """The place is gone: go on in the channel; when that is gone, too, the table closes."""
        if table.match.place in (None, table.match.channel):
            await table.close("its channel is gone.")
            await self._give_up(table)
            return
        for post in [post for post in table.posts.values() if post.channel == table.match.place]:
            if not post.final:
                await self._tables.drop_post(table, post)
        self._cards.pop((table.id, "table"), None)
        await self._tables.settle(table, table.match.channel)
        self._set_to_work(table.id, table)

    def _live(self, table: Table) -> int | None:
        """Return the message of the live table."""
        post = table.posts.get(("page", table.story.live.first)) if table.story.pages else None
        return post.message if post and not post.final else None

    # Drawing

    def _ui(self, table: Table) -> GameUI:
        return self._uis[table.match.game]

    async def _draw(self, match: int, where: Where) -> Panel:
        table = await self._tables.get(match)
        draw = {"card": lobby_card.card, "table": posts.live}[where]
        return draw(table, self._ui(table), pictures=venue.may_attach(self._client, table))


def _in_order(table: Table) -> list[Page]:
    """Return its pages as they are to be shown: the next table is posted before the last one loses its buttons, but
    what was never posted comes first, as it belongs above."""
    pages = [*table.story.pages]
    posted = [page for page in pages[:-1] if ("page", page.first) in table.posts]
    return [*(page for page in pages if page not in posted), *posted]


def _lacks_card(table: Table) -> bool:
    """Return whether nobody knows of a table's card, though there should be one: practice has none."""
    return table.match.card is None and table.match.place is None and not table.state.practice


def _born(message: int) -> int:
    """Return when a message was posted, in ms since the Unix epoch."""
    return (message >> 22) + EPOCH
