"""`/help`: how to use the bot, on one screen of a phone."""

from discord import app_commands
from discord.ext import commands

from bot.client import Palmhouse
from bot.messages.answers import send
from bot.messages.panel import Panel, row, text
from cogs.common.door import alone, play_button
from cogs.common.lookup import Interaction
from games.phrases import listed

GENERAL = """### Card games in this channel
{games}.

**Play:** `/play` opens a table or shows what is open. Others press `Join`; `Add computer` fills seats; then `Start`.
**Rules:** `Rules` at each table; `/learn` teaches a game.
**Your turn:** `My hand` shows your cards, to you alone.
**Alone:** `/daily` is the deal of the day, `/practice` has hints.
**Away:** a computer plays until you press `I'm back`.
-# `/tables` where you sit · `/hand`, `/move` by typing · `/leaderboard` who wins here · `/profile`, `/history` your \
matches · `/preferences` pictures, calls · `/privacy show` what is stored about you"""
MANAGING = "-# You manage this server: `/settings show` · `/night plan` · `/doctor`"


class Help(commands.Cog):
    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot

    @app_commands.command(name="help")
    async def help(self, interaction: Interaction) -> None:
        """Show how to play here, on one screen"""
        games = listed(sorted(ui.game.title for ui in self.bot.game_uis.values()))
        lines = [GENERAL.format(games=games), *[MANAGING] * interaction.permissions.manage_guild]
        await send(interaction, Panel(text("\n".join(lines)), row(play_button(), *alone())))
