"""Twin It! in Discord: its commands, and the board on which everybody plays by its buttons."""

from collections.abc import Sequence

import discord
from discord import app_commands

from bot.answers import is_private, show
from bot.card import Card
from bot.client import Palmhouse
from bot.face import NOT_MINE, Form
from bot.narration import names as shown_names
from bot.panel import SUCCESS, Item, Panel, button, row, text
from bot.refusal import Refusal
from bot.router import Click
from bot.table import Table
from cogs.common.find import Interaction, here_only
from cogs.common.game import GameCog
from cogs.twin_it.layout import ON_BOARD, ON_MORE, overview, picture, rows
from cogs.twin_it.pages import Leaf, Pages, items, ready
from games import GAMES, Illegal
from games.twin_it.actions import FIRST, parts
from games.twin_it.options import Mode
from games.twin_it.view import View
from games.twin_it.words import status

SECONDS = 120
"""The usual length of a race here: leafing through pages takes longer than looking over a table."""


class TwinIt(GameCog, group_name="twin-it", group_description="Twin It!: spot two alike before anybody else"):
    """In games of turns everything happens on the board. Against time the board only follows, and everybody has pages
    of their own (see `pages`)."""

    game = GAMES["twin-it"]

    def __init__(self, bot: Palmhouse) -> None:
        super().__init__(bot)
        bot.router.add("press", self.press)
        Pages(bot)

    @app_commands.command(name="start")
    @app_commands.guild_only
    @app_commands.describe(
        mode="Classic; forbidden: three designs are barred for one; teams; cooperative and timed: a race",
        sets_to_win="Sets that win (default: 5)",
        seconds=f"Cooperative and timed: how long (default: {SECONDS}; 60 as at a real table)",
        singles="Designs that are there only once (default: 10); fewer make more matches",
        hand_seconds="How long a hand lies, and rests after a mistake (default: 4)",
        tie_ms="Hands that come within so many milliseconds tie (default: 400)",
        barred="Forbidden: the seat that is barred, from 1 (default: by chance)",
        handicap="Teams of unequal size: bar designs for the bigger one (default: no)",
    )
    async def start(
        self,
        interaction: discord.Interaction[Palmhouse],
        mode: Mode = "classic",
        sets_to_win: app_commands.Range[int, 1, 9] = 5,
        seconds: app_commands.Range[int, 20, 300] = SECONDS,
        singles: app_commands.Range[int, 1, 18] = 10,
        hand_seconds: app_commands.Range[int, 1, 15] = 4,
        tie_ms: app_commands.Range[int, 0, 2000] = 400,
        barred: app_commands.Range[int, 1, 6] | None = None,
        handicap: bool = False,
    ) -> None:
        """Open a table in this channel; others join by a button"""
        await self.open(
            interaction,
            mode=mode,
            sets_to_win=sets_to_win,
            seconds=seconds,
            singles=singles,
            hand_seconds=hand_seconds,
            tie_ms=tie_ms,
            barred=None if barred is None else barred - 1,
            handicap=handicap,
        )

    @app_commands.command(name="rules")
    @app_commands.describe(mode="Which way to play")
    async def rules(self, interaction: discord.Interaction[Palmhouse], mode: Mode = "classic") -> None:
        """How it is played, and who was first"""
        await self.explain(interaction, mode=mode, seconds=SECONDS)

    # How it looks

    def board(self, view: View, names: Sequence[str]) -> list[Item]:
        """The picture of everything, and whose turn it is or how long there is."""
        said = text(status(view, names))
        if not view.faces:
            return [said]
        return [overview(view, names) if view.options.against_time else picture(view, names, ON_BOARD), said]

    def controls(self, view: View, match: int) -> list[Item]:
        """A button for each face, and the next card; before a race, being ready for it."""
        if view.options.against_time:
            return [] if view.opens else [ready(match)]
        flip = button("Flip", f"press:{match}:flip", style=SUCCESS)
        return [*rows(view, ON_BOARD, f"press:{match}:hand "), row(flip)]

    def more(self, view: View, names: Sequence[str], match: int) -> list[Item]:
        """The faces for which the board has no button."""
        if view.options.against_time or all(face.spot in ON_BOARD for face in view.faces):
            return []
        return [picture(view, names, ON_MORE), *rows(view, ON_MORE, f"press:{match}:hand ")]

    def hand(self, view: View, names: Sequence[str], form: Form) -> list[Item]:
        """Against time one's own pages of the spread. Else there is nothing that others do not see."""
        if not view.options.against_time:
            return [
                text(self.game.describe(view, names)),
                text("Hands go down by the numbers below the board."),
            ]
        return items(view, names, form.match, Leaf())

    def pick(self, view: View, form: Form, step: str, values: Sequence[str]) -> str | int:  # noqa: ARG002
        """There are no forms: every button is a move."""
        raise Refusal(NOT_MINE)

    # What the board's buttons do

    async def press(self, interaction: Interaction, click: Click) -> None:
        """Do what a button says. Who was too late for a face gets no word for it: the board says it all."""
        table = here_only(interaction, await self.bot.tables.get(click.match))
        table.must_be_dealt()
        action, before = self.game.parse(click.rest), _showing(table)
        try:
            await table.move(interaction.user.id, action, self.bot.time.heard(interaction.id))
        except Illegal:
            if action < FIRST or parts(action)[0] in _showing(table):
                raise
        card = self._clicked(interaction, table)
        if is_private(interaction):
            await show(interaction, Panel(*self._own(table, interaction.user.id)))
        elif card is not None and (action < FIRST or _showing(table) != before):
            await card.answer(interaction)
        else:
            await interaction.response.defer()

    def _own(self, table: Table, user: int) -> list[Item]:
        """What stands in a message of one's own, where a race begins by being ready."""
        view = self.game.view(table.sitting.state, table.seat(user))
        return items(view, shown_names(table.sitting), table.id, Leaf())

    def _clicked(self, interaction: Interaction, table: Table) -> Card | None:
        """The table's message on which the button is; None for a message of one's own, or an older copy."""
        for card in (self.bot.publisher.card(table, "board"), self.bot.publisher.card(table, "more")):
            if card and interaction.message and interaction.message.id == card.message.id:
                return card
        return None


def _showing(table: Table) -> frozenset[int]:
    """The faces that show."""
    return frozenset(table.sitting.state.showing)


async def setup(bot: Palmhouse) -> None:
    """Called by discord.py."""
    await bot.add_cog(TwinIt(bot))
