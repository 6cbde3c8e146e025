"""All games. `GAMES` maps a slug to its game.

Every package in this folder is a game and has a constant `GAME`, so a new game needs no other registration.
"""

import importlib
import pkgutil

from games.contract import AnyGame, Event, Game, Illegal, Options, Outcome

__all__ = ["GAMES", "AnyGame", "Event", "Game", "Illegal", "Options", "Outcome"]


def _games() -> dict[str, AnyGame]:
    """Return the games of all packages beside this file, in alphabetical order of the packages."""
    packages = sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg)
    games: list[AnyGame] = [importlib.import_module(f"games.{name}").GAME for name in packages]
    return {game.slug: game for game in games}


GAMES: dict[str, AnyGame] = _games()
