"""The menu in a hand by which a person decides ahead (`bot.match.ahead`)."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import discord

from bot.match.ahead import may_decide, moment
from bot.match.table import Table
from bot.messages.custom_ids import CustomId
from bot.messages.game_ui import MOST_AHEAD, GameUI
from bot.messages.panel import Item, row, select, text
from games import AnyGame
from games.types import Seat

ASK: Final = "ask"
"""Value of the option that takes a decision back. It is the text of no move."""


def ahead_items(table: Table, seat: Seat, ui: GameUI, view: object) -> Iterator[Item]:
    """Yield what the player of a seat has decided ahead, or can no longer do, and the menu to decide; a line says when
    it has not all moves."""
    state, game = table.state, table.state.game
    chosen, missed = state.ahead.get(seat, ""), state.missed.get(seat, "")
    if missed:
        yield text(f"⏭️ {_label(game, missed)}: not possible any more. Choose again.")
    if chosen:
        when = "Played in a moment" if seat in state.awaited() else "When your turn comes"
        yield text(f"⏭️ {when}: **{_label(game, chosen)}**")
    actions = may_decide(state, seat)
    if not actions and not chosen:
        return
    offered = [game.text(action) for action in ui.ahead(view, actions)[:MOST_AHEAD]]
    moves = dict.fromkeys([*([chosen] if chosen else []), *offered])
    options = [
        discord.SelectOption(label=_label(game, move), value=move, default=move == chosen) for move in moves
    ]
    asked = discord.SelectOption(label="Ask me", value=ASK)
    if more := len(actions) - len(moves):
        others = "the other one" if more == 1 else "the others"
        yield text(
            f"-# The menu has {len(moves)} of {len(actions)} moves. You can make {others} on your turn."
        )
    yield row(
        select("When your turn comes: …", CustomId("ahead", table.id, moment(state, seat)), [asked, *options])
    )


@lru_cache(maxsize=4096)  # the same few moves are offered in each hand, after every move
def _label(game: AnyGame, move: str) -> str:
    return game.words.label(game.parse(move))
