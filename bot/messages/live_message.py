"""One public message that shows the present state of a table.

Every edit goes through one lock, and drawings are numbered, so an older state never overwrites a newer one. Edits are
merged into at most one a second: Discord allows about five in five seconds for a whole channel.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

import discord

from bot.error_codes import ANOTHER_AUTHOR, ARCHIVED, INVALID_FORM, TOO_MANY_THREADS, TOO_OLD
from bot.gateway.acting import act_for
from bot.messages.answers import defer, is_answered, may_stand, settle
from bot.messages.attachments import NOTHING, Attachments, Kept, attachments_of, file_name
from bot.messages.expected import EXPECTED
from bot.messages.late_pictures import draw_soon, in_time
from bot.messages.panel import Panel
from bot.pictures.worker_client import WorkerClient

log = logging.getLogger(__name__)

EDITS = 30
"""Maximum number of edits per second, over all messages. Discord allows a bot 50 calls per second; the rest is for
answers and new messages."""

CLICK_WAIT = 0.1
"""Maximum seconds that a click waits for a running edit."""

TRIES = 5
"""Number of failed edits in a row after which the message is left alone until its table's worker tries again."""

NO_MENTIONS = discord.AllowedMentions.none()
"""Mentions nobody. Without it an edit would highlight the message for everybody it names."""

INVALID = 400
"""HTTP status for a message whose content Discord refuses."""
PERMANENT = (TOO_OLD, ARCHIVED, ANOTHER_AUTHOR)
"""Error codes for an edit that Discord refuses for good, while it accepts a new message."""


class EditBudget:
    """Spreads edits over time: at most EDITS a second for all messages, and for each one in `interval` seconds."""

    def __init__(self, interval: float = 1.0) -> None:
        self.interval = interval
        self._closed = False
        self._next = 0.0

    def close(self) -> None:
        """Allow no more edits: the bot stops."""
        self._closed = True

    def is_closed(self) -> bool:
        """Return whether edits have ended."""
        return self._closed

    async def wait(self) -> None:
        """Wait until the next edit is allowed."""
        now = asyncio.get_running_loop().time()
        turn = max(self._next, now)
        self._next = turn + 1 / EDITS
        await asyncio.sleep(turn - now)


class LiveMessage:
    """A message of a table, on a server (0: none), that is kept up to date. `start_worker` is called when it can no
    longer be edited and must be posted again, and when its pictures are late; `look_later` when Discord may still carry
    out an edit that has failed. While `waits_for_pictures` returns True, late ones are not tried."""

    def __init__(
        self,
        message: discord.PartialMessage,
        guild: int,
        draw: Callable[[], Awaitable[Panel]],
        start_worker: Callable[[], None],
        budget: EditBudget,
        rasterizer: WorkerClient,
        waits_for_pictures: Callable[[], bool] = lambda: False,
        look_later: Callable[[], None] = lambda: None,
    ) -> None:
        self.message = message
        self.is_lost = False
        """True when it is deleted, or Discord refuses further edits for good."""
        self.announced: int | None = None
        """Number of the last public item of its table at the last look, if this is a card."""
        self._guild = guild
        self._draw = draw
        self._start_worker = start_worker
        self._budget = budget
        self._rasterizer = rasterizer
        self._waits_for_pictures = waits_for_pictures
        self._look_later = look_later
        self._lock = asyncio.Lock()
        self._dirty = False
        self._edited = 0.0
        self._drawn = 0
        """Number of the last drawing; `_newest` is the number of the one that is shown."""
        self._newest = 0
        self._reached = 0
        """Number of the last drawing that was compared with the message, and shown if that was needed."""
        self._step = asyncio.get_running_loop().create_future()
        """Done with the next edit, and replaced then."""
        self._shown: list[dict[str, Any]] | None = None
        """Its components; None while unknown after a restart, empty while unknown after a failed edit."""
        self._present = NOTHING
        """Its pictures after the last edit; empty before that."""
        self.work: asyncio.Task[None] | None = None
        """The task that edits it, if any."""
        self._finished = False
        self.lacks_pictures = False
        """True when it has alt texts instead of pictures that are not drawn yet. `touch` tries to draw them."""

    @property
    def is_stale(self) -> bool:
        """True when it shows an older state after failed edits."""
        return self._dirty and (self.work is None or self.work.done())

    def touch(self) -> None:
        """Bring the message up to date soon: its table has changed."""
        if self._finished or self.is_lost:
            return
        self._dirty = True
        if self.work is None or self.work.done():
            self.work = asyncio.create_task(self._keep(), name=f"edit-{self.message.id}")

    def compare(self) -> None:
        """Look at what the message shows before the next edit, which keeps none of its pictures."""
        self._shown, self._present = None, NOTHING

    def posted(self, panel: Panel) -> None:
        """Note that the message was posted as `panel`, and show what has changed since."""
        self._shown, self.lacks_pictures = panel.payload(), panel.lacks_pictures
        self.touch()

    async def shows(self, panel: Panel) -> bool:
        """Return whether the message looks like `panel` already."""
        # After a restart, fetch the message once and compare: players who see an edit without a change would know that
        # somebody has done something in secret.
        if self._shown is None:
            is_alike = await looks_like(self.message, panel)
            if self._shown is None:  # else a click was answered meanwhile
                self._shown = panel.payload() if is_alike else []
        return panel.payload() == self._shown

    def lacks_pictures_of(self, panel: Panel) -> bool:
        """Return whether the message looks like `panel`, but for pictures that are not drawn yet."""
        return self.lacks_pictures and panel.in_words().payload() == self._shown

    async def answer(self, interaction: discord.Interaction[Any]) -> None:
        """Answer a click on the message by an edit, or later if another edit is running, or the click is late."""
        await settle(interaction)
        if is_answered(interaction):
            self.touch()
            return
        try:
            # A rate limit may hold up that edit for longer than Discord waits for the answer to a click.
            async with asyncio.timeout(0 if self._finished else CLICK_WAIT):
                await self._lock.acquire()
        except TimeoutError:
            self.touch()
            await defer(interaction)
            return
        try:
            if self._finished:  # meanwhile; what is drawn now is shown by another message
                await defer(interaction)
                return
            self._dirty = False
            number, panel = await self._drawing()
            present = self._present or attachments_of(interaction.message)
            try:
                await self._respond(interaction, number, panel, present)
            except discord.HTTPException as error:
                if error.code != INVALID_FORM or not present:
                    raise
                # An edit whose answer was lost may have replaced a picture.
                await self._respond(interaction, number, panel, NOTHING)
        except BaseException as error:
            self._doubt(error)
            self.touch()
            raise
        finally:
            self._lock.release()

    async def _respond(
        self, interaction: discord.Interaction[Any], number: int, panel: Panel, present: Attachments
    ) -> None:
        ready, attachments = await in_time(panel, self._rasterizer, present)
        if ready is not panel and present:  # a table must not lose its picture for a moment
            self.touch()
            await defer(interaction)
            return
        answered = await interaction.response.edit_message(view=ready, attachments=attachments)
        self._newest, self._shown = number, ready.payload()
        self.lacks_pictures = ready.lacks_pictures
        if self.lacks_pictures:
            self._start_worker()  # it adds the pictures
        message = answered.resource if answered else None
        self._present = attachments_of(message if isinstance(message, discord.Message) else None)

    async def finish(self, panel: Panel) -> None:
        """Edit the message for the last time, to show `panel`."""
        self._finished = True
        async with self._lock:
            self._dirty = self.lacks_pictures = False
            self._present = await edit(self.message, panel, self._rasterizer, self._present)

    async def update(self) -> bool:
        """Bring the message up to date now, if it is not. Return whether it is lost and must be posted again."""
        if not self._shown or self._dirty or self.lacks_pictures:
            self.touch()
        number = self._drawn + 1  # not until it is up to date: a busy table may change without a pause
        await self._reach(number)
        async with self._lock:  # a click may be answered by an edit; if that fails, another one is due
            number = number if self._shown else self._drawn + 1
        await self._reach(number)
        return self.is_lost

    async def _reach(self, number: int) -> None:
        """Wait until the message is up to date, or shows the drawing `number` or a newer one."""
        while (work := self.work) is not None and self._reached < number:
            await asyncio.wait({work, self._step}, return_when=asyncio.FIRST_COMPLETED)
            if work.done():
                await work
                return

    async def wait(self) -> None:
        """Wait until the message is up to date."""
        if self.work is not None:
            await self.work

    async def _keep(self) -> None:
        act_for(self._guild)
        loop = asyncio.get_running_loop()
        failures = 0
        while self._dirty and failures < TRIES and not self._budget.is_closed():
            await asyncio.sleep(max(0.0, self._edited + self._budget.interval - loop.time()))
            await self._budget.wait()
            try:
                await self._edit()
            except Exception as error:  # also a bug: people still see an outdated table
                if self._budget.is_closed():  # discord.py raises RuntimeError then
                    return
                if is_lost(error):
                    self.is_lost, self._dirty = True, False
                    self._start_worker()
                    return
                log.warning(
                    "a message could not be edited: %s", error, exc_info=not isinstance(error, EXPECTED)
                )
                self._dirty = True
                # A permission is not back within seconds, and Discord cuts off who is refused too often.
                failures += TRIES if isinstance(error, discord.Forbidden) else 1
            self._edited = loop.time()

    async def _edit(self) -> None:
        """Bring the message up to date."""
        self._dirty = False
        number, panel = await self._drawing()
        await self._bring_to(number, panel)
        self._reached = number
        self._step.set_result(None)
        self._step = asyncio.get_running_loop().create_future()

    async def _bring_to(self, number: int, panel: Panel) -> None:
        """Show a drawing, unless the message shows it already, or a newer one."""
        # An edit without a change would cost a call, and would show that somebody has changed a hidden bid.
        if await self.shows(panel):
            self.lacks_pictures = False
            return
        if self.lacks_pictures_of(panel) and self._waits_for_pictures():
            return
        drawn = await draw_soon(panel, self._rasterizer, self._present)
        async with self._lock:
            if self._finished or number < self._newest:
                return
            self.lacks_pictures = panel.lacks_pictures
            if await self.shows(panel):
                return
            try:
                self._present = await edit(self.message, panel, self._rasterizer, self._present, drawn)
            except BaseException as error:
                # After an error before the edit, which may be for a secret action, what is shown is as well known as
                # before.
                self._doubt(error)
                raise
            self._newest, self._shown = number, panel.payload()

    def _doubt(self, error: BaseException) -> None:
        """Note that an edit has failed: it is not known what arrived, or still will, maybe after a newer edit."""
        self._shown = []
        if may_stand(error):
            self._look_later()

    async def _drawing(self) -> tuple[int, Panel]:
        """Build the panel of the table in its present state. Return its number and the panel."""
        self._drawn += 1
        return self._drawn, await self._draw()


async def edit(
    message: discord.PartialMessage,
    panel: Panel,
    rasterizer: WorkerClient,
    present: Attachments = NOTHING,
    drawn: list[discord.File | Kept] | None = None,
) -> Attachments:
    """Edit a message to show `panel`. Return the attachments that it has then.

    `present` are those it has before, `drawn` its pictures if they are drawn already. If Discord refuses the edit, all
    pictures are sent; if it refuses that, too, their alt texts.
    """
    try:
        attachments = await panel.attachments(rasterizer, present) if drawn is None else drawn
        return await _send_edit(message, panel, attachments)
    except discord.HTTPException as error:
        if not is_content_refused(error):
            raise
        if present:
            log.warning("an edit was refused and is repeated with all pictures: %s", error)
            return await edit(message, panel, rasterizer)
        log.warning("an edit was refused and is repeated without pictures: %s", error)
        panel.put_into_words()
        return await _send_edit(message, panel, [])


async def _send_edit(
    message: discord.PartialMessage, panel: Panel, attachments: list[discord.File | Kept]
) -> Attachments:
    return attachments_of(
        await message.edit(view=panel, attachments=attachments, allowed_mentions=NO_MENTIONS)
    )


async def looks_like(message: discord.PartialMessage, panel: Panel) -> bool:
    """Fetch a message and return whether it shows what `panel` shows; False if it is gone, or may not be read.

    Raises an error of a moment: the bot then looks again, as an edit without a change would betray a secret action.
    """
    try:
        found = await message.fetch()
    except (discord.Forbidden, discord.NotFound):
        return False
    return is_like(found, panel)


def is_like(message: discord.Message, panel: Panel) -> bool:
    """Return whether a message shows what `panel` shows."""
    return _essence([part.to_dict() for part in message.components]) == _essence(panel.payload())


def _essence(parts: Iterable[Mapping[str, Any]]) -> list[object]:
    """Return texts, pictures and buttons of components, without the ids and addresses that Discord adds."""
    return [
        (
            *(part.get(name) or "" for name in ("content", "custom_id", "label", "description")),
            bool(part.get("disabled")),
            file_name(part["media"]["url"]) if "media" in part else "",
            _essence([*part.get("components", ()), *part.get("items", ())]),
        )
        for part in parts
    ]


def is_content_refused(error: discord.HTTPException) -> bool:
    """Return whether Discord refuses what a message says or shows, not the place where it stands."""
    return error.status == INVALID and error.code not in (*PERMANENT, TOO_MANY_THREADS)


def is_lost(error: Exception) -> bool:
    """Return whether an edit failed for good, though Discord may accept a new message."""
    return isinstance(error, discord.NotFound) or (
        isinstance(error, discord.HTTPException) and error.code in PERMANENT
    )
