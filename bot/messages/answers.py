"""Answers to interactions, as ephemeral messages or as edits of the private message that was clicked."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar

import aiohttp
import discord

from bot.error_codes import (
    ACKNOWLEDGED,
    ARCHIVED,
    CLOSED_MESSAGES,
    EXPIRED,
    INVALID_FORM,
    LOCKED_THREAD,
    NETWORK_FAILED,
    OPENING_TOO_FAST,
    TOO_MANY_THREADS,
    UNKNOWN_INTERACTION,
    UNKNOWN_MESSAGE,
)
from bot.gateway.discord_time import posted_at
from bot.match.refusal import Refusal
from bot.messages.attachments import NOTHING, Attachments
from bot.messages.custom_ids import ids_on
from bot.messages.late_pictures import files_in_time, in_time
from bot.messages.panel import Panel, text
from bot.messages.venue import or_timeout
from bot.store import InDoubt, StoreFailed, Unreadable

log = logging.getLogger(__name__)

Interaction = discord.Interaction[Any]
T = TypeVar("T")

OWN = "own"
"""Rest of a custom id on a hand, or what it ends with after a slash. It distinguishes a hand in direct messages from a
table there."""

TOO_MANY = 429
"""HTTP status with which Discord refuses a request for a while. discord.py has then repeated it some times."""

UNANSWERABLE = (ACKNOWLEDGED, UNKNOWN_INTERACTION, EXPIRED)
"""Error codes for an interaction that can no longer be answered."""

LOSSES = (ARCHIVED, NETWORK_FAILED)
"""Error codes with which an answer was lost."""

OUTCOME = "outcome"
"""Key of an interaction's `extras` that says "refused" or "failed" once its caller was told so."""

EDITS_LATER = "edits later"
"""Key of the `extras` of a click whose answer was deferred by a Receipt. It edits the clicked message if that is
private."""

MOVED = "moved"
"""Key of the `extras` of an interaction by which a move was made."""

RECEIPT = "receipt"
"""Key of the `extras` for the Receipt of an interaction."""

BROKEN = "That did not work, and it is the bot's fault. Nothing was lost: try again, or press `My hand`."
NOT_ALLOWED = (
    "Discord does not let me do that there: I lack View Channel or a permission to send messages. "
    "Somebody who manages the channel can give me that in its settings."
)
CLOSED = "You take no direct messages from me. Allow them in Discord's privacy settings, then try again."
LOCKED = "That thread is locked, so I cannot post there. A moderator can unlock it; play goes on."
FULL = (
    "This server has 1,000 active threads, so that thread cannot leave the archive, and I cannot post there. Somebody "
    "with Manage Threads can close old ones; play goes on."
)
TOO_FAST = (
    "I write to many people just now, and Discord lets me begin no more direct messages for a moment, so nothing was "
    "changed. Try again in a minute."
)
KNOWN = {
    CLOSED_MESSAGES: CLOSED,
    LOCKED_THREAD: LOCKED,
    OPENING_TOO_FAST: TOO_FAST,
    TOO_MANY_THREADS: FULL,
}
"""By error code: the sentence about it."""
LOST = (
    "Discord did not take my last message, so you may not see everything. What you did may have counted: look before "
    "you try again, at a table by `My hand`."
)
NOT_READ = (
    "That cannot be read from the database. Try again in a moment. "
    "The person who hosts the bot finds the cause in its log."
)
NOT_DRAWN = "✅ Your move counts. The database does not answer now, so press `My hand` in a moment to see it."
IN_DOUBT = (
    "The database does not answer. What you did may have counted: look in a moment before you try again, at a table "
    "by `My hand`."
)
MISSING = "`/doctor` shows what is missing."
"""Last sentence of refusals for lack of permissions, for people who manage the server."""
UNWELL = "`/doctor` shows whether anything else is wrong."
"""Last sentence of BROKEN for people who manage the server."""
NOT_KEPT = "That could not be saved, so it does not count. Nothing else was lost: try again in a moment."


def may_stand(error: BaseException) -> bool:
    """Return whether a request that failed may have been executed: perhaps only the response was lost."""
    lost = isinstance(error, aiohttp.ClientError | OSError | discord.DiscordServerError)
    return lost or getattr(error, "code", 0) == ACKNOWLEDGED


def is_private(interaction: Interaction) -> bool:
    """Return whether the clicked message is the caller's alone: an ephemeral one, or a hand in direct messages."""
    message = interaction.message
    if message is None:
        return False
    # Other messages of a practice table in direct messages show what everybody may see.
    return message.flags.ephemeral or (interaction.guild_id is None and is_hand(message))


def is_hand(message: discord.Message) -> bool:
    """Return whether a message is somebody's hand, or a page that was opened in it."""
    return any(each.rest.rpartition("/")[2] == OWN for each in ids_on(message))


def is_answered(interaction: Interaction) -> bool:
    """Return whether the first answer was given. Any other message must be a follow-up."""
    return interaction.response.is_done() or ACKNOWLEDGED in interaction.extras


async def defer(interaction: Interaction, *, thinking: bool = False) -> None:
    """Tell Discord that the answer comes later, unless it knows.

    With `thinking` the answer is an ephemeral message, until then "… is thinking"; else it edits the clicked message.
    """
    if is_answered(interaction):
        return

    async def answer() -> None:
        await interaction.response.defer(ephemeral=thinking, thinking=thinking)

    try:
        try:
            await answer()
        except (aiohttp.ClientError, OSError):
            # The connection broke. A second request shows whether the first one had arrived.
            if not is_answered(interaction):
                await answer()
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        if is_answered(interaction):  # a route and its `Receipt` may defer at once
            return
        if getattr(error, "code", 0) != ACKNOWLEDGED:
            raise
        log.warning("the receipt of a deferred answer was lost")
        interaction.extras[ACKNOWLEDGED] = True  # discord.py does not know that the answer was given


def age(interaction: Interaction) -> float:
    """Return the seconds since a person has acted."""
    now: int = interaction.client.time.now()
    return max(0, now - posted_at(interaction.id)) / 1000


class Receipt:
    """Defers the answer to an interaction unless it is given some seconds after its person has acted: to a command as
    for its person alone, to a click as an edit or a new message."""

    def __init__(self, interaction: Interaction, seconds: float) -> None:
        self._interaction = interaction
        self._sending: asyncio.Task[bool] | None = None
        self._timer = asyncio.get_running_loop().call_later(seconds - age(interaction), self._start)
        interaction.extras[RECEIPT] = self

    def _start(self) -> None:
        self._sending = asyncio.create_task(self.send(), name=f"defer-{self._interaction.id}")

    async def send(self) -> bool:
        """Defer the answer now. Return False if the interaction cannot be answered any more."""
        is_new = self._interaction.message is None  # of a command, or of a modal that a command has opened
        try:
            await defer(self._interaction, thinking=is_new)
        # aiohttp raises RuntimeError once the bot has stopped.
        except (discord.HTTPException, aiohttp.ClientError, OSError, RuntimeError) as error:
            log.warning("an interaction came too late to be answered: %s", error)
            return False
        if not is_new:
            self._interaction.extras[EDITS_LATER] = True
        return True

    def cancel(self) -> None:
        """Send nothing, unless that has begun."""
        self._timer.cancel()

    async def settle(self) -> None:
        """Wait until it is known whether the answer is deferred."""
        self.cancel()
        if self._sending is not None:
            await asyncio.wait({self._sending})


async def settle(interaction: Interaction) -> None:
    """Defer the answer no more by itself. Where that is under way, wait for it."""
    if (receipt := interaction.extras.pop(RECEIPT, None)) is not None:
        await receipt.settle()


class Answer(NamedTuple):
    """A message that the caller of an interaction was shown."""

    message: discord.Message
    is_complete: bool
    """False when its pictures were not ready in time."""
    is_followup: bool = False
    """True when it is not the interaction's first answer."""
    is_last: bool = True
    """False when a later click has changed the message meanwhile."""
    is_doubted: bool = False
    """True when an edit that was cancelled may still arrive after it."""


async def show(interaction: Interaction, panel: Panel, *, follows: bool = False) -> Answer | None:
    """Show `panel` to the caller alone: in the private message that was clicked, else in a new ephemeral one. Return
    the message, None if Discord did not say which.

    Pictures that are not ready in time follow by an edit; when the message `follows` its table, `OpenHands` adds them.
    """
    panel.with_mentions(interaction.client.command_ids)
    hands = interaction.client.publisher.hands
    if (
        interaction.message is None
        or not is_private(interaction)
        or hands.is_moved(interaction.message.id)
        or (is_answered(interaction) and EDITS_LATER not in interaction.extras)
    ):
        return await send(interaction, panel, follows=follows)
    # The clicked message is as of the click; a hand may have been edited since.
    present, late_pictures = hands.attachments_of(interaction.message), interaction.client.late_pictures
    is_doubted = not follows and hands.release(interaction.message.id)
    click, late = await late_pictures.make_way(interaction.message.id, is_doubted=is_doubted)
    present = present if late is None else late
    await settle(interaction)  # only now: making way may take a while
    is_late = EDITS_LATER in interaction.extras

    async def update(present: Attachments) -> Answer | None:
        # A hand that has a picture keeps it until the new one is drawn, so its click need not wait for that.
        ready, attachments = await in_time(
            panel, interaction.client.rasterizer, present, wait=not (follows and present)
        )
        message: object
        if is_late:
            message = await interaction.edit_original_response(view=ready, attachments=attachments)
        else:
            response = await interaction.response.edit_message(view=ready, attachments=attachments)
            message = response and response.resource
        if not isinstance(message, discord.Message):
            return None
        is_doubted, is_last = message.id in late_pictures.doubted, late_pictures.is_last(message.id, click)
        if not follows and (is_doubted or ready is not panel):
            late_pictures.add(message, panel, click)
        elif is_last:  # a hand that is doubted is edited by `OpenHands`
            late_pictures.doubted.discard(message.id)
        return Answer(message, ready is panel, is_last=is_last, is_doubted=is_doubted)

    try:
        return await with_letters_if_refused(panel, partial(update, present))
    except discord.HTTPException as error:
        if error.code == UNKNOWN_MESSAGE:  # it was dismissed, or is below the new round
            return await send(interaction, panel, follows=follows)
        if error.code != INVALID_FORM or not present:
            raise
        # The answer to an earlier click may have replaced a picture after this one.
        return await with_letters_if_refused(panel, partial(update, NOTHING))


async def send(
    interaction: Interaction,
    panel: Panel,
    *,
    public: bool = False,
    pinged: Sequence[int] = (),
    follows: bool = False,
) -> Answer | None:
    """Show `panel` in a new message, to the caller alone unless it is `public`, and leave the clicked one as it is.
    Return the message, and let pictures follow, as `show` does. `pinged`: those whom a mention notifies."""
    await settle(interaction)
    panel.with_mentions(interaction.client.command_ids)

    async def post() -> Answer | None:
        ready, files = await files_in_time(panel, interaction.client.rasterizer)
        message: object
        is_followup, silent = is_answered(interaction), public and not pinged
        mentions = discord.AllowedMentions(users=[discord.Object(user) for user in pinged])
        if is_followup:
            message = await interaction.followup.send(
                view=ready,
                files=files,
                ephemeral=not public,
                silent=silent,
                allowed_mentions=mentions,
                wait=True,
            )
        else:
            response = await interaction.response.send_message(
                view=ready, files=files, ephemeral=not public, silent=silent, allowed_mentions=mentions
            )
            message = response.resource
        if not isinstance(message, discord.Message):
            return None
        if ready is not panel and not follows:
            interaction.client.late_pictures.add(message, panel)
        return Answer(message, ready is panel, is_followup)

    return await with_letters_if_refused(panel, post)


async def with_letters_if_refused(panel: Panel, send: Callable[[], Awaitable[T]]) -> T:
    """Call `send`. If Discord refuses the panel, call it once more without emojis on buttons and options."""
    try:
        return await send()
    except discord.HTTPException as error:
        # An emoji may have been deleted since the start, and some servers of Discord learn late of a new one.
        if error.code != INVALID_FORM or not panel.take_emojis_off():
            raise
        log.info("an emoji was refused, so letters were sent: %s", error)
        return await send()


async def tell(interaction: Interaction, sentence: str) -> None:
    """Show `sentence` to the caller alone."""
    await send(interaction, Panel(text(sentence)))


def with_doctor(interaction: Interaction, sentence: str, doctor: str) -> str:
    """Return the sentence, followed by the one about `/doctor` for people who may use it here."""
    may_use_it = interaction.is_guild_integration() and interaction.permissions.manage_guild
    return f"{sentence} {doctor}" if may_use_it else sentence


def _is_loss(error: BaseException) -> bool:
    """Return whether an answer was lost: by Discord or the network, by a rate limit, or in an archived thread."""
    lost = isinstance(error, aiohttp.ClientError | OSError | discord.NotFound | discord.DiscordServerError)
    return lost or getattr(error, "status", 0) == TOO_MANY or getattr(error, "code", 0) in LOSSES


async def explain(interaction: Interaction, error: BaseException) -> None:
    """Tell the caller why something failed, unless the bot has stopped. Log the error unless it is a refusal."""
    if interaction.client.is_closed():
        log.info("an answer was dropped because the bot has stopped")
        return
    if isinstance(error, discord.HTTPException) and error.code in UNANSWERABLE:
        log.warning("an interaction can no longer be answered: %s", error)
        return
    interaction.extras[OUTCOME] = "refused" if isinstance(error, Refusal) else "failed"
    match error:
        case Refusal():
            sentence = str(error)
        case _ if _is_loss(error):
            log.warning("an answer was lost: %s", error)
            sentence = LOST
        case discord.HTTPException() if isinstance(error, discord.Forbidden) or error.code in KNOWN:
            reason = or_timeout(interaction.guild, NOT_ALLOWED)
            sentence = KNOWN.get(error.code) or with_doctor(interaction, reason, MISSING)
        case Unreadable():
            log.error("a read failed: %s", error)
            sentence = NOT_DRAWN if interaction.extras.get(MOVED) else NOT_READ
        case InDoubt():
            log.error("a write failed: %s", error)
            sentence = IN_DOUBT
        case StoreFailed():
            log.error("a write failed: %s", error)
            sentence = NOT_KEPT
        case _:
            log.error("an interaction failed", exc_info=error)
            sentence = with_doctor(interaction, BROKEN, UNWELL)
    try:
        await tell(interaction, sentence)
    except (discord.HTTPException, aiohttp.ClientError, OSError) as failure:
        log.warning("a refusal or an error could not be shown: %s", failure)
