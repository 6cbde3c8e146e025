"""Admission control: when more people act at once than can be answered in time, most are told to wait, in their order.

Discord wants a first answer within three seconds, but the real one only within fifteen minutes after a deferred one. To
defer an interaction takes a tenth of the time in which a table is loaded and a hand shown, as after a restart.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Final

import aiohttp
import discord

from bot.messages.answers import Interaction, Receipt, age

log = logging.getLogger(__name__)

MAY_WAIT: Final = "may wait"
"""Key of the `extras` of a command whose answer may be deferred before it is run: all its answers are for its person
alone, by `show` and `send`."""
MOST: Final = 30
LATE: Final = 1.5
"""Usual bounds; the receipt arrives within Discord's three seconds."""
PAUSE: Final = 0.005
"""Seconds between two checks whether the next one can go on."""
LAG: Final = 0.02
"""Largest lag of the event loop, in seconds, at which one goes on: first answers to others come before."""


class Admission:
    """The interactions that are handled now, and those that wait."""

    def __init__(self) -> None:
        self.most = MOST
        """Number of interactions handled at a time, above which further ones are deferred."""
        self.late = LATE
        """Age in seconds at which an interaction is deferred."""
        self._handled = 0
        self._waiting = deque[asyncio.Future[None]]()
        self._admitting: asyncio.Task[None] | None = None

    async def run(
        self,
        interaction: Interaction,
        handle: Callable[[], Awaitable[None]],
        *,
        may_wait: bool,
        turn: AbstractAsyncContextManager[None],
    ) -> None:
        """Handle an interaction. Defer one that `may_wait` as soon as it is late; when there are many, before handling
        it. It takes its `turn` first, and while it waits for that it counts for nothing: others are handled."""
        if not may_wait:
            await self._handle(handle)
            return
        receipt = Receipt(interaction, self.late)
        try:
            async with turn:
                if self._handled >= self.most or age(interaction) >= self.late:
                    await receipt.settle()
                    if not await receipt.send():
                        return
                    await self._place()
                await self._handle(handle)
        finally:
            receipt.cancel()

    async def _handle(self, handle: Callable[[], Awaitable[None]]) -> None:
        self._handled += 1
        try:
            await handle()
        finally:
            self._handled -= 1

    def is_overloaded(self) -> bool:
        """Return whether interactions wait for others."""
        return bool(self._waiting)

    def close(self) -> None:
        """Drop those that wait: the bot stops."""
        if self._admitting is not None:
            self._admitting.cancel()
        for place in self._waiting:
            place.cancel()

    async def _place(self) -> None:
        """Wait for a place, behind those that wait already."""
        place = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        if self._admitting is None:
            self._admitting = asyncio.create_task(self._admit(), name="admission")
        await place

    async def _admit(self) -> None:
        """Let the waiting ones go on, one after the other, while the event loop has time."""
        loop = asyncio.get_running_loop()
        while self._waiting:
            begun = loop.time()
            await asyncio.sleep(PAUSE)
            if self._handled < self.most and loop.time() - begun < PAUSE + LAG:
                place = self._waiting.popleft()
                if not place.done():  # else its task was cancelled
                    place.set_result(None)
        self._admitting = None


async def no_suggestions(interaction: Interaction) -> None:
    """Answer an autocompletion by none. The next letter asks again."""
    try:
        await interaction.response.autocomplete([])
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        log.debug("suggestions came too late: %s", error)
