"""The strength of computer players: its figures, the stored matches, and going on after a stop."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from bench import search, strength_suite
from bench.strength import Row, check, interval, measure, play
from games import GAMES
from games.strategies import strategy_of

LINE_UP = ("steady", "random", "random")


def stored(folder: Path) -> list[dict[str, float]]:
    (path,) = folder.rglob("*.jsonl")
    return [json.loads(line) for line in path.read_text().splitlines() if line.endswith("}")]


def test_a_line_up_is_measured_and_every_match_is_stored(tmp_path: Path) -> None:
    found = measure("palmer", LINE_UP, 6, tmp_path)
    assert found.matches == 6
    assert found.low < found.win_rate <= found.high
    assert found.margin_low <= found.margin <= found.margin_high
    assert found.chance == pytest.approx(1 / 3, abs=0.001)
    assert {"win_rate", "low", "high", "margin", "cpu_ms_per_move"} < json.loads(
        json.dumps(asdict(found))
    ).keys()
    assert sorted(row["number"] for row in stored(tmp_path)) == [0, 1, 2, 3, 4, 5]


def test_what_is_stored_is_not_played_again_and_half_a_line_is_no_match(tmp_path: Path) -> None:
    measure("palmer", LINE_UP, 3, tmp_path)
    (path,) = tmp_path.rglob("*.jsonl")
    (kept,) = [line for line in path.read_text().splitlines() if '"number": 1' in line]
    path.write_text(kept + '\n{"number": 0, "wi')
    assert measure("palmer", LINE_UP, 3, tmp_path).matches == 3
    assert path.read_text().startswith(kept)
    assert sorted(row["number"] for row in stored(tmp_path)) == [0, 1, 2]


@pytest.mark.parametrize(
    ("game", "line_up"), [("thirty-one", LINE_UP), ("twin-it", ("sharp", "steady", "casual"))]
)
def test_a_match_replays(game: str, line_up: tuple[str, ...]) -> None:
    def fared(row: Row) -> tuple[float, float, int]:
        return row.win, row.margin, row.moves

    assert fared(play(game, line_up, 4)) == fared(play(game, line_up, 4))


@pytest.mark.parametrize(
    ("game", "line_up", "sentence"),
    [
        ("poker", LINE_UP, "There is no game poker"),
        ("palmer", ("steady", "wise", "random"), "Nobody is called wise"),
        ("palmer", ("steady", "random"), "Palmer is for 3 to 6 players, not for 2."),
        ("twin-it", ("steady", "random"), "In Twin It! the first one wins"),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_sentence(
    game: str, line_up: tuple[str, ...], sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence):
        check(game, line_up)


@pytest.mark.parametrize(
    ("wins", "matches", "low", "high"), [(50, 100, 0.404, 0.596), (0, 40, 0.0, 0.088), (40, 40, 0.912, 1.0)]
)
def test_intervals_are_wilsons(wins: int, matches: int, low: float, high: float) -> None:
    assert interval(wins, matches) == pytest.approx((low, high), abs=0.001)


def test_every_game_with_advice_is_in_the_suite_with_random_players_unless_it_is_one_of_speed() -> None:
    for slug, game in GAMES.items():
        firsts = {each.players[0] for each in strength_suite.line_ups() if each.game == slug}
        expected = {"sharp", "casual", *([] if game.real_time else ["steady"])}
        assert firsts == (expected if strategy_of(game) else set())
    for each in strength_suite.line_ups():
        check(each.game, each.players)


def test_the_search_is_timed() -> None:
    found = search.measure(search.Sizes(rounds=1, iterations=100))
    assert found.twin_palms > 0
    assert "iterations a second" in search.summary(found)
