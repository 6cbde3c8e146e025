"""The command `/doctor`. Its answers are ephemeral."""

from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Palmhouse
from bot.gateway.private import fetch_application
from bot.match.refusal import Refusal
from bot.messages.admission import MAY_WAIT
from bot.messages.answers import show as show_panel
from bot.messages.panel import Panel
from bot.messages.router import DEAD_BUTTON, Click
from cogs.common.lookup import Interaction
from cogs.common.managing import described_server
from cogs.doctor.application import FOOTNOTES, application_findings, owners
from cogs.doctor.findings import findings_panel
from cogs.doctor.health import health_findings
from cogs.doctor.server import server_findings

SERVER: Final = "server"
OWNER: Final = "owner"


class Doctor(commands.Cog):
    """The doctor's two pages. Discord shows the command to people with Manage Server, in direct messages to all."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot
        bot.router.add("doctor", self.again)

    @app_commands.command(name="doctor", extras={MAY_WAIT: True})
    @app_commands.default_permissions(manage_guild=True)
    @app_commands.describe(show="What to check (default: this server)")
    @app_commands.choices(
        show=[
            app_commands.Choice(name="this server", value=SERVER),
            app_commands.Choice(name="owner: what verification and the App Directory want", value=OWNER),
        ]
    )
    async def doctor(self, interaction: Interaction, show: str = SERVER) -> None:
        """List what is wrong here, and who can repair it: permissions, commands, database, backup"""
        await self._answer(interaction, show)

    async def again(self, interaction: Interaction, click: Click) -> None:
        """Check again, and show the result in the same message."""
        if click.rest not in (SERVER, OWNER):
            raise Refusal(DEAD_BUTTON)
        await self._answer(interaction, click.rest)

    async def _answer(self, interaction: Interaction, page: str) -> None:
        build = self._of_application if page == OWNER else self._of_server
        await show_panel(interaction, await build(interaction))

    async def _of_server(self, interaction: Interaction) -> Panel:
        """Build the page about a server. Raises Refusal for people who do not manage it."""
        guild = interaction.guild_id
        if guild is None:
            raise Refusal(
                "`/doctor` checks a server: use it there. The owner of the bot can use `/doctor show: owner` here."
            )
        if not interaction.permissions.manage_guild:
            raise Refusal("Only people with the permission Manage Server can use `/doctor`. Ask one of them.")
        server = described_server(self.bot, guild)
        place = interaction.channel
        # An archived thread, or a private one without the bot, is not known, but its channel is.
        here = place.parent_id if isinstance(place, discord.Thread) else interaction.channel_id
        found = await server_findings(self.bot, server, here or 0)
        found += await health_findings(self.bot)
        return findings_panel("Doctor: this server", found, (), SERVER)

    async def _of_application(self, interaction: Interaction) -> Panel:
        """Build the page about the application. Raises Refusal for people who do not own it."""
        application = await fetch_application(self.bot)
        if interaction.user.id not in owners(application):
            raise Refusal(
                "Only the owner of this bot, or somebody in its team, can see this. `/doctor` checks a server."
            )
        found = await application_findings(self.bot, application)
        return findings_panel("Doctor: verification and App Directory", found, FOOTNOTES, OWNER)
