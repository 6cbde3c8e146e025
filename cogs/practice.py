"""`/practice`: a table for one against computers, with hints, outside the standings."""

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Palmhouse
from bot.refusal import Refusal
from cogs.common.opening import caller, open_table, party, show_card
from games import GAMES
from games.minds import Strength


class Practice(commands.Cog):
    """The game's usual options, an hour a move, and no waiting in a lobby."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot

    @app_commands.command(name="practice")
    @app_commands.describe(
        game="Which game",
        computers="Against how many (default: as few as the game takes)",
        strength="How well they play (default: steady)",
    )
    @app_commands.choices(
        game=[app_commands.Choice(name=game.title, value=slug) for slug, game in GAMES.items()]
    )
    @app_commands.guild_only
    async def practice(
        self,
        interaction: discord.Interaction[Palmhouse],
        game: str,
        computers: app_commands.Range[int, 1, 7] | None = None,
        strength: Strength = "steady",
    ) -> None:
        """Play alone against computers, with hints; it does not count"""
        rules = GAMES[game]
        options = rules.Options()
        least = rules.seats(options).start - 1
        if computers is not None and computers < least:
            raise Refusal(f"{rules.title} needs at least {least} computers beside you.")
        players = party(rules, options, caller(interaction), computers or least, strength)
        table = await open_table(interaction, rules, options, players, pace="relaxed", practice=True)
        await show_card(interaction, table)
        await table.start(interaction.user.id, self.bot.time.heard(interaction.id))


async def setup(bot: Palmhouse) -> None:
    """Called by discord.py."""
    await bot.add_cog(Practice(bot))
