"""`/leaderboard`: a server's standings."""

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Palmhouse
from bot.names import safe
from bot.panel import Panel, text
from bot.store import Standing
from games import GAMES


class Standings(commands.Cog):
    """Counted from the results of finished matches; closed ones do not count."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot

    @app_commands.command(name="leaderboard")
    @app_commands.describe(game="One game only")
    @app_commands.choices(
        game=[app_commands.Choice(name=game.title, value=slug) for slug, game in GAMES.items()]
    )
    @app_commands.guild_only
    async def leaderboard(self, interaction: discord.Interaction[Palmhouse], game: str | None = None) -> None:
        """Who wins on this server: matches, wins and mean placing"""
        assert interaction.guild_id is not None
        rows = await self.bot.store.leaderboard(interaction.guild_id, game)
        title = GAMES[game].title if game else "All games"
        body = (
            table(rows)
            if rows
            else "No match has been finished here yet. A game's `start` command opens a table."
        )
        await interaction.response.send_message(view=Panel(text(f"### Leaderboard · {title}\n{body}")))


def table(rows: list[Standing]) -> str:
    """The standings as a code block that fits a phone; shared wins and mean placings share a rank."""
    lines = [f"{'':>2} {'player':<14} {'wins':>4} {'of':>4} {'mean':>4}"]
    rank, before = 0, None
    for place, row in enumerate(rows, start=1):
        merit = (row.wins, row.mean_placing, row.matches)
        rank, before = (rank if merit == before else place), merit
        lines.append(
            f"{rank:>2} {safe(row.name)[:14]:<14} {row.wins:>4} {row.matches:>4} {row.mean_placing:>4.1f}"
        )
    return "```\n" + "\n".join(lines) + "\n```"


async def setup(bot: Palmhouse) -> None:
    """Called by discord.py."""
    await bot.add_cog(Standings(bot))
