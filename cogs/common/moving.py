"""Moves that a click makes, at the time at which Discord received it."""

from collections.abc import Sequence

from bot.gateway.discord_time import posted_at
from bot.match.table import Made, Table
from bot.messages.admission import LATE
from bot.messages.answers import MOVED, Receipt
from bot.messages.router import Click, Route
from cogs.common.lookup import Interaction


async def make_moves(
    interaction: Interaction, table: Table, moves: Sequence[str], prompt: int | None = None
) -> list[Made]:
    """Make all moves of a person at once, and return what happened. If the answer then fails, the person reads that the
    moves count. Raises what `Table.play` raises."""
    made = await table.play(interaction.user.id, moves, posted_at(interaction.id), prompt, interaction.id)
    interaction.extras[MOVED] = True
    return made


def deferrable(route: Route) -> Route:
    """Return a route whose answer, by `show`, `defer` or `LiveMessage.answer`, is deferred when it takes long. Unlike
    one that may wait, it is called at once: clicks count in their order."""

    async def answer(interaction: Interaction, click: Click) -> None:
        Receipt(interaction, LATE)
        await route(interaction, click)

    return answer
