"""Each measurement runs with the least amounts, and prints its figures. No test looks at the values."""

import asyncio
import json
from pathlib import Path

import pytest

from bench import strength
from bench.__main__ import SUBJECTS
from bench.players import Tap, open_match
from bench.process import Lab
from bench.report import middle, rounded, table
from tests.bot.forked import forked
from tests.e2e.card_room import card_room


@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_subject_is_measured(subject: str, tmp_path: Path) -> None:
    module = SUBJECTS[subject]
    figures = asyncio.run(module.measure(Lab(tmp_path, forked), module.TINY))
    assert json.loads(json.dumps(rounded(figures)))
    assert table(figures)


def test_figures_of_several_runs_are_printed_by_their_medians() -> None:
    runs = [{"game": "palmer", "waits": {"p50_ms": number, "p99_ms": None}} for number in (3.0, 1000.4, 2.0)]
    assert table(middle(runs)).split() == ["game", "palmer", "waits", "p50", "ms", "3.00", "p99", "ms", "–"]


def test_parts_with_the_same_figures_are_printed_side_by_side() -> None:
    printed = table({"games": {"palmer": {"step_us": 1.5}, "palace": {"step_us": 614_741}}})
    assert [line.split() for line in printed.splitlines()] == [
        ["games", "palmer", "palace"],
        ["step", "us", "1.50", "614,741"],
    ]


async def test_a_button_is_pressed_on_the_message_that_has_replaced_its_own(tmp_path: Path) -> None:
    async with card_room(tmp_path / "palmhouse.sqlite3") as here:
        alice = here.people[0]
        card = await open_match(here.room, *here.people[:2])
        await here.rest()
        assert card.thread is not None
        first, newer = [(await alice.slash(card.thread, "hand")).message for _ in range(2)]
        assert first is not None
        assert newer is not None
        alice.dismiss(first)
        assert (await Tap(alice, first, "2").press()).message is newer


def won(number: int) -> strength.Row:
    """Play a match in another process."""
    return {"number": number, "win": 1.0}


def test_stored_matches_are_not_played_again_and_half_a_line_is_no_match(tmp_path: Path) -> None:
    file = tmp_path / "matches.jsonl"
    file.write_text('{"number": 1, "win": 7.0}\n{"number": 0, "wi')
    rows = strength.played(file, "a match", 2, won)
    assert [row["win"] for row in rows] == [1.0, 7.0]


@pytest.mark.parametrize(
    ("game", "players", "sentence"),
    [
        ("palmer", ("steady", "wise", "random"), "Nobody is called wise"),
        ("palmer", ("steady", "random"), "Palmer is for 3 to 6 players, not for 2."),
        ("twin-it", ("steady", "random"), "In Twin It! the first one wins"),
    ],
)
def test_a_line_up_that_cannot_play_is_refused(game: str, players: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        strength.LineUp(game, players, 1)


@pytest.mark.parametrize(
    ("wins", "matches", "low", "high"), [(50, 100, 0.404, 0.596), (0, 40, 0.0, 0.088), (40, 40, 0.912, 1.0)]
)
def test_intervals_are_wilsons(wins: int, matches: int, low: float, high: float) -> None:
    assert strength.interval(wins, matches) == pytest.approx((low, high), abs=0.001)
