"""`/preferences`: how a person likes to play, on every server alike."""

from typing import Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot.answers import tell
from bot.client import Palmhouse

SAID = {
    "ephemeral": "Your hands are shown in messages that only you can see, where you press `My hand`.",
    "dm": "Your hands are sent to you in direct messages. If those are closed, I show them where you ask instead.",
}


class Preferences(commands.Cog):
    """Kept in the store."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot

    @app_commands.command(name="preferences")
    @app_commands.describe(hand="Where to show your hands; leave it out to see how it is set")
    async def preferences(
        self, interaction: discord.Interaction[Palmhouse], hand: Literal["ephemeral", "dm"] | None = None
    ) -> None:
        """Where your hands are shown"""
        if hand is not None:
            await self.bot.store.set_preference(interaction.user.id, hand)
        await tell(interaction, SAID[await self.bot.store.preference(interaction.user.id)])


async def setup(bot: Palmhouse) -> None:
    """Called by discord.py."""
    await bot.add_cog(Preferences(bot))
