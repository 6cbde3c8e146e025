"""`/preferences`: how a person likes to play, on every server alike."""

from typing import Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot.answers import tell
from bot.client import Palmhouse
from bot.looks import Order
from bot.store import Preferences as Kept

SAID = {
    "ephemeral": "Your hands are shown in messages that only you can see, where you press `My hand`.",
    "dm": "Your hands are sent to you in direct messages. If those are closed, I show them where you ask instead.",
    "always": "You are called when it is your turn, and reminded once before your time is up.",
    "only reminders": "You are called only before your time is up.",
    "never": "You are never called: look in from time to time.",
    "pictures": "They are pictures.",
    "text only": "They are text, without pictures.",
    "usual": "Their cards have the usual size.",
    "large": "Their cards are large.",
    "suit": "They are sorted by suit.",
    "rank": "They are sorted by rank.",
}
HOW = "To change something, name it: `/preferences cards: large`, for one."


class Preferences(commands.Cog):
    """Kept in the store."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot

    @app_commands.command(name="preferences")
    @app_commands.describe(
        hand="Where to show your hands; leave it out to see how it is set",
        pings="When to call you by a mention; leave it out to see how it is set",
        pictures="Your hands as pictures, or everything as text",
        cards="The size of the cards in your hands",
        order="What your hands are sorted by first",
    )
    async def preferences(
        self,
        interaction: discord.Interaction[Palmhouse],
        hand: Literal["ephemeral", "dm"] | None = None,
        pings: Literal["always", "only reminders", "never"] | None = None,
        pictures: Literal["pictures", "text only"] | None = None,
        cards: Literal["usual", "large"] | None = None,
        order: Order | None = None,
    ) -> None:
        """Where and how your hands are shown, and when you are called"""
        user, store = interaction.user.id, self.bot.store
        kept = await store.preferences(user)
        wanted = Kept(
            hand=hand or kept.hand,
            pings=pings or kept.pings,
            pictures=pictures or kept.pictures,
            cards=cards or kept.cards,
            order=order or kept.order,
        )
        if wanted != kept:
            await store.set_preferences(user, wanted)
        said = [SAID[word] for word in _words(wanted)]
        if not (hand or pings or pictures or cards or order):
            said.append(HOW)
        await tell(interaction, " ".join(said))


def _words(wanted: Kept) -> tuple[str, ...]:
    """What is told, in this order; of text there is no more to tell."""
    of_pictures = (wanted.cards, wanted.order) if wanted.looks.pictures else ()
    return (wanted.hand, wanted.pictures, *of_pictures, wanted.pings)


async def setup(bot: Palmhouse) -> None:
    """Called by discord.py."""
    await bot.add_cog(Preferences(bot))
