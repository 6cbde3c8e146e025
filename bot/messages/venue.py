"""The place of a match, and the permissions of the bot there. It is a thread below the card, or the channel itself. A
table of a game night shows cards that others are still to play, so it has a private thread where that is allowed."""

import contextlib
import logging
from collections.abc import Awaitable, Callable
from typing import Final

import discord
from discord.abc import GuildChannel

from bot.error_codes import (
    ARCHIVED,
    CLOSED_MESSAGES,
    LOCKED_THREAD,
    NO_COMMON_SERVER,
    THREAD_EXISTS,
    TOO_MANY_THREADS,
)
from bot.gateway.discord_time import posted_at
from bot.gateway.private import start_thread
from bot.match.table import Table
from bot.match.tables import Tables

log = logging.getLogger(__name__)

AUTO_ARCHIVE: Final = 1440
"""Minutes without a message after which Discord hides a thread."""
LASTS: Final = 10_000
"""Ms that a private thread must have lasted to be replaced: where another bot deletes each one, it would never end."""


def place_of(table: Table) -> int:
    """Return the channel or thread where the match is played."""
    return table.match.place or table.match.channel


def find_channel(client: discord.Client, guild: int, channel: int) -> GuildChannel | discord.Thread | None:
    """Return a channel or thread of a server; None if it, or the channel of a thread, is not cached."""
    server = client.get_guild(guild)  # `Client.get_channel` would look through all servers
    found = None if server is None else server.get_channel_or_thread(channel)
    # A thread may be made before Discord has described its server. Nothing is known of its permissions then.
    return None if isinstance(found, discord.Thread) and found.parent is None else found


def permissions(client: discord.Client, guild: int, *places: int) -> discord.Permissions | None:
    """Return what the bot may do in the first cached one of these channels and threads; None if it is not known."""
    place = next((found for each in places if (found := find_channel(client, guild, each))), None)
    return None if place is None else place.permissions_for(place.guild.me)


class Venue:
    """Finds a place for each match, and falls back to the channel when the thread is gone."""

    def __init__(self, client: discord.Client, tables: Tables) -> None:
        self._client = client
        self._tables = tables
        self.troubles: dict[int, str] = {}
        """By table: a sentence for its players about why nothing can be posted now. Their hands show it."""
        self.without_threads = set[int]()
        """Servers that had too many threads when one was last wanted there."""

    async def find(self, table: Table) -> bool:
        """Give the match a place. Return False if it has one already.

        Raises discord.HTTPException if it is unknown whether a thread is possible, as Discord did not work.
        """
        if table.match.place is not None:
            return False
        thread = await self._make_thread(table)
        await self._tables.set_place(table, thread or table.match.channel)
        return True

    async def leave(self, table: Table) -> None:
        """Give the match a place instead of its deleted thread: at a game night another private one where that is
        allowed, as others may still play its deal; else the channel."""
        thread, lasted = None, self._tables.clock.now() - posted_at(place_of(table))
        if table.is_seated and lasted > LASTS:
            with contextlib.suppress(discord.NotFound):  # the channel is gone, too
                thread = await self._make_private_thread(table)
        if thread:  # before it is stored, as a kill may follow
            people = [table.state.players[seat].user for seat in table.state.people()]
            await self.bring_in(table, people, thread)
        await self.fall_back(table, thread)

    async def fall_back(self, table: Table, thread: int | None = None) -> None:
        """Make another thread or the channel the place of the match. Call it when the thread is gone or takes no
        messages."""
        for post in [post for post in table.posts.values() if post.channel == table.match.place]:
            if not post.final:
                await self._tables.delete_post(table, post)
        await self._tables.set_place(table, thread or table.match.channel)

    async def is_shut_out(self, table: Table) -> bool:
        """Return whether the bot does not see the table's thread though it sees its channel. Somebody has removed it
        from a private thread, or from the server before they invited it again: nothing lets it in any more."""
        if place_of(table) != table.match.channel:
            with contextlib.suppress(discord.Forbidden, discord.NotFound):
                await self._client.fetch_channel(table.match.channel)
                try:  # once more: a permission may just have come back
                    await self._client.fetch_channel(place_of(table))
                except discord.Forbidden:
                    return True
        return False

    async def edit_in_place(self, channel: int, edit: Callable[[], Awaitable[None]]) -> None:
        """Edit a message in a channel or a thread; in an archived one, take the thread out of the archive and edit
        again: a new message would stand below later ones. Raises HTTPException, with ARCHIVED if somebody archived it
        meanwhile."""
        try:
            await edit()
        except discord.HTTPException as error:
            if error.code != ARCHIVED:
                raise
            thread = await self._client.fetch_channel(channel)
            if isinstance(thread, discord.Thread):
                await thread.edit(archived=False)
            await edit()

    def note_trouble(self, table: Table, code: int) -> None:
        """Store a sentence in `troubles` about Discord's error code for the place of the match."""
        server = self._client.get_guild(table.match.guild)
        self.troubles[table.id] = or_timeout(server, trouble(place_of(table), code))

    def may_attach(self, table: Table) -> bool:
        """Return whether pictures may be posted where the table is played; True where that is not known."""
        # Where the bot sees nothing, it has no other permission either, but it posts only once it sees.
        sees = self._allows(table, discord.Permissions(view_channel=True))
        return not sees or self._allows(table, discord.Permissions(attach_files=True))

    def may_read(self, table: Table) -> bool:
        """Return whether older messages may be read where the table is played; True where that is not known."""
        return self._allows(table, discord.Permissions(read_message_history=True))

    def _allows(self, table: Table, wanted: discord.Permissions) -> bool:
        # discord.py forgets an archived thread; in the channel above it the same is allowed.
        granted = permissions(self._client, table.match.guild, place_of(table), table.match.channel)
        return granted is None or granted >= wanted

    async def bring_in(self, table: Table, users: list[int], thread: int | None = None) -> None:
        """Add people to the table's thread, or the one that it will have, without notifying them, as far as Discord
        allows. Raises errors of the network, and those of Discord by which it does not work."""
        place = thread or place_of(table)
        for user in users:
            try:
                found = find_channel(
                    self._client, table.match.guild, place
                ) or await self._client.fetch_channel(place)
                if isinstance(found, discord.Thread):
                    await found.add_user(discord.Object(user))
            except discord.HTTPException as error:
                if error.status >= 500 or error.status == 429:
                    raise

    async def _make_thread(self, table: Table) -> int | None:
        """Make a thread below the table's card; return its id, or None where that is not allowed."""
        card = table.match.card
        if card is None or not table.match.guild:  # direct messages have no threads
            return None
        # Else an empty one would be left there by each match.
        if not self._allows(table, discord.Permissions(send_messages_in_threads=True)):
            return None
        try:
            if table.is_seated and (private := await self._make_private_thread(table)):
                return private
            thread = await start_thread(self._client, table.match.channel, card, _name(table), AUTO_ARCHIVE)
        except discord.HTTPException as error:
            if error.status >= 500 or error.status in (401, 429):  # 429: for longer than discord.py waits
                raise
            if error.code == THREAD_EXISTS:
                return card  # it was made just before a kill; a message's thread has the message's id
            if error.code == TOO_MANY_THREADS:
                self.without_threads.add(table.match.guild)
            log.info("table %s stays in its channel (%s %s)", table.id, error.status, error.code)
            return None
        self.without_threads.discard(table.match.guild)
        return thread

    async def _make_private_thread(self, table: Table) -> int | None:
        channel, name = find_channel(self._client, table.match.guild, table.match.channel), _name(table)
        if not isinstance(channel, discord.TextChannel):
            return None
        for made in channel.threads:  # just before a kill
            is_own = made.name == name and made.is_private() and made.owner_id == channel.guild.me.id
            if is_own and made.id != table.match.place:
                return made.id
        try:
            made = await channel.create_thread(
                name=name,
                type=discord.ChannelType.private_thread,
                auto_archive_duration=AUTO_ARCHIVE,
                invitable=False,  # else a mention there would let somebody in who still plays the deal
            )
        except discord.HTTPException as error:
            # They may be forbidden, and an announcement channel has none.
            if error.status not in (400, 403):
                raise
            return None
        return made.id


def _name(table: Table) -> str:
    return f"{table.state.game.title} · table {table.id}"


def or_timeout(server: discord.Guild | None, sentence: str) -> str:
    """Return a sentence about a missing permission; while the bot is in a timeout, in which nobody can give it one, a
    sentence about that."""
    until = None if server is None or server.unavailable else server.me.timed_out_until
    if until is None or until < discord.utils.utcnow():
        return sentence
    return (
        f"⚠️ I am in a timeout until <t:{int(until.timestamp())}:f>, so I cannot post on this server. Somebody with "
        "Timeout Members can end it in the list of members."
    )


def trouble(place: int, code: int) -> str:
    """Return a sentence for players: the bot may not post in `place`, and who can change that."""
    if code == LOCKED_THREAD:
        return f"⚠️ <#{place}> is locked, so I cannot show the table there. A moderator can unlock it; play goes on."
    if code == CLOSED_MESSAGES:
        return (
            "⚠️ You take no direct messages from me, so I cannot show the table. Allow them in Discord's privacy "
            "settings, and it is shown with your next move; until then `/hand` shows your cards."
        )
    if code == TOO_MANY_THREADS:
        return (
            f"⚠️ This server has 1,000 active threads, so <#{place}> cannot leave the archive, and I cannot show the "
            "table there. Somebody with Manage Threads can close old ones; play goes on."
        )
    if code == NO_COMMON_SERVER:
        return (
            "⚠️ You and I are on no common server any more, so I may not write to you, and cannot show the table. "
            "Join one, and it is shown with your next move."
        )
    return (
        f"⚠️ I may not post in <#{place}>. Somebody who manages it can let me view it and send messages; the match "
        "goes on, and the table is shown there as soon as I may."
    )
