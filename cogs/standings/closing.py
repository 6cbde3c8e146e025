"""Closing seasons: a chore that stores the final table of each season that is over, and then posts it once.

Closing is one transaction of the store, and posting comes after it. After a kill or an error in between, the next turn
posts the table. It finds a message that was posted already by its button, or by the nonce.
"""

import asyncio
import contextlib
import logging
from functools import partial
from typing import Final

import discord

from bot.client import Palmhouse
from bot.gateway.acting import act_for
from bot.gateway.discord_time import posted_at
from bot.messages.expected import Failures
from bot.messages.panel import Panel
from bot.standings.ratings import DAY
from bot.standings.season import PATIENCE, may_close, must_close, tabulate
from bot.store import Season
from cogs.common.once import Unstored, delete_copy, look_back, post_or_leave_out
from cogs.standings.season import END, final_post, season_id

log = logging.getLogger(__name__)

PAUSE: Final = 5.0
"""Seconds between two checks of the seasons that are not finished."""
AGAIN: Final = 60.0
"""Seconds after which a final table that may not be posted is tried again."""
GIVE_UP: Final = DAY
"""Ms after the closing of a season from which its final table is left out where it may not be posted."""


class Closing:
    """Closes the unfinished seasons of all servers of this process."""

    def __init__(self, bot: Palmhouse) -> None:
        self._bot = bot
        self._rests: dict[int, float] = {}
        """By season whose final table may not be posted: the time of the event loop at which it is tried again."""
        self._sent = Unstored[int]()
        """By season: its final table."""
        self._failing = Failures(log)
        """By season."""

    async def finish_seasons(self) -> None:
        """Close the seasons that are over, and post the final tables that are not posted."""
        if self._bot.time.jump:
            return  # this machine's clock is wrong, and is corrected in a moment
        now = asyncio.get_running_loop().time()
        found = await self._bot.store.unfinished_seasons()
        seasons = {each.id: each for each in found if self._bot.tables.owns(each.guild)}
        self._failing.keep(seasons)  # a server may be purged meanwhile
        for known in (self._rests, self._sent):
            for number in known.keys() - seasons.keys():
                del known[number]
        for season in seasons.values():
            if now < self._rests.get(season.id, now):
                continue
            act_for(season.guild)
            try:
                await self._finish(season)
                self._rests.pop(season.id, None)
                self._failing.forget(season.id)
            except Exception as error:  # another server's season must not wait for this one
                self._failing.note(season.id, f"season {season.id} could not be finished yet", error)
                if isinstance(error, discord.Forbidden):  # to post its final table; it may be allowed again
                    self._rests[season.id] = now + AGAIN

    async def _finish(self, season: Season) -> None:
        if season.closed is not None or await self._close(season):
            store = partial(self._bot.store.keep_final_post, season.id)
            await self._sent.keep(season.id, partial(self._posted, season), store)

    async def _close(self, season: Season) -> bool:
        now = self._bot.time.now()
        is_late = must_close(season, now)
        return may_close(season, now) and await self._bot.store.close_season(
            season.id, season.ends + PATIENCE if is_late else now, tabulate, unless_playing=not is_late
        )

    async def _posted(self, season: Season) -> int:
        """Return the message with the final table. Post it if it is not there; return 0 if Discord refuses that for
        good. Raises discord.Forbidden while it may be allowed again."""
        place = self._bot.get_partial_messageable(season.channel, guild_id=season.guild)
        with contextlib.suppress(discord.Forbidden, discord.NotFound, PermissionError):
            for message in await look_back(self._bot, place, season_id(season, END)):
                if posted_at(message.id) >= season.ends:  # else it is of a database that was lost
                    return message.id
        rows = await self._bot.store.final_table(season.id)
        # Read anew: it may have been renamed while others were posted.
        seasons = await self._bot.store.seasons(season.guild)
        panel = final_post(next((each for each in seasons if each.id == season.id), season), rows)
        hopes = season.closed is None or self._bot.time.now() < season.closed + GIVE_UP
        send = partial(self._post, place, season, panel)
        return await post_or_leave_out(panel, send, f"the final table of season {season.id}", hopes=hopes)

    async def _post(self, place: discord.PartialMessageable, season: Season, panel: Panel) -> int:
        began = self._bot.time.now()
        message = await place.send(
            view=panel,
            files=await panel.files(self._bot.rasterizer),
            nonce=f"season-{season.id}",
            silent=True,
        )
        await delete_copy(self._bot, message, began, season_id(season, END))
        return message.id
