"""`/help`: the whole bot on one screen."""

import discord
from discord import app_commands
from discord.ext import commands

from bot.answers import tell
from bot.client import Palmhouse
from games import AnyGame

GENERAL = """### Palmhouse
**To begin** choose a game below and send its `start` command: it opens a table here. Others press `Join`, the host \
adds computers (🤖) or not, and presses `Start`. `/practice` is a table for you alone, with hints. Each game has a \
`rules` command. `Rematch` plays again.

{games}

**Your turn.** You are called once, and reminded once. Press `My hand` on any message of the table: it always shows \
your present hand, to you alone.
**From the keyboard.** `/hand` shows it, `/move` makes any legal move.
**Going away.** If you run out of time the table decides: wait, end, or a computer keeps your seat until you press \
`I'm back`. `/table leave` gives it up, `/table hand-over` gives it to somebody, `/table pace` proposes more time.
**Standings.** Matches in which at least two people sat count, for the people.

`/tables` where you sit and whose turn it is · `/table show` a table posted anew · `/leaderboard` who wins here · \
`/preferences` hands here or in direct messages, as pictures or text, and when you are called"""


class Help(commands.Cog):
    """Written from the games that are there."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot

    @app_commands.command(name="help")
    async def help(self, interaction: discord.Interaction[Palmhouse]) -> None:
        """How to play here, on one screen"""
        faces = sorted(self.bot.faces.values(), key=lambda face: face.game.title)
        await tell(interaction, GENERAL.format(games="\n".join(_line(face.game) for face in faces)))


def _line(game: AnyGame) -> str:
    seats = game.seats(game.Options())
    about = f"{seats[0]} to {seats[-1]} players, about {game.minutes} minutes"
    return f"**{game.title}** `/{game.slug} start` · {about} · {game.blurb}"


async def setup(bot: Palmhouse) -> None:
    """Called by discord.py."""
    await bot.add_cog(Help(bot))
