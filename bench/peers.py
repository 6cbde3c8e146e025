"""Card engines that others play random matches with, driven as ours are. They are optional: see `make bench`."""

from collections.abc import Callable
from importlib import import_module
from random import Random
from typing import Any, TypeAlias

from bench.report import say

Match: TypeAlias = Callable[[Random], int]
"""Play one whole match at random; the number of decisions players made in it."""


def oh_hell() -> Match | None:
    """OpenSpiel's Oh Hell, written in C++: 4 players, 10 cards each, dealt card by card as OpenSpiel does."""
    pyspiel = imported("pyspiel", "OpenSpiel")
    if pyspiel is None:
        return None
    game = pyspiel.load_game("oh_hell(players=4,num_tricks_fixed=10)")

    def play(rng: Random) -> int:
        state, random, decisions = game.new_initial_state(), rng.random, 0
        while not state.is_terminal():
            decisions += not state.is_chance_node()
            actions = state.legal_actions()  # of a deal, too: all cards are equally likely
            state.apply_action(actions[int(random() * len(actions))])
        return decisions

    return play


def uno() -> Match | None:
    """RLCard's Uno for 2 players, in Python; the game itself, without the environment around it."""
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
    """A module, or None, saying so, when it is not installed."""
    try:
        return import_module(name)
    except ImportError:
        say(f"{title} is not installed, so nothing is measured beside it; `make bench-setup` installs it.")
        return None
