"""`/preferences`: how a person likes to play, on every server alike."""

from typing import Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot.answers import tell
from bot.client import Palmhouse
from bot.looks import Looks, Order

SAID = {
    "ephemeral": "Your hands are shown in messages that only you can see, where you press `My hand`.",
    "dm": "Your hands are sent to you in direct messages. If those are closed, I show them where you ask instead.",
}


class Preferences(commands.Cog):
    """Kept in the store."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot

    @app_commands.command(name="preferences")
    @app_commands.describe(
        hand="Where to show your hands; leave it out to see how it is set",
        pictures="Your hands as pictures, or everything as text",
        cards="The size of the cards in your hands",
        order="What your hands are sorted by first",
    )
    async def preferences(
        self,
        interaction: discord.Interaction[Palmhouse],
        hand: Literal["ephemeral", "dm"] | None = None,
        pictures: Literal["pictures", "text only"] | None = None,
        cards: Literal["usual", "large"] | None = None,
        order: Order | None = None,
    ) -> None:
        """Where your hands are shown, and how"""
        user, store = interaction.user.id, self.bot.store
        if hand is not None:
            await store.set_preference(user, hand)
        kept = await store.looks(user)
        looks = Looks(
            kept.pictures if pictures is None else pictures == "pictures",
            kept.large if cards is None else cards == "large",
            order or kept.order,
        )
        if looks != kept:
            await store.set_looks(user, looks)
        await tell(interaction, f"{SAID[await store.preference(user)]}\n{_said(looks)}")


def _said(looks: Looks) -> str:
    if not looks.pictures:
        return "They are text, without pictures."
    size = "large cards" if looks.large else "cards of the usual size"
    return f"They are pictures with {size}, sorted by {looks.order}."


async def setup(bot: Palmhouse) -> None:
    """Called by discord.py."""
    await bot.add_cog(Preferences(bot))
