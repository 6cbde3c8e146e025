"""The private hands that follow their tables.

Discord lets a bot edit a private answer for 15 minutes after the click that made it, and a direct message always. So
the newest hand that a person has open at a table is edited when anything that it shows has changed. A hand that would
not look different is left alone: the time of an edit must not tell what others do in secret.

Nothing of this is stored. After a restart, or after those 15 minutes, `My hand` shows the present hand.
"""

import asyncio
import contextlib
import logging
from asyncio import FIRST_COMPLETED
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, TypeAlias

import discord

from bot.error_codes import EXPIRED, UNKNOWN_INTERACTION, UNKNOWN_WEBHOOK
from bot.match.refusal import Refusal
from bot.match.table import Table
from bot.match.tables import Tables
from bot.messages.answers import OWN, Answer, Interaction
from bot.messages.attachments import NOTHING, Attachments, Kept, attachments_of
from bot.messages.expected import EXPECTED
from bot.messages.late_pictures import CLICK_WAIT, STALE, drawn, in_time
from bot.messages.live_message import TRIES, is_content_refused, is_lost
from bot.messages.panel import Panel, hand_button, row, text
from bot.pictures.worker_client import WorkerClient

log = logging.getLogger(__name__)

INTERVAL: Final = 1.0
"""Seconds between two edits of one hand: changes in quick succession are merged."""
LASTS: Final = 840.0
"""Seconds after a click during which its answer is edited: a minute less than Discord allows."""
DRAWN: Final = 0.5
"""Seconds that an edit waits for its pictures, to save a second edit."""
ENDED: Final = (UNKNOWN_WEBHOOK, UNKNOWN_INTERACTION, EXPIRED)
"""Error codes for a token that has expired, or that Discord does not know."""
ELSEWHERE: Final = "Your hand is open in another message."
"""Text of a hand once its person has opened another one, or clicked in it."""
PRESENT: Final = "-# Press `My hand` for the present state."
"""Line below a hand that follows its table no more."""


class Editable(Protocol):
    """A private message that the bot may edit."""

    id: int

    async def edit(self, *, view: Panel, attachments: Any) -> discord.Message | None:
        """Show another panel. Return the message as it is then."""


Draw: TypeAlias = Callable[[bool], Awaitable[tuple[Panel, bool]]]
"""Builds the present hand, with the note on the last click if True, and returns whether the table is over, too. Raises
Refusal for a person who has no hand any more."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """How a hand is drawn again."""

    draw: Draw
    has_note: bool
    is_outdated: bool
    """True when the table may have changed since the hand was drawn for the answer."""
    is_over: bool
    """True when the table changes no more."""


class Token:
    """A private answer, as the token of its interaction allows to edit it."""

    def __init__(self, interaction: Interaction, answer: Answer) -> None:
        self.id = answer.message.id
        self._webhook = interaction.followup
        self._name: Any = self.id if answer.is_followup else "@original"

    async def edit(self, *, view: Panel, attachments: Any) -> discord.Message:
        """Show another panel."""
        return await self._webhook.edit_message(self._name, view=view, attachments=attachments)

    async def move_down(
        self, view: Panel, files: Sequence[discord.File]
    ) -> tuple[discord.Message, Coroutine[None, None, None]]:
        """Show a panel in a new message at the end of the place. Return it, and what takes the old one away."""
        message = await self._webhook.send(view=view, files=files, ephemeral=True, wait=True)
        old, self.id, self._name = self._name, message.id, message.id
        return message, self._take_away(old)

    async def _take_away(self, old: Any) -> None:
        with contextlib.suppress(*EXPECTED):
            await self._webhook.delete_message(old)


@dataclass(eq=False, slots=True)
class OpenHand:
    """A hand that a person has open."""

    match: int
    user: int
    click: int
    """Id of the interaction that it answers."""
    message: Editable
    drawing: Drawing
    panel: Panel
    """The hand as it is shown, or will be when its pictures are drawn."""
    present: Attachments
    is_complete: bool
    """False while its pictures are not those of `panel`."""
    clicked: float
    """Time of the loop at which its person last clicked in it, or opened it."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while it is edited, or a click in it is answered."""
    edited: float = 0.0
    """Time of the loop at which it was last edited."""
    dirty: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when its table has changed since it was drawn."""
    is_over: bool = False
    """True when its table changes no more."""
    is_above: bool = False
    """True when the table of a new round was posted below it."""
    is_expired: bool = False
    """True when Discord will soon take no more edits of it."""
    work: asyncio.Task[None] | None = None
    timer: asyncio.TimerHandle | None = None

    def looks_like(self, panel: Panel) -> bool:
        """Return whether it looks like `panel`, apart from pictures that are not drawn yet."""
        return panel.payload() == self.panel.payload()


class OpenHands:
    """The newest open hand of each person at each table."""

    interval = INTERVAL
    """Seconds between two edits of one hand."""
    lasts = LASTS
    """Seconds after a click during which its answer is edited."""

    def __init__(self, tables: Tables, rasterizer: WorkerClient) -> None:
        self._tables = tables
        self._rasterizer = rasterizer
        self._hands: dict[tuple[int, int], OpenHand] = {}
        """By match and user."""
        self._doubted = set[int]()
        """Messages that an earlier edit may still change after the answer to a click."""
        self._shrinking: dict[int, asyncio.Task[None]] = {}
        """By message: the edit of an older hand that makes it point to the newer one, or what takes it away."""
        self._shrunk = set[int]()
        """Messages that were shrunk while a click in them waited."""
        self._tasks = set[asyncio.Task[None]]()
        self._closing = False
        tables.on_change.append(self.changed)

    def __len__(self) -> int:
        return len(self._hands)

    def changed(self, table: Table) -> None:
        """Bring the open hands of a table up to date."""
        for hand in [each for each in self._hands.values() if each.match == table.id]:
            hand.is_over = not table.is_open
            self._refresh(hand)

    def move_down(self, table: Table) -> None:
        """Move the open hands of a table below its new round, which was posted below them."""
        for hand in [each for each in self._hands.values() if each.match == table.id]:
            if isinstance(hand.message, Token):
                # Not in direct messages: moved there, each would notify its person.
                hand.is_above = True
                self._refresh(hand)

    def is_looking(self, match: int, user: int) -> bool:
        """Return whether a person has clicked lately in an open hand that follows a table."""
        hand = self._hands.get((match, user))
        lately = self._tables.clock.times.lately / 1000
        return hand is not None and asyncio.get_running_loop().time() - hand.clicked < lately

    @asynccontextmanager
    async def answering(self, match: int, user: int, message: discord.Message | None) -> AsyncIterator[None]:
        """Hold back edits of the clicked hand while the click is answered."""
        hand = None if message is None else await self._clicked(match, user, message.id)
        if hand is None:
            yield
            return
        lock = hand.lock
        try:
            yield
        finally:
            lock.release()
            if self._is_newest(hand) and self._is_doubted(hand):  # the answer did not show it anew
                self._refresh(hand)

    def opened(
        self,
        match: int,
        user: int,
        click: int,
        message: Editable,
        panel: Panel,
        drawing: Drawing,
        answer: Answer,
        *,
        ends: bool,
    ) -> None:
        """Keep a hand up to date that was just shown as `panel` in answer to the interaction `click`. An older hand in
        another message then points to it. `ends`: the hand may be edited for some minutes only."""
        loop = asyncio.get_running_loop()
        present, now = attachments_of(answer.message), loop.time()
        hand = OpenHand(match, user, click, message, drawing, panel, present, answer.is_complete, now)
        before = self._hands.get((match, user))
        # A later click was answered meanwhile. What it has shown in the same message may be no hand.
        if not answer.is_last or (before is not None and before.click > click):
            if before is not None and before.message.id == message.id:
                before.panel, before.present = Panel(), NOTHING  # it is not known which answer came last
                self._refresh(before)
            elif answer.is_last and message.id not in self._shrinking:
                self._put_away(message.id, self._shrink(hand))
            return
        self._forget(match, user)
        self._hands[match, user] = hand
        if before is not None and before.message.id == message.id:
            hand.lock, hand.edited, hand.is_above = before.lock, before.edited, before.is_above
        elif before is not None:
            self._put_away(before.message.id, self._shrink(before))
        if ends:
            hand.timer = loop.call_later(self.lasts, self._end, hand)
        hand.is_over = drawing.is_over
        is_current = hand.is_complete and not (drawing.is_outdated or hand.is_above or hand.is_over)
        if self._is_doubted(hand) or not is_current:
            self._refresh(hand)

    def _is_doubted(self, hand: OpenHand) -> bool:
        """Return, once, whether an earlier edit may have come after the answer to a click. Then it is not known what
        the hand shows."""
        if is_doubted := hand.message.id in self._doubted:
            self._doubted.discard(hand.message.id)
            hand.panel, hand.present = Panel(), NOTHING
        return is_doubted

    def attachments_of(self, message: discord.Message) -> Attachments:
        """Return the attachments of a clicked message: those of the last edit, if it is a hand that follows."""
        if message.id in self._shrunk:
            self._shrunk.discard(message.id)
            return NOTHING
        hand = next((each for each in self._hands.values() if each.message.id == message.id), None)
        return attachments_of(message) if hand is None else hand.present

    def release(self, message: int) -> None:
        """Leave a message alone, as it shows something else now."""
        for hand in [each for each in self._hands.values() if each.message.id == message]:
            self._forget(hand.match, hand.user)

    def let_go(self) -> None:
        """Edit no more the hands at tables that this process does not run any more."""
        for hand in [*self._hands.values()]:
            if not hand.is_over and not self._tables.runs(hand.match):
                self._forget(hand.match, hand.user)

    async def wait(self) -> None:
        """Wait until all open hands show their tables."""
        while self._tasks:
            await asyncio.gather(*self._tasks)

    async def close(self) -> None:
        """Edit no more hands: the bot stops."""
        self._closing = True
        for match, user in [*self._hands]:
            self._forget(match, user)
        tasks = [*self._tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # One hand

    async def _clicked(self, match: int, user: int, message: int) -> OpenHand | None:
        """Return the hand in a clicked message, with its lock held; None for another message. Wait for its edits."""
        while True:
            if (shrinking := self._shrinking.get(message)) is not None:
                # An edit that is being sent must not arrive after the answer.
                _, is_late = await asyncio.wait({shrinking}, timeout=CLICK_WAIT)
                self._shrunk.add(message)
                if is_late:
                    shrinking.cancel()
                    self._doubted.add(message)
            hand = self._hands.get((match, user))
            if hand is None or hand.message.id != message:
                return None
            lock = hand.lock
            try:
                async with asyncio.timeout(CLICK_WAIT):
                    await lock.acquire()
            except TimeoutError:  # Discord is slow, or takes no edits for a while
                if hand.work is not None:
                    hand.work.cancel()
                self._doubted.add(message)
                hand.lock, hand.work = asyncio.Lock(), None  # the next edit waits for this answer alone
                lock = hand.lock
                await lock.acquire()
            newest = self._hands.get((match, user))
            if newest is not None and newest.message.id == message and newest.lock is lock:
                return newest
            lock.release()  # meanwhile it was moved below, or another click did not wait longer

    def _put_away(self, message: int, work: Coroutine[None, None, None]) -> None:
        """Edit or delete the message of an older hand. A click in it waits for that."""
        task = self._shrinking[message] = self._spawn(work)
        task.add_done_callback(lambda _: self._shrinking.pop(message, None))

    def _end(self, hand: OpenHand) -> None:
        hand.is_expired = True
        self._refresh(hand)

    def _forget(self, match: int, user: int) -> OpenHand | None:
        hand = self._hands.pop((match, user), None)
        if hand is not None and hand.timer is not None:
            hand.timer.cancel()
        return hand

    def _is_newest(self, hand: OpenHand) -> bool:
        return self._hands.get((hand.match, hand.user)) is hand

    def _spawn(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work, name="hand")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _refresh(self, hand: OpenHand) -> None:
        """Let a hand be drawn again, and edited if it looks different."""
        hand.dirty.set()
        if not self._closing and (hand.work is None or hand.work.done()):
            hand.work = self._spawn(self._follow(hand))

    async def _follow(self, hand: OpenHand) -> None:
        """Edit a hand until it shows the table, with its pictures."""
        loop, failures = asyncio.get_running_loop(), 0
        while self._is_newest(hand) and (hand.dirty.is_set() or not hand.is_complete):
            try:
                if hand.dirty.is_set():
                    await asyncio.sleep(max(0.0, hand.edited + self.interval - loop.time()))
                    async with hand.lock:
                        pass  # the answer to a click shows the same
                    if self._is_newest(hand):
                        await (self._expire if hand.is_expired else self._update)(hand)
                else:
                    await self._complete(hand)
            except EXPECTED as error:
                log.info("a hand was not edited: %s", error)
                failures += 1
                if is_lost(error) or getattr(error, "code", 0) in ENDED or failures == TRIES:
                    break
                hand.panel, hand.present = Panel(), NOTHING  # it is not known what arrived
                hand.dirty.set()
                hand.edited = loop.time()
        else:
            if not hand.is_over:
                return
        if self._is_newest(hand):
            self._forget(hand.match, hand.user)

    async def _update(self, hand: OpenHand) -> None:
        """Show the present table, unless that changes nothing."""
        hand.dirty.clear()
        try:
            panel, hand.is_over = await hand.drawing.draw(True)
            if hand.drawing.has_note and not hand.looks_like(panel):
                panel, hand.is_over = await hand.drawing.draw(False)  # the note is about what was before
            is_over = False
        except Refusal as reason:  # its person has no hand here any more
            panel, is_over = Panel(text(str(reason))), True
        if hand.panel.is_in_letters:  # an emoji was refused before
            panel.take_emojis_off()
        moves = hand.is_above and not is_over
        # An edit would take ticks away, so a hand with such a menu stays until its person has decided.
        if not moves and (hand.looks_like(panel) or menus_of(hand.panel) & menus_of(panel)):
            return
        # Drawn before the lock is taken, so that a click waits only while the edit is sent.
        ready, files = await in_time(
            panel, self._rasterizer, NOTHING if moves else hand.present, within=STALE if moves else DRAWN
        )
        async with hand.lock:
            if self._is_newest(hand):
                hand.panel, hand.edited = panel, asyncio.get_running_loop().time()
                hand.is_above = False
                await (self._move if moves else self._edit)(hand, ready, files)
        if is_over and self._is_newest(hand):
            self._forget(hand.match, hand.user)

    async def _complete(self, hand: OpenHand) -> None:
        """Add the pictures when they are drawn, unless the table changes before."""
        panel = hand.panel
        drawing = asyncio.ensure_future(drawn(panel, self._rasterizer))
        changing = asyncio.ensure_future(hand.dirty.wait())
        try:
            done, _ = await asyncio.wait({drawing, changing}, timeout=STALE, return_when=FIRST_COMPLETED)
            # Pictures of before stay for a short time only.
            if not done and hand.present:
                async with hand.lock:
                    if self._is_newest(hand):
                        await self._edit(hand, panel.in_words(), [])
            await asyncio.wait({drawing, changing}, return_when=FIRST_COMPLETED)
            if changing.done():
                return
            files = drawing.result()
        finally:
            drawing.cancel()
            changing.cancel()
        async with hand.lock:
            if self._is_newest(hand):
                hand.is_complete = True  # if there are no files, it stays in words
                if files:
                    await self._edit(hand, panel, files)

    async def _move(self, hand: OpenHand, panel: Panel, files: Sequence[discord.File | Kept]) -> None:
        assert isinstance(hand.message, Token)
        new = [each for each in files if isinstance(each, discord.File)]
        hand.is_complete, above = panel is hand.panel, hand.message.id
        message, take_away = await hand.message.move_down(panel, new)
        hand.present = attachments_of(message)
        self._put_away(above, take_away)

    async def _edit(self, hand: OpenHand, panel: Panel, files: Sequence[discord.File | Kept]) -> None:
        hand.is_complete = panel is hand.panel
        try:
            hand.present = attachments_of(await hand.message.edit(view=panel, attachments=files))
        except discord.HTTPException as error:
            if not is_content_refused(error):
                raise
            log.warning("a hand was refused and is shown in words: %s", error)
            panel.put_into_words()
            hand.present = attachments_of(await hand.message.edit(view=panel, attachments=[]))

    async def _shrink(self, hand: OpenHand) -> None:
        """Have an older hand point to the newer one."""
        with contextlib.suppress(*EXPECTED):
            async with hand.lock:
                newest = self._hands.get((hand.match, hand.user))
                if newest is None or newest.message.id != hand.message.id:  # else a click has shown it again
                    await hand.message.edit(view=Panel(text(ELSEWHERE)), attachments=[])

    async def _expire(self, hand: OpenHand) -> None:
        """Leave a hand with its last state, without its buttons."""
        with contextlib.suppress(*EXPECTED):
            async with hand.lock:
                if not self._is_newest(hand):
                    return
                # Buttons would mislead later.
                parts = [each for each in hand.panel.children if not isinstance(each, discord.ui.ActionRow)]
                last = Panel(*parts, text(PRESENT), row(hand_button(hand.match, OWN)))
                try:  # a click meanwhile waits for the lock, or doubts this edit
                    await self._edit(hand, *await in_time(last, self._rasterizer, hand.present))
                finally:
                    if self._is_newest(hand):
                        self._forget(hand.match, hand.user)


def menus_of(panel: Panel) -> set[str]:
    """Return the custom ids of menus in which several things can be ticked."""
    menus = (item for item in panel.walk_children() if isinstance(item, discord.ui.Select))
    return {item.custom_id for item in menus if item.max_values > 1}
