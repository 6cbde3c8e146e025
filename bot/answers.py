"""How an interaction is answered. Private things go to ephemeral messages; a private message is updated in place."""

import logging
import re
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import aiohttp
import discord

from bot.panel import Panel, text
from bot.refusal import Refusal
from bot.store import StoreFailed
from games import Illegal

log = logging.getLogger(__name__)

Interaction = discord.Interaction[Any]
T = TypeVar("T")

OWN = "own"
"""Ends the custom id of `My hand` on a hand itself, and so tells a hand in direct messages from a table there."""

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
NOT_KEPT = "That could not be saved, so it does not count. Nothing else was lost: try again in a moment."


HAND = re.compile(rf"hand:\d+:{OWN}")


def is_private(interaction: Interaction) -> bool:
    """Tell whether the clicked message may be updated for this person alone: an ephemeral one, or their hand in direct
    messages. (The messages of a practice table stay as they are there.)"""
    message = interaction.message
    if message is None:
        return False
    return message.flags.ephemeral or (interaction.guild_id is None and _is_hand(message))


def _is_hand(message: discord.Message) -> bool:
    rows = [part for part in message.components if isinstance(part, discord.ActionRow)]
    ids = [
        child.custom_id or "" for row in rows for child in row.children if isinstance(child, discord.Button)
    ]
    return any(HAND.fullmatch(custom_id) for custom_id in ids)


async def show(interaction: Interaction, panel: Panel) -> None:
    """Show `panel` to this person alone: in the private message they clicked in, else in a new ephemeral one."""
    if not is_private(interaction) or interaction.response.is_done():
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
        if interaction.response.is_done():
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
    if isinstance(error, discord.NotFound) and error.code == 10062:
        log.warning("an interaction was answered too late")
        return
    match error:
        case Refusal() | Illegal():
            sentence = str(error)
        case discord.Forbidden():
            sentence = NOT_ALLOWED
        case aiohttp.ClientError() | OSError() | discord.NotFound() | discord.DiscordServerError():
            log.warning("an answer was lost: %s", error)
            sentence = LOST
        case StoreFailed():
            log.error("a write failed: %s", error)
            sentence = NOT_KEPT
        case _:
            log.error("an interaction failed", exc_info=error)
            sentence = BROKEN
    try:
        await tell(interaction, sentence)
    except discord.HTTPException as unsaid:
        log.warning("an answer was refused by Discord (%s %s)", unsaid.status, unsaid.code)
