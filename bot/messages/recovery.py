"""After a kill or an error: find messages that were posted but not stored, before any others are posted."""

from collections.abc import Iterable, Set
from dataclasses import replace

from bot.match.table import Table
from bot.match.tables import Tables
from bot.messages.live_messages import LiveMessages
from bot.messages.outbox import Outbox
from bot.messages.venue import Venue, place_of
from bot.store import Post


class Recovery:
    """The tables in doubt: they may have messages that are not in the store."""

    def __init__(self, tables: Tables, venue: Venue, outbox: Outbox, live: LiveMessages) -> None:
        self._tables = tables
        self._venue = venue
        self._outbox = outbox
        self._live = live
        self._doubted: set[int] = set()
        self._read: set[int] = set()
        """Those of them whose messages were read since they came into doubt."""

    def doubt(self, matches: Iterable[int]) -> None:
        """Put tables in doubt: before anything is posted there, look for messages that are not in the store."""
        for match in matches:
            self._doubted.add(match)
            self._read.discard(match)

    def trust(self, match: int) -> None:
        """End the doubt about a table without looking."""
        self._doubted.discard(match)
        self._read.discard(match)
        self._outbox.forget(match)

    def doubted(self) -> list[int]:
        """Return the tables in doubt, oldest first."""
        return sorted(self._doubted)

    async def find_card(self, table: Table) -> None:
        """Find the newest card of a table in doubt, or of one that is over and has none, in its channel. Post that of
        an open table when there is none. Practice has one after a rematch, and where it could not begin."""
        if table.match.place is not None:
            return  # it is read for the pages
        practice = table.state.practice
        if table.match.card is None and not table.is_open and not practice:
            # It may have been posted just now and not be noted yet. It has buttons until it is edited.
            self.doubt([table.id])
        if table.id not in self._doubted:
            return
        await self._look_back(table)
        card = table.match.card  # a click on it may have noted it meanwhile
        if found := self._outbox.take_card(table, after=card or 0):
            await self._live.replace_card(table, found)
        elif card is None and table.is_open and not (practice and table.state.phase == "play"):
            await self._live.post_card(table)

    async def find_pages(self, table: Table) -> None:
        """Find the live tables of a table in doubt, and finish replacing messages."""
        if table.id not in self._doubted:
            return
        live = await self._look_back(table)
        for record in [each for each in table.posts.values() if each.final and each.message in live]:
            # An edit from before a kill came after it had become one.
            await self._tables.save_post(table, replace(record, final=0))
            async with table.lock:
                table.outdate()
        for page in table.pages.kept:
            post = table.posts.get(("page", page.first))
            old = post.message if post else None
            if found := self._outbox.take_page(table, page.first, after=old or 0):
                post = Post(table.id, "page", page.first, place_of(table), found, old)
                await self._tables.save_post(table, post)
            if post and not post.final:
                await self._live.calls.lift(table, post.message)  # a call that was posted before this page
        for post in [post for post in table.posts.values() if post.old is not None]:
            if post.message == post.old and self._is_live(table, post):
                # What a kill interrupted may still be on its way. Discord knows it by its nonce, so it stands once.
                self._live.requests.add(table.id)
            else:
                await self._live.finish_move(table, post)
        # Below what was shown after the backup. Where the bot may not read, the doubt stays, and each try would post.
        if table.state.restored > table.match.published and table.id in self._read:
            self._live.requests.add(table.id)

    def _is_live(self, table: Table, post: Post) -> bool:
        return table.state.phase == "play" and post.key == ("page", table.pages.live.first)

    async def _look_back(self, table: Table) -> Set[int]:
        """Read what stands there. Return the known messages that look like a live table."""
        if not self._venue.may_read(table):  # Discord would answer that nothing stands there
            return set()
        self._read.add(table.id)  # before the answer: what is posted after it may not be in it
        live = await self._outbox.look_back(table)
        if live is None:
            self._read.discard(table.id)
        return live or set()

    async def tidy(self, table: Table) -> bool:
        """Delete found messages that were replaced, and end the doubt about the table; not before the bot could read
        what stands there. Return whether the table is not in doubt any more."""
        if table.id in self._read:
            await self._outbox.tidy(table)
            if table.id in self._read:
                self.trust(table.id)
        return table.id not in self._doubted
