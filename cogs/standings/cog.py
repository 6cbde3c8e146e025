"""`/leaderboard`: the people of a server by rating in one game, by wins in all games, or by points in a season; and
people of all servers by rating in one game."""

from collections.abc import Sequence
from dataclasses import replace

from discord import app_commands
from discord.ext import commands

from bot.client import Palmhouse
from bot.match.names import safe
from bot.match.refusal import Refusal
from bot.messages.answers import send, show
from bot.messages.panel import Panel
from bot.messages.router import DEAD_BUTTON, Click, Kind
from bot.standings.board import CERTAIN_MATCHES, RECENT, RECENT_DAYS, by_rating, by_wins, missing
from bot.standings.ratings import rating_of
from bot.store import Season, SeasonRow
from bot.upkeep.chores import Chore
from cogs.common.lookup import Interaction, Typed
from cogs.standings.closing import PAUSE, Closing
from cogs.standings.csv_file import send_csv
from cogs.standings.everywhere import Everywhere
from cogs.standings.page import (
    EVER,
    PAGE,
    PERIODS,
    Board,
    Wanted,
    cells_of,
    heads_of,
    page_of,
    pictures_for,
    shown_page,
)
from cogs.standings.season import (
    HEADS,
    Viewer,
    cells,
    clicked,
    current,
    named,
    rows_of,
    season_page,
    suggested,
)
from games import GAMES
from games.phrases import counted

SEASON = "season"
"""The period that is the running season."""
SERVER, EVERYWHERE = "server", "everywhere"
"""The scopes of a leaderboard."""


class Standings(commands.Cog):
    """Leaderboards from the results of finished matches; closed ones do not count.

    Whoever asks sees it alone, unless they show it to everybody. Buttons of a public one show each person a message of
    their own: several people can turn pages at once. The leaderboard of all servers is for the caller alone (see
    `everywhere`).
    """

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot
        self._everywhere = Everywhere(bot)
        finish = Closing(bot).finish_seasons
        bot.chores.append(Chore("seasons", finish, PAUSE, "seasons could not be finished"))
        bot.router.add("leaderboard", self.turn)
        bot.router.add("leaderboard-menu", self.choose, Kind.SELECT)
        bot.router.add("season", self.turn_season)

    @app_commands.command(name="leaderboard")
    @app_commands.describe(
        game="Ratings in one game (default: wins in all games)",
        period="Matches that count (default: all time)",
        season="The table of a season, also of a past one",
        scope="Whose ratings: of this server, or of people everywhere who take part",
        public="Show it to everybody in this channel (default: only to you)",
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
        scope=[
            app_commands.Choice(name="this server", value=SERVER),
            app_commands.Choice(name="everywhere", value=EVERYWHERE),
        ],
    )
    @app_commands.autocomplete(season=suggested)
    @app_commands.guild_only
    async def leaderboard(
        self,
        interaction: Interaction,
        game: str = "",
        period: str = EVER,
        season: Typed = "",
        scope: str = SERVER,
        public: bool = False,
    ) -> None:
        """Show the best players of this server, and your place among them"""
        if scope == EVERYWHERE:
            if public:
                raise Refusal("Only you see the leaderboard of all servers. Ask for it without `public:`.")
            of_season = season or period == SEASON
            await send(interaction, await self._of_everywhere(interaction, game, of_season=bool(of_season)))
            return
        if season or period == SEASON:
            panel = await self._season_wanted(interaction, game, season)
        else:
            panel = await self._panel(interaction, Wanted(game, period), None)
        await send(interaction, panel, public=public)

    async def turn(self, interaction: Interaction, click: Click) -> None:
        """Show a page to the person who pressed, in a message of their own."""
        wanted, page = Wanted.read(click.rest)
        if isinstance(page, str):
            board = self._renamed(interaction, await self._board(interaction, wanted))
            rows = [(each.place or "", each.standing.name, *cells_of(each)) for each in board.people]
            name = f"leaderboard-{wanted.pool or 'all-games'}-{wanted.period}.csv"
            await send_csv(interaction, name, heads_of(wanted), rows)
        else:
            await show(interaction, await self._panel(interaction, wanted, page))

    async def choose(self, interaction: Interaction, click: Click) -> None:
        """Show the leaderboard that was chosen in a menu, to the person who chose it."""
        wanted, _ = Wanted.read(click.values[0])
        await show(interaction, await self._panel(interaction, wanted, None))

    async def turn_season(self, interaction: Interaction, click: Click) -> None:
        """Show a page of a season's table to the person who pressed, in a message of their own."""
        season, page = await clicked(self.bot.store, interaction.guild_id, click.rest)
        if isinstance(page, str):
            rows = self._present(season, await rows_of(self.bot.store, season))
            await send_csv(
                interaction, "season.csv", HEADS, [(each.place, each.name, *cells(each)) for each in rows]
            )
        else:
            await show(interaction, await self._season(interaction, season, page))

    async def _of_everywhere(self, interaction: Interaction, game: str, *, of_season: bool) -> Panel:
        """Build the caller's page of the leaderboard of all servers. Raises Refusal."""
        if of_season:
            raise Refusal("Seasons belong to one server. Ask for this server's without `scope:`.")
        if not game:
            raise Refusal("Everywhere, people are ranked by their rating in one game. Name the game, too.")
        return await self._everywhere.panel(interaction, game)

    async def _season_wanted(self, interaction: Interaction, game: str, name: str) -> Panel:
        """Build the table of the season of that name, by default of the running one."""
        if game:
            raise Refusal("The table of a season counts all games together. Ask for it without `game:`.")
        store, guild = self.bot.store, interaction.guild_id or 0
        season = await (named(store, guild, name) if name else current(store, guild, self.bot.time.now()))
        return await self._season(interaction, season, None)

    async def _season(self, interaction: Interaction, season: Season, page: int | None) -> Panel:
        user, rows = interaction.user, await rows_of(self.bot.store, season)
        if season.closed is None:  # a final table keeps the names of its day
            users = [each.user for each in rows]
            first = shown_page(users, user.id, page) * PAGE
            await self.bot.member_names.refresh(season.guild, users[first : first + PAGE])
        rows = self._present(season, rows)
        viewer = Viewer(user.id, safe(user.display_name), await pictures_for(interaction, self.bot.store))
        return season_page(season, rows, viewer, page, self.bot.time.now())

    def _present(self, season: Season, rows: Sequence[SeasonRow]) -> Sequence[SeasonRow]:
        """Return the rows with the present names of members, where they are known; a final table keeps its names."""
        if season.closed is not None:
            return rows
        names = self.bot.member_names.known(season.guild, [each.user for each in rows])
        return [replace(each, name=names.get(each.user, each.name)) for each in rows]

    async def _panel(self, interaction: Interaction, wanted: Wanted, page: int | None) -> Panel:
        """Build a page (see `shown_page`)."""
        board = await self._board(interaction, wanted)
        on_page = [each.standing.user for each in board.on(board.page(page))]
        await self.bot.member_names.refresh(interaction.guild_id or 0, on_page)
        return page_of(
            self._renamed(interaction, board),
            wanted,
            page,
            pictures=await pictures_for(interaction, self.bot.store),
        )

    async def _board(self, interaction: Interaction, wanted: Wanted) -> Board:
        """Return the leaderboard, with the names of each person's last match."""
        if interaction.guild_id is None:
            raise Refusal(DEAD_BUTTON)
        load = self._by_rating if wanted.pool else self._by_wins
        user = interaction.user
        return await load(interaction.guild_id, wanted, user.id, safe(user.display_name))

    def _renamed(self, interaction: Interaction, board: Board) -> Board:
        """Return the board with the present names of members, as far as they are known."""
        users = [each.standing.user for each in board.people]
        return board.with_names(self.bot.member_names.known(interaction.guild_id or 0, users))

    async def _by_wins(self, guild: int, wanted: Wanted, user: int, name: str) -> Board:
        since = self._since(wanted)
        standings = await self.bot.store.leaderboard(guild, since=since)
        own = next((each.matches for each in standings if each.user == user), 0)
        more = counted(CERTAIN_MATCHES - own, "more finished match") if own < CERTAIN_MATCHES else ""
        lacks = f"{more} here{f' within {RECENT_DAYS} days' * (since > 0)}" * bool(more)
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
