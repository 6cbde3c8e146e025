"""The offer of a lesson, once a person and game, to somebody who sits down at a game that they have never played."""

import logging

from bot.client import Palmhouse
from bot.match.table import Table
from bot.messages.answers import send
from bot.messages.custom_ids import CustomId
from bot.messages.live_message import EXPECTED
from bot.messages.panel import SUCCESS, Panel, button, row, text
from bot.store import Unreadable
from cogs.common.lookup import Interaction
from games import AnyGame
from games.lessons import lessons

log = logging.getLogger(__name__)


async def offer_lesson(interaction: Interaction, table: Table) -> None:
    """Offer the lesson of a table's game to the caller, who has just sat down and has got an answer already."""
    bot, user, game = interaction.client, interaction.user.id, table.state.game
    if game.slug not in lessons() or await _is_playing(bot, user, game):
        return
    try:
        if await bot.store.offer_lesson(user, game.slug):
            await send(interaction, _offer(game))
    except (*EXPECTED, Unreadable) as error:  # the seat is taken all the same
        log.warning("table %s: a lesson was not offered: %s", table.id, error)


async def _is_playing(bot: Palmhouse, user: int, game: AnyGame) -> bool:
    tables = [await bot.tables.get(number) for number in bot.tables.seated(user)]
    return any(each.state.game is game and each.state.phase == "play" for each in tables)


def _offer(game: AnyGame) -> Panel:
    learn = button("Learn it in 4 minutes", CustomId("learn", 0, game.slug), style=SUCCESS)
    return Panel(text(f"Never played {game.title}? Your seat is kept meanwhile."), row(learn))
