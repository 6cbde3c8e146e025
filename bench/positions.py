"""Positions of random matches, as their tables and hands show them."""

from collections.abc import Iterator
from random import Random
from types import SimpleNamespace
from typing import Any

from bot.client import cog_of, cogs
from bot.messages.game_ui import Form, GameUI
from bot.messages.panel import Item
from bot.messages.router import Router
from cogs.common.game import GameCog
from games import AnyGame

NAMES = ("Alice", "Ben", "Cleo", "Dana", "Eve", "Finn", "Gus", "Hana")


def game_uis() -> dict[str, GameUI]:
    """Return the cog of every game, by slug. Without a bot they can draw, and nothing else."""
    found: dict[str, GameUI] = {}
    bot: Any = SimpleNamespace(game_uis=found, router=Router())
    for cog in map(cog_of, cogs()):
        if issubclass(cog, GameCog):
            cog(bot)
    return dict(sorted(found.items()))


def boards(ui: GameUI, rng: Random) -> Iterator[list[Item]]:
    """Yield tables of one game in the course of random matches, without end."""
    for state in _states(ui.game, rng):
        yield ui.board(ui.game.view(state, None), NAMES[: _most(ui.game)])


def hands(ui: GameUI, rng: Random) -> Iterator[list[Item]]:
    """Yield hands of one game in the course of random matches, without end."""
    game = ui.game
    for state in _states(game, rng):
        seat = rng.choice(game.awaited(state))
        form = Form(1, 1, game.legal(state, seat))
        yield ui.hand(game.view(state, seat), NAMES[: _most(game)], form)


def _most(game: AnyGame) -> int:
    return game.seats(game.Options()).stop - 1


def _states(game: AnyGame, rng: Random) -> Iterator[Any]:
    while True:
        state, _ = game.new(game.Options(), _most(game), rng.random().hex())
        while awaited := game.awaited(state):
            yield state
            seat = rng.choice(awaited)
            game.step(state, seat, rng.choice(game.legal(state, seat)))
