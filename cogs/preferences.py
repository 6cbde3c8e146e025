"""`/preferences`: how a person likes to play, on every server alike."""

from dataclasses import replace
from typing import Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot.answers import tell
from bot.client import Palmhouse

SAID = {
    "ephemeral": "Your hands are shown in messages that only you can see, where you press `My hand`.",
    "dm": "Your hands are sent to you in direct messages. If those are closed, I show them where you ask instead.",
    "always": "You are called when it is your turn, and reminded once before your time is up.",
    "only reminders": "You are called only before your time is up.",
    "never": "You are never called: look in from time to time.",
}


class Preferences(commands.Cog):
    """Kept in the store."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot

    @app_commands.command(name="preferences")
    @app_commands.describe(
        hand="Where to show your hands; leave it out to see how it is set",
        pings="When to call you by a mention; leave it out to see how it is set",
    )
    async def preferences(
        self,
        interaction: discord.Interaction[Palmhouse],
        hand: Literal["ephemeral", "dm"] | None = None,
        pings: Literal["always", "only reminders", "never"] | None = None,
    ) -> None:
        """Where your hands are shown, and when you are called"""
        user, store = interaction.user.id, self.bot.store
        kept = await store.preferences(user)
        wanted = replace(kept, hand=hand or kept.hand, pings=pings or kept.pings)
        if wanted != kept:
            await store.set_preferences(user, wanted)
        await tell(interaction, f"{SAID[wanted.hand]}\n{SAID[wanted.pings]}")


async def setup(bot: Palmhouse) -> None:
    """Called by discord.py."""
    await bot.add_cog(Preferences(bot))
