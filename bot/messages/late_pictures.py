"""Pictures that are not drawn when a message must be sent. The message goes out without them, and an edit adds them.

- The answer to a click has pictures of before until then, or words (`in_time`). `LatePictures` edits it, or for a hand
  that follows its table `bot.messages.open_hands`. Nothing of this is stored: after a kill the words stay, which say
  the same, and the next click shows the picture.
- A message for everybody waits longer, then has words (`draw_soon`). The worker of its table edits it, as often as
  `PictureRetries` allows, also after a kill: a live table is compared with what it should show, and a final message is
  stored as not final.
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

from bot.messages.attachments import NOTHING, Attachments, Kept, attachments_of
from bot.messages.panel import Panel
from bot.pictures.worker_client import NotYet, WorkerClient

log = logging.getLogger(__name__)

ANSWER_TIMEOUT: Final = 0.05
"""Seconds that the answer to a click waits for its pictures."""
DRAWING_TIMEOUT: Final = 1.0
"""Seconds that a message for everybody waits for its pictures."""
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

RETRY_STEP: Final = 1.0
"""Seconds before the first retry for a table. Each later one waits this much longer than the one before."""
MOST_STEPS: Final = 5
"""Maximum number of steps before a retry: what a busy rasterizer has drawn meanwhile is not kept for long."""
RETRIES: Final = 180
"""Number of retries, in a quarter of an hour. A rasterizer that fails them all does not work on this machine."""


async def in_time(
    panel: Panel,
    rasterizer: WorkerClient,
    present: Attachments = NOTHING,
    *,
    wait: bool = True,
    within: float = ANSWER_TIMEOUT,
) -> tuple[Panel, list[discord.File | Kept]]:
    """Return a panel and its attachments for the answer to a click, or for another edit that shall not be late.

    If they are not ready `within` some seconds, or without `wait` if they are not drawn yet, return a copy to show
    until then: with pictures of before, which are among the attachments `present`, else in words."""
    with contextlib.suppress(NotYet):
        if wait or all(each.name in present or rasterizer.keeps(each) for each in panel.pictures()):
            return panel, await panel.attachments(rasterizer, present, answer=True, within=within)
    former = panel.with_former_pictures(present)
    ready = former or panel.in_words()
    ready.lacks_pictures = True
    return ready, [Kept(number) for number in present.values()] if former else []


async def files_in_time(panel: Panel, rasterizer: WorkerClient) -> tuple[Panel, list[discord.File]]:
    """Like `in_time`, for a new message: return the panel, and the files to attach to it."""
    ready, attachments = await in_time(panel, rasterizer)
    return ready, [each for each in attachments if isinstance(each, discord.File)]


async def draw_soon(
    panel: Panel, rasterizer: WorkerClient, present: Attachments = NOTHING
) -> list[discord.File | Kept]:
    """Return the attachments of a message for everybody. Pictures that are not drawn in time are replaced in `panel` by
    their alt texts: people must know whose turn it is."""
    try:
        return await panel.attachments(rasterizer, present, within=DRAWING_TIMEOUT)
    except NotYet as reason:
        panel.do_without(reason)
        return []


async def drawn(panel: Panel, rasterizer: WorkerClient) -> Sequence[discord.File | Kept]:
    """Return the pictures of a panel as soon as they are drawn; none if the rasterizer does not come back."""
    for pause in (*PAUSES, 0):
        with contextlib.suppress(NotYet):
            return await panel.attachments(rasterizer, within=PATIENCE)
        await asyncio.sleep(pause)
    return []


class LatePictures:
    """The edits that add pictures to answers: at most one for each message."""

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
        self.doubted = set[int]()
        """Messages of which a cancelled edit may still arrive, until another one is sent after it."""

    def add(self, message: discord.Message, panel: Panel, click: int = 0) -> None:
        """Add the pictures of `panel` to a message once they are drawn; until then it shows words or its former
        pictures. Do nothing if another click than number `click` has changed the message since."""
        if self.is_last(message.id, click):
            self._start(message.id, self._edit(message, panel))

    async def make_way(self, message: int, *, is_doubted: bool) -> tuple[int, Attachments | None]:
        """Drop the edit of a message that a click is about to change; it `is_doubted` if an edit of another owner may
        arrive. Return the number of the click, and the attachments if an edit has changed them."""
        click = self._clicks[message] = self._clicks.pop(message, 0) + 1
        if len(self._clicks) > CLICKS:
            self.doubted.discard(self._clicks.popitem(last=False)[0])
        if (edit := self._edits.get(message)) is not None:
            if message in self._sending:
                _, is_late = await asyncio.wait({edit}, timeout=CLICK_WAIT)
                is_doubted |= bool(is_late)
            edit.cancel()
        if is_doubted:
            self.doubted.add(message)
        # The edit may have come after the click, which then does not know them.
        return click, self._present.pop(message, None)

    def is_last(self, message: int, click: int) -> bool:
        """Return whether a click is the last that has changed a message."""
        # The next click may be answered before it is known that the answer to this one has arrived.
        return self._clicks.get(message, 0) == click

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
        if message.id in self.doubted:
            await asyncio.sleep(CLICK_WAIT)
        if attachments_of(message):  # of before, and these stay for a short time only
            try:
                await panel.attachments(self._rasterizer, within=STALE)
            except NotYet:
                await self._send(message, panel.in_words(), [])
        files = await drawn(panel, self._rasterizer)
        if files or not panel.pictures():
            await self._send(message, panel, files)

    async def _send(
        self, message: discord.Message, panel: Panel, files: Sequence[discord.File | Kept]
    ) -> None:
        self._sending.add(message.id)
        try:
            self._present[message.id] = attachments_of(await message.edit(view=panel, attachments=files))
            if len(self._present) > CLICKS:
                self._present.popitem(last=False)
            self.doubted.discard(message.id)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.debug("a message stays in words: %s", error)
        finally:
            self._sending.discard(message.id)


class PictureRetries:
    """The number of retries for each table of which a message lacks its pictures."""

    def __init__(self) -> None:
        self._retries: dict[int, int] = {}
        self._due: dict[int, float] = {}
        """By table: the time of the event loop at which it is retried."""

    def matches(self) -> list[int]:
        """Return the tables with retries."""
        return [*self._retries]

    def count(self, match: int) -> int:
        """Return the number of retries for a table until now."""
        return self._retries.get(match, 0)

    def more(self, match: int) -> bool:
        """Return whether the pictures of a table are tried again. If not, its messages stay in words."""
        return self.count(match) < RETRIES

    def waits(self, match: int) -> bool:
        """Return whether the next retry is yet to come. What makes the bot look before that may be secret."""
        return asyncio.get_running_loop().time() < self._due.get(match, 0)

    def next(self, match: int) -> float:
        """Count a retry, unless the next one is yet to come, and return the seconds before it."""
        now = asyncio.get_running_loop().time()
        if not self.waits(match):
            self._retries[match] = self.count(match) + 1
            self._due[match] = now + RETRY_STEP * min(self.count(match), MOST_STEPS)
        return self._due[match] - now

    def forget(self, match: int) -> None:
        """Begin to count again: the table has all its pictures, or they were tried too often."""
        self._retries.pop(match, None)
        self._due.pop(match, None)
