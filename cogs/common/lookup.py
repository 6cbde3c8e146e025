"""The table that a command or a click is about, and where it is played."""

from typing import Final, TypeAlias

import discord
from discord import app_commands

from bot.client import Palmhouse
from bot.match.names import LONGEST_TYPED
from bot.match.refusal import Refusal
from bot.match.table import Table
from bot.match.tables import NO_SUCH_TABLE
from bot.messages.custom_ids import number
from cogs.common.audience import may_look
from cogs.common.managing import manages_tables

Interaction: TypeAlias = discord.Interaction[Palmhouse]
Typed: TypeAlias = app_commands.Range[str, 1, LONGEST_TYPED]
"""An option into which a person types a text of their own."""
IN_DIRECT_MESSAGES: Final = "That table is in our direct messages. `/table leave` leaves it."


def server_of(interaction: Interaction) -> int | None:
    """Return the server of an interaction; None where the bot is no member."""
    return interaction.guild_id if interaction.is_guild_integration() else None


def is_outside(interaction: Interaction) -> bool:
    """Return whether the bot is no member of the place. A person has installed it, and it can only answer."""
    in_other_server = interaction.guild_id is not None and not interaction.is_guild_integration()
    return in_other_server or interaction.context.private_channel is True


async def table_meant(
    interaction: Interaction, named: str | None, *, others: bool = False, kept: bool = False
) -> Table:
    """Return the table that a command is about.

    `named` is the command's option `table`, a number. Without it: the one table of this thread or channel at which the
    caller sits, else the caller's one table, or the one here if they sit at none. With `others`, for commands about
    tables of other people too, the one here comes first. With `kept`, those at which a computer plays in their seat,
    also after they left, come before those at which they sit. Of several practice tables the one used last is meant.
    Raises Refusal if there is no such table.
    """
    tables = interaction.client.tables
    if named is not None:
        match = typed_number(named)
        if match is None:
            raise Refusal("Name the table by its number (`/tables` lists yours), or pick it from the list.")
        return await _known(interaction, await tables.get(match))
    here = tables.here(interaction.channel_id or 0)
    user = interaction.user.id
    mine = [table.id for table in await tables.with_seat(user) if _is_kept(table, user)] if kept else []
    mine = mine or tables.seated(user)
    for among in ([match for match in here if match in mine], here if others or not mine else [], mine):
        if len(among) == 1:
            return await tables.get(among[0])
        found = await tables.loadable(among)
        if found and all(table.state.practice for table in found):
            # Of practice tables the last one: a mistake harms nobody else.
            return max(found, key=lambda table: table.state.at)
    if not here and not mine:
        raise Refusal("You sit at no table. `/play` opens one, and shows those that can be watched.")
    if not mine:
        raise Refusal(
            "You sit at no table. For one of those here, pick it in the option `table`; `/play` shows them."
        )
    raise Refusal("Which table? Pick it in the option `table`; `/tables` lists yours.")


def typed_number(named: str) -> int | None:
    """Return the number of a match that was picked or typed, such as "#7"; None if it is none."""
    digits = named.strip().lstrip("#")
    # No match has one of 15 digits, so further ones change nothing.
    return number(digits[:15]) if digits.isdigit() else None


async def _known(interaction: Interaction, table: Table) -> Table:
    """Return a table that was named. Raises the Refusal of an unknown one unless the caller had a seat there, is where
    it is, manages tables, or may read its channel: a number is guessed easily."""
    has_sat = here_only(interaction, table).state.seat_of(interaction.user.id) is not None
    is_here = interaction.channel_id in (table.match.channel, table.match.place)
    is_known = has_sat or interaction.user.id in table.state.held or is_here
    if is_known or await manages_tables(interaction) or await may_look(interaction, table.match):
        return table
    raise Refusal(NO_SUCH_TABLE)


def _is_kept(table: Table, user: int) -> bool:
    """Return whether a computer plays in the seat of a person."""
    return table.state.seat_of(user) in table.state.away | table.state.gone


def here_only(interaction: Interaction, table: Table) -> Table:
    """Return `table` if it belongs to this server or the caller sits at it.

    Otherwise raises the Refusal of an unknown table: the tables of other servers stay secret.
    """
    if table.match.guild != interaction.guild_id and table.state.seat_of(interaction.user.id) is None:
        raise Refusal(NO_SUCH_TABLE)
    return table


def of_this_server(interaction: Interaction, table: Table) -> Table:
    """Return `table` if it belongs to this server; in direct messages, if it is the caller's practice table.

    Raises Refusal otherwise: permissions here say nothing about another server.
    """
    if here_only(interaction, table).match.guild != (interaction.guild_id or 0):
        raise Refusal("That table belongs to another server." if table.match.guild else IN_DIRECT_MESSAGES)
    return table


def where(table: Table, channel: int | None = None) -> str:
    """Return a link to a channel of the match, by default its place: a mention, or a link to direct messages."""
    place = channel or table.match.place or table.match.channel
    return (
        f"<#{place}>"
        if table.match.guild
        else f"[our direct messages](https://discord.com/channels/@me/{place})"
    )


async def tables_named(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Return suggestions for an option `table`: the caller's tables and those in this channel."""
    tables = interaction.client.tables
    numbers = {*tables.seated(interaction.user.id), *tables.here(interaction.channel_id or 0)}
    found = map(title, await tables.loadable(sorted(numbers)))
    return [
        app_commands.Choice(name=name, value=str(n)) for n, name in found if typed.lower() in name.lower()
    ][:25]


def title(table: Table) -> tuple[int, str]:
    """Return a table's number and its name in lists."""
    return table.id, f"{table.state.game.title} · table {table.id}"
