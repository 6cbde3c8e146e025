"""The terms of a match behind `More` in its lobby: the game's options for the host, and partners for everybody."""

import json
from collections.abc import Iterator

import discord
from discord.ext import commands

from bot.client import Palmhouse
from bot.match.names import safe
from bot.match.refusal import Refusal
from bot.match.table import Table
from bot.match.terms import check_may_change, set_option, wish
from bot.messages.answers import Interaction, show, tell
from bot.messages.custom_ids import CustomId
from bot.messages.lobby_card import paired
from bot.messages.panel import Item, Panel, row, select, text
from bot.messages.router import DEAD_BUTTON, Click, Kind
from cogs.common.lookup import here_only
from games.options import DescribedOptions

OPTIONS = "**The options of table {}**\nEach choice counts at once, for everybody, and changes the seal of the deal."
CHOSEN = "You wish for <@{}> as your partner. The two of you play together if they choose you, too."
PARTNERS = "You and <@{}> are partners: you sit opposite if an even number of people plays in pairs."
NOBODY = "Your partner is drawn by lot."
NO_PAIRS = "With the present options nobody plays in pairs, so no partner can be chosen."


class Terms(commands.Cog):
    """Routes of the menus. Each choice is stored at once and alone."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot
        bot.router.add("options", self.options)
        bot.router.add("option", self.option, Kind.SELECT)
        bot.router.add("partner", self.partner, Kind.SELECT)

    async def options(self, interaction: Interaction, click: Click) -> None:
        """Show the host a menu for each option that matters under the others."""
        table = await self._table(interaction, click)
        check_may_change(table, interaction.user.id)
        await show(interaction, _options(table))

    async def option(self, interaction: Interaction, click: Click) -> None:
        """Set the option that was chosen in its menu."""
        table = await self._table(interaction, click)
        options = _described(table)
        values = options.menu(click.rest) if click.rest in type(options).model_fields else []
        value = next((each for each in values if [json.dumps(each)] == [*click.values]), click)
        if value is click:
            raise Refusal(DEAD_BUTTON)
        at = self.bot.time.learn_from(interaction.id)
        await set_option(table, interaction.user.id, click.rest, value, at)
        await show(interaction, _options(table))

    async def partner(self, interaction: Interaction, click: Click) -> None:
        """Wish for a partner."""
        table, user = await self._table(interaction, click), interaction.user.id
        seated = [player.user for player in table.state.players]
        chosen = next((each for each in seated if [str(each)] == [*click.values]), 0)
        if not paired(table):  # the host may have changed the options since the menu was shown
            raise Refusal(NO_PAIRS)
        await wish(table, user, chosen, self.bot.time.learn_from(interaction.id))
        both = table.state.wishes.get(chosen) == user
        said = NOBODY if chosen == user else (PARTNERS if both else CHOSEN).format(chosen)
        await tell(interaction, said)

    async def _table(self, interaction: Interaction, click: Click) -> Table:
        return here_only(interaction, await self.bot.tables.get(click.match))


def _options(table: Table) -> Panel:
    options = _described(table)
    # The phrases name the fields that matter under the other options.
    return Panel(
        text(OPTIONS.format(table.id)),
        *(_menu(table, options, name) for name in type(options).model_fields if name in options.phrases()),
    )


def _menu(table: Table, options: DescribedOptions, name: str) -> Item:
    field, now = type(options).model_fields[name], getattr(options, name)
    title, about = field.title or name.replace("_", " ").capitalize(), field.description
    choices = [
        discord.SelectOption(
            label=f"{title}: {options.model_copy(update={name: value}).said(name)}",
            value=json.dumps(value),
            # It says what a yes means.
            description=about if value == (isinstance(now, bool) or now) else None,
            default=value == now,
        )
        for value in options.menu(name)
    ]
    if not choices:
        return text(f"-# {title}: {options.phrases()[name]}; `/{table.match.game} start` takes others.")
    return row(select(title, CustomId("option", table.id, name), choices))


def partner_menu(table: Table, user: int) -> Iterator[Item]:
    """Yield the menu in which a person at the table chooses a partner, if the game is played in pairs."""
    state = table.state
    others = [player for player in state.players if player.user and player.user != user]
    if state.seat_of(user) is None or not others or not paired(table):
        return
    now = state.wishes.get(user, user)
    choices = [(user, "Partner: by lot"), *((each.user, f"Partner: {safe(each.name)}") for each in others)]
    yield row(
        select(
            "Partner",
            CustomId("partner", table.id),
            [
                discord.SelectOption(label=label, value=str(each), default=each == now)
                for each, label in choices
            ],
        )
    )


def _described(table: Table) -> DescribedOptions:
    options = table.state.options
    assert isinstance(options, DescribedOptions), "options without descriptions have no menus"
    return options
