"""The rules: a first page with a worked example, the full text, and what beats what."""

from discord.ext import commands

from bot.client import Palmhouse
from bot.match.refusal import Refusal
from bot.messages.answers import Interaction, send, show
from bot.messages.router import DEAD_BUTTON, Click
from cogs.common.coded import decoded
from cogs.common.rules_page import PAGES, page_for


class Rules(commands.Cog):
    """Pages of rules, each in an ephemeral message. `Rules` opens one; its buttons turn to other pages."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot
        bot.router.add("rules", self.rules)
        bot.router.add("reference", self.reference)
        bot.router.add("short-rules", self.short_rules)
        bot.router.add("page", self.page)

    async def rules(self, interaction: Interaction, click: Click) -> None:
        """Open the first page under a table's options."""
        state = (await self.bot.tables.get(click.match)).state
        ui = self.bot.game_uis[state.game.slug]
        await send(interaction, await page_for(interaction, ui, state.options))

    async def reference(self, interaction: Interaction, click: Click) -> None:
        """Show what beats what under a table's options, in a message of its own."""
        state = (await self.bot.tables.get(click.match)).state
        ui = self.bot.game_uis[state.game.slug]
        await send(interaction, await page_for(interaction, ui, state.options, "beats"))

    async def short_rules(self, interaction: Interaction, click: Click) -> None:
        """Open the first page under some options, in a message of its own: the end of a lesson stays."""
        game, options = decoded(click.rest)
        await send(interaction, await page_for(interaction, self.bot.game_uis[game.slug], options))

    async def page(self, interaction: Interaction, click: Click) -> None:
        """Turn to another page in the same message."""
        which, _, chosen = click.rest.partition(":")
        game, options = decoded(chosen)
        if which not in PAGES:
            raise Refusal(DEAD_BUTTON)
        ui = self.bot.game_uis[game.slug]
        await show(interaction, await page_for(interaction, ui, options, which))
