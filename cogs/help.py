"""`/help`: how to use the bot, on one screen."""

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Palmhouse
from bot.messages.answers import tell
from games import AnyGame
from games.about import about

GENERAL = """### Card games in this channel
{games}

**Start** a table with a game's command. Others press `Join`; `Add computer` fills seats; then `Start`.
**Your turn:** `My hand` on any message of the table shows your hand, to you alone.
**New to a game?** `/learn` shows it step by step, in four minutes and in private.
**Alone:** `/daily` is the deal of the day, the same for everybody. `/practice` is private, with hints.
**Away:** when your time is up a computer plays until you press `I'm back`. `/table leave` gives up your seat, \
`/table hand-over` gives it to somebody.
**Keyboard:** `/hand` shows your hand, `/move` plays.
-# `/tables` where you sit · `/table show` posts a table again · `/table pace` more or less time · `/leaderboard` who \
wins here · `/profile`, `/history` your ratings and matches · `/replay` a match again · `/verify` check its deal · \
`/preferences` pictures or text, calls, direct messages · `/privacy show` what is stored about you
-# For managers of the server: `/settings show` channels and pace of tables, roles that manage them and seasons · \
`/doctor` what is wrong here, and who can repair it"""


class Help(commands.Cog):
    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot

    @app_commands.command(name="help")
    async def help(self, interaction: discord.Interaction[Palmhouse]) -> None:
        """Show how to play here, on one screen"""
        uis = sorted(self.bot.game_uis.values(), key=lambda ui: ui.game.title)
        await tell(interaction, GENERAL.format(games="\n".join(_line(ui.game) for ui in uis)))


def _line(game: AnyGame) -> str:
    return f"**{game.title}** `/{game.slug} start`\n-# {about(game)}"


async def setup(bot: Palmhouse) -> None:
    """Add the cog. Called at the start."""
    await bot.add_cog(Help(bot))
