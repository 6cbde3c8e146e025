"""Archiving the threads of matches that are over: they then leave the lists of channels."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Final

import discord

from bot.gateway.acting import act_for
from bot.gateway.discord_time import posted_at
from bot.match.tables import Tables
from bot.messages.expected import EXPECTED
from bot.store import Match

PAUSE: Final = 60
"""Seconds between two searches for threads that are quiet."""
BEFORE: Final = 3_600_000
"""Ms before a start, or before a shard is taken, in which a match must have ended for its thread to be archived.
Discord hides older ones itself."""


class ThreadArchiver:
    """The threads of matches that are over and shown to their end, until they are archived: once nobody has written
    there for `Times.archive`. Where that is not allowed, Discord archives them after a day."""

    def __init__(self, client: discord.Client, tables: Tables) -> None:
        self._client = client
        self._tables = tables
        self._waiting: dict[int, tuple[int, int]] = {}
        """By thread: its server, and the time in ms before which it stays open."""

    def add(self, match: Match, ended: int) -> None:
        """Archive the thread of a match that ended at a time in ms, later; nothing for one without a thread."""
        if match.place not in (None, match.channel):
            self._waiting[match.place or 0] = match.guild, ended + self._tables.clock.times.archive

    async def load(self, concerns: Callable[[int], bool]) -> None:
        """Read which matches have ended lately, on servers for which `concerns` returns True."""
        for match in await self._tables.store.ended_in_threads(self._tables.clock.now() - BEFORE):
            if concerns(match.guild):
                self.add(match, match.ended or 0)

    async def run(self) -> None:
        """Archive what is quiet, once a minute, until cancelled."""
        while True:
            await self.archive()
            await asyncio.sleep(PAUSE)

    async def archive(self) -> None:
        """Archive the threads that are quiet. One that fails stays as it is."""
        for thread, (guild, until) in [*self._waiting.items()]:
            if until <= self._tables.clock.now() and not self._tables.clock.has_outage(guild):
                act_for(guild)
                del self._waiting[thread]
                with contextlib.suppress(*EXPECTED, discord.ClientException):
                    if self._tables.owns(guild) and (later := await self._archive(thread)):
                        self._waiting[thread] = guild, later

    async def _archive(self, number: int) -> int:
        """Archive a thread unless it is in use. Return the time in ms at which to try again, 0 for never."""
        thread = await self._client.fetch_channel(number)
        now, quiet = self._tables.clock.now(), self._tables.clock.times.archive
        if not isinstance(thread, discord.Thread) or thread.archived:
            return 0
        if self._tables.here(number):  # somebody has opened a table there
            return now + quiet
        until = posted_at(thread.last_message_id or number) + quiet
        if until > now:
            return until
        await thread.edit(archived=True)
        return 0
