"""`/play`: what is open on this server, and a form that opens a table of any game. Only its person sees the page."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import discord
from discord import app_commands
from discord.ext import commands
from pydantic import ValidationError

from bot.client import Palmhouse
from bot.match.announcements import names
from bot.match.refusal import Refusal
from bot.match.table import Table
from bot.messages.answers import is_private, send, show, tell
from bot.messages.custom_ids import CustomId
from bot.messages.lobby_card import short_settings
from bot.messages.panel import SUCCESS, Item, Modal, Panel, beside, button, menu_field, row, rows, text
from bot.messages.router import DEAD_BUTTON, Click, Kind
from bot.messages.venue import find_channel
from cogs.common.audience import readable
from cogs.common.door import alone
from cogs.common.lookup import Interaction, here_only, where
from cogs.common.new_table import IN_DMS, TableTerms, check_here, chosen_options, open_lobby
from cogs.common.offering import offer_lesson
from cogs.night.page import invitation
from cogs.presets import offered
from cogs.seeking.form import seek_button
from cogs.seeking.summoning import tell_host
from cogs.settings.panel import PACES
from games import GAMES, AnyGame
from games.about import all_seats
from games.phrases import counted, listed

MOST_LOOKED_AT: Final = 30
"""Maximum number of a server's tables that are looked at for a page: the reader's own, then the newest."""
MOST_SHOWN: Final = 4
"""Maximum number of lobbies on a page, and of matches that are being played."""
FORM: Final = ("mode", "computers", "pace")
"""The fields of the form, in order. Some games have no modes."""
NO_COMPUTERS: Final = "None, only people"


class Play(commands.Cog):
    """The way to a table. A press of a game opens a form, which opens a table."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot
        bot.router.add("play", self.open, at_once=True)
        # By these buttons a board, and the bulletin of a week, are found again.
        bot.router.add("board", self.show_page)
        bot.router.add("week", self.show_page)
        bot.router.add("play-with", self.open_table, Kind.MODAL, at_once=True)
        bot.router.add("sit", self.sit)

    @app_commands.command(name="play")
    @app_commands.guild_only
    @app_commands.describe(game="Open a table of this game")
    @app_commands.choices(
        game=[app_commands.Choice(name=game.title, value=slug) for slug, game in GAMES.items()]
    )
    async def play(self, interaction: Interaction, game: str | None = None) -> None:
        """Play: join a table that is open here, or open one of any game"""
        if game is None:
            await send(interaction, await self._page(interaction))
        else:
            await self._ask(interaction, GAMES[game])

    async def show_page(self, interaction: Interaction, _: Click) -> None:
        """Show the page in a message of its own."""
        await send(interaction, await self._page(interaction))

    async def open(self, interaction: Interaction, click: Click) -> None:
        """Open the form for a table of a game."""
        if click.rest not in GAMES:
            raise Refusal(DEAD_BUTTON)
        await self._ask(interaction, GAMES[click.rest])

    async def sit(self, interaction: Interaction, click: Click) -> None:
        """Take a seat at a table on the page, and show the page as it is now."""
        table = here_only(interaction, await self.bot.tables.get(click.match))
        user, at = interaction.user, self.bot.time.learn_from(interaction.id)
        await table.join(user.id, user.display_name, at, interaction.id)
        if is_private(interaction):
            await show(interaction, await self._page(interaction))
        else:  # the button of a board
            await tell(interaction, f"✅ You sit at {self._link(table)}. Its host presses `Start` there.")
        await tell_host(interaction, table.id)
        await offer_lesson(interaction, table.id)

    async def open_table(self, interaction: Interaction, click: Click) -> None:
        """Open a table by the form that was filled in. Raises Refusal for a form that the bot does not show."""
        game = GAMES.get(click.rest)
        if game is None:
            raise Refusal(DEAD_BUTTON)
        try:
            given: dict[str, Any] = dict(zip(_fields(game), click.values, strict=True))
            mode = {name: given.pop(name) for name in FORM[:1] if name in given}
            terms = TableTerms(**given)
        except (ValueError, ValidationError) as error:
            raise Refusal(DEAD_BUTTON) from error
        await open_lobby(interaction, game, chosen_options(game, mode), terms)

    async def _ask(self, interaction: Interaction, game: AnyGame) -> None:
        """Open the form for a table of a game. Raises Refusal for who could not open one."""
        self.bot.tables.check_room(interaction.user.id)
        await check_here(interaction)
        pace = (await self.bot.store.guild_settings(interaction.guild_id or 0)).pace
        await interaction.response.send_modal(_form(game, pace))

    async def _page(self, interaction: Interaction) -> Panel:
        if interaction.guild_id is None:
            return Panel(text(IN_DMS), row(*alone()))
        tables, user = await self._tables(interaction), interaction.user.id
        # Not all are looked at.
        least = "at least " * (len(self.bot.tables.of_guild(interaction.guild_id)) > MOST_LOOKED_AT)
        # A phone shows the end of a message that is too long for it.
        return Panel(
            *await self._to_open(interaction, interaction.guild_id),
            *self._lobbies([table for table in tables if table.state.phase == "lobby"], user, least),
            *_matches([table for table in tables if _may_open(table, user)], user, least),
            *await self._night(interaction),
            row(seek_button(), *alone()),
        )

    async def _to_open(self, interaction: Interaction, guild: int) -> list[Item]:
        """Return the presets and games of a server; where no table can be opened, a line that says why."""
        try:
            await check_here(interaction)
        except Refusal as reason:
            return [text(str(reason))]
        left_out = (await self.bot.store.guild_settings(guild)).left_out
        games = [ui.game for slug, ui in self.bot.game_uis.items() if slug not in left_out]
        return [
            *offered(await self.bot.store.presets(guild), self.bot.tables.clock.times),
            *_games(sorted(games, key=lambda game: (game.minutes, game.title))),  # a newcomer has little time
        ]

    async def _night(self, interaction: Interaction) -> list[Item]:
        """Return the game night of the server, if there is one where the caller may read."""
        guild, user = interaction.guild_id or 0, interaction.user
        night = await self.bot.store.next_night(guild)
        place = None if night is None else find_channel(self.bot, guild, night.channel)
        if night is None or place is None or not isinstance(user, discord.Member):
            return []
        return [await invitation(self.bot.store, night, user.id)] * place.permissions_for(user).read_messages

    async def _tables(self, interaction: Interaction) -> list[Table]:
        """Return the newest tables of the server in channels that the caller may read; their own come first, however
        old."""
        mine = {*self.bot.tables.seated(interaction.user.id)}
        numbers = sorted(self.bot.tables.of_guild(interaction.guild_id or 0), key=lambda n: n not in mine)
        tables = await self.bot.tables.loadable(numbers[:MOST_LOOKED_AT])
        found = await readable(interaction, [table for table in tables if not table.state.practice])
        return sorted(found, key=lambda table: table.state.seat_of(interaction.user.id) is None)

    def _lobbies(self, tables: Sequence[Table], user: int, least: str) -> Iterator[Item]:
        """Yield the tables that can be joined, and those at which the person sits. `least` stands before the number of
        those left out."""
        most = {table.id: table.seats().stop - 1 for table in tables}
        mine = [table.id for table in tables if table.state.seat_of(user) is not None]
        offered = [each for each in tables if each.has_free(user) or each.id in mine]
        for number, table in enumerate(offered[:MOST_SHOWN]):
            link = self._link(table)
            taken = f"{len(table.state.players)} of {most[table.id]} seats"
            title = f"**{table.state.game.title}** · {taken}{short_settings(table)}"
            head = "" if number else "### Open here\n"
            if table.id in mine:
                who = "You press" if table.state.is_host(user) else "Its host presses"
                yield text(f"{head}{title}\n-# ✅ You sit at {link}. {who} `Start` there.")
            else:
                join = button("Join", CustomId("sit", table.id), style=SUCCESS)
                yield beside(f"{head}{title}\n-# {listed(names(table.state))} · {link}", join)
        if len(offered) > MOST_SHOWN:
            yield text(f"-# and {least}{len(offered) - MOST_SHOWN} more")

    def _link(self, table: Table) -> str:
        """Return a link to the card of a table."""
        card = self.bot.publisher.live.message(table, "card")
        return f"[table {table.id}]({card.jump_url})" if card else f"table {table.id} in {where(table)}"


def _may_open(table: Table, user: int) -> bool:
    """Return whether a match is played where a person may read; at a game night `Watch` on its card lets them in."""
    return table.state.phase == "play" and (not table.is_seated or table.state.seat_of(user) is not None)


def _matches(tables: Sequence[Table], user: int, least: str) -> Iterator[Item]:
    """Yield a paragraph with the matches that the person plays, and one with those of others. `least` stands before the
    number of the latter that are left out."""
    for heading, is_own in (("🃏 You play", True), ("👀 To watch", False)):
        # Whoever has left still has the seat while nobody takes it.
        those = [table for table in tables if (table.state.seat_of(user) in table.state.people()) is is_own]
        lines = [
            f"**{table.state.game.title}** in {where(table)}: {listed(names(table.state))}"
            for table in those
            if table in tables[:MOST_SHOWN]
        ]
        if more := len(those) - len(lines):
            number = "" if is_own else least
            left_out = f"and {number}{more} more" if lines else f"{number}{counted(more, 'match')}"
            lines.append(f"-# {left_out}{': `/tables`' * is_own}")
        if lines:
            yield text("\n".join([f"### {heading}", *lines]))


def _games(games: Sequence[AnyGame]) -> Iterator[Item]:
    """Yield each game in a line, and a button for each that opens a table."""
    yield text("\n".join(["### Open a table", *(f"-# **{game.title}** {_line(game)}" for game in games)]))
    yield from rows([button(game.title, CustomId("play", 0, game.slug)) for game in games])


def _line(game: AnyGame) -> str:
    return f"{game.blurb[:1].lower()}{game.blurb[1:]}"


def _fields(game: AnyGame) -> list[str]:
    return [name for name in FORM if name != "mode" or name in game.Options.model_fields]


def _form(game: AnyGame, pace: str) -> Modal:
    """Build the form for a table of a game. `pace` is the server's."""
    made = {"mode": _modes, "computers": _computers}
    items = (made[name](game) if name in made else pace_field(pace) for name in _fields(game))
    return Modal(f"A table of {game.title}", CustomId("play-with", 0, game.slug), *items)


def _modes(game: AnyGame) -> Item:
    schema, usual = game.Options.model_json_schema()["properties"]["mode"], game.Options.usual()["mode"]
    options = [
        discord.SelectOption(label=mode.capitalize(), value=mode, default=mode == usual)
        for mode in schema["enum"]
    ]
    return menu_field("Mode", options, description=schema["description"])


def _computers(game: AnyGame) -> Item:
    options = [
        discord.SelectOption(label=str(number or NO_COMPUTERS), value=str(number), default=not number)
        for number in range(all_seats(game).stop - 1)
    ]
    return menu_field("Computers", options, description="They fill seats. More can be added until the start.")


def pace_field(usual: str) -> Item:
    """Return the menu of paces in a form."""
    options = [
        discord.SelectOption(label=label, value=pace, description=about, default=pace == usual)
        for pace, (label, about) in PACES.items()
    ]
    return menu_field("Pace", options)
