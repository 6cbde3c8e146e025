"""Leaving a table, and ending one. A lobby is left at once; during a match the bot asks first.

The bot stores nothing about its question: the custom id of the answer has everything.
"""

from collections.abc import Mapping
from typing import Final

from discord.ext import commands

from bot.client import Palmhouse
from bot.match.announcements import BACK
from bot.match.entries import CloseReason
from bot.match.table import Table
from bot.messages.answers import Interaction, send, show
from bot.messages.custom_ids import CustomId
from bot.messages.lobby_card import link_button
from bot.messages.panel import DANGER, Panel, button, row, text
from bot.messages.router import Click
from cogs.common.lookup import here_only, of_this_server
from cogs.common.managing import manages_tables

AS_LAST: Final = "You are rated as last, whatever happens to the seat."
"""Consequence of leaving a rated match."""
AS_LAST_IF: Final = "Nobody else is here now. You are rated as last if somebody comes back."
"""Consequence of leaving a rated match whose other people are away."""
GOES_ON: Final = "A computer plays on for you, and somebody else may take your seat."
UNDONE: Final = "While the seat is free, `I'm back` undoes that."
SEATED: Final = "A computer plays on for you.", "`I'm back` undoes that."
"""The same where seats are given."""
INSTEAD: Final = "You play in it, and it is rated, so you can leave it, but not end it for the others."
"""Reason for which a person who manages tables is asked to leave a match that they wanted to end."""
LOST: Final = "You are the last person here, but you were away before the other one left: they have won."
"""Consequence of leaving a match of two that somebody else has won by staying longer."""
LAST: Final[Mapping[CloseReason, str]] = {
    CloseReason.EVERYBODY_LEFT: "You are the last person here, so the match ends and does not count.",
    CloseReason.OUTLASTED: "You are the last person here, so the match ends: you stayed longer, and win.",
}
"""Consequences of leaving as the last person."""


class Leaving(commands.Cog):
    """Routes of the buttons that ask for it, and answer the question."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot
        bot.router.add("ask-leave", self.ask)
        bot.router.add("quit", self.quit)
        bot.router.add("end", self.end)
        bot.router.add("stay", self.stay)

    async def ask(self, interaction: Interaction, click: Click) -> None:
        """Do what `/table leave` does. The button is in `/tables`, below a table of any server."""
        await leave(interaction, here_only(interaction, await self.bot.tables.get(click.match)))

    async def quit(self, interaction: Interaction, click: Click) -> None:
        await _leave(interaction, await self.bot.tables.get(click.match), sure=True, told=click.rest)

    async def end(self, interaction: Interaction, click: Click) -> None:
        await _end(interaction, await self.bot.tables.get(click.match), sure=True)

    async def stay(self, interaction: Interaction, click: Click) -> None:
        here_only(interaction, await self.bot.tables.get(click.match)).must_be_open()
        await show(interaction, Panel(text("The match goes on.")))


async def leave(interaction: Interaction, table: Table, *, instead: str = "") -> None:
    """Leave a lobby, or ask whether to leave the match. `instead` says why leaving is asked, "" if it was asked for."""
    seat = table.check_leaving(interaction.user.id)
    if table.state.phase == "lobby":
        await _leave(interaction, table, sure=False)
        return
    closing = await table.last_words(interaction.user.id)
    if closing is not None:
        lost = closing.reason is CloseReason.OUTLASTED and closing.user != interaction.user.id
        after = LOST if lost else LAST[closing.reason]
    else:
        alone = {*table.state.present()} <= {seat}
        is_rated = await table.is_rated_for(interaction.user.id)
        last = (AS_LAST_IF if alone else AS_LAST) if is_rated else ""
        goes_on, undone = SEATED if table.is_seated else (GOES_ON, UNDONE)
        after = " ".join(filter(None, [goes_on, last, undone]))
    # With nobody else there, ending and leaving are the same.
    reason = instead if closing is None else ""
    question = " ".join(filter(None, [f"**Leave {_name(table)}?**", reason, after]))
    # Somebody may come back, or leave, before they answer.
    quit_it = CustomId("quit", table.id, closing.told if closing else "")
    await _ask(interaction, table, question, ("Leave the match", quit_it))


async def end(interaction: Interaction, table: Table) -> None:
    """Close a lobby, or ask whether to end the match."""
    if table.match.placeless:  # nobody else plays there
        await leave(interaction, table)
        return
    user, manages = interaction.user.id, await manages_tables(interaction)
    of_this_server(interaction, table)
    if manages and await table.plays_rated(user) and table.state.seat_of(user) in table.state.people():
        await leave(interaction, table, instead=INSTEAD)
        return
    await table.check_cancelling(user, manages=manages)
    if table.state.phase == "lobby":
        await _end(interaction, table, sure=False)
        return
    await _ask(
        interaction,
        table,
        f"**End {_name(table)} for everybody?** It does not count.",
        ("End the match", CustomId("end", table.id)),
    )


async def _ask(interaction: Interaction, table: Table, question: str, answer: tuple[str, CustomId]) -> None:
    buttons = row(
        button(*answer, style=DANGER),
        button("No, play on", CustomId("stay", table.id)),
    )
    await send(interaction, Panel(text(question), buttons))


async def _leave(interaction: Interaction, table: Table, *, sure: bool, told: str | None = None) -> None:
    at = interaction.client.time.learn_from(interaction.id)
    await table.leave(interaction.user.id, at, sure=sure, told=told)
    if table.state.winner == interaction.user.id:
        await show(interaction, Panel(text(f"You have won the match at table {table.id}.")))
        return
    back = [row(link_button(table, BACK))] if table.state.phase == "play" else []
    await show(interaction, Panel(text(f"You have left table {table.id}."), *back))


async def _end(interaction: Interaction, table: Table, *, sure: bool) -> None:
    at, manages = interaction.client.time.learn_from(interaction.id), await manages_tables(interaction)
    await of_this_server(interaction, table).cancel(interaction.user.id, at, manages=manages, sure=sure)
    await show(interaction, Panel(text(f"Table {table.id} is closed.")))


def _name(table: Table) -> str:
    return f"this match of {table.state.game.title} (table {table.id})"
