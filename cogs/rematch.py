"""`Rematch`: the same people and computers play again under the same options. The seats are drawn anew."""

from discord.ext import commands

from bot.client import Palmhouse
from bot.match.refusal import Refusal
from bot.match.state import Player, TableState
from bot.match.table import Table
from bot.messages.answers import Interaction, defer, may_stand
from bot.messages.live_message import EXPECTED
from bot.messages.panel import Panel, text
from bot.messages.router import Click
from cogs.common.lookup import of_this_server, where
from cogs.common.opening import closed_unless_shown, open_table, show_card


class Rematch(commands.Cog):
    """The button at the end of a match, for anybody who played it. Each match has one rematch."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot
        bot.router.add("rematch", self.rematch)

    async def rematch(self, interaction: Interaction, click: Click) -> None:
        """Open and start the new match in the channel of the old one, as a thread cannot have threads."""
        old = of_this_server(interaction, await self.bot.tables.get(click.match))
        state = old.state
        if state.phase != "over":
            raise Refusal("The match is not over yet.")
        if old.match.placeless:
            raise Refusal("This match has no rematch. `/practice` opens a new one for you alone.")
        await self.bot.tables.check_rematch(old.id)
        here = interaction.channel_id == old.match.channel
        table = await open_table(
            interaction,
            state.game,
            state.options,
            _players(state, old.seat(interaction.user.id)),
            pace=state.pace,
            practice=state.practice,
            rematch_of=old.id,
            guild=old.match.guild,
            channel=None if here else old.match.channel,
        )
        await (show_card if here else self._show_elsewhere)(interaction, table)
        people = table.state.people()  # empty if all have left meanwhile; the table is closed then
        host = table.state.players[people[0]].user if people else 0
        await table.start(host, self.bot.time.learn_from(interaction.id))
        if not here:
            await self._tell_where(interaction, table)

    async def _show_elsewhere(self, interaction: Interaction, table: Table) -> None:
        """Post the card in the table's channel. The answer is deferred, as rate limits may hold the card up."""
        async with closed_unless_shown(table):
            await defer(interaction)
            try:
                await self.bot.publisher.live.post_card(table.id)
            except EXPECTED as error:
                if not may_stand(error):
                    raise
                self.bot.publisher.find_card(table)

    async def _tell_where(self, interaction: Interaction, table: Table) -> None:
        card = self.bot.publisher.live.message(table, "card")
        there = f"[table {table.id}]({card.jump_url})" if card else f"table {table.id} in {where(table)}"
        way = f"**Rematch!** It is {there}."
        await interaction.followup.send(view=Panel(text(way)))


def _players(state: TableState, asking: int) -> list[Player]:
    """Return the players of the rematch: without people absent at the end, except `asking`."""
    absent = (state.away | state.gone) - {asking}
    players = [player for seat, player in enumerate(state.players) if seat not in absent]
    if len(players) not in state.game.seats(state.options):
        raise Refusal(
            f"Only {len(players)} of you are still here, too few for a rematch. `/{state.game.slug} start` opens a "
            "new table."
        )
    return players


async def setup(bot: Palmhouse) -> None:
    """Called by discord.py."""
    await bot.add_cog(Rematch(bot))
