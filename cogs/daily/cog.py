"""The command `/daily` and its buttons. Every answer is ephemeral, except a result that its player shares."""

import aiohttp
import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Palmhouse
from bot.error_codes import ACKNOWLEDGED
from bot.match.refusal import Refusal
from bot.messages.admission import MAY_WAIT
from bot.messages.answers import Interaction, is_answered, send, show
from bot.messages.custom_ids import number
from bot.messages.panel import Panel
from bot.messages.router import DEAD_BUTTON, Click
from bot.store import LATEST_DAYS, Attempt
from cogs.common.daily_result import shared_panel
from cogs.common.hand_panel import hand_panel, seat_at
from cogs.common.lookup import server_of
from cogs.common.new_table import caller
from cogs.daily.about import about, show_fairness
from cogs.daily.pages import card, table_of_the_day

FURTHEST_DAY = 10**6
"""Upper limit of days in custom ids: a forged one is still a date."""
SHARED_ALREADY = "Your result has been shared here already. `Share` works once in each channel."


class Daily(commands.Cog):
    """The daily deal. The custom ids of its buttons have the action and the day: `daily:0:play:20779`."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot
        self._shared = set[tuple[int, int, int]]()
        """Days, people and channels of shared results. A restart forgets them; then one could be shared twice."""
        bot.router.add("daily", self.click)

    @app_commands.command(name="daily", extras={MAY_WAIT: True})
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @app_commands.describe(show="Something else than the deal (default: the deal)")
    @app_commands.choices(
        show=[
            app_commands.Choice(name="table of the day", value="table"),
            app_commands.Choice(name="table of yesterday", value="yesterday"),
            app_commands.Choice(name="about: how it is played, and kept fair", value="about"),
        ]
    )
    async def daily(self, interaction: discord.Interaction[Palmhouse], show: str = "") -> None:
        """Play the deal of the day: the same cards for everybody, one attempt, a few minutes"""
        self.bot.time.learn_from(interaction.id)
        await self.bot.dailies.sweep()
        match show:
            case "table":
                await send(interaction, await self._table(interaction, self.bot.dailies.today()))
            case "yesterday":
                await send(interaction, await self._table(interaction, self.bot.dailies.today() - 1))
            case "about":
                await send(interaction, about(self.bot.dailies.today()))
            case _:
                await send(interaction, await self._card(interaction))

    async def click(self, interaction: Interaction, click: Click) -> None:
        """Answer a click by the action in its custom id."""
        self.bot.time.learn_from(interaction.id)
        action, _, rest = click.rest.partition(":")
        match action:
            case "card":
                await send(interaction, await self._card(interaction))
            case "about":
                await send(interaction, about(self.bot.dailies.today()))
            case "fair":
                await show_fairness(interaction)
            case "play":
                await show(interaction, await self._play(interaction, _day(rest)))
            case "table":
                await send(interaction, await self._table(interaction, _day(rest)))
            case "share":
                await self._share(interaction, _day(rest))
            case _:
                raise Refusal(DEAD_BUTTON)

    async def _card(self, interaction: Interaction) -> Panel:
        """Build the card of today's deal; after it is over, its result."""
        user, today = interaction.user.id, self.bot.dailies.today()
        attempt = await self.bot.store.attempt(user, today)
        if attempt is None:
            await self.bot.dailies.check_new(user, today)
        else:
            table = await self.bot.tables.get(attempt.match)
            if not table.is_open:
                return await hand_panel(self.bot, table, user)
        return await card(self.bot, user)

    async def _play(self, interaction: Interaction, day: int) -> Panel:
        """Begin the deal of a day, or go on with it, and build the table with the hand."""
        at = self.bot.time.learn_from(interaction.id)
        table = await self.bot.dailies.play(caller(interaction), day, server_of(interaction) or 0, at)
        await self.bot.dailies.check_open(table)
        return await hand_panel(self.bot, table, interaction.user.id)

    async def _table(self, interaction: Interaction, day: int) -> Panel:
        own = await self.bot.store.attempt(interaction.user.id, day)
        if not await self.bot.dailies.is_closed(day):
            _check_finished(own)
        return await table_of_the_day(self.bot, interaction.user.id, day, server_of(interaction) or 0)

    async def _share(self, interaction: Interaction, day: int) -> None:
        """Post the person's result in the channel, for everybody there: once in each channel."""
        user = interaction.user
        own = _check_finished(await self.bot.store.attempt(user.id, day))
        shared = day, user.id, interaction.channel_id or 0
        if shared in self._shared:
            raise Refusal(SHARED_ALREADY)
        self._forget_shared()
        self._shared.add(shared)  # before it is posted, so that two clicks at once post it once
        try:
            await self._post(interaction, own)
        except BaseException as error:
            if getattr(error, "code", 0) != ACKNOWLEDGED:  # then it was posted, and only the receipt is lost
                self._shared.discard(shared)
            raise

    def _forget_shared(self) -> None:
        """Forget the shared results of days whose buttons are gone: their messages are ephemeral."""
        oldest = self.bot.dailies.today() - LATEST_DAYS
        self._shared = {each for each in self._shared if each[0] >= oldest}

    async def _post(self, interaction: Interaction, own: Attempt) -> None:
        user = interaction.user
        results, streak = await self.bot.dailies.results(own), await self.bot.dailies.streak(user.id)
        pictures = interaction.app_permissions.attach_files
        panel = shared_panel(results, user.display_name, streak, await self._course(own), pictures=pictures)
        try:
            await send(interaction, panel, public=True)
        except (aiohttp.ClientError, OSError):
            if is_answered(interaction):
                raise
            # The connection broke. A second request shows whether the first one had arrived.
            await send(interaction, panel, public=True)

    async def _course(self, own: Attempt) -> str:
        """Return how the match of an attempt went, as emojis."""
        tables = self.bot.tables
        table = await tables.get(own.match)
        events, _ = await tables.played(own.match)
        return table.state.game.facts.course(events, seat_at(table, own.user))


def _check_finished(attempt: Attempt | None) -> Attempt:
    """Return the attempt. Raises Refusal when it has no result, as results would tell about the deal."""
    if attempt is None or attempt.placing is None:
        raise Refusal(
            "Only people who have finished this deal can see its results. `/daily` has the deals that you can play."
        )
    return attempt


def _day(digits: str) -> int:
    """Return the day of a custom id. Raises Refusal for one that the bot does not write."""
    day = number(digits)
    if day is None or day > FURTHEST_DAY:
        raise Refusal(DEAD_BUTTON)
    return day
