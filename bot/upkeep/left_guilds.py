"""Servers that removed the bot: what happened there is kept for 30 days, in case the bot is invited again."""

import logging
from collections.abc import Awaitable, Callable, Collection
from typing import Final

import discord

from bot.error_codes import MISSING_ACCESS, UNKNOWN_GUILD
from bot.messages.expected import EXPECTED
from bot.store import Store, StoreFailed

log = logging.getLogger(__name__)

KEPT: Final = 30 * 24 * 3_600_000
"""Ms after which a server is purged."""


class LeftGuilds:
    """Marks servers that removed the bot, and purges them. `fetch` asks Discord for a server; `owns` returns whether
    this process runs the tables of a server."""

    def __init__(
        self,
        store: Store,
        now: Callable[[], int],
        fetch: Callable[[int], Awaitable[object]],
        owns: Callable[[int], bool],
    ) -> None:
        self._store = store
        self._now = now
        self._fetch = fetch
        self._owns = owns

    async def mark(self, present: set[int], shards: Collection[int], count: int) -> None:
        """Mark all servers with matches of these shards, out of `count`, except those in `present`. Errors are
        logged."""
        try:
            await self._store.mark_left_guilds(present, self._now(), shards=shards, count=count)
        except StoreFailed as error:
            log.warning("servers that removed the bot could not be marked: %s", error)

    async def purge(self) -> None:
        """Purge the servers that removed the bot 30 days ago, if Discord confirms that the bot is not there.

        Raises the last error of Discord or of the store, after all servers."""
        failed: Exception | None = None
        for guild in await self._store.left_guilds(self._now() - KEPT):
            try:
                if self._owns(guild):
                    await self._purge_one(guild)
            except EXPECTED as error:  # what is left of the other servers shall not be kept for longer
                failed = error
        if failed is not None:
            raise failed

    async def _purge_one(self, guild: int) -> None:
        if not await self._is_out(guild):
            await self._store.unmark_guild(guild)  # it counts 30 days again when it removes the bot
        elif await self._store.purge_guild(guild):
            log.info("server %s removed the bot 30 days ago; its matches are purged", guild)

    async def _is_out(self, guild: int) -> bool:
        """Return whether Discord says that the bot is not in the server. Raises any other error of Discord."""
        try:
            await self._fetch(guild)
        except (discord.NotFound, discord.Forbidden) as error:
            if error.code not in (UNKNOWN_GUILD, MISSING_ACCESS):
                raise
            return True
        return False
