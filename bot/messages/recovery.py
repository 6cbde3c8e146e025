"""After a kill or an error: find messages that were posted but not stored, before any others are posted."""

from collections.abc import Iterable

from bot.match.table import Table
from bot.match.tables import Tables
from bot.messages.live_messages import LiveMessages
from bot.messages.outbox import Outbox
from bot.messages.venue import place_of
from bot.store import Post


class Recovery:
    """The tables in doubt: they may have messages that are not in the store."""

    def __init__(self, tables: Tables, outbox: Outbox, live: LiveMessages) -> None:
        self._tables = tables
        self._outbox = outbox
        self._live = live
        self._doubted: set[int] = set()
        self._first: dict[int, int] = {}
        """By table: its first page, as it was found. Later ones, and calls that nobody needs, are below it."""

    def doubt(self, matches: Iterable[int]) -> None:
        """Put tables in doubt: before anything is posted there, look for messages that are not in the store."""
        self._doubted.update(matches)

    def trust(self, table: Table) -> None:
        """End the doubt about a table without looking."""
        self._doubted.discard(table.id)
        self._first.pop(table.id, None)
        self._outbox.forget(table)

    def doubted(self) -> list[int]:
        """Return the tables in doubt, oldest first."""
        return sorted(self._doubted)

    async def find_card(self, table: Table) -> None:
        """Find the card of a table in doubt in its channel; post it when there is none."""
        if table.id not in self._doubted or not _lacks_card(table):
            return
        await self._outbox.look_back(table)
        if found := self._outbox.take_card(table):
            await self._tables.update_match(table, card=found)
        elif table.is_open:
            await self._live.post_card(table.id)

    async def find_pages(self, table: Table) -> None:
        """Find the live tables of a table in doubt, and finish replacing messages."""
        if table.id not in self._doubted:
            return
        await self._outbox.look_back(table)
        for page in table.pages.kept:
            post, found = table.posts.get(("page", page.first)), self._outbox.take_page(table, page.first)
            if found and (post is None or found > post.message):
                old = post.message if post else None
                post = Post(table.id, "page", page.first, place_of(table), found, old)
                await self._tables.save_post(table, post)
        pages = [post.old or post.message for post in table.posts.values() if post.kind == "page"]
        known = [self._first.get(table.id, 0)]  # a first try may have posted the page again
        self._first[table.id] = min(filter(None, [*known, *pages]), default=0)
        for post in [post for post in table.posts.values() if post.old is not None]:
            await self._live.finish_move(table, post)

    async def tidy(self, table: Table) -> None:
        """Delete found messages that were replaced, and end the doubt about the table."""
        if table.id in self._doubted:
            await self._outbox.tidy(table, self._first.get(table.id, 0))
            self.trust(table)


def _lacks_card(table: Table) -> bool:
    """Return whether a table should have a card, but none is stored. Practice tables have none."""
    return table.match.card is None and table.match.place is None and not table.state.practice
