"""`/tables`: where one sits and whose turn it is. `/table`: show it again, leave it, end it."""

import discord
from discord import app_commands
from discord.ext import commands

from bot.answers import tell
from bot.client import Palmhouse
from bot.narration import names
from bot.refusal import Refusal
from bot.table import Table
from cogs.common.find import table_meant, tables_named


class Tables(
    commands.GroupCog, group_name="table", group_description="A table: show it again, leave it, end it"
):
    """Commands about tables, not about cards."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot

    @app_commands.command(name="show")
    @app_commands.describe(table="Which table, when there are several")
    @app_commands.guild_only
    async def show(self, interaction: discord.Interaction[Palmhouse], table: str | None = None) -> None:
        """Post the table anew, at the end of its channel"""
        meant = await table_meant(interaction, table)
        await interaction.response.defer(ephemeral=True)
        await self.bot.publisher.post(meant.id, "board" if meant.match.board else "card")
        where = meant.match.place or meant.match.channel
        await tell(interaction, f"Table {meant.id} is shown again in <#{where}>.")

    @app_commands.command(name="leave")
    @app_commands.describe(table="Which table, when you sit at several")
    async def leave(self, interaction: discord.Interaction[Palmhouse], table: str | None = None) -> None:
        """Give up your seat; during a match the table plays on for it"""
        meant = await table_meant(interaction, table)
        await meant.leave(interaction.user.id, self.bot.time.heard(interaction.id))
        await tell(interaction, f"You have left table {meant.id}.")

    @app_commands.command(name="end")
    @app_commands.describe(table="Which table, when there are several")
    @app_commands.guild_only
    async def end(self, interaction: discord.Interaction[Palmhouse], table: str | None = None) -> None:
        """Close a table, uncounted: its host before the match, people who manage the server at any time"""
        meant = await table_meant(interaction, table)
        if meant.match.guild != interaction.guild_id:
            raise Refusal("That table belongs to another server.")
        at = self.bot.time.heard(interaction.id)
        await meant.cancel(interaction.user.id, at, manages=interaction.permissions.manage_guild)
        await tell(interaction, f"Table {meant.id} is closed.")

    for command in (show, leave, end):
        command.autocomplete("table")(tables_named)
    del command


@app_commands.command(name="tables")
async def tables(interaction: discord.Interaction[Palmhouse]) -> None:
    """The tables you sit at, and whose turn it is"""
    house = interaction.client.tables
    mine = [await house.get(number) for number in house.seated(interaction.user.id)]
    lines = [_line(table, interaction.user.id) for table in mine]
    await tell(interaction, "\n".join(lines) or "You sit at no table. A game's `start` command opens one.")


def _line(table: Table, user: int) -> str:
    where = (
        f"**{table.sitting.game.title} · table {table.id}** in <#{table.match.place or table.match.channel}>"
    )
    if table.sitting.phase == "lobby":
        return f"{where}: not begun, {len(table.sitting.players)} seated."
    awaited, people = table.sitting.awaited(), names(table.sitting)
    if table.sitting.seat_of(user) in awaited:
        return f"{where}: **your turn**."
    return f"{where}: waiting for {', '.join(people[seat] for seat in awaited)}."


async def setup(bot: Palmhouse) -> None:
    """Called by discord.py."""
    bot.tree.add_command(tables)
    await bot.add_cog(Tables(bot))
