"""Computer players of every game at every strength."""

import inspect
from random import Random
from typing import Any

import pytest

from games import GAMES, AnyGame
from games.advice import Expired
from games.strategies import STRENGTHS, Strength, advise, choose, real_time_player, strategy_of
from tests.toy.rules import GAME as TOY

WITH_ADVICE = {slug: game for slug, game in GAMES.items() if strategy_of(game) is not None}
THOUGHT = {slug: game for slug, game in WITH_ADVICE.items() if not game.real_time}
"""At games of speed computers are told apart by what they see and when, not by what they choose."""
every_game_with_advice = pytest.mark.parametrize("game", WITH_ADVICE.values(), ids=WITH_ADVICE)
every_strength = pytest.mark.parametrize("strength", STRENGTHS)


def up() -> bool:
    """Time is up at once: a search does the least it can."""
    return True


def positions(game: AnyGame, seed: int, most: int = 60) -> list[tuple[Any, int]]:
    """Positions of a match at random, each with a seat that is awaited."""
    rng = Random(seed)
    players = game.seats(game.Options())
    state, _ = game.new(game.Options(), players[min(2, len(players) - 1)], seed)
    found: list[tuple[Any, int]] = []
    while (awaited := game.awaited(state)) and len(found) < most:
        seat = rng.choice(awaited)
        found.append((game.copy(state), seat))
        game.step(state, seat, rng.choice(game.legal(state, seat)))
    return found


def test_the_card_games_have_advice() -> None:
    assert WITH_ADVICE.keys() >= {"charms", "palace", "palmer", "thirty-one", "twin-palms"}


@every_game_with_advice
@every_strength
def test_a_computer_does_what_is_legal_and_says_why(game: AnyGame, strength: Strength) -> None:
    for number, (state, seat) in enumerate(positions(game, seed=3)):
        advice = advise(game, game.view(state, seat), strength, number, up)
        assert advice.action in game.legal(state, seat), game.text(advice.action)
        assert 10 < len(advice.reason) <= 200
        assert advice.reason.endswith(".")
        assert not advice.reason[0].islower()


@every_game_with_advice
@every_strength
def test_the_same_view_and_seed_give_the_same_action(game: AnyGame, strength: Strength) -> None:
    state, seat = positions(game, seed=4)[-1]
    view = game.view(state, seat)
    assert choose(game, view, strength, "a move", up) == choose(game, view, strength, "a move", up)


@every_game_with_advice
def test_a_search_without_a_limit_of_time_replays(game: AnyGame) -> None:
    state, seat = positions(game, seed=5, most=9)[-1]
    view = game.view(state, seat)
    assert advise(game, view, "sharp", 1) == advise(game, view, "sharp", 1)


@every_game_with_advice
@every_strength
def test_what_a_view_does_not_show_changes_nothing(game: AnyGame, strength: Strength) -> None:
    """A computer in another world that looks the same does the same, and says the same of it."""
    for state, seat in positions(game, seed=6, most=12):
        view = game.view(state, seat)
        other = game.view(game.imagine(view, Random(9)), seat)
        assert advise(game, view, strength, 1, up) == advise(game, other, strength, 1, up)


def test_a_computer_gets_a_view_and_no_state() -> None:
    assert list(inspect.signature(choose).parameters) == ["game", "view", "strength", "seed", "expired"]


@every_game_with_advice
def test_a_forced_move_is_not_searched(game: AnyGame) -> None:
    def asked() -> bool:
        pytest.fail("the search asked for the time")

    limit: Expired = asked
    forced = [(state, seat) for state, seat in positions(game, 7, 400) if len(game.legal(state, seat)) == 1]
    for state, seat in forced[:5]:
        assert choose(game, game.view(state, seat), "sharp", 1, limit) == game.legal(state, seat)[0]


@pytest.mark.parametrize("game", THOUGHT.values(), ids=THOUGHT)
def test_a_casual_player_sometimes_does_otherwise_than_a_steady_one(game: AnyGame) -> None:
    views = [game.view(state, seat) for state, seat in positions(game, seed=8)]
    differ = sum(
        choose(game, view, "casual", n) != choose(game, view, "steady", n) for n, view in enumerate(views)
    )
    assert 0 < differ < len(views) * 0.6


@every_game_with_advice
def test_a_steady_player_follows_the_advice_whatever_the_seed(game: AnyGame) -> None:
    for state, seat in positions(game, seed=10, most=10):
        view = game.view(state, seat)
        assert len({choose(game, view, "steady", seed) for seed in range(5)}) == 1


def test_a_game_without_advice_is_played_harmlessly() -> None:
    state, _ = TOY.new(TOY.Options(), 2, 1)
    view = TOY.view(state, 0)
    assert strategy_of(TOY) is None
    assert choose(TOY, view, "sharp", 1) == TOY.fallback(state, 0)


@every_game_with_advice
@every_strength
def test_only_games_of_speed_have_real_time_players_and_they_act_on_what_shows(
    game: AnyGame, strength: Strength
) -> None:
    for state, seat in positions(game, seed=9):
        view = game.view(state, seat)
        other = game.view(game.imagine(view, Random(9)), seat)
        one, same = (real_time_player(game, each, strength, "a seed") for each in (view, other))
        assert (one is not None) == (same is not None) == game.real_time
        if one is not None and same is not None:
            assert one.observe(view, 1_000) == same.observe(other, 1_000)
