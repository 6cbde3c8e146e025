"""Computer players of every game at every strength."""

import inspect
from random import Random
from typing import Any

import pytest

from games import GAMES, AnyGame
from games.advice import STRENGTHS, Expired, Strength
from games.strategies import advise, choose, real_time_player, strategy_of
from games.types import Seat
from tests.seats import FIRST
from tests.toy import GAME as TOY

WITH_ADVICE = {slug: game for slug, game in GAMES.items() if strategy_of(game) is not None}
THOUGHT = {slug: game for slug, game in WITH_ADVICE.items() if not game.real_time}
"""Games without real time. In the others the strengths differ in what a computer sees and when, not in its choice."""
every_game_with_advice = pytest.mark.parametrize("game", WITH_ADVICE.values(), ids=WITH_ADVICE)
every_strength = pytest.mark.parametrize("strength", STRENGTHS)


def time_is_up() -> bool:
    """Return True: the time is up at once, so a search does the minimum."""
    return True


def random_positions(game: AnyGame, seed: int, most: int = 60) -> list[tuple[Any, Seat]]:
    """Return positions of a random match, each with an awaited seat."""
    rng = Random(seed)
    players = game.seats(game.Options())
    state, _ = game.new(game.Options(), players[min(2, len(players) - 1)], seed)
    found: list[tuple[Any, Seat]] = []
    while (awaited := game.awaited(state)) and len(found) < most:
        seat = rng.choice(awaited)
        found.append((state.copy(), seat))
        game.step(state, seat, rng.choice(game.legal(state, seat)))
    return found


def test_the_card_games_have_computer_players() -> None:
    assert WITH_ADVICE.keys() >= {"charms", "palace", "palmer", "thirty-one", "twin-palms"}


@every_game_with_advice
@every_strength
def test_a_computer_makes_a_legal_move_and_gives_a_reason(game: AnyGame, strength: Strength) -> None:
    for number, (state, seat) in enumerate(random_positions(game, seed=3)):
        advice = advise(game, game.view(state, seat), strength, number, time_is_up)
        assert advice.action in game.legal(state, seat), game.text(advice.action)
        assert 10 < len(advice.reason) <= 200
        assert advice.reason.endswith(".")
        assert not advice.reason[0].islower()


@every_game_with_advice
@every_strength
def test_the_same_view_and_seed_give_the_same_action(game: AnyGame, strength: Strength) -> None:
    state, seat = random_positions(game, seed=4)[-1]
    view = game.view(state, seat)
    assert choose(game, view, strength, "a move", time_is_up) == choose(
        game, view, strength, "a move", time_is_up
    )


@every_game_with_advice
def test_a_search_without_a_time_limit_is_reproducible(game: AnyGame) -> None:
    state, seat = random_positions(game, seed=5, most=9)[-1]
    view = game.view(state, seat)
    assert advise(game, view, "sharp", 1) == advise(game, view, "sharp", 1)


@every_game_with_advice
@every_strength
def test_the_advice_depends_only_on_the_view(game: AnyGame, strength: Strength) -> None:
    """In an imagined state with the same view a computer makes the same move and gives the same reason."""
    for state, seat in random_positions(game, seed=6, most=12):
        view = game.view(state, seat)
        other = game.view(game.imagine(view, Random(9)), seat)
        assert advise(game, view, strength, 1, time_is_up) == advise(game, other, strength, 1, time_is_up)


def test_a_computer_is_given_a_view_and_not_the_state() -> None:
    assert list(inspect.signature(choose).parameters) == ["game", "view", "strength", "seed", "expired"]


@every_game_with_advice
def test_a_forced_move_is_made_without_a_search(game: AnyGame) -> None:
    def asked() -> bool:
        pytest.fail("the search asked for the time")

    limit: Expired = asked
    forced = [
        (state, seat) for state, seat in random_positions(game, 7, 400) if len(game.legal(state, seat)) == 1
    ]
    for state, seat in forced[:5]:
        assert choose(game, game.view(state, seat), "sharp", 1, limit) == game.legal(state, seat)[0]


@pytest.mark.parametrize("game", THOUGHT.values(), ids=THOUGHT)
def test_a_casual_player_sometimes_chooses_differently_from_a_steady_one(game: AnyGame) -> None:
    views = [game.view(state, seat) for state, seat in random_positions(game, seed=8)]
    differ = sum(
        choose(game, view, "casual", n) != choose(game, view, "steady", n) for n, view in enumerate(views)
    )
    assert 0 < differ < len(views) * 0.6


@every_game_with_advice
def test_a_steady_player_follows_the_advice_with_any_seed(game: AnyGame) -> None:
    for state, seat in random_positions(game, seed=10, most=10):
        view = game.view(state, seat)
        assert len({choose(game, view, "steady", seed) for seed in range(5)}) == 1


def test_in_a_game_without_advice_the_computer_makes_the_fallback_move() -> None:
    state, _ = TOY.new(TOY.Options(), 2, 1)
    view = TOY.view(state, FIRST)
    assert strategy_of(TOY) is None
    assert choose(TOY, view, "sharp", 1) == TOY.fallback(state, FIRST)


@every_game_with_advice
@every_strength
def test_only_in_real_time_games_a_computer_acts_unasked_and_only_on_its_view(
    game: AnyGame, strength: Strength
) -> None:
    for state, seat in random_positions(game, seed=9):
        view = game.view(state, seat)
        other = game.view(game.imagine(view, Random(9)), seat)
        one, same = (real_time_player(game, each, strength, "a seed") for each in (view, other))
        assert (one is not None) == (same is not None) == game.real_time
        if one is not None and same is not None:
            assert one.observe(view, 1_000) == same.observe(other, 1_000)
