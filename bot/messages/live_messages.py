"""The messages of a table that change: its card in the channel, and the live table where it is played.

The live table stays at the end of its place: when it has scrolled away, it is posted again and the old one
is deleted. A card is posted again, too; the old one then only says that the card is further down.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Literal, TypeAlias

import discord

from bot.error_codes import UNKNOWN_CHANNEL
from bot.gateway.discord_time import posted_at
from bot.match.call import may_be_called
from bot.match.pages import Page
from bot.match.refusal import Refusal
from bot.match.table import Table
from bot.match.tables import Tables
from bot.messages import lobby_card, posts
from bot.messages.calls import Calls, call_of, new_post
from bot.messages.command_mentions import CommandIds
from bot.messages.game_ui import GameUI
from bot.messages.late_pictures import PictureRetries
from bot.messages.live_message import EditBudget, LiveMessage
from bot.messages.outbox import Outbox
from bot.messages.panel import Panel
from bot.messages.requests import Requests
from bot.messages.venue import Venue, place_of
from bot.store import Post

ON_SCREEN = 3
"""Number of messages that even a phone shows at once."""

HIDDEN_BELOW = 3
"""Number of other people's messages below a live table after which it is posted again without a change."""

FAR_BELOW = 8
"""Number of other people's messages below a card, or below a table in real time, after which it may be posted again: in
play a card only when something is announced. Other live tables are posted again with any change if there is a message
below."""

# Discord takes few edits of a message older than an hour, and only new messages keep a thread awake.
TOO_OLD = 3_300_000
"""Age in ms at which a live table is posted again instead of edited."""

REPOST_INTERVAL = 10.0
"""Minimum seconds between two posts of a live table that has not changed."""

REFUSED = "Discord does not take the table as a new message now, so it stays where it is."

Where: TypeAlias = Literal["card", "table"]
"""The card is in the channel where the table was opened, the live table in the place where the match is played."""


class LiveMessages:
    """The cards and live tables of all tables. `work` starts a table's worker, which brings its messages up to date;
    `look_later` lets it compare them once more. For `is_looking` see `Calls`."""

    def __init__(
        self,
        client: discord.Client,
        tables: Tables,
        uis: Mapping[str, GameUI],
        outbox: Outbox,
        venue: Venue,
        requests: Requests,
        command_ids: CommandIds,
        work: Callable[[int], None],
        look_later: Callable[[int], None],
        is_looking: Callable[[int, int], bool],
        edits: EditBudget,
        picture_retries: PictureRetries,
    ) -> None:
        self._client = client
        self._tables = tables
        self._uis = uis
        self._outbox = outbox
        self._venue = venue
        self.requests = requests
        self._command_ids = command_ids
        self._work = work
        self._look_later = look_later
        self.calls = Calls(tables, outbox, is_looking)
        self._budget = edits
        self._picture_retries = picture_retries
        self.on_screen = ON_SCREEN
        """Number of last messages of a channel that are in sight."""
        # One object for a message, whatever becomes of it: two would not wait for each other's edits.
        self._shown: dict[tuple[int, Where], dict[int, LiveMessage]] = {}
        """By message id: the present message, and earlier live tables that have not become records yet."""
        self._heard: dict[int, deque[int]] = {}
        """By channel with such messages: the ids of the last messages of other people."""
        self.posting: list[int] = []
        """Tables with a card on its way that is not noted yet."""
        self._noting: list[tuple[int, int]] = []
        """Tables and their cards that are just being noted."""
        self.stuck: set[int] = set()
        """Tables that were edited because they could not be posted again."""

    # Finding them

    def message(self, table: Table, where: Where) -> discord.PartialMessage | None:
        """Return the message of the table's card, or of its live table; None until it is posted."""
        if where == "card":
            card = table.match.card
            return self._outbox.message(table, table.match.channel, card) if card else None
        post = self._live_post(table)
        # Its own channel: whoever has opened a table may have read it before it had a place.
        return self._outbox.message(table, post.channel, post.message) if post and post.message else None

    def get(self, table: Table, where: Where) -> LiveMessage | None:
        """Return the table's card, or its live table; None until it is posted. It stays in memory until `forget` in the
        process that runs the table."""
        message = self.message(table, where)
        if message is None:
            return None
        shown = self._shown.get((table.id, where), {})
        if message.id not in shown:
            first = (post.number for post in table.posts.values() if post.message == message.id)
            shown[message.id] = LiveMessage(
                message,
                table.match.guild,
                partial(self._draw, table.id, 0 if where == "card" else next(first)),
                partial(self._work, table.id),
                self._budget,
                self._outbox.rasterizer,
                partial(self._picture_retries.waits, table.id),
                partial(self._look_later, table.id),
            )
            if self._tables.owns(table.match.guild):
                self._shown[table.id, where] = shown
        return shown[message.id]

    def clicked(
        self, interaction: discord.Interaction[Any], table: Table, where: Where = "table"
    ) -> LiveMessage | None:
        """Return the live table, or the card, when it is the message that was clicked; None for an older one."""
        live = self.get(table, where)
        return live if live and interaction.message and interaction.message.id == live.message.id else None

    async def in_sight(self, message: discord.PartialMessage) -> bool:
        """Return whether a message is one of the last of its channel."""
        with contextlib.suppress(discord.Forbidden, discord.NotFound):
            history = self._client.get_partial_messageable(message.channel.id).history(limit=self.on_screen)
            return message.id in [each.id async for each in history]
        return False

    def touch(self, table: Table) -> None:
        """Redraw the messages of a table that has changed, soon."""
        for where in ("card", "table") if table.is_open else ("card",):
            if (table.id, where) in self._shown and (live := self.get(table, where)):
                live.touch()

    def count(self, channel: int, message: int, author: int) -> None:
        """Count a new message below the live messages of its channel, and post tables again that it hides."""
        # The bot's own messages do not count, or two tables in one channel would be posted again by turns for ever.
        if self._client.user is not None and author == self._client.user.id:
            return
        of_tables = {*self._tables.here(channel)}
        latest = [(key, lives[max(lives)]) for key, lives in self._shown.items() if lives]
        shown = [each for each in latest if each[1].message.channel.id == channel]
        if not of_tables and not shown:
            return
        heard = self._heard.setdefault(channel, deque(maxlen=FAR_BELOW + 1))
        heard.append(message)
        for (match, where), live in shown:
            if where == "table" and self._below(live) >= HIDDEN_BELOW:
                self._repost_soon(match, posted_at(live.message.id))
        if len(heard) >= HIDDEN_BELOW:
            for match in of_tables - self.matches():  # nobody has asked for it since the bot started
                self._repost_soon(match, 0)

    def _below(self, live: LiveMessage) -> int:
        """Return the number of other people's messages below a message; of many, only that they are more than
        FAR_BELOW."""
        return sum(each > live.message.id for each in self._heard.get(live.message.channel.id, ()))

    def _repost_soon(self, match: int, posted: int) -> None:
        """Post a table again below people's chat, but not after each of their messages. It was posted at `posted`."""
        age = (self._tables.clock.now() - posted) / 1000
        asyncio.get_running_loop().call_later(max(0.0, REPOST_INTERVAL - age), self._work, match)

    def compare(self, match: int) -> None:
        """Compare the messages of a table with it anew: an edit may have come late."""
        self.calls.forget(match)
        for where in ("card", "table"):
            for live in self._shown.get((match, where), {}).values():
                live.compare()

    def lack_pictures(self, table: Table) -> bool:
        """Return whether the card or the live table has alt texts instead of pictures that are not drawn yet."""
        known = [self.get(table, where) for where in ("card", "table")]
        return any(live.lacks_pictures and not live.is_lost for live in known if live is not None)

    async def wait(self) -> None:
        """Wait until no message is being edited."""
        await asyncio.gather(*(live.wait() for live in self._all()))

    def stop(self) -> None:
        """Begin no more edits."""
        self._budget.close()

    def editing(self) -> list[asyncio.Task[None]]:
        """Return the tasks that edit messages."""
        return [live.work for live in self._all() if live.work]

    def _all(self) -> list[LiveMessage]:
        return [live for lives in self._shown.values() for live in lives.values()]

    def stale(self) -> set[int]:
        """Return the tables of which a message shows an older state after failed edits."""
        return {match for match in self.matches() if self.is_stale(match)}

    def is_stale(self, match: int) -> bool:
        """Return whether a message of a table shows an older state after failed edits."""
        known = (self._shown.get((match, where), {}) for where in ("card", "table"))
        return any(live.is_stale for lives in known for live in lives.values())

    def matches(self) -> set[int]:
        """Return the tables with messages in memory."""
        return {match for match, _ in self._shown}

    def let_go(self, match: int) -> list[asyncio.Task[None]]:
        """Remove the messages of a table from memory. Return the tasks that still edit them."""
        known = [self._shown.pop((match, where), {}) for where in ("card", "table")]
        self.stuck.discard(match)
        self.calls.forget(match)
        channels = {live.message.channel.id for live in self._all()}
        self._heard = {
            channel: heard
            for channel, heard in self._heard.items()
            if channel in channels or self._tables.here(channel)
        }
        return [each.work for lives in known for each in lives.values() if each.work is not None]

    # The card

    async def show_card(self, table: Table) -> None:
        """Bring the card up to date by an edit, or post it again."""
        card = self.get(table, "card")
        sunk = card is not None and (
            (self._may_move(table, card) and self._below(card) > FAR_BELOW) or card.is_lost
        )
        is_posted = False
        # During play a request is for the live table. One that came too late for this pass waits for the next.
        if sunk or (table.id in self.requests and table.state.phase != "play"):
            try:
                is_posted = await self.post_card(table)
            except discord.HTTPException as error:
                self._card_done(table, error)
                is_refused = isinstance(error, discord.Forbidden | discord.NotFound)
                if error.code == UNKNOWN_CHANNEL or not is_refused:
                    raise
        if is_posted or card is None or card.is_lost:
            return
        if await card.update() and not table.is_open:
            # The last chance: the table is over. If it is not allowed, the match is still shown where it was played.
            with contextlib.suppress(discord.Forbidden, discord.NotFound):
                await self.post_card(table)

    def _may_move(self, table: Table, card: LiveMessage) -> bool:
        """Return whether a card far above may be posted again: in play, when something was announced since the last
        look, which this is."""
        before, card.announced = card.announced, table.pages.public_number
        if table.state.phase != "play":
            return table.is_open
        # What else makes the bot look may be secret: when a card moves, everybody would know of it.
        return before is not None and before < card.announced

    async def post_card(self, table: Table) -> bool:
        """Post a table's card again at the end of its channel. Return False if the one before stays, as Discord refuses
        the new one."""
        panel = await self._draw(table.id, 0)
        with self.posts_card(table.id):
            await self._tables.unpublish(table)  # there may be two
            message = await self._outbox.send(table, table.match.channel, panel, _nonce_of_card(table))
            if not message and table.match.card:
                self._card_done(table, Refusal(REFUSED))
                return False
            await self.replace_card(table, message)
        if (card := self.get(table, "card")) and card.message.id == message:
            card.posted(panel)
        return True

    def remember_card(self, table: Table, message: int) -> None:
        """Remember the card of a table, which could not be noted."""
        self._outbox.remember(table, _nonce_of_card(table), message)

    @contextlib.contextmanager
    def posts_card(self, match: int) -> Iterator[None]:
        """Let a table that is closed meanwhile not count as shown: its card is on its way, and shows a lobby."""
        self.posting.append(match)
        try:
            yield
        finally:
            self.posting.remove(match)

    async def replace_card(self, table: Table, message: int) -> None:
        """Note which message is the card from now on. The old one, if any, then only points to it."""
        old = await self.note_card(table, message)
        self._card_done(table)
        if old is not None:
            self.forget(table, "card", old.message.id)
            with contextlib.suppress(discord.Forbidden, discord.NotFound):
                await old.finish(posts.moved(table))

    async def note_card(self, table: Table, message: int) -> LiveMessage | None:
        """Note which message is the card from now on, unless a newer one is. Return the one before, if any."""
        old = self.get(table, "card")
        if 0 < message < self._newest_card(table):  # a click may note one while another is posted
            self._outbox.doubt(table)
            return None
        self._noting.append(noting := (table.id, message))
        try:
            # Not everything is shown yet, which a kill must not hide: the old one is found by its buttons.
            await self._tables.update_match(table, card=message, published=0)
        finally:
            self._noting.remove(noting)
        if self._newest_card(table) > message:
            self._outbox.doubt(table)
        return old if old is not None and old.message.id != message else None

    def _newest_card(self, table: Table) -> int:
        """Return the newest message that is noted as the card, or is just being noted; 0 for none."""
        return max(table.match.card or 0, *(card for match, card in self._noting if match == table.id), 0)

    def _card_done(self, table: Table, error: Exception | None = None) -> None:
        """Let those go on who have asked for the card. During play a request is for the live table."""
        if table.state.phase != "play":
            self.requests.done(table.id, error)

    # The live table

    async def post_table(self, table: Table, page: Page) -> None:
        """Post the live table of a page. The first one in a thread mentions everybody."""
        greets = posts.greets(table)
        pinged = await self._greet(table) if greets else []
        panel, place = await self._draw(table.id, page.first), place_of(table)
        began = self._tables.clock.now()
        try:
            message = await self._outbox.send(table, place, panel, f"{table.id}-page-{page.first}", pinged)
        except discord.Forbidden:  # threads can be made here, but not written in
            if not greets:
                raise
            await self.fall_back(table)
            return
        if greets:
            await self.calls.owe(table, message, began)
        await self._tables.save_post(table, Post(table.id, "page", page.first, place, message))
        self.requests.done(table.id)
        if live := self.get(table, "table"):
            live.posted(panel)
        await self.calls.lift(table, message)

    async def _greet(self, table: Table) -> list[int]:
        """Return the users to mention in the new thread, and add the others to it without a mention."""
        now, state = self._tables.clock.now(), table.state
        # The mention replaces the call that is due.
        wanted = call_of(table, now)
        if wanted.number:
            await self._tables.save_post(table, new_post(table, wanted))
        users = [state.players[seat].user for seat in state.people()]
        called = may_be_called(state, users, now, table.hours)
        pinged = await self._tables.store.who_want_pings(called, urgent=False)
        await self._venue.bring_in(table, [user for user in users if user not in pinged])
        return pinged

    async def keep_in_sight(self, table: Table, page: Page) -> None:
        """Bring the live table up to date by an edit, or post it again at the end of its place."""
        live = self.get(table, "table")
        assert live is not None
        if await self._must_repost(table, page, live):
            try:
                if await self._repost(table, page):
                    return
            except discord.Forbidden as error:
                self.requests.done(table.id, error)
                if live.is_lost or live.message != self.message(table, "table"):
                    raise  # there is no old message to edit instead
                self._venue.note_trouble(table, error.code)
                self.stuck.add(table.id)
        if await live.update():
            await self._repost(table, page)

    async def _must_repost(self, table: Table, page: Page, live: LiveMessage) -> bool:
        if live.is_lost or table.id in self.requests:
            return True
        below, posted = self._below(live), posted_at(live.message.id)
        age = self._tables.clock.now() - posted
        if not (below or age > TOO_OLD):
            return False
        panel = await self._draw(table.id, page.first)
        changed = not (await live.shows(panel) or live.lacks_pictures_of(panel))
        most = FAR_BELOW if table.state.game.real_time else 0 if changed else HIDDEN_BELOW - 1
        if below > most and not changed and age < REPOST_INTERVAL * 1000:
            self._repost_soon(table.id, posted)  # what has woken the worker now may be secret
            return False
        return below > most or (changed and age > TOO_OLD)

    async def _repost(self, table: Table, page: Page) -> bool:
        """Post the live table again at the end of its place, and delete the old message. Return False if that stays, as
        Discord refuses the new one."""
        old = replace(table.posts["page", page.first], old=None)
        # Stored before posting: if the bot is killed in between, `Recovery` finds the message and deletes the old one.
        new = replace(old, channel=place_of(table), old=old.message)
        await self._tables.save_post(table, new)
        panel = await self._draw(table.id, page.first)
        # Named for the one in its place: Discord would return a copy that was deleted, too.
        nonce = f"{table.id}-page-{old.message % 10**9}"
        try:
            message = await self._outbox.send(table, place_of(table), panel, nonce)
        except discord.Forbidden:
            await self._tables.save_post(table, old)
            raise
        if not message:
            await self._tables.save_post(table, old)
            self.requests.done(table.id, Refusal(REFUSED))
            return False
        await self._tables.save_post(table, replace(new, message=message))
        self.requests.done(table.id)
        if live := self.get(table, "table"):
            live.posted(panel)
        await self.finish_move(table, table.posts["page", old.number])
        return True

    async def finish_move(self, table: Table, post: Post) -> None:
        """Delete the earlier message of a page that was posted again, and the call above the new one."""
        await self.calls.lift(table, post.message)
        if post.old is not None and post.old != post.message:
            await self._outbox.delete(table, post.channel, post.old)
            self.forget(table, "table", post.old)
        await self._tables.save_post(table, replace(post, old=None))

    async def fall_back(self, table: Table, *, gone: bool = False) -> None:
        """Show the table in its channel from now on, or if its thread is `gone`, maybe in another one."""
        await (self._venue.leave if gone else self._venue.fall_back)(table)
        self._shown.pop((table.id, "table"), None)
        self.touch(table)  # its card says where it is played
        self._work(table.id)

    def find(self, table: Table, message: int) -> LiveMessage | None:
        """Return the live table with this message id, for it to become a record; None after a restart."""
        return self._shown.get((table.id, "table"), {}).get(message)

    def forget(self, table: Table, where: Where, message: int) -> None:
        """Remove a message from memory: it is no live message any more."""
        self._shown.get((table.id, where), {}).pop(message, None)

    def pause(self, table: Table) -> int:
        """Return the ms for which people still read how the last round ended, before anything is posted below it."""
        # Too late when the next table is posted already, or asked for.
        if (table.is_open and ("page", table.pages.live.first) in table.posts) or table.id in self.requests:
            return 0
        return max(0, table.state.read_until(self._tables.clock.times) - self._tables.clock.now())

    def _page(self, table: Table) -> Page:
        """Return the page that the live table shows: the last one, or the one before while people read its end."""
        *before, last = table.pages.kept
        return before[-1] if before and table.is_open and self.pause(table) else last

    def _live_post(self, table: Table) -> Post | None:
        """Return the row of the live table; None until it is posted, and when it is a record."""
        post = table.posts.get(("page", self._page(table).first))
        return post if post and not post.final else None

    async def _draw(self, match: int, first: int) -> Panel:
        """Build the live table of the page that begins with item `first`; 0 is for the card."""
        table = await self._tables.get(match)
        ui, pictures = self._uis[table.match.game], self._venue.may_attach(table)
        page = next((each for each in table.pages.kept if each.first == first), self._page(table))
        panel = None
        if not first:
            _, substituted = await self._tables.played(match) if table.state.phase == "over" else ([], set())
            panel = lobby_card.card(table, ui, substituted, pictures=pictures)
        elif page.closed:
            panel = posts.record(table, page, ui, pictures=pictures, buttons=True)
        return (panel or posts.live(table, ui, pictures=pictures)).with_mentions(self._command_ids)


def _nonce_of_card(table: Table) -> str:
    """Return a nonce named for the card in its place."""
    return f"{table.id}-card-{(table.match.card or 0) % 10**9}"
