"""Messages of the bot that shall stand once in a channel, each known by the custom id of a button."""

import contextlib
from typing import Final

import discord

from bot.client import Palmhouse
from bot.gateway.discord_time import posted_at
from bot.messages.custom_ids import CustomId, ids_on
from bot.messages.outbox import REMEMBERED

FAR_BACK: Final = 100
"""Number of last messages of a channel that are searched."""


async def look_back(
    bot: Palmhouse, place: discord.PartialMessageable, own_id: CustomId
) -> list[discord.Message]:
    """Return the messages of the bot with this button among the last ones of a channel, the newest first."""
    history = place.history(limit=FAR_BACK)
    return [each async for each in history if each.author == bot.user and own_id in ids_on(each)]


async def delete_copy(bot: Palmhouse, posted: discord.Message, began: int, own_id: CustomId) -> None:
    """Delete the other messages with the button of one that was to be posted since `began` (ms), if the machine slept
    before a retry. The first try may have succeeded, and Discord has forgotten its nonce."""
    if posted_at(posted.id) - began > REMEMBERED:
        place = bot.get_partial_messageable(posted.channel.id)
        with contextlib.suppress(discord.Forbidden, discord.NotFound):
            for message in await look_back(bot, place, own_id):
                if message.id != posted.id:
                    await message.delete()
