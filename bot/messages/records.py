"""The final messages of a table: records of pages, the end, and the result in the channel.

A message whose pictures are not drawn yet is posted in words and stored as not final: the worker of its table then
edits it later, also after a kill.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

import discord

from bot.error_codes import ARCHIVED, UNKNOWN_CHANNEL
from bot.match.pages import Page
from bot.match.table import Table
from bot.match.tables import Tables
from bot.messages import posts
from bot.messages.game_ui import GameUI
from bot.messages.late_pictures import PictureRetries, draw_soon
from bot.messages.live_message import edit, is_content_refused, is_lost
from bot.messages.live_messages import LiveMessages
from bot.messages.outbox import Outbox
from bot.messages.panel import Panel
from bot.messages.venue import Venue, place_of
from bot.store import Post


class Records:
    def __init__(
        self,
        tables: Tables,
        uis: Mapping[str, GameUI],
        outbox: Outbox,
        venue: Venue,
        live: LiveMessages,
        retries: PictureRetries,
    ) -> None:
        self._tables = tables
        self._uis = uis
        self._outbox = outbox
        self._venue = venue
        self._live = live
        self._retries = retries
        self._in_words = set[int]()
        """Messages that are shown in words until their pictures are drawn."""

    async def show_page(self, table: Table, page: Page, post: Post | None) -> None:
        """Turn the live table of a closed page into its record, or post the record if there is no live table."""
        panel = posts.record(table, page, self._uis[table.match.game], pictures=self._venue.may_attach(table))
        place = place_of(table)
        if panel is None:
            if post is not None:
                await self._outbox.delete(table, post.channel, post.message)
            message, final = 0, True
        elif post is None:
            if page.first == 1 and place != table.match.channel:  # no live table has greeted anybody there
                people = [table.state.players[seat].user for seat in table.state.people()]
                await self._venue.bring_in(table, people)
            message = await self._outbox.send(table, place, panel, f"{table.id}-page-{page.first}")
            final = self._is_final(table, message, panel)
        else:
            message, final = await self._improve(table, post, panel)
        await self._tables.save_post(
            table, Post(table.id, "page", page.first, place, message, final=int(final))
        )
        if final:
            table.pages.forget(page)
            if post is not None:
                self._live.forget(table, "table", post.message)

    def lack_pictures(self, table: Table) -> bool:
        """Return whether a message of the table is shown in words until its pictures are drawn."""
        return any(post.message in self._in_words and not post.final for post in table.posts.values())

    def _is_final(self, table: Table, message: int, panel: Panel) -> bool:
        """Return whether a message that shows `panel` stays as it is. If not, its pictures are still to be drawn."""
        if panel.lacks_pictures and self._retries.more(table.id):
            self._in_words.add(message)
            return False
        self._in_words.discard(message)
        return True

    async def _improve(self, table: Table, post: Post, panel: Panel) -> tuple[int, bool]:
        """Edit a message that is not final yet to show `panel`. Return its id, and whether it is final."""
        message = post.message
        if message in self._in_words and self._retries.waits(table.id):
            return message, False
        await draw_soon(panel, self._outbox.rasterizer)
        if not (panel.lacks_pictures and message in self._in_words):
            message = await self._edit(table, post, panel)
            self._in_words.discard(post.message)
        return message, self._is_final(table, message, panel)

    async def _edit(self, table: Table, post: Post, panel: Panel) -> int:
        """Edit a live table to show its record, or a final message to show its pictures; post it again if that fails
        for good. Return the id of the message."""
        live = self._live.find(table, post.message)

        async def show() -> None:
            if live is not None:
                await live.finish(panel)
            else:
                message = self._outbox.message(table, post.channel, post.message)
                await edit(message, panel, self._outbox.rasterizer)

        try:
            await self._venue.edit_in_place(post.channel, show)
        except discord.HTTPException as error:
            is_final = is_lost(error) or is_content_refused(error)
            if not is_final or error.code in (UNKNOWN_CHANNEL, ARCHIVED):
                raise
            # If its content is refused again, it is left out, so that what follows is shown.
            # Named for the one in its place: Discord would return a copy that was deleted, too.
            nonce = f"{table.id}-again-{post.message % 10**9}"
            reposted = await self._outbox.send(table, place_of(table), panel, nonce)
            await self._outbox.delete(table, post.channel, post.message)
            self._live.forget(table, "table", post.message)
            return reposted
        return post.message

    async def show_end(self, table: Table) -> None:
        """Post the last message where the match was played, and its result in the channel."""
        if table.state.phase != "over":
            return
        post = table.posts.get(("end", 0))
        if post is None:
            await self._post_once(table, "end", place_of(table), await self._end(table))
        elif not post.final:
            message, final = await self._improve(table, post, await self._end(table))
            await self._tables.save_post(table, replace(post, message=message, final=int(final)))
        await self.show_result(table)

    async def _end(self, table: Table) -> Panel:
        events, substituted = await self._tables.played(table.id)
        pictures = self._venue.may_attach(table)
        ratings = await self._tables.rating_notes(table)
        milestones = await self._tables.milestones(table)
        ui = self._uis[table.match.game]
        return posts.end(table, ui, events, substituted, milestones, ratings, pictures=pictures)

    async def show_result(self, table: Table) -> None:
        """Post the result of a match in the channel, if it was played in a thread."""
        place = place_of(table)
        if table.state.phase != "over" or ("result", 0) in table.posts or place == table.match.channel:
            return
        end = table.posts.get(("end", 0))
        link = self._outbox.message(table, place, end.message).jump_url if end else f"<#{place}>"
        _, substituted = await self._tables.played(table.id)
        await self._post_once(table, "result", table.match.channel, posts.result(table, substituted, link))

    async def _post_once(
        self, table: Table, kind: Literal["end", "result"], channel: int, panel: Panel
    ) -> None:
        message = await self._outbox.send(table, channel, panel, f"{table.id}-{kind}")
        final = int(self._is_final(table, message, panel))
        await self._tables.save_post(table, Post(table.id, kind, 0, channel, message, final=final))
