"""The private hands that follow their tables.

Discord lets a bot edit a private answer for 15 minutes after the click that made it, and a direct message always. So
the newest hand that a person has open at a table is edited when anything that it shows has changed. A hand that would
not look different is left alone: the time of an edit must not tell what others do in secret.

Each message has a lock, and at most one task that edits it until it shows what it should. The click that came last
decides which message is the hand; the others are put away: they are deleted, but where one of both is a direct message,
it points to the hand. A hand above a new round is posted again below it, and the old message is deleted. A click in a
message that is being deleted is answered in a new one. Any other click waits for the edit of its message that is being
sent, or for another click there. If that takes too long, the edit is cancelled. It may still arrive, so then it is
doubted what the message shows, and it is edited once more after the answer.

Nothing of this is stored. After a restart, or after those 15 minutes, `My hand` shows the present hand.
"""

import asyncio
import logging
from asyncio import FIRST_COMPLETED
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Final

import aiohttp
import discord

from bot.error_codes import EXPIRED, UNKNOWN_INTERACTION, UNKNOWN_WEBHOOK
from bot.gateway.acting import NotServed
from bot.gateway.discord_time import posted_at
from bot.match.refusal import Refusal
from bot.match.table import LEFT, Table
from bot.match.tables import Tables
from bot.messages.answers import OWN, Answer
from bot.messages.attachments import NOTHING, Attachments, Kept, attachments_of
from bot.messages.expected import EXPECTED
from bot.messages.late_pictures import CLICK_WAIT, STALE, drawn, in_time
from bot.messages.live_message import INVALID, is_content_refused, is_lost
from bot.messages.panel import Panel, hand_button, row, text
from bot.pictures.worker_client import WorkerClient
from bot.store import StoreFailed

log = logging.getLogger(__name__)

DRAWN: Final = 0.5
"""Seconds that an edit waits for its pictures, to save a second edit."""
LONGEST_PAUSE: Final = 60.0
"""Maximum seconds between two tries."""
TRIES: Final = 20
"""Number of failures in a row, in a quarter of an hour, after which a hand is left alone: its person clicks again."""
ENDED: Final = (UNKNOWN_WEBHOOK, UNKNOWN_INTERACTION, EXPIRED)
"""Error codes for a token that has expired, or that Discord does not know."""
ELSEWHERE: Final = "Your hand is open in another message."
"""Text of a hand once its person has opened another one, or clicked in it, if one of both is a direct message: a link
leads to the older one, or the newer one comes late and elsewhere."""
PRESENT: Final = "-# Press `My hand` for the present state."
"""Line below a hand that follows its table no more."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A click that has shown a hand, and how that is drawn again."""

    key: tuple[int, int]
    """Match and user."""
    click: int
    """Id of the interaction."""
    message: "Token | discord.PartialMessage"
    draw: Callable[[bool], Awaitable[tuple[Panel, bool]]]
    """Builds the present hand, with the note on this click if True, and returns whether it changes no more, too. Raises
    Refusal for a person who has no hand any more."""
    has_note: bool
    is_current: bool
    """False when the table may have changed since the hand was drawn for the answer, or changes no more."""


class Token:
    """A private answer, as the token of its interaction allows to edit it."""

    def __init__(self, webhook: discord.Webhook, message: int, *, is_original: bool = False) -> None:
        self.id = message
        self._webhook = webhook
        self._name: Any = "@original" if is_original else message

    async def edit(self, *, view: Panel, attachments: Any) -> discord.Message:
        """Show another panel."""
        return await self._webhook.edit_message(self._name, view=view, attachments=attachments)

    async def delete(self) -> None:
        """Take the message away."""
        await self._webhook.delete_message(self._name)

    async def post(self, view: Panel, files: Sequence[discord.File]) -> tuple[discord.Message, "Token"]:
        """Show a panel in a new message at the end of the place. Return that, with its token."""
        message = await self._webhook.send(view=view, files=files, ephemeral=True, wait=True)
        return message, Token(self._webhook, message.id)


@dataclass(eq=False, slots=True)
class OpenHand:
    """A private message that is a person's hand at a table, or was one and is being put away."""

    opening: Opening
    """The last click that has shown the hand in it."""
    panel: Panel = field(default_factory=Panel)
    """The panel that it shows, or will show when its pictures are drawn."""
    present: Attachments = field(default_factory=dict)
    is_complete: bool = True
    """False while its pictures are not those of `panel`."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while an edit of it is sent, or a click in it is answered."""
    work: asyncio.Task[None] | None = None
    """The task that edits it, if any."""
    dirty: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when it may have to look different since it was drawn."""
    edited: float = 0.0
    """Time of the loop at which it was last edited."""
    is_doubted: bool = False
    """True when it is not known what it shows: an edit has failed, or was cancelled and may still arrive."""
    is_above: bool = False
    """True when the table of a new round was posted below it."""
    is_moved: bool = False
    """True once its hand is being posted again below that, or it is being deleted as its person has opened another."""
    is_over: bool = False
    """True when it changes no more."""

    def looks_like(self, panel: Panel) -> bool:
        """Return whether it shows `panel`, apart from pictures that are not drawn yet."""
        return panel.payload() == self.panel.payload()

    def stays(self, panel: Panel) -> bool:
        """Return whether it is left as it is when `panel` should be shown."""
        # An edit would take ticks away, so a hand with such a menu stays until its person has decided.
        has_same_menu = bool(menus_of(self.panel) & menus_of(panel))
        return not self.is_doubted and (self.looks_like(panel) or has_same_menu)

    def doubt(self) -> None:
        """Note that it is not known what it shows. The next edit waits a little: a cancelled one may arrive."""
        self.is_doubted, self.present = True, NOTHING
        self.draw_later()

    def draw_later(self) -> None:
        """Let it be drawn again after a pause."""
        self.edited = asyncio.get_running_loop().time()
        self.dirty.set()

    def stop(self) -> None:
        """Cancel its task."""
        if self.work is not None:
            self.work.cancel()
            self.work = None


class OpenHands:
    """The newest open hand of each person at each table."""

    interval = 1.0
    """Seconds between two edits of one hand: changes in quick succession are merged."""
    lasts = 840.0
    """Seconds after a click during which its answer is edited: a minute less than Discord allows."""

    def __init__(self, tables: Tables, rasterizer: WorkerClient) -> None:
        self._tables = tables
        self._rasterizer = rasterizer
        self._hands: dict[tuple[int, int], OpenHand] = {}
        """The hands, by match and user."""
        self._messages: dict[int, OpenHand] = {}
        """The hands, and those that are being put away, by message."""
        self._closing = False
        tables.on_change.append(self.changed)

    def __len__(self) -> int:
        return len(self._hands)

    def changed(self, table: Table) -> None:
        """Bring the open hands of a table up to date."""
        for hand in self._at(table):
            hand.is_over = not table.is_open
            self._refresh(hand)

    def move_down(self, table: Table) -> None:
        """Move the open hands of a table below its new round, which was posted below them."""
        for hand in self._at(table):
            if isinstance(hand.opening.message, Token):
                # Not in direct messages: moved there, each would notify its person.
                hand.is_above = True
                self._refresh(hand)

    def is_looking(self, match: int, user: int) -> bool:
        """Return whether a person has clicked lately in an open hand that follows a table."""
        hand, clock = self._hands.get((match, user)), self._tables.clock
        return hand is not None and clock.now() - posted_at(hand.opening.click) < clock.times.lately

    @asynccontextmanager
    async def answering(self, message: discord.Message | None) -> AsyncIterator[None]:
        """Hold back edits of the clicked message while the click is answered."""
        number = 0 if message is None else message.id
        lock = await self._take(number)
        try:
            yield
        except (discord.HTTPException, aiohttp.ClientError, OSError):
            # It may show the answer, or not show what the click has changed.
            if (hand := self._messages.get(number)) is not None:
                hand.doubt()
            raise
        finally:
            if lock is not None:
                lock.release()
            if (hand := self._messages.get(number)) is not None and hand.is_doubted:
                self._refresh(hand)  # the answer did not show it anew

    def opened(self, opening: Opening, panel: Panel, answer: Answer) -> None:
        """Keep a hand up to date that was just shown as `panel`. An older one in another message is put away."""
        newest, hand = self._hands.get(opening.key), self._messages.get(opening.message.id)
        if hand is None:
            if not answer.is_last:
                return  # a later click has shown something else
            # It is put away unless it is the newest one.
            hand = self._messages[opening.message.id] = OpenHand(replace(opening, draw=_elsewhere))
        is_late = not answer.is_last or (newest is not None and newest.opening.click > opening.click)
        if is_late or hand.is_moved:
            hand.doubt()  # a later click was answered meanwhile, and it is not known which answer came last
            self._refresh(hand)
            return
        if self._is_hand(hand):
            del self._hands[hand.opening.key]  # it may have shown the hand at another table
        self._hands[opening.key] = hand
        if newest is not None and newest is not hand:
            newest.opening = replace(newest.opening, draw=_elsewhere)
            self._refresh(newest)
        if isinstance(opening.message, Token):
            # Not from now: the answer may have been late.
            age = max(0, self._tables.clock.now() - posted_at(opening.click)) / 1000
            asyncio.get_running_loop().call_later(
                self.lasts - age, self._end, opening.message.id, opening.click
            )
        hand.opening, hand.panel, hand.is_complete, hand.is_over = opening, panel, answer.is_complete, False
        if answer.is_doubted:
            hand.doubt()
        hand.present = NOTHING if hand.is_doubted else attachments_of(answer.message)
        is_changing = hand.work is not None or hand.is_doubted or hand.is_above
        if is_changing or not (hand.is_complete and opening.is_current):
            self._refresh(hand)

    def is_moved(self, message: int) -> bool:
        """Return whether a message is being deleted, as its hand is in a newer one."""
        return message in self._messages and self._messages[message].is_moved

    def attachments_of(self, message: discord.Message) -> Attachments:
        """Return the attachments of a clicked message: those of the last edit, if it is a hand that follows."""
        hand = self._messages.get(message.id)
        return attachments_of(message) if hand is None else hand.present

    def release(self, message: int) -> bool:
        """Leave a message alone, as it shows something else now. Return whether an edit of it may still arrive."""
        if (hand := self._messages.get(message)) is None:
            return False
        self._forget(hand)
        return hand.is_doubted

    def let_go(self) -> None:
        """Edit no more the hands at tables that this process does not run any more."""
        for (match, _), hand in [*self._hands.items()]:
            if not hand.is_over and not self._tables.runs(match):
                self._forget(hand)

    async def wait(self) -> None:
        """Wait until all messages show what they should."""
        while tasks := self._tasks():
            await asyncio.wait(tasks)

    async def close(self) -> None:
        """Edit no more hands: the bot stops."""
        self._closing = True
        tasks = self._tasks()
        for hand in [*self._messages.values()]:
            self._forget(hand)
        await asyncio.gather(*tasks, return_exceptions=True)

    # One message

    def _at(self, table: Table) -> list[OpenHand]:
        return [hand for (match, _), hand in self._hands.items() if match == table.id]

    def _tasks(self) -> list[asyncio.Task[None]]:
        works = [hand.work for hand in self._messages.values()]
        return [work for work in works if work is not None and not work.done()]

    async def _take(self, message: int) -> asyncio.Lock | None:
        """Return the lock of a clicked message, held; None if it is not edited. Wait for an edit that is being sent."""
        while (hand := self._messages.get(message)) is not None and not hand.is_moved:
            lock = hand.lock
            try:
                async with asyncio.timeout(CLICK_WAIT):
                    await lock.acquire()
            except TimeoutError:  # Discord is slow, or takes no edits for a while
                if self.is_moved(message):
                    return None
                hand.doubt()
                hand.lock = lock = asyncio.Lock()  # the next edit waits for this answer alone
                await lock.acquire()
            if self._messages.get(message) is hand and hand.lock is lock:
                if hand.is_doubted:
                    hand.stop()  # it sends an edit, or pauses for long; `answering` starts it anew
                return lock
            lock.release()  # it shows something else now, or another click did not wait longer
        return None

    def _is_hand(self, hand: OpenHand) -> bool:
        return self._hands.get(hand.opening.key) is hand

    def _is_replaced(self, hand: OpenHand) -> bool:
        """Return whether a private answer is deleted, as its person has the hand in another one."""
        newest = self._hands.get(hand.opening.key, hand)
        return newest is not hand and all(isinstance(each.opening.message, Token) for each in (hand, newest))

    def _end(self, message: int, click: int) -> None:
        """Leave a hand with its last state, without its buttons: they would mislead later."""
        hand = self._messages.get(message)
        if hand is None or not self._is_hand(hand) or hand.opening.click != click:
            return
        opening = hand.opening

        async def draw(keeps_note: bool) -> tuple[Panel, bool]:
            panel, _ = await opening.draw(keeps_note)
            parts = [each for each in panel.children if not isinstance(each, discord.ui.ActionRow)]
            return Panel(*parts, text(PRESENT), row(hand_button(opening.key[0], OWN))), True

        hand.opening, hand.is_over = replace(opening, draw=draw), True
        self._refresh(hand)

    def _forget(self, hand: OpenHand) -> None:
        """Leave a message alone."""
        del self._messages[hand.opening.message.id]
        if self._is_hand(hand):
            del self._hands[hand.opening.key]
        hand.stop()

    def _refresh(self, hand: OpenHand) -> None:
        """Let a message be drawn again, and edited if it looks different."""
        hand.dirty.set()
        if not self._closing and (hand.work is None or hand.work.done()):
            hand.work = asyncio.create_task(self._keep(hand), name=f"hand-{hand.opening.message.id}")

    async def _keep(self, hand: OpenHand) -> None:
        """Edit a message until it shows what it should, with its pictures."""
        loop, failures, pause = asyncio.get_running_loop(), 0, self.interval
        while failures < TRIES:
            try:
                if hand.dirty.is_set():
                    await asyncio.sleep(max(0.0, hand.edited + pause - loop.time()))
                async with hand.lock:
                    pass  # the answer to a click may show the same
                if hand.dirty.is_set():
                    await self._update(hand)
                elif not hand.is_complete:
                    await self._complete(hand)
                else:
                    break
                pause = self.interval
            except StoreFailed as error:  # as it was drawn: nothing was sent
                log.info("a hand was not drawn: %s", error)
                failures += 1
                pause = min(2 * pause, LONGEST_PAUSE)
                hand.draw_later()
            except EXPECTED as error:
                log.info("a hand was not edited: %s", error)
                # Whoever serves its server now does not know the message.
                is_final = is_lost(error) or isinstance(error, NotServed)
                is_final |= getattr(error, "code", 0) in ENDED
                # What is refused in words, too, would always be; a move down may fail where an edit does not.
                is_final |= getattr(error, "status", 0) == INVALID and not hand.is_moved
                failures += TRIES if is_final else 1
                pause = min(2 * pause, LONGEST_PAUSE)
                hand.is_moved = hand.is_moved and not self._is_hand(hand)  # it could not be posted below
                hand.doubt()
        hand.work = None
        if hand.is_over or failures >= TRIES:
            self._forget(hand)

    async def _update(self, hand: OpenHand) -> None:
        """Show what a message should show now, unless that changes nothing."""
        hand.dirty.clear()
        opening = hand.opening
        panel, is_over = await self._drawn(hand)
        if hand.opening is not opening:  # a click was answered meanwhile, or it is put away
            return
        hand.is_over = hand.is_over or is_over
        moves = hand.is_above and not is_over
        leaves = hand.is_moved or self._is_replaced(hand)
        is_edit = not (moves or leaves)
        if is_edit and hand.stays(panel):
            return
        # Drawn before the lock is taken, so that a click waits only while the edit is sent.
        present, within = (NOTHING, STALE) if moves else (hand.present, DRAWN)
        ready, files = await in_time(panel, self._rasterizer, present, within=within)
        async with hand.lock:
            # It may show already the words for a picture that cannot be drawn.
            if hand.opening is not opening or (is_edit and hand.stays(panel)):
                return
            hand.panel, hand.edited = panel, asyncio.get_running_loop().time()
            hand.is_above = hand.is_doubted = False
            if moves:
                await self._move(hand, ready, files)
            elif leaves:
                hand.is_moved = hand.is_complete = True
                await opening.message.delete()
            else:
                await self._edit(hand, ready, files)

    async def _drawn(self, hand: OpenHand) -> tuple[Panel, bool]:
        """Return what a message should show now, and whether that changes no more."""
        try:
            panel, is_over = await hand.opening.draw(True)
            if hand.opening.has_note and not hand.looks_like(panel):
                panel, is_over = await hand.opening.draw(False)  # the note is about what was before
        except Refusal as reason:  # its person has no hand here any more, but whoever has left may be back
            return Panel(text(str(reason))), str(reason) != LEFT
        if hand.panel.is_in_letters:  # an emoji was refused before
            panel.take_emojis_off()
            panel.is_in_letters = True  # also if it has none now
        return panel, is_over

    async def _complete(self, hand: OpenHand) -> None:
        """Add the pictures when they are drawn, unless something changes before."""
        opening, panel = hand.opening, hand.panel
        drawing = asyncio.ensure_future(drawn(panel, self._rasterizer))
        changing = asyncio.ensure_future(hand.dirty.wait())
        try:
            done, _ = await asyncio.wait({drawing, changing}, timeout=STALE, return_when=FIRST_COMPLETED)
            # Pictures of before stay for a short time only.
            if not done and hand.present:
                async with hand.lock:
                    if hand.opening is opening:
                        await self._edit(hand, panel.in_words(), [])
            await asyncio.wait({drawing, changing}, return_when=FIRST_COMPLETED)
            if changing.done():
                return
            files = drawing.result()
        finally:
            drawing.cancel()
            changing.cancel()
        async with hand.lock:
            if hand.opening is opening:
                hand.is_complete = True  # if there are no files, it is in words
                if files or hand.present:
                    await self._edit(hand, panel, files)

    async def _move(self, hand: OpenHand, panel: Panel, files: Sequence[discord.File | Kept]) -> None:
        """Post a hand again at the end of its place."""
        assert isinstance(hand.opening.message, Token)
        shown, hand.is_moved = hand.panel, True
        new = [each for each in files if isinstance(each, discord.File)]
        message, token = await hand.opening.message.post(panel, new)
        # A click that came meanwhile was answered in a newer message.
        self.opened(replace(hand.opening, message=token), shown, Answer(message, panel is shown))
        self._messages[token.id].is_above = hand.is_above
        self._refresh(self._messages[token.id])

    async def _edit(self, hand: OpenHand, panel: Panel, files: Sequence[discord.File | Kept]) -> None:
        hand.is_complete = panel is hand.panel
        opening, message = hand.opening, hand.opening.message
        try:
            hand.present = attachments_of(await message.edit(view=panel, attachments=files))
        except discord.HTTPException as error:
            if not is_content_refused(error):
                raise
            log.warning("a hand was refused and is shown in words: %s", error)
            # Its pictures may be all right. If they are not, it stays in words until it has to look different.
            hand.is_complete &= not (hand.panel.take_emojis_off() or hand.present)
            hand.present = attachments_of(await message.edit(view=hand.panel.in_words(), attachments=[]))
        if hand.opening is not opening:  # a click came before it was a hand, and was answered meanwhile
            hand.is_doubted, hand.present = True, NOTHING


async def _elsewhere(_: bool) -> tuple[Panel, bool]:
    return Panel(text(ELSEWHERE)), True


def menus_of(panel: Panel) -> set[str]:
    """Return the custom ids of menus in which several things can be ticked."""
    menus = (item for item in panel.walk_children() if isinstance(item, discord.ui.Select))
    return {item.custom_id for item in menus if item.max_values > 1}
