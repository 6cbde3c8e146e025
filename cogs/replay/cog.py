"""`/replay`, the button `Replay`, and the buttons and menus of a replay.

Every click says which match, which step and which point of view it wants, and the answer is computed from the stored
log. So nothing is kept between clicks, and two clicks at once both get the step that they ask for.
"""

import asyncio
import io
from contextlib import suppress
from functools import lru_cache
from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Palmhouse
from bot.match.refusal import Refusal
from bot.match.replay import PUBLIC, PointOfView, replay_of
from bot.messages.admission import MAY_WAIT
from bot.messages.answers import age, defer, send, show
from bot.messages.custom_ids import number
from bot.messages.game_ui import hand_style
from bot.messages.panel import Panel
from bot.messages.router import DEAD_BUTTON, Click, Kind
from bot.pictures.worker_client import NotYet
from cogs.common.lookup import Interaction, Typed
from cogs.common.matches import OPTION, match_meant, match_on, matches_named
from cogs.replay.access import NOT_THIS_VIEW, Opened, opened
from cogs.replay.message import moves_panel, point_of_view, step_panel
from cogs.replay.page import page
from cogs.replay.words import shown_words, text_file

KEPT: Final = 8
"""Number of replays that are kept. One takes 0.2 to 1 MiB, by game and number of steps."""
FIRST: Final = 1.0
"""Seconds after a person has acted until which the answer with the first step waits for its pictures."""


class Replays(commands.Cog):
    """Replays of matches that are over."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot
        self._replay_of = lru_cache(KEPT)(replay_of)
        menu = app_commands.ContextMenu(name="Replay", callback=self.replay_of, extras={MAY_WAIT: True})
        bot.tree.add_command(menu)
        bot.router.add("replay", self.turn, Kind.BUTTON | Kind.SELECT)
        bot.router.add("replay-match", self.open, Kind.SELECT)
        bot.router.add("replay-text", self.as_text)
        bot.router.add("replay-page", self.as_page)

    @app_commands.command(name="replay", extras={MAY_WAIT: True})
    @app_commands.describe(match=OPTION)
    async def replay(self, interaction: Interaction, match: Typed) -> None:
        """Watch a match again, step by step; the answer is for you alone"""
        await send(interaction, await self._first(interaction, match_meant(match)))

    async def replay_of(self, interaction: Interaction, message: discord.Message) -> None:
        """Show the match of a message from its first step."""
        await send(interaction, await self._first(interaction, match_on(interaction, message)))

    @replay.autocomplete("match")
    async def matches(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Suggest matches."""
        return await matches_named(interaction, typed)

    # Clicks

    async def turn(self, interaction: Interaction, click: Click) -> None:
        """Show the step that a button or menu names; the first step for the button at the end of a match."""
        if click.kind is Kind.BUTTON and not click.rest:
            await show(interaction, await self._first(interaction, click.match))
            return
        view, step = _wanted(click)
        found = await opened(interaction, click.match, self._replay_of)
        seats = _allowed(found, view)
        await show(interaction, await self._panel(interaction, found, seats, step))

    async def open(self, interaction: Interaction, click: Click) -> None:
        """Show the first step of a match that was chosen in a history, in a message of its own."""
        wanted = number(click.values[0])
        if wanted is None:
            raise Refusal(DEAD_BUTTON)
        await send(interaction, await self._first(interaction, wanted))

    async def as_text(self, interaction: Interaction, click: Click) -> None:
        """Send the whole match as a text file."""
        await defer(interaction, thinking=True)
        found = await opened(interaction, click.match, self._replay_of)
        seats = _allowed(found, click.rest)
        content = await asyncio.to_thread(text_file, found, seats)
        seen = "" if found.replay is None else shown_words(found.replay, seats)
        await _attach(
            interaction, content, f"match-{click.match}.txt", f"The whole match as text. {seen}".rstrip()
        )

    async def as_page(self, interaction: Interaction, click: Click) -> None:
        """Send the whole match as a page for a browser."""
        await defer(interaction, thinking=True)
        found = await opened(interaction, click.match, self._replay_of)
        if found.replay is None:
            raise Refusal(DEAD_BUTTON)
        seats = _allowed(found, click.rest)
        content = await asyncio.to_thread(page, found, self.bot.game_uis[found.match.game], seats)
        seen = shown_words(found.replay, seats)
        about = "Save it and open it in a browser; it works without a connection. Whoever gets it sees the same as you."
        sentences = filter(None, ["The whole match as a page.", seen, about])
        await _attach(interaction, content, f"match-{click.match}.html", " ".join(sentences))

    async def _first(self, interaction: Interaction, match: int) -> Panel:
        """Return the first step of a match, from the usual point of view."""
        found = await opened(interaction, match, self._replay_of)
        panel = await self._panel(interaction, found, found.points_of_view[0], 0)
        # Later steps keep the former pictures until theirs are drawn. Without any, the words would move down.
        with suppress(NotYet):
            await panel.attachments(self.bot.rasterizer, answer=True, within=FIRST - age(interaction))
        return panel

    async def _panel(self, interaction: Interaction, found: Opened, seats: PointOfView, step: int) -> Panel:
        if found.replay is None:
            return moves_panel(found)
        style = hand_style(await self.bot.store.preferences(interaction.user.id))
        ui = self.bot.game_uis[found.match.game]
        return step_panel(found, ui, seats, step, pictures=style.pictures)


def _wanted(click: Click) -> tuple[str, int]:
    """Return the point of view and the step that a click names. Raises Refusal for text that the bot does not write."""
    parts = click.rest.split(":")
    if len(parts) != 3 or len(click.values) > 1:
        raise Refusal(DEAD_BUTTON)
    view, step, name = parts
    if name == "view" and click.values:
        view, _, step = click.values[0].partition(":")
    elif name == "jump" and click.values:
        (step,) = click.values
    wanted = number(step)
    if wanted is None:
        raise Refusal(DEAD_BUTTON)
    return view, wanted


def _allowed(found: Opened, written: str) -> PointOfView:
    """Return a point of view that is written in a custom id. Raises Refusal for one that the caller may not have."""
    if found.replay is None:
        return PUBLIC
    seats = point_of_view(written, found.replay)
    if seats is None:
        raise Refusal(DEAD_BUTTON)
    if seats not in found.points_of_view:
        raise Refusal(NOT_THIS_VIEW.format(found.match.id))
    return seats


async def _attach(interaction: Interaction, content: str, name: str, about: str) -> None:
    file = discord.File(io.BytesIO(content.encode()), name)
    await interaction.followup.send(about, file=file, ephemeral=True)
