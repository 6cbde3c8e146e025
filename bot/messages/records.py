"""The final messages of a table, no longer edited: records of pages, the end, and the result in the channel."""

from collections.abc import Mapping
from typing import Literal

import discord

from bot.match.pages import Page
from bot.match.table import Table
from bot.match.tables import Tables
from bot.messages import posts
from bot.messages.game_ui import GameUI
from bot.messages.live_message import edit, is_lost
from bot.messages.live_messages import LiveMessages
from bot.messages.outbox import Outbox
from bot.messages.panel import Panel
from bot.messages.venue import Venue, place_of
from bot.store import Post

UNKNOWN_CHANNEL = 10003


class Records:
    """The records of all tables."""

    def __init__(
        self, tables: Tables, uis: Mapping[str, GameUI], outbox: Outbox, venue: Venue, live: LiveMessages
    ) -> None:
        self._tables = tables
        self._uis = uis
        self._outbox = outbox
        self._venue = venue
        self._live = live

    async def show_page(self, table: Table, page: Page, post: Post | None) -> None:
        """Turn the live table of a closed page into its record, or post the record if there is no live table."""
        panel = posts.record(table, page, self._uis[table.match.game], pictures=self._venue.may_attach(table))
        place = place_of(table)
        if panel is None:
            if post is not None:
                await self._outbox.delete(table, post.channel, post.message)
            message = 0
        elif post is None:
            message = await self._outbox.send(table, place, panel, f"{table.id}-page-{page.first}")
        else:
            message = await self._edit(table, post, panel)
        await self._tables.save_post(table, Post(table.id, "page", page.first, place, message, final=1))
        table.pages.forget(page)

    async def _edit(self, table: Table, post: Post, panel: Panel) -> int:
        """Turn the live table into a record by an edit, or post the record if that fails for good. Return its id."""
        live = self._live.retire(table, post.message)
        try:
            if live is not None:
                await live.finish(panel)
            else:
                await edit(self._outbox.message(table, post.channel, post.message), panel)
        except discord.HTTPException as error:
            if not is_lost(error) or getattr(error, "code", 0) == UNKNOWN_CHANNEL:
                raise
            reposted = await self._outbox.send(
                table, place_of(table), panel, f"{table.id}-again-{post.number}"
            )
            await self._outbox.delete(table, post.channel, post.message)
            return reposted
        return post.message

    async def show_end(self, table: Table) -> None:
        """Post the last message where the match was played, and its result in the channel."""
        if table.state.phase != "over":
            return
        if ("end", 0) not in table.posts:
            events = await self._tables.public_events(table.id)
            pictures = self._venue.may_attach(table)
            ratings = await self._tables.rating_notes(table)
            milestones = await self._tables.milestones(table)
            ui = self._uis[table.match.game]
            panel = posts.end(table, ui, events, milestones, ratings, pictures=pictures)
            await self._post_once(table, "end", place_of(table), panel)
        await self.show_result(table)

    async def show_result(self, table: Table) -> None:
        """Post the result of a match in the channel, if it was played in a thread."""
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
        await self._tables.save_post(table, Post(table.id, kind, 0, channel, message, final=1))
