"""Our search at the first trick of Twin Palms with four players, beside OpenSpiel's information-set Monte Carlo tree
search at the first trick of Oh Hell with four players, in the same run.

An iteration is one playout to the end of the deal. Ours plays by rules of thumb, and all actions that are compared
are tried in the same imagined state. OpenSpiel's plays at random. `make bench-setup` installs it.
"""

import time
from collections.abc import Callable, Mapping
from random import Random
from statistics import median
from typing import Any, Final, TypeAlias

from bench.peers import imported
from bench.report import table
from games import GAMES
from games.advice import never
from games.search import SearchingStrategy, best
from games.strategies import choose, strategy_of

Search: TypeAlias = Callable[[int], int]
"""Function that searches for about that many iterations and returns their exact number."""
EXPLORATION: Final = 1.0
"""OpenSpiel's constant of exploration."""


def rates(rounds: int, iterations: int) -> dict[str, float]:
    """Return the iterations a second of all searches that are installed: medians of rounds in which all take turns."""
    searches: dict[str, Search] = {"twin_palms": twin_palms(), **oh_hell()}
    found: dict[str, list[float]] = {name: [] for name in searches}
    for _ in range(rounds):
        for name, search in searches.items():
            begin = time.process_time()
            made = search(iterations)
            found[name].append(made / (time.process_time() - begin))
    return {name: median(each) for name, each in found.items()}


def twin_palms() -> Search:
    """Return our search, for the seat that leads."""
    game = GAMES["twin-palms"]
    state, _ = game.new(game.Options(), 4, "search")
    while len(game.awaited(state)) > 1 or game.view(state, None).phase == "bid":
        seat = game.awaited(state)[0]
        game.step(state, seat, choose(game, game.view(state, seat), "steady", 0))
    seat = game.awaited(state)[0]
    view, legal, strategy = game.view(state, seat), game.legal(state, seat), strategy_of(game)
    assert isinstance(strategy, SearchingStrategy)
    usual, rng = strategy.advise(view, legal).action, Random(0)

    def search(iterations: int) -> int:
        problem = strategy.problem(view, legal)
        problem.iterations = iterations
        return best(problem, usual, rng, never).iterations

    return search


def oh_hell() -> Mapping[str, Search]:
    """Return OpenSpiel's two searches, with random playouts."""
    spiel = imported("pyspiel", "OpenSpiel")
    if spiel is None:
        return {}
    ismcts = imported("open_spiel.python.algorithms.ismcts", "OpenSpiel")
    mcts = imported("open_spiel.python.algorithms.mcts", "OpenSpiel")
    numpy = imported("numpy", "OpenSpiel")
    game, state = _first_trick(spiel)
    policy = spiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT

    def in_python(iterations: int) -> int:
        random = numpy.random.RandomState(1)
        bot = ismcts.ISMCTSBot(
            game=game,
            evaluator=mcts.RandomRolloutEvaluator(1, random),
            uct_c=EXPLORATION,
            max_simulations=iterations,
            random_state=random,
        )
        bot.step(state)
        return iterations

    def in_cpp(iterations: int) -> int:
        evaluator = spiel.RandomRolloutEvaluator(1, 1)
        spiel.ISMCTSBot(1, evaluator, EXPLORATION, iterations, -1, policy, False, False).step(state)
        return iterations

    return {"oh_hell_python": in_python, "oh_hell_cpp": in_cpp}


def _first_trick(spiel: Any) -> tuple[Any, Any]:
    """Return a game and its state at the first trick, with four players and ten cards each."""
    game = spiel.load_game("oh_hell(players=4,num_tricks_fixed=10)")
    state, rng, bids = game.new_initial_state(), Random(1), 0
    while state.is_chance_node() or bids < game.num_players():
        bids += not state.is_chance_node()
        state.apply_action(rng.choice(state.legal_actions()))
    return game, state


if __name__ == "__main__":
    print(table({"iterations_per_s": rates(rounds=5, iterations=4_000)}))
