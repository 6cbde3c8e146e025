"""`/tables` lists the caller's tables. `/table` shows one again, leaves it, comes back, and so on."""

from contextlib import suppress
from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Palmhouse
from bot.match import seats as seating
from bot.match import votes as voting
from bot.match.announcements import BACK, turn
from bot.match.deadlines import closes
from bot.match.refusal import Refusal
from bot.match.state import TableState
from bot.match.table import Table
from bot.match.tables import Unloadable
from bot.match.times import Pace
from bot.messages.admission import MAY_WAIT
from bot.messages.answers import defer, send, tell
from bot.messages.custom_ids import CustomId
from bot.messages.expected import EXPECTED
from bot.messages.lobby_card import link_button
from bot.messages.panel import Item, Panel, button, hand_button, row, text
from bot.messages.venue import find_channel
from cogs.common.audience import sees
from cogs.common.door import play_button
from cogs.common.lookup import Interaction, Typed, of_this_server, table_meant, tables_named, where
from cogs.common.new_table import PACES
from cogs.leaving import AS_LAST, end, leave
from games.phrases import listed

MOST_SHOWN: Final = 7
"""Number of a person's newest tables that one message shows: it has room for 40 components, and five for each."""


class Tables(
    commands.GroupCog,
    group_name="table",
    group_description="A table: show it, leave it, hand it over, end it",
):
    """Commands about tables."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot

    async def cog_load(self) -> None:
        """Add `/tables`, which is in no group."""
        self.bot.tree.add_command(tables)

    @app_commands.command(name="show")
    @app_commands.describe(table="Which table, when there are several")
    @app_commands.guild_only
    async def show(self, interaction: Interaction, table: Typed | None = None) -> None:
        """Post the table again at the end of its channel"""
        meant, publisher = await table_meant(interaction, table, others=True), self.bot.publisher
        await defer(interaction, thinking=True)
        if meant.match.guild and meant.state.seat_of(interaction.user.id) is not None:
            with suppress(*EXPECTED):  # a link leads nobody back who has left a private thread, or the server
                await publisher.venue.bring_in(meant, [interaction.user.id])
        message = publisher.live.message(meant, "table") or publisher.live.message(meant, "card")
        if message is not None and await publisher.live.in_sight(message):
            stands = where(meant, message.channel.id)
            await tell(
                interaction,
                f"[Table {meant.id}]({message.jump_url}) is among the last messages of {stands} already.",
            )
            return
        await publisher.show_again(meant)
        # Only in play it is the live table; before and after, the card.
        stands = where(meant, None if meant.state.phase == "play" else meant.match.channel)
        await tell(interaction, f"Table {meant.id} is posted again in {stands}.")

    @app_commands.command(name="leave", extras={MAY_WAIT: True})
    @app_commands.describe(table="Which table, when you sit at several")
    async def leave(self, interaction: Interaction, table: Typed | None = None) -> None:
        """Give up your seat; during a match a computer plays on, and somebody else may take it"""
        try:
            await leave(interaction, await table_meant(interaction, table))
        except Unloadable as lost:
            await self.bot.tables.leave_unloadable(lost.match, interaction.user.id)
            await tell(interaction, f"You have left table {lost.match}.")

    @app_commands.command(name="back", extras={MAY_WAIT: True})
    @app_commands.describe(table="Which table, when you sit at several")
    async def back(self, interaction: Interaction, table: Typed | None = None) -> None:
        """Take your seat again when a computer plays for you"""
        meant = await table_meant(interaction, table, kept=True)
        await seating.come_back(meant, interaction.user.id, self.bot.time.learn_from(interaction.id))
        await tell(interaction, f"You are back at table {meant.id}.")

    @app_commands.command(name="hand-over", extras={MAY_WAIT: True})
    @app_commands.describe(
        member="The person to play on in your seat; they must accept",
        table="Which table, when you sit at several",
    )
    @app_commands.guild_only
    async def hand_over(
        self,
        interaction: Interaction,
        member: discord.Member | discord.User,
        table: Typed | None = None,
    ) -> None:
        """Offer your seat, with its hand and its score, to somebody else"""
        meant = of_this_server(interaction, await table_meant(interaction, table))
        if member.bot:
            raise Refusal("A bot cannot take your seat. If you leave, a computer plays it.")
        if not isinstance(member, discord.Member):
            raise Refusal(f"{member.mention} is not on this server. Name somebody who is.")
        place = find_channel(self.bot, meant.match.guild, meant.match.channel)
        if place is not None and not sees(member, place):  # the offer would never be read
            raise Refusal(f"{member.mention} does not see {where(meant)}. Name somebody who does.")
        user, at = interaction.user.id, self.bot.time.learn_from(interaction.id)
        # Asked first: if the store fails here, nothing is offered.
        rated = f" {AS_LAST}" * await meant.is_rated_for(user)
        await seating.offer(meant, user, member.id, member.display_name, at)
        await tell(
            interaction,
            f"You have offered your seat to {member.mention}. Play on until they accept. Then you have left the match."
            f"{rated} Until they accept, `Decline` below the offer takes it back.",
        )

    @app_commands.command(name="pace", extras={MAY_WAIT: True})
    @app_commands.describe(pace=PACES, table="Which table, when you sit at several")
    async def pace(self, interaction: Interaction, pace: Pace, table: Typed | None = None) -> None:
        """Propose more or less time for a move; the majority decides"""
        meant = await table_meant(interaction, table)
        await voting.propose(meant, interaction.user.id, pace, self.bot.time.learn_from(interaction.id))
        decided = meant.state.pace == pace
        await tell(interaction, f"The pace is {pace} now." if decided else "The others are asked to vote.")

    @app_commands.command(name="end", extras={MAY_WAIT: True})
    @app_commands.describe(table="Which table, when there are several")
    @app_commands.guild_only
    async def end(self, interaction: Interaction, table: Typed | None = None) -> None:
        """Close your table before the match; as a manager end any match that you do not play for a rating"""
        await end(interaction, await table_meant(interaction, table, others=True))

    for command in (show, leave, back, hand_over, pace, end):
        command.autocomplete("table")(tables_named)
    del command


@app_commands.command(name="tables", extras={MAY_WAIT: True})
async def tables(interaction: Interaction) -> None:
    """The tables you sit at, and whose turn it is"""
    user, known = interaction.user.id, interaction.client.tables
    mine = await known.with_seat(user)
    items = [item for table in mine[-MOST_SHOWN:] for item in (_line(table, user), _buttons(table, user))]
    older = [f"table {table.id}" for table in mine[:-MOST_SHOWN]]
    lost = [f"-# More in the option `table` of `/hand`: {listed(older)}."] if older else []
    lost += [
        f"{Unloadable(match)} `/table leave table:{match}` gives up your seat."
        for match in known.seated(user)
        if match in known.unloadable
    ]
    items += [text("\n".join(lost))] * bool(lost)
    await send(interaction, Panel(*items or [text("You sit at no table.")], row(play_button())))


def _line(table: Table, user: int) -> Item:
    state, ends = table.state, closes(table.state.phase, table.deadlines)
    unless = "it starts" if state.phase == "lobby" else "somebody moves"
    closing = f" It closes <t:{ends // 1000}:R> unless {unless}." if ends else ""
    return text(
        f"**{state.game.title} · table {table.id}** in {where(table)}: {_progress(state, user)}.{closing}"
    )


def _progress(state: TableState, user: int) -> str:
    if state.phase == "lobby":
        return f"not started, {len(state.players)} seated"
    seat = state.seat_of(user)
    if seat in state.gone:
        return "you left; the seat is still yours to take"
    if seat in state.away:
        return "a computer plays for you until you are back"
    return turn(state, seat) or "the clock is running"


def _buttons(table: Table, user: int) -> Item:
    """Return the buttons below a table: to see the hand, to come back, and to leave."""
    plays, seat = table.state.phase == "play", table.state.seat_of(user)
    if seat in table.state.gone:
        return row(link_button(table, BACK))
    return row(
        *[hand_button(table.id)] * plays,
        *[link_button(table, BACK)] * (seat in table.state.away),
        button("Leave", CustomId("ask-leave", table.id)),
    )
