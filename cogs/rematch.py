"""`Rematch`: a lobby with the same options and computers, and seats kept for the people who played.

The seats are drawn again when it starts. Nobody is seated without a press of their own.
"""

import contextlib
from typing import Final

from discord.ext import commands

from bot.client import Palmhouse
from bot.match.announcements import names
from bot.match.names import seat_names
from bot.match.refusal import Refusal
from bot.match.table import Table
from bot.match.tables import HasRematch
from bot.messages.answers import Interaction, send, tell
from bot.messages.expected import EXPECTED
from bot.messages.panel import Panel, text
from bot.messages.router import Click
from cogs.common.lookup import of_this_server, where
from cogs.common.new_table import caller, open_table, show_card
from games.phrases import listed
from games.types import with_seats

# It is never edited, so it says nothing that ends, as kept seats do: the card does.
INVITATION: Final = (
    "**Rematch!** {} plays again at {}, and invites {}: press `Rematch` here, or `Join` there."
)
ALONE: Final = "Your rematch is open: {}. Others press `Join` there."
SEATED: Final = "You sit at the rematch: {}. Its host presses `Start` there."
HOSTED: Final = "You are the host of the rematch: {}. `Start` there begins it."
BEGUN: Final = "The rematch has begun already: {}."


class Rematch(commands.Cog):
    """The button at the end of a match, for anybody who played it. Each match has one rematch."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot
        bot.router.add("rematch", self.rematch)

    async def rematch(self, interaction: Interaction, click: Click) -> None:
        """Open the lobby of the new match, or take a seat there. Practice starts at once."""
        old = of_this_server(interaction, await self.bot.tables.get(click.match))
        if old.state.phase != "over":
            raise Refusal("The match is not over yet.")
        if old.match.placeless:
            raise Refusal("This match has no rematch. `/practice` opens a new one for you alone.")
        if old.is_seated:
            await self.bot.nights.check_rematch(old.id)
        # A thread cannot have threads, so the new match needs the channel of the old one.
        here = interaction.channel_id == old.match.channel
        try:
            table = await self._open(interaction, old, None if here else old.match.channel)
        except HasRematch as other:
            await self._join(interaction, await self.bot.tables.get(other.table))
            return
        await show_card(interaction, table, elsewhere=not here)
        await self._begin_practice(interaction, table)
        if not here:
            await self._tell_where(interaction, table)
        elif table.kept_for and old.match.place not in (None, old.match.channel):
            await self._invite(old, table)

    async def _open(self, interaction: Interaction, old: Table, channel: int | None) -> Table:
        state = old.state
        absent = {old.seat(interaction.user.id), *state.away, *state.gone}
        # Before permissions and seats are checked: a person who sits at the rematch may not have room for another one.
        await self.bot.tables.check_rematch(old.id)
        ended = self.bot.time.learn_from(interaction.id) - state.at
        fresh = ended <= self.bot.tables.clock.times.rematch
        others = [player for seat, player in with_seats(state.players) if seat not in absent]
        return await open_table(
            interaction,
            state.game,
            state.options.after(None),
            [caller(interaction), *(player for player in others if player.strength)],
            pace=state.pace,
            practice=state.practice,
            rematch_of=old.id,
            reserved=[player for player in others if player.user] if fresh else (),
            guild=old.match.guild,
            channel=channel,
        )

    async def _begin_practice(self, interaction: Interaction, table: Table) -> None:
        """Start the match if it is practice, unless another click has done so."""
        if table.state.practice:
            with contextlib.suppress(Refusal):
                at, winner = (
                    self.bot.time.learn_from(interaction.id),
                    await self.bot.tables.last_winner(table),
                )
                await table.start(interaction.user.id, at, winner)

    async def _join(self, interaction: Interaction, table: Table) -> None:
        """Take a seat at the rematch, which is open already."""
        await self._begin_practice(interaction, table)  # it was kept without an answer, or a kill came before
        if table.state.phase != "lobby":
            raise Refusal(BEGUN.format(self._link(table)))
        if table.match.card is None and table.id not in self.bot.publisher.live.posting:
            self.bot.publisher.look_again(table)  # it was kept without an answer, and nobody has shown it
        user = interaction.user
        if table.state.seat_of(user.id) is None:
            at = self.bot.time.learn_from(interaction.id)
            await table.join(user.id, user.display_name, at, interaction.id)
        said = HOSTED if table.state.is_host(user.id) else SEATED
        await tell(interaction, said.format(self._link(table)))

    async def _tell_where(self, interaction: Interaction, table: Table) -> None:
        """Tell the others in the thread where the lobby is, or the caller alone if no seats are kept. Raises Refusal if
        it is closed already."""
        table.must_be_open()  # people may leave it while Discord holds up the answer
        said = self._invitation(table) if table.kept_for else ALONE.format(self._link(table))
        await send(interaction, Panel(text(said)), public=table.kept_for != "")

    async def _invite(self, old: Table, table: Table) -> None:
        """Tell those who are still in the thread of the old match: the rematch was asked for in the channel."""
        thread = self.bot.get_partial_messageable(old.match.place or 0)
        with contextlib.suppress(*EXPECTED):
            await thread.send(view=Panel(text(self._invitation(table))), silent=True)

    def _invitation(self, table: Table) -> str:
        invited = listed(seat_names(table.state.reserved.values()))
        return INVITATION.format(names(table.state)[0], self._link(table), invited)

    def _link(self, table: Table) -> str:
        """Return a link to the card of the table; its channel until the card is posted."""
        card = self.bot.publisher.live.message(table, "card")
        return f"[table {table.id}]({card.jump_url})" if card else f"table {table.id} in {where(table)}"
