"""The toy's cog: all that a game needs to be played in Discord, when text and a menu are enough."""

import discord
from discord import app_commands

from bot.client import Palmhouse
from cogs.common.game import GameCog
from tests.toy.rules import GAME


class Toy(GameCog, group_name=GAME.slug):
    """Typed options, and the plain face."""

    game = GAME

    @app_commands.command(name="start")
    async def start(self, interaction: discord.Interaction[Palmhouse]) -> None:
        """Open a table"""
        await self.open(interaction)

    @app_commands.command(name="rules")
    async def rules(self, interaction: discord.Interaction[Palmhouse]) -> None:
        """How it is played"""
        await self.explain(interaction)


async def setup(bot: Palmhouse) -> None:
    """Called by discord.py."""
    await bot.add_cog(Toy(bot))
