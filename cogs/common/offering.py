"""The offer of a lesson, once a person and game, to somebody who sits down at a game that they have never played."""

import logging

from bot.messages.answers import send
from bot.messages.custom_ids import CustomId
from bot.messages.expected import EXPECTED
from bot.messages.panel import SUCCESS, Panel, button, row, text
from cogs.common.lookup import Interaction
from games import AnyGame
from games.lessons import lessons

log = logging.getLogger(__name__)


async def offer_lesson(interaction: Interaction, match: int) -> None:
    """Offer the lesson of a table's game to the caller, who has just sat down and has got an answer already."""
    bot, user = interaction.client, interaction.user.id
    try:
        state = (await bot.tables.get(match)).state
        game = state.game
        knows = game.slug not in lessons() or len(bot.tables.seated(user, game.slug)) > 1
        if not knows and await bot.store.offer_lesson(user, game.slug):
            await send(interaction, _offer(game, match, begun=state.phase != "lobby"))
    except EXPECTED as error:  # the seat is taken all the same
        log.warning("table %s: a lesson was not offered: %s", match, error)


def _offer(game: AnyGame, match: int, *, begun: bool) -> Panel:
    keep = "The match goes on while you learn." if begun else "You keep your seat while you learn."
    learn = button("Learn it in 4 minutes", CustomId("learn", match, game.slug), style=SUCCESS)
    return Panel(text(f"Is {game.title} new to you? {keep}"), row(learn))
