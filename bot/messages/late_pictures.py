"""Pictures that are not ready when a click must be answered: the answer goes out in words, and an edit adds them.

Nothing of this is stored. After a kill the words stay, and the next click shows the picture.
"""

import asyncio
import contextlib
import logging
from collections import OrderedDict
from collections.abc import Coroutine, Sequence
from functools import partial
from typing import Final

import aiohttp
import discord

from bot.messages.attachments import Attachments, Kept, attachments_of
from bot.messages.panel import Panel
from bot.pictures.worker_client import NotYet, WorkerClient

log = logging.getLogger(__name__)

CLICK_WAIT: Final = 1.5
"""Maximum seconds that a click waits for an edit of its message that is being sent. Discord usually takes a tenth of
that, and a click must be answered within three."""

PATIENCE: Final = 60.0
"""Seconds that a picture may take to be drawn when many wait."""
STALE: Final = 2.5
"""Seconds for which a message keeps its former picture. Then it is put into words until the new one is drawn."""
PAUSES: Final = (1, 2, 4, 8, 15, 30, 60, 60, 60)
"""Seconds before each further try to draw a picture, while the rasterizer is being replaced. Discord takes the edit
within 15 minutes."""

CLICKS: Final = 1_000
"""Number of messages of which it is known how often they were clicked."""


class LatePictures:
    """The edits that add pictures: at most one for each message."""

    def __init__(self, rasterizer: WorkerClient) -> None:
        self._rasterizer = rasterizer
        self._edits: dict[int, asyncio.Task[None]] = {}
        """By message id."""
        self._clicks = OrderedDict[int, int]()
        """By message id: number of clicks that changed it, of the messages that were clicked last."""
        self._present = OrderedDict[int, Attachments]()
        """By message id: its attachments after the last edit, until a click changes them."""
        self._sending = set[int]()
        """Messages whose edit is being sent."""

    def add(self, message: discord.Message, panel: Panel, click: int = 0) -> None:
        """Add the pictures of `panel` to a message once they are drawn; until then it shows words or its former
        pictures. Do nothing if another click than number `click` has changed the message since."""
        if self._is_last(message, click):
            self._start(message.id, self._edit(message, panel))

    async def make_way(self, message: int) -> tuple[int, Attachments | None]:
        """Drop the edit of a message that a click is about to change. Return the number of the click, and the
        attachments if an edit has changed them."""
        click = self._clicks[message] = self._clicks.pop(message, 0) + 1
        if len(self._clicks) > CLICKS:
            self._clicks.popitem(last=False)
        if (edit := self._edits.get(message)) is not None:
            if message in self._sending:  # cancelled now, it might still arrive after the answer to the click
                await asyncio.wait({edit}, timeout=CLICK_WAIT)
            edit.cancel()
        # The edit may have come after the click, which then does not know them.
        return click, self._present.pop(message, None)

    def _is_last(self, message: discord.Message, click: int) -> bool:
        """Return whether a click is the last that has changed a message."""
        # The next click may be answered before it is known that the answer to this one has arrived.
        return self._clicks.get(message.id, 0) == click

    async def close(self) -> None:
        """Drop all edits: the bot stops."""
        edits = [*self._edits.values()]
        for edit in edits:
            edit.cancel()
        await asyncio.gather(*edits, return_exceptions=True)

    def _start(self, message: int, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        edit = self._edits[message] = asyncio.create_task(work, name=f"picture-{message}")
        edit.add_done_callback(partial(self._forget, message))
        return edit

    def _forget(self, message: int, done: asyncio.Task[None]) -> None:
        if self._edits.get(message) is done:  # else there is a newer one
            del self._edits[message]

    async def _edit(self, message: discord.Message, panel: Panel) -> None:
        if attachments_of(message):  # of before, and these stay for a short time only
            try:
                await panel.attachments(self._rasterizer, within=STALE)
            except NotYet:
                await self._send(message, panel.in_words(), [])
        if files := await drawn(panel, self._rasterizer):
            await self._send(message, panel, files)

    async def _send(
        self, message: discord.Message, panel: Panel, files: Sequence[discord.File | Kept]
    ) -> None:
        self._sending.add(message.id)
        try:
            self._present[message.id] = attachments_of(await message.edit(view=panel, attachments=files))
            if len(self._present) > CLICKS:
                self._present.popitem(last=False)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.debug("a message stays in words: %s", error)
        finally:
            self._sending.discard(message.id)


async def drawn(panel: Panel, rasterizer: WorkerClient) -> Sequence[discord.File | Kept]:
    """Return the pictures of a panel as soon as they are drawn; none if the rasterizer does not come back."""
    for pause in (*PAUSES, 0):
        with contextlib.suppress(NotYet):
            return await panel.attachments(rasterizer, within=PATIENCE)
        await asyncio.sleep(pause)
    return []
