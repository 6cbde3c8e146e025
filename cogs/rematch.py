"""`Rematch`: a lobby with the same people, computers and options. The seats are drawn anew when it starts."""

from typing import Final

from discord.ext import commands

from bot.client import Palmhouse
from bot.match.refusal import Refusal
from bot.match.state import Player, TableState
from bot.match.table import Table
from bot.match.tables import HasRematch
from bot.messages.answers import Interaction, defer, may_stand
from bot.messages.live_message import EXPECTED
from bot.messages.panel import Panel, text
from bot.messages.router import Click
from cogs.common.lookup import of_this_server, where
from cogs.common.opening import closed_unless_shown, open_table, show_card

INVITATION: Final = (
    "**Rematch!** Everybody who played to the end is seated at {}. Press `Cut` there if you want to add words to the "
    "deal. Then its host presses `Start`."
)
OPEN: Final = "The rematch is open already: {}. Its host presses `Start` there."
BEGUN: Final = "The rematch has begun already: {}."


class Rematch(commands.Cog):
    """The button at the end of a match, for anybody who played it. Each match has one rematch."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot
        bot.router.add("rematch", self.rematch)

    async def rematch(self, interaction: Interaction, click: Click) -> None:
        """Open the lobby of the new match. Practice starts at once."""
        old = of_this_server(interaction, await self.bot.tables.get(click.match))
        if old.state.phase != "over":
            raise Refusal("The match is not over yet.")
        if old.match.placeless:
            raise Refusal("This match has no rematch. `/practice` opens a new one for you alone.")
        # A thread cannot have threads, so the new match needs the channel of the old one.
        here = interaction.channel_id == old.match.channel
        try:
            table = await self._open(interaction, old, None if here else old.match.channel)
        except HasRematch as other:
            there = await self.bot.tables.get(other.table)
            way = OPEN if there.state.phase == "lobby" else BEGUN
            raise Refusal(way.format(self._link(there))) from None
        await (show_card if here else self._show_elsewhere)(interaction, table)
        if table.state.practice:
            await table.start(interaction.user.id, self.bot.time.learn_from(interaction.id))
        if not here:
            await self._tell_where(interaction, table)

    async def _open(self, interaction: Interaction, old: Table, channel: int | None) -> Table:
        state = old.state
        players = _players(state, old.seat(interaction.user.id))
        # Before permissions and seats are checked: a person who sits at the rematch may not have room for another one.
        await self.bot.tables.check_rematch(old.id)
        return await open_table(
            interaction,
            state.game,
            state.options,
            players,
            pace=state.pace,
            practice=state.practice,
            rematch_of=old.id,
            guild=old.match.guild,
            channel=channel,
        )

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
        """Tell everybody in the thread where the lobby is. Raises Refusal if it is closed already."""
        table.must_be_open()  # people may leave it while Discord holds up the answer
        await interaction.followup.send(view=Panel(text(INVITATION.format(self._link(table)))), silent=True)

    def _link(self, table: Table) -> str:
        """Return a link to the card of the table; its channel until the card is posted."""
        card = self.bot.publisher.live.message(table, "card")
        return f"[table {table.id}]({card.jump_url})" if card else f"table {table.id} in {where(table)}"


def _players(state: TableState, asking: int) -> list[Player]:
    """Return the players of the rematch, `asking` first: the host. People absent at the end are left out."""
    absent = state.away | state.gone | {asking}
    others = [player for seat, player in enumerate(state.players) if seat not in absent]
    return [state.players[asking], *others]


async def setup(bot: Palmhouse) -> None:
    """Add the cog. Called at the start."""
    await bot.add_cog(Rematch(bot))
