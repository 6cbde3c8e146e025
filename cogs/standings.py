"""`/leaderboard`: the standings of a server."""

import unicodedata
from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Palmhouse
from bot.match.names import distinct_names, safe
from bot.messages.panel import Panel, text
from bot.store import Standing
from games import GAMES
from games.phrases import numbered, short

NAME: Final = 14
"""Width of a name, in columns of a code block."""


class Standings(commands.Cog):
    """Standings from the results of finished matches; closed ones do not count."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot

    @app_commands.command(name="leaderboard")
    @app_commands.describe(game="One game only")
    @app_commands.choices(
        game=[app_commands.Choice(name=game.title, value=slug) for slug, game in GAMES.items()]
    )
    @app_commands.guild_only
    async def leaderboard(self, interaction: discord.Interaction[Palmhouse], game: str | None = None) -> None:
        """Show who wins on this server: matches, wins and mean placing"""
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
    """Return the standings as a code block that fits a phone, and below it the accounts of people with equal names.

    People with the same wins, matches and mean placing share a rank.
    """
    lines = [f"{'':>2} {'player':<{NAME}} {'wins':>4} {'of':>4} {'mean':>4}"]
    names = distinct_names(_cut(safe(row.name)) for row in rows)
    rank, before = 0, None
    for place, (row, name) in enumerate(zip(rows, names, strict=True), start=1):
        merit = (row.wins, row.mean_placing, row.matches)
        rank, before = (rank if merit == before else place), merit
        lines.append(
            f"{rank:>2} {_padded(_cut(name))} {row.wins:>4} {row.matches:>4} {row.mean_placing:>4.1f}"
        )
    return "\n".join(["```", *lines, "```", *_accounts(rows, names)])


def _accounts(rows: list[Standing], names: list[str]) -> list[str]:
    """Return a line with the accounts of people who share a name; empty if there are none. It pings nobody."""
    heads = [numbered(name)[0] for name in names]
    alike = [
        f"{_cut(name)}: <@{row.user}>"
        for row, name, head in zip(rows, names, heads, strict=True)
        if heads.count(head) > 1
    ]
    return [f"-# {' · '.join(alike)}"] if alike else []


def _cut(name: str) -> str:
    return next(cut for length in range(NAME, 0, -1) if _columns(cut := short(name, length)) <= NAME)


def _padded(name: str) -> str:
    return name + " " * (NAME - _columns(name))


def _columns(text: str) -> int:
    """Return the width of a text in columns of a code block: Chinese and Japanese letters take two, accents none."""
    seen = [letter for letter in text if unicodedata.category(letter) not in ("Mn", "Me", "Cf")]
    return sum(1 + (unicodedata.east_asian_width(letter) in "WF") for letter in seen)


async def setup(bot: Palmhouse) -> None:
    """Called by discord.py."""
    await bot.add_cog(Standings(bot))
