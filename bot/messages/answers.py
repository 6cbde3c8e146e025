"""How an interaction is answered. Private things go to ephemeral messages; a private message is updated in place."""

import logging
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import aiohttp
import discord

from bot.match.refusal import Refusal
from bot.messages.custom_ids import ids_on
from bot.messages.panel import Panel, text
from bot.store import StoreFailed, Unreadable
from games import Illegal

log = logging.getLogger(__name__)

Interaction = discord.Interaction[Any]
T = TypeVar("T")

OWN = "own"
"""Ends the custom id of `My hand` on a hand itself, and so tells a hand in direct messages from a table there."""

ACKNOWLEDGED = 40060
"""The code with which Discord refuses a second first answer: there is one, though its receipt may have been lost."""

UNANSWERABLE = (ACKNOWLEDGED, 10062)
"""Codes with which Discord takes no first answer, whatever it says: there is one, or it is too late."""

INVALID_FORM = 50035
"""The code with which Discord refuses a message, for one thing because it does not know an emoji."""

BROKEN = "That did not work, and it is the bot's fault. Nothing was lost: try again, or press `My hand`."
NOT_ALLOWED = (
    "Discord does not let me do that there: I lack View Channel or a permission to send messages. "
    "Whoever manages the channel can give me that in its settings."
)
LOST = (
    "Discord did not take my last message, so you may not see everything. Your move may have counted: press `My hand` "
    "to see before you try again."
)
NOT_READ = "That cannot be read from the disk. Try again in a moment; whoever hosts the bot finds the cause in its log."
NOT_KEPT = "That could not be saved, so it does not count. Nothing else was lost: try again in a moment."


def may_stand(error: BaseException) -> bool:
    """Return whether what Discord was asked may have been done all the same: only the receipt is missing."""
    lost = isinstance(error, aiohttp.ClientError | OSError | discord.DiscordServerError)
    return lost or getattr(error, "code", 0) == ACKNOWLEDGED


def is_private(interaction: Interaction) -> bool:
    """Tell whether the clicked message may be updated for this person alone: an ephemeral one, or their hand in direct
    messages. (The messages of a practice table stay as they are there.)"""
    message = interaction.message
    if message is None:
        return False
    return message.flags.ephemeral or (interaction.guild_id is None and _is_hand(message))


def _is_hand(message: discord.Message) -> bool:
    return any(each.verb == "hand" and each.rest == OWN for each in ids_on(message))


def is_answered(interaction: Interaction) -> bool:
    """Return whether the first answer was given, so that whatever else is said must follow it."""
    return interaction.response.is_done() or ACKNOWLEDGED in interaction.extras


async def defer(interaction: Interaction, *, thinking: bool = False) -> None:
    """Tell Discord that the answer comes later: as a message for this person alone if they are to see that the bot is
    `thinking`, else as an edit of what was clicked."""

    async def answer() -> None:
        await interaction.response.defer(ephemeral=thinking, thinking=thinking)

    try:
        try:
            await answer()
        except (aiohttp.ClientError, OSError):  # the line was cut: Discord says whether it had heard it all
            await answer()
    except discord.HTTPException as error:
        if error.code != ACKNOWLEDGED:
            raise
        log.warning("the receipt of a deferred answer was lost")
        interaction.extras[ACKNOWLEDGED] = True  # discord.py does not know


async def show(interaction: Interaction, panel: Panel) -> None:
    """Show `panel` to this person alone: in the private message they clicked in, else in a new ephemeral one."""
    if not is_private(interaction) or is_answered(interaction):
        await send(interaction, panel)
        return

    async def update() -> None:
        files = await panel.files(answer=True)
        await interaction.response.edit_message(view=panel, attachments=files)

    await with_letters_if_need_be(panel, update)


async def send(interaction: Interaction, panel: Panel) -> None:
    """Show `panel` to this person alone in a new message, leaving what they clicked as it is."""

    async def post() -> None:
        files = await panel.files(answer=True)
        if is_answered(interaction):
            await interaction.followup.send(view=panel, files=files, ephemeral=True)
        else:
            await interaction.response.send_message(view=panel, files=files, ephemeral=True)

    await with_letters_if_need_be(panel, post)


async def with_letters_if_need_be(panel: Panel, send: Callable[[], Awaitable[T]]) -> T:
    """Send a panel; once more without emojis on its buttons when Discord refuses it: one may have been deleted since
    the start, and new ones are unknown to some of Discord's servers for a while."""
    try:
        return await send()
    except discord.HTTPException as error:
        if error.code != INVALID_FORM or not panel.take_emojis_off():
            raise
        log.info("an emoji was refused, so letters were sent: %s", error)
        return await send()


async def tell(interaction: Interaction, sentence: str) -> None:
    """Say `sentence` to this person alone."""
    await send(interaction, Panel(text(sentence)))


async def explain(interaction: Interaction, error: BaseException) -> None:
    """Tell the person why it did not work. The last line of defence: what is no refusal is logged in full here."""
    if isinstance(error, discord.HTTPException) and error.code in UNANSWERABLE:
        log.warning("an interaction takes no answer any more: %s", error)
        return
    match error:
        case Refusal() | Illegal():
            sentence = str(error)
        case discord.Forbidden():
            sentence = NOT_ALLOWED
        case aiohttp.ClientError() | OSError() | discord.NotFound() | discord.DiscordServerError():
            log.warning("an answer was lost: %s", error)
            sentence = LOST
        case Unreadable():
            log.error("a read failed: %s", error)
            sentence = NOT_READ
        case StoreFailed():
            log.error("a write failed: %s", error)
            sentence = NOT_KEPT
        case _:
            log.error("an interaction failed", exc_info=error)
            sentence = BROKEN
    try:
        await tell(interaction, sentence)
    except (discord.HTTPException, aiohttp.ClientError, OSError) as unsaid:
        log.warning("somebody could not be told why something did not work: %s", unsaid)
