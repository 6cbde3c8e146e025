"""Presets: tables that a server offers first, such as "Tuesday Palms" with the options of its Tuesdays."""

import hashlib
from collections.abc import Iterator, Sequence
from typing import Final

from discord.ext import commands
from pydantic import ValidationError

from bot.client import Palmhouse
from bot.match.names import LONGEST, chosen_name
from bot.match.refusal import Refusal
from bot.match.table import Table
from bot.match.times import Times
from bot.messages.answers import Interaction, tell
from bot.messages.custom_ids import CustomId, number
from bot.messages.lobby_card import LONGEST_TERMS, settings
from bot.messages.panel import PRIMARY, Item, Modal, button, rows, text, text_field
from bot.messages.router import DEAD_BUTTON, Click, Kind
from bot.store import Preset
from cogs.common.lookup import of_this_server
from cogs.common.managing import manages_tables
from cogs.common.new_table import TableTerms, open_lobby
from games import GAMES, Options
from games.phrases import counted, short

MOST: Final = 4
"""Maximum number of presets of a server: as many buttons as a phone shows side by side."""
GONE: Final = "This preset was deleted, or the rules of its game have changed. `/play` shows what there is."


class Presets(commands.Cog):
    """Routes of the buttons that open a preset, and that keep the options of a lobby as one."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot
        bot.router.add("preset", self.open)
        bot.router.add("keep", self.ask, at_once=True)
        bot.router.add("keep-as", self.keep, Kind.MODAL)

    async def open(self, interaction: Interaction, click: Click) -> None:
        """Open a table by a preset."""
        presets = await self.bot.store.presets(interaction.guild_id or 0)
        preset = next((each for each in presets if each.id == number(click.rest)), None)
        options = preset and options_of(preset)
        if preset is None or options is None:
            raise Refusal(GONE)
        await open_lobby(interaction, GAMES[preset.game], options, TableTerms(pace=preset.pace))

    async def ask(self, interaction: Interaction, click: Click) -> None:
        """Ask a manager for the name of a preset with the options of a lobby."""
        table = await self._lobby(interaction, click)
        field = text_field("Name", LONGEST, placeholder="such as Tuesday Palms")
        await interaction.response.send_modal(
            Modal(
                "Keep as a preset",
                CustomId("keep-as", table.id, _code(table)),
                text(f"{table.state.game.title}{settings(table)}"),
                field,
            )
        )

    async def keep(self, interaction: Interaction, click: Click) -> None:
        """Keep the options of a lobby as a preset."""
        table, store = await self._lobby(interaction, click), self.bot.store
        if not click.values:
            raise Refusal(DEAD_BUTTON)
        if click.rest != _code(table):
            raise Refusal("The options were changed meanwhile. Press `Keep as preset` again to see them.")
        name, state, guild = chosen_name(click.values[-1]), table.state, table.match.guild
        known = await store.presets(guild)
        for each in known:
            if (options_of(each), each.pace) == (state.options, state.pace):
                has_them = f"The preset {each.name} has these options already."
                raise Refusal(f"{has_them} To rename it, delete it first: `/settings show`.")
        if len(known) >= MOST:
            raise Refusal(f"This server has {MOST} presets already. Delete one first: `/settings show`.")
        preset = Preset(0, guild, name, state.game.slug, state.options.model_dump_json(), state.pace)
        if name.casefold() in {each.name.casefold() for each in known}:
            raise Refusal("There is a preset of that name here already. Choose another name.")
        if not await store.add_preset(preset, MOST):
            raise Refusal("Another preset was kept just now. Try again.")
        await tell(interaction, f"{name} is kept: `/play` offers it first. `/settings show` deletes it.")

    async def _lobby(self, interaction: Interaction, click: Click) -> Table:
        """Return the lobby of a click. Raises Refusal unless its person manages tables here."""
        table = of_this_server(interaction, await self.bot.tables.get(click.match))
        table.must_be("lobby", "The match has begun. A preset is made of a table that has not.")
        if not await manages_tables(interaction):
            raise Refusal("Only people who manage tables of this server can keep presets. Ask one of them.")
        return table


def _code(table: Table) -> str:
    """Return a mark of the options of a lobby. All of them may be too long for a custom id."""
    return hashlib.sha256(table.state.options.model_dump_json().encode()).hexdigest()


def options_of(preset: Preset) -> Options | None:
    """Return the options of a preset; None if its game does not know them any more."""
    try:
        options: Options = GAMES[preset.game].Options.model_validate_json(preset.options)
    except (KeyError, ValidationError):
        return None
    return options


def offered(presets: Sequence[Preset], times: Times) -> Iterator[Item]:
    """Yield each preset in a line, and buttons that open them."""
    known = {preset: options for preset in presets if (options := options_of(preset)) is not None}
    lines = [
        " · ".join([f"-# **{preset.name}** {GAMES[preset.game].title}", *_words(options, preset, times)])
        for preset, options in known.items()
    ]
    if lines:
        yield text("\n".join(["### Tables of this server", *lines]))
        yield from rows(
            [button(each.name, CustomId("preset", 0, str(each.id)), style=PRIMARY) for each in known]
        )


def _words(options: Options, preset: Preset, times: Times) -> list[str]:
    pace = [] if preset.pace == "live" else [times.in_words(preset.pace)]
    summary = short(" · ".join(options.summary()), LONGEST_TERMS)
    return [*[summary] * bool(summary), *pace, *[counted(preset.played, "match")] * (preset.played > 0)]
