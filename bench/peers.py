"""Card engines of other projects, playing random matches as ours do. They are optional: see `make bench-setup`."""

from collections.abc import Callable, Mapping
from importlib import import_module
from random import Random
from typing import Any, Final, TypeAlias

from bench.report import say

Play: TypeAlias = Callable[[Random], int]
"""Function that plays one whole match at random and returns the number of its decisions."""


def oh_hell() -> Play | None:
    """Return OpenSpiel's Oh Hell, written in C++: 4 players with 10 cards each, dealt card by card."""
    pyspiel = imported("pyspiel", "OpenSpiel")
    if pyspiel is None:
        return None
    game = pyspiel.load_game("oh_hell(players=4,num_tricks_fixed=10)")

    def play(rng: Random) -> int:
        state, random, decisions = game.new_initial_state(), rng.random, 0
        while not state.is_terminal():
            decisions += not state.is_chance_node()
            actions = state.legal_actions()  # dealt cards are actions, too, and all equally likely
            state.apply_action(actions[int(random() * len(actions))])
        return decisions

    return play


def uno() -> Play | None:
    """Return RLCard's Uno for 2 players, written in Python: the game alone, without its environment."""
    module = imported("rlcard.games.uno", "RLCard")
    numpy = imported("numpy", "RLCard")
    if module is None or numpy is None:
        return None

    def play(rng: Random) -> int:
        game = module.Game()
        game.np_random = numpy.random.RandomState(rng.getrandbits(32))
        game.init_game()
        random, decisions = rng.random, 0
        while not game.is_over():
            actions = game.get_legal_actions()
            game.step(actions[int(random() * len(actions))])
            decisions += 1
        return decisions

    return play


def imported(name: str, title: str) -> Any:
    """Return a module. When it is not installed, print that and return None."""
    try:
        return import_module(name)
    except ImportError:
        say(f"{title} is not installed, so nothing is measured beside it; `make bench-setup` installs it.")
        return None


PEERS: Final[Mapping[str, Callable[[], Play | None]]] = {"oh_hell": oh_hell, "uno": uno}
