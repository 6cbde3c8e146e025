"""`/leaderboard`: the people of a server by rating in one game, by wins in all games, or by points in a season."""

import asyncio

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
from bot.standings.board import RECENT, RECENT_DAYS, by_rating, by_wins, missing
from bot.standings.ratings import rating_of
from bot.store import Season
from cogs.standings.closing import Closing
from cogs.standings.page import EVER, PERIODS, Board, Wanted, page_of
from cogs.standings.season import Viewer, clicked, current, named, rows_of, season_page, suggested
from games import GAMES

SEASON = "season"
"""The period that is the running season."""


class Standings(commands.Cog):
    """Leaderboards from the results of finished matches; closed ones do not count.

    The command posts a message for everybody. Its buttons show each person a message of their own, so that several
    people can turn pages at the same time.
    """

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot
        self._closing: asyncio.Task[None] | None = None
        bot.router.add("leaderboard", self.turn)
        bot.router.add("season", self.turn_season)

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Close the seasons that are over, from now on."""
        if self._closing is None and self.bot.may_work():
            self._closing = asyncio.create_task(Closing(self.bot).run(), name="seasons")

    async def cog_unload(self) -> None:
        """Stop. A season that is closed but not posted is posted after the next start."""
        if self._closing is not None:
            self._closing.cancel()
            await asyncio.gather(self._closing, return_exceptions=True)

    @app_commands.command(name="leaderboard")
    @app_commands.describe(
        game="Ratings in one game (default: wins in all games)",
        period="Matches that count (default: all time)",
        season="The table of a season, also of a past one",
    )
    # The choices are made here, not in another module: discord.py loads this one anew for each bot.
    @app_commands.choices(
        game=[
            app_commands.Choice(name=title, value=pool)
            for game in GAMES.values()
            for pool, title in game.pools.items()
        ],
        period=[
            *(app_commands.Choice(name=title, value=period) for period, title in PERIODS.items()),
            app_commands.Choice(name="this season", value=SEASON),
        ],
    )
    @app_commands.autocomplete(season=suggested)
    @app_commands.guild_only
    async def leaderboard(
        self,
        interaction: discord.Interaction[Palmhouse],
        game: str = "",
        period: str = EVER,
        season: str = "",
    ) -> None:
        """Show the best players of this server, and your place among them"""
        if season or period == SEASON:
            panel = await self._season_wanted(interaction, game, season)
        else:
            panel = await self._panel(interaction, Wanted(game, period), None)
        files = await panel.files(answer=True)
        await interaction.response.send_message(view=panel, files=files)

    async def turn(self, interaction: Interaction, click: Click) -> None:
        """Show a page to the person who pressed, in a message of their own."""
        wanted, page = Wanted.read(click.rest)
        await show(interaction, await self._panel(interaction, wanted, page))

    async def turn_season(self, interaction: Interaction, click: Click) -> None:
        """Show a page of a season's table to the person who pressed, in a message of their own."""
        season, page = await clicked(self.bot.store, interaction.guild_id, click.rest)
        await show(interaction, await self._season(interaction, season, page))

    async def _season_wanted(self, interaction: Interaction, game: str, name: str) -> Panel:
        """Build the table of the season of that name, by default of the running one."""
        if game:
            raise Refusal("The table of a season counts all games together. Ask for it without `game:`.")
        store, guild = self.bot.store, interaction.guild_id or 0
        season = await (named(store, guild, name) if name else current(store, guild, self.bot.time.now()))
        return await self._season(interaction, season, None)

    async def _season(self, interaction: Interaction, season: Season, page: int | None) -> Panel:
        rows = await rows_of(self.bot.store, season)
        viewer = Viewer(
            interaction.user.id, safe(interaction.user.display_name), await self._pictures(interaction)
        )
        return season_page(season, rows, viewer, page, self.bot.time.now())

    async def _pictures(self, interaction: Interaction) -> bool:
        """Return whether the caller gets pictures here."""
        style = hand_style(await self.bot.store.preferences(interaction.user.id))
        return style.pictures and interaction.app_permissions.attach_files

    async def _panel(self, interaction: Interaction, wanted: Wanted, page: int | None) -> Panel:
        """Build a page; None is the one where the caller stands."""
        if interaction.guild_id is None:
            raise Refusal(DEAD_BUTTON)
        user = interaction.user.id
        load = self._by_rating if wanted.pool else self._by_wins
        board = await load(interaction.guild_id, wanted, user, safe(interaction.user.display_name))
        return page_of(board, wanted, page, pictures=await self._pictures(interaction))

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
        rating = rating_of(ratings[user]) if user in ratings else None
        lacks = missing(own, rating, now)
        return Board(by_rating(standings, ratings, now), user, name, lacks, standings != [])

    def _since(self, wanted: Wanted) -> int:
        """Return the time in ms from which on matches count."""
        return 0 if wanted.period == EVER else self.bot.time.now() - RECENT


async def setup(bot: Palmhouse) -> None:
    """Called by discord.py."""
    await bot.add_cog(Standings(bot))
