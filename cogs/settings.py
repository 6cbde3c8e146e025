"""`/settings`: what the people who manage a server decide for it. So far its seasons."""

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Palmhouse
from bot.match.names import safe
from bot.match.refusal import Refusal
from bot.messages.answers import Interaction, tell
from bot.messages.panel import Panel, text
from bot.standings.ratings import DAY
from bot.standings.season import running
from bot.store import Season
from cogs.standings.season import named, suggested

LONGEST = 366
"""Maximum number of days of a season."""
TAKEN = "There is a season of that name here already. Choose another name."


@app_commands.guild_only
@app_commands.default_permissions(manage_guild=True)
class Settings(commands.GroupCog, group_name="settings", group_description="Settings of this server"):
    """Commands for people who manage the server. Discord shows them to nobody else, and each one checks it again."""

    season = app_commands.Group(
        name="season", description="Seasons: tables of points with a start and an end"
    )

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot

    @season.command(name="start")
    @app_commands.describe(name="Name of the season", days="Number of days until it ends")
    async def start(
        self,
        interaction: discord.Interaction[Palmhouse],
        name: app_commands.Range[str, 1, 100],
        days: app_commands.Range[int, 1, LONGEST],
    ) -> None:
        """Start a season now; its final table is posted in this channel"""
        guild, now = _managed(interaction), self.bot.time.now()
        _check_place(interaction)
        kept, seasons = _name(name), await self.bot.store.seasons(guild)
        _check_free(kept, seasons)
        if (other := running(seasons, now)) is not None:
            raise Refusal(
                f"Season {other.name} is running until <t:{other.ends // 1000}:f>. Start the next one after that, or "
                "end it before by `/settings season end`."
            )
        channel = interaction.channel_id or 0
        season = await self.bot.store.add_season(guild, channel, kept, now, now + days * DAY)
        if season is None:
            raise Refusal("Another season of this server covers that time. Try again in a moment.")
        await interaction.response.send_message(view=Panel(text(_begun(season))))

    @season.command(name="end")
    @app_commands.describe(name="Name of the season that is to end, so that none ends by mistake")
    @app_commands.autocomplete(name=suggested)
    async def end(self, interaction: discord.Interaction[Palmhouse], name: str) -> None:
        """End the running season now; matches that have started still count"""
        season, now = await named(self.bot.store, _managed(interaction), name), self.bot.time.now()
        if now <= season.starts:  # the clock was corrected meanwhile
            raise Refusal(f"Season {season.name} has only just started. Try again in a moment.")
        if not await self.bot.store.end_season(season.id, now):
            raise Refusal(f"Season {season.name} has ended already.")
        await tell(
            interaction,
            f"Season {season.name} has ended. Its final table is posted in <#{season.channel}> when its last match is "
            "over, after seven days at the latest.",
        )

    @season.command(name="rename")
    @app_commands.describe(season="The season, also a past one", name="Its new name")
    @app_commands.autocomplete(season=suggested)
    async def rename(
        self,
        interaction: discord.Interaction[Palmhouse],
        season: str,
        name: app_commands.Range[str, 1, 100],
    ) -> None:
        """Give a season another name"""
        guild = _managed(interaction)
        meant, kept = await named(self.bot.store, guild, season), _name(name)
        _check_free(kept, [each for each in await self.bot.store.seasons(guild) if each.id != meant.id])
        if not await self.bot.store.rename_season(meant.id, kept):
            raise Refusal(TAKEN)
        await tell(
            interaction,
            f"Season {meant.name} is called {kept} now. Messages that are posted keep the old name.",
        )


def _managed(interaction: Interaction) -> int:
    """Return the caller's server. Raises Refusal unless they manage it."""
    if interaction.guild_id is None or not interaction.permissions.manage_guild:
        raise Refusal(
            "Only people with the permission Manage Server can change its seasons. Ask one of them."
        )
    return interaction.guild_id


def _check_place(interaction: Interaction) -> None:
    """Raise Refusal unless the bot may post in the channel."""
    granted = interaction.app_permissions
    in_thread = isinstance(interaction.channel, discord.Thread)
    may_send = granted.send_messages_in_threads if in_thread else granted.send_messages
    if not (granted.view_channel and may_send):
        raise Refusal(
            "I may not post in this channel, and a season's final table is posted where it was started. Use this "
            "command in another channel, or let me view this one and send messages."
        )


def _name(typed: str) -> str:
    """Return a season's name as it is kept, safe to print. Raises Refusal if nothing of it can be seen."""
    kept = safe(typed)
    if kept == safe("") != typed.strip():
        raise Refusal("Nothing of that name can be seen. Choose one with letters or numbers.")
    return kept


def _check_free(name: str, others: list[Season]) -> None:
    """Raise Refusal if one of the other seasons has the name, in capital letters or not."""
    if name.casefold() in {each.name.casefold() for each in others}:
        raise Refusal(TAKEN)


def _begun(season: Season) -> str:
    return (
        f"### Season {season.name} has begun\nIt ends <t:{season.ends // 1000}:f>. Rated matches of all games that "
        "start until then count. `/leaderboard period: this season` shows the table; the final one is posted here."
    )


async def setup(bot: Palmhouse) -> None:
    """Called by discord.py."""
    await bot.add_cog(Settings(bot))
