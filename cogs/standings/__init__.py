"""`/leaderboard`: the people of a server by rating in one game, or by wins in all games."""

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Palmhouse
from bot.match.names import safe
from bot.match.refusal import Refusal
from bot.messages.answers import Interaction, show
from bot.messages.game_ui import hand_style
from bot.messages.panel import Panel
from bot.messages.router import DEAD_BUTTON, Click
from bot.standings.board import RECENT, RECENT_DAYS, by_rating, by_wins, missing, rating_of
from cogs.standings.page import EVER, PERIODS, Board, Wanted, page_of
from games import GAMES


class Standings(commands.Cog):
    """Leaderboards from the results of finished matches; closed ones do not count.

    The command posts a message for everybody. Its buttons show each person a message of their own, so that several
    people can turn pages at the same time.
    """

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot
        bot.router.add("leaderboard", self.turn)

    @app_commands.command(name="leaderboard")
    @app_commands.describe(
        game="Ratings in one game (default: wins in all games)",
        period="Matches that count (default: all time)",
    )
    # The choices are made here, not in another module: discord.py loads this one anew for each bot.
    @app_commands.choices(
        game=[
            app_commands.Choice(name=title, value=pool)
            for game in GAMES.values()
            for pool, title in game.pools.items()
        ],
        period=[app_commands.Choice(name=title, value=period) for period, title in PERIODS.items()],
    )
    @app_commands.guild_only
    async def leaderboard(
        self, interaction: discord.Interaction[Palmhouse], game: str = "", period: str = EVER
    ) -> None:
        """Show the best players of this server, and your place among them"""
        panel = await self._panel(interaction, Wanted(game, period), None)
        files = await panel.files(answer=True)
        await interaction.response.send_message(view=panel, files=files)

    async def turn(self, interaction: Interaction, click: Click) -> None:
        """Show a page to the person who pressed, in a message of their own."""
        wanted, page = Wanted.read(click.rest)
        await show(interaction, await self._panel(interaction, wanted, page))

    async def _panel(self, interaction: Interaction, wanted: Wanted, page: int | None) -> Panel:
        """Build a page; None is the one where the caller stands."""
        if interaction.guild_id is None:
            raise Refusal(DEAD_BUTTON)
        user = interaction.user.id
        style = hand_style(await self.bot.store.preferences(user))
        load = self._by_rating if wanted.pool else self._by_wins
        board = await load(interaction.guild_id, wanted, user, safe(interaction.user.display_name))
        pictures = style.pictures and interaction.app_permissions.attach_files
        return page_of(board, wanted, page, pictures=pictures)

    async def _by_wins(self, guild: int, wanted: Wanted, user: int, name: str) -> Board:
        since = self._since(wanted)
        standings = await self.bot.store.leaderboard(guild, since=since)
        has_played = any(each.user == user for each in standings)
        lacks = "" if has_played else f"1 finished match here{f' within {RECENT_DAYS} days' * (since > 0)}"
        return Board(by_wins(standings), user, name, lacks, standings != [])

    async def _by_rating(self, guild: int, wanted: Wanted, user: int, name: str) -> Board:
        store, pool, now = self.bot.store, wanted.pool, self.bot.time.now()
        since = self._since(wanted)
        standings = await store.leaderboard(guild, wanted.game.slug, pool=pool, since=since)
        recent = [each.user for each in standings if each.last > now - RECENT]
        ratings = await store.ratings(pool, {*recent, user})
        own = next((each for each in standings if each.user == user), None)
        lacks = missing(own, rating_of(ratings.get(user)), now)
        return Board(by_rating(standings, ratings, now), user, name, lacks, standings != [])

    def _since(self, wanted: Wanted) -> int:
        """Return the time in ms from which on matches count."""
        return 0 if wanted.period == EVER else self.bot.time.now() - RECENT


async def setup(bot: Palmhouse) -> None:
    """Called by discord.py."""
    await bot.add_cog(Standings(bot))
