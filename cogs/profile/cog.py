"""`/profile` and `/history`: what a person has played on this server, and each match of it.

Whoever asks sees it alone. On a server people can show their own to everybody, and nobody else's: only the person
should decide that. In direct messages, and on servers without the bot, people see their own matches on all servers, and
nobody else's.
"""

from dataclasses import replace

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Palmhouse
from bot.match.names import safe
from bot.match.refusal import Refusal
from bot.messages.admission import MAY_WAIT
from bot.messages.answers import send, show
from bot.messages.panel import Panel, row, text
from bot.messages.router import DEAD_BUTTON, Click, Kind
from bot.store import Selection
from cogs.challenge import challenge_button
from cogs.common.lookup import Interaction, server_of
from cogs.profile.history import history_page
from cogs.profile.page import Profile, comparison, profile_of, profile_panel
from cogs.profile.selections import decoded, whole
from cogs.standings.page import pictures_for
from games import GAMES

PUBLIC = "Show your own to everybody in this channel (default: only to you)"
GAME_CHOICES = [app_commands.Choice(name=game.title, value=slug) for slug, game in GAMES.items()]


class Profiles(commands.Cog):
    """Profiles and histories from the results of finished matches; closed ones do not count."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot
        for name, callback in {"Profile": self.profile_of, "Compare": self.compare}.items():
            bot.tree.add_command(
                app_commands.ContextMenu(name=name, callback=callback, extras={MAY_WAIT: True})
            )
        bot.router.add("matches", self.open_matches, Kind.SELECT)
        bot.router.add("season-matches", self.open_season, Kind.SELECT)
        bot.router.add("history", self.turn)

    @app_commands.command(name="profile")
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @app_commands.describe(
        member="Somebody else", game="One game only, with the course of the rating", public=PUBLIC
    )
    @app_commands.choices(game=GAME_CHOICES)
    async def profile(
        self,
        interaction: Interaction,
        member: discord.Member | discord.User | None = None,
        game: str | None = None,
        public: bool = False,
    ) -> None:
        """Show ratings, placings, streaks and best wins: your own, or somebody's and how you two compare"""
        await send(interaction, await self._panel(interaction, member, game, public=public), public=public)

    async def profile_of(self, interaction: Interaction, member: discord.User) -> None:
        """Show the profile of a person to the caller alone."""
        await send(interaction, await self._panel(interaction, member, None))

    async def compare(self, interaction: Interaction, member: discord.User) -> None:
        """Show the caller how they and another person compare."""
        if member == interaction.user:
            raise Refusal("That is you. Choose somebody else to compare yourself with.")
        both = []
        for each in (member, interaction.user):
            who, selection = _meant(interaction, each, None, public=False)
            person = await self._profile(interaction, who, selection)
            if person is None:
                raise Refusal(_nothing(interaction, who, None))
            both.append(person)
        await send(interaction, comparison(both, self.bot.time.now()))

    async def _panel(
        self,
        interaction: Interaction,
        member: discord.Member | discord.User | None,
        game: str | None,
        *,
        public: bool = False,
    ) -> Panel:
        """Build the message with a profile, by default the caller's, in the style that they have chosen. Raises Refusal
        if they have no match themselves."""
        who, selection = _meant(interaction, member, game, public=public)
        person, is_own = await self._profile(interaction, who, selection), who.id == interaction.user.id
        if person is None and is_own:
            raise Refusal(_nothing(interaction, who, game))
        if person is None:
            return Panel(text(_nothing(interaction, who, game)), row(challenge_button(who.id)))
        panel = profile_panel(person, self.bot.time.now())
        if not await pictures_for(interaction, self.bot.store):
            panel.put_into_words()
        if not is_own:
            panel.add_item(row(challenge_button(who.id)))
        return panel

    async def _profile(
        self, interaction: Interaction, who: discord.Member | discord.User, selection: Selection
    ) -> Profile | None:
        """Return the profile of a person; None if they have no match."""
        person = await profile_of(self.bot.store, selection, safe(who.display_name), interaction.user.id)
        return person and await self._with_name(person)

    async def _with_name(self, person: Profile) -> Profile:
        """Return the profile with the present name of the member beaten in the person's best win."""
        guild = person.selection.guild
        if guild is None or person.best is None:
            return person
        beaten = person.best.result
        await self.bot.member_names.refresh(guild, [beaten.user])
        name = self.bot.member_names.known(guild, [beaten.user]).get(beaten.user, beaten.name)
        return replace(person, best=replace(person.best, result=replace(beaten, name=name)))

    @app_commands.command(name="history")
    @app_commands.describe(member="Somebody else", game="One game only", public=PUBLIC)
    @app_commands.choices(game=GAME_CHOICES)
    async def history(
        self,
        interaction: Interaction,
        member: discord.Member | discord.User | None = None,
        game: str | None = None,
        public: bool = False,
    ) -> None:
        """List finished matches, the latest first: players, placings, and what was special"""
        who, selection = _meant(interaction, member, game, public=public)
        number, _ = await self.bot.store.history(selection, 0)
        if number == 0:
            raise Refusal(_nothing(interaction, who, game))
        await send(interaction, await history_page(self.bot.store, selection, 0), public=public)

    async def open_matches(self, interaction: Interaction, click: Click) -> None:
        """Open the matches behind a number of a profile, in a message of their own."""
        selection = _selected(interaction, click.rest, click.values[0])
        await send(interaction, await history_page(self.bot.store, selection, 0))

    async def open_season(self, interaction: Interaction, click: Click) -> None:
        """Open the matches of the person who was chosen below a season's table, in a message of their own."""
        selection = _selected(interaction, click.values[0], f"e{click.rest}")
        number, _ = await self.bot.store.history(selection, 0)
        if number == 0:
            raise Refusal("There is no match of this person in this season. They may have erased themselves.")
        await send(interaction, await history_page(self.bot.store, selection, 0))

    async def turn(self, interaction: Interaction, click: Click) -> None:
        """Turn to another page of a history."""
        user, _, rest = click.rest.partition(":")
        page, _, chosen = rest.partition(":")
        selection = _selected(interaction, user, chosen)
        await show(interaction, await history_page(self.bot.store, selection, _number(page)))


def _meant(
    interaction: Interaction, member: discord.Member | discord.User | None, game: str | None, *, public: bool
) -> tuple[discord.Member | discord.User, Selection]:
    """Return the person whom a command is about, and all matches that it may show. Raises Refusal."""
    who = member or interaction.user
    if who.bot:
        raise Refusal("A bot has no results. Name a person, or nobody to see your own.")
    if server_of(interaction) is None and who.id != interaction.user.id:
        raise Refusal("Here you see your own matches only. Ask for somebody's on a server with this bot.")
    if public and (who.id != interaction.user.id or server_of(interaction) is None):
        raise Refusal("You can show your own to everybody, on a server with this bot. Ask without `public:`.")
    if game is not None and game not in GAMES:
        raise Refusal("There is no such game. Pick one from the list.")
    return who, Selection(who.id, server_of(interaction), game)


def _selected(interaction: Interaction, user: str, chosen: str) -> Selection:
    """Return the selection of a click, within this server. Raises Refusal for one that the bot does not write."""
    person = _number(user)
    if server_of(interaction) is None and person != interaction.user.id:
        raise Refusal(DEAD_BUTTON)
    return decoded(chosen, person, server_of(interaction))


def _number(digits: str) -> int:
    """Return a number of a custom id that is not negative. Raises Refusal for any other text."""
    try:
        number = whole(digits)
    except ValueError as error:
        raise Refusal(DEAD_BUTTON) from error
    if number < 0:
        raise Refusal(DEAD_BUTTON)
    return number


def _nothing(interaction: Interaction, who: discord.Member | discord.User, game: str | None) -> str:
    """Return the sentence for a person without a finished match."""
    match = f"a match of {GAMES[game].title}" if game else "a match"
    here = " on this server" if server_of(interaction) is not None else ""
    subject = "You have" if who.id == interaction.user.id else f"{safe(who.display_name)} has"
    return f"{subject} not finished {match} with other people{here} yet. `/play` opens a table."
