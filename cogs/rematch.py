"""`Rematch`: the same people and computers play again by the same options, each a seat further on."""

from discord.ext import commands

from bot.answers import Interaction
from bot.client import Palmhouse
from bot.refusal import Refusal
from bot.router import Click
from bot.sitting import Player, Sitting
from cogs.common.find import here_only
from cogs.common.opening import open_table, show_card


class Rematch(commands.Cog):
    """One click at the end of a match, by anybody who played it; each match has one rematch."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot
        bot.router.add("rematch", self.rematch)

    async def rematch(self, interaction: Interaction, click: Click) -> None:
        """Deal again, here."""
        old = here_only(interaction, await self.bot.tables.get(click.match))
        sitting = old.sitting
        if sitting.phase != "over":
            raise Refusal("The match is not over; a rematch comes after it.")
        await self.bot.tables.check_rematch(old.id)
        table = await open_table(
            interaction,
            sitting.game,
            sitting.options,
            _players(sitting, old.seat(interaction.user.id)),
            pace=sitting.pace,
            practice=sitting.practice,
            rematch_of=old.id,
        )
        await show_card(interaction, table)
        await table.start(table.sitting.host.user, self.bot.time.heard(interaction.id))


def _players(sitting: Sitting, asks: int) -> list[Player]:
    """Computers, and the people who were there to the end or ask for it, rotated by a seat."""
    absent = (sitting.away | sitting.gone) - {asks}
    seats = [*range(1, len(sitting.players)), 0]
    players = [sitting.players[seat] for seat in seats if seat not in absent]
    if len(players) not in sitting.game.seats(sitting.options):
        raise Refusal(
            f"Only {len(players)} of you are still here, too few to play this again. The game's `start` command opens "
            "a new table."
        )
    return players


async def setup(bot: Palmhouse) -> None:
    """Called by discord.py."""
    await bot.add_cog(Rematch(bot))
