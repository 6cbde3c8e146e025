"""The games of the house. `GAMES` maps a slug to its game; a package in this folder is a game and enlists itself
by having a `GAME`."""

import importlib
import pkgutil

from games.contract import AnyGame, Event, Game, Illegal, Options, Outcome

__all__ = ["GAMES", "AnyGame", "Event", "Game", "Illegal", "Options", "Outcome"]


def _enlisted() -> dict[str, AnyGame]:
    """Every package beside this file, in alphabetical order, so that nothing has to be edited to add one."""
    packages = sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg)
    games: list[AnyGame] = [importlib.import_module(f"games.{name}").GAME for name in packages]
    return {game.slug: game for game in games}


GAMES: dict[str, AnyGame] = _enlisted()
