"""The base class of all games' cogs, with the commands `start` and `rules`."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from discord import app_commands
from discord.ext import commands

from bot.client import Palmhouse
from bot.messages.answers import send
from bot.messages.game_ui import GameUI
from cogs.common.commands import command, options_of
from cogs.common.lookup import Interaction
from cogs.common.new_table import TableTerms, chosen_options, open_lobby
from cogs.common.rules_page import page_for
from games import Options
from games.about import about, all_seats


class GameCog(GameUI, commands.Cog):
    """A game in Discord: its commands `start` and `rules`, built from the game's options, and its `GameUI`."""

    start_options: ClassVar[Sequence[str]] = ()
    """Fields of the game's options that `start` offers, in this order; empty for all of them."""
    rules_options: ClassVar[Sequence[str]] = ()
    """Fields that change the text of the rules; `rules` offers them."""
    rules_description: ClassVar[str] = "How it is played"
    typed: ClassVar[Mapping[str, Any]] = {}
    """Annotations for discord.py of options that people type in another form. Override `options` to convert them."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot
        bot.game_uis[self.game.slug] = self

    async def cog_load(self) -> None:
        """Add the game's commands. Called by discord.py."""
        model, described = self.game.Options, about(self.game)
        own = options_of(model, self.start_options or model.model_fields, self.typed)
        group = app_commands.Group(name=self.game.slug, description=described)
        computers = app_commands.Range[int, 0, all_seats(self.game).stop - 2]
        shared = options_of(TableTerms, TableTerms.model_fields, {"computers": computers})
        group.add_command(command("start", described, [*own, *shared], self._start))
        own = options_of(model, self.rules_options, self.typed)
        group.add_command(command("rules", self.rules_description, own, self._rules))
        self.bot.tree.add_command(group)

    # Commands

    async def _start(self, interaction: Interaction, given: dict[str, Any]) -> None:
        terms = {name: given.pop(name) for name in TableTerms.model_fields}
        chosen = TableTerms(**{name: value for name, value in terms.items() if value is not None})
        await open_lobby(interaction, self.game, self.options(given), chosen)

    async def _rules(self, interaction: Interaction, given: dict[str, Any]) -> None:
        """Show the first page of the rules under these options, to the caller alone."""
        await send(interaction, await page_for(interaction, self, self.options(given)))

    def options(self, given: Mapping[str, Any]) -> Options:
        """Return the game's options. An option that is missing or None has its usual value.

        Raises Refusal with a sentence for each option that is not allowed.
        """
        return chosen_options(self.game, given)
