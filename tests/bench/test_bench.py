"""The measurements run, and their figures have the keys that other programs read. No test looks at the values."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from bench import (
    boards,
    clicks,
    disk,
    engines,
    guilds,
    hands,
    layout,
    load,
    matches,
    pictures,
    process,
    stores,
    twin_it,
)
from bench.report import table
from games import GAMES
from tests.bot.forked import forked
from tests.browser import chromium

MACHINE = "python system cores load"
PACE = "decisions_per_second decisions_per_match"
GAME = {
    **dict.fromkeys(["step", "apply"], PACE),
    "": "players apply_to_step step_to_oh_hell apply_to_oh_hell step_to_uno apply_to_uno "
    "copy_us view_us imagine_us replay_ms",
}
WAIT = "p50_ms p99_ms"
DRAWING = "p50_ms p90_ms cpu_ms kbytes most_kbytes"
CLICKS = {
    "machine": MACHINE,
    "latency": {
        **dict.fromkeys(["ok", "move", "move_without_fsync"], WAIT),
        "calls_per_move": "total answers posts edits uploaded_kb",
        "cpu_ms_per_move": "bot rasterizer",
        "": "moves fsync_p50_ms move_to_ok move_without_fsync_to_ok",
    },
    "company": {**dict.fromkeys(["quiet", "thinking"], WAIT), "": "computers p99_to_quiet"},
    "memory": "tables idle_mib one_table_mib all_tables_mib kib_per_table hands kib_per_hand",
    "start": dict.fromkeys(["one", "many"], "matches start_s gap_s click_in_gap_answered"),
}
PICTURES = {
    "machine": MACHINE,
    "spread": "faces first_ms p50_ms p90_ms cpu_ms kbytes sprites_mib",
    "loop": "tables idle_p99_ms drawing_p99_ms",
}

MATCH = (
    "moves seconds messages_in_thread messages_in_channel posts_per_move edits_per_move deletes_per_move "
    "calls_per_move uploaded_kb_per_move taps_per_move most_taps"
)

HANDS = (
    "moves taps_per_move my_hand_per_move refused changed p50_s p95_s most_s agrees agrees_or_recent late_picture "
    "in_words misleads calls_per_move limited_calls_per_move uploaded_kb_per_move disagreements"
)
LAYOUT = "moves jumps_per_move most_jumps shifts_per_move"

CLICK_WAITS = f"clicks {WAIT}"
TWIN_IT = {
    "machine": MACHINE,
    "grabbing": {
        **dict.fromkeys(["won", "changed", "silent"], CLICK_WAITS),
        "": "refused calls_per_click edits_per_second",
    },
}


STEP = "answers_per_s p50_ms p99_ms deferred failed"
RUSH = "acts first_p50_ms first_p99_ms p99_ms deferred failed"
BOT = "bot rasterizer"


def run_under_load(bot: str) -> dict[str, Any]:
    """Return the layout of a run of these processes and the sandbox."""
    cpu = f"{bot} sandbox"
    return {
        "steps": {"5 per s": {"": STEP, "cpu_ms": cpu, "mib": f"{bot} all"}},
        "rush": {"": RUSH, "cpu_ms": cpu},
        "": "per_s",
    }


LOAD = {
    "machine": MACHINE,
    "baseline": run_under_load("bot"),
    "sqlite": run_under_load(BOT),
    "postgresql": run_under_load(f"{BOT} postgresql"),
    "two_processes": run_under_load(f"{BOT} postgresql"),
    "": "tables sqlite_to_baseline postgresql_to_sqlite two_processes_to_one",
}


def keys(expected: Any) -> set[str]:
    """Return the dotted names of a layout; under "" are the names beside the nested ones."""
    if isinstance(expected, str):
        return set(expected.split())
    return {f"{name}.{key}" if name else key for name, below in expected.items() for key in keys(below)}


def found(figures: Mapping[str, Any]) -> set[str]:
    """Return the dotted names of all values that are no objects."""
    names = set()
    for name, value in figures.items():
        names |= {f"{name}.{key}" for key in found(value)} if isinstance(value, Mapping) else {name}
    return names


def read_back(figures: object) -> Any:
    return json.loads(json.dumps(asdict(figures)))  # type: ignore[call-overload]


@pytest.fixture(autouse=True)
def forks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fork the bots that are measured: their imports would take most of the time."""
    monkeypatch.setattr(process, "started", forked)


def test_engines_are_measured_beside_the_peers_there_are() -> None:
    figures = read_back(
        engines.measure(
            engines.Sizes(rounds=1, seconds=0), {"oh_hell": lambda: lambda _: 44, "uno": lambda: None}
        )
    )
    games = dict.fromkeys(GAMES, GAME)
    assert found(figures) == keys({"machine": MACHINE, "oh_hell": PACE, "": "uno", "games": games})
    for game in figures["games"].values():
        assert game["step_to_oh_hell"] is not None
        assert game["step_to_uno"] is None


@pytest.mark.usefixtures("postgresql")
async def test_a_load_is_measured_beside_the_baseline_bot(tmp_path: Path) -> None:
    sizes = load.Sizes(servers=2, tables=3, rates=(5,), seconds=1)
    assert found(read_back(await load.measure(sizes, tmp_path))) == keys(LOAD)
    assert [*tmp_path.iterdir()] == []


async def test_servers_and_reconnects_are_measured() -> None:
    figures = read_back(await guilds.measure(servers=3, few=2, reconnects=0))
    layout = "none_mib all_mib kb_per_server start_cpu_ms_per_server few reconnects reconnected_mib servers"
    assert found(figures) == keys({"machine": MACHINE, "": layout})
    assert len(figures["reconnected_mib"]) == 1


async def test_clicks_memory_and_start_are_measured(tmp_path: Path) -> None:
    figures = read_back(
        await clicks.measure(clicks.Sizes(rounds=1, computers=1, tables=2, matches=3), tmp_path)
    )
    assert found(figures) == keys(CLICKS)
    assert figures["latency"]["moves"] >= 4 * 6
    assert list(tmp_path.iterdir()) == []


async def test_pictures_are_measured() -> None:
    figures = read_back(await pictures.measure(pictures=2, tables=1))
    assert found(figures) == keys(PICTURES)
    assert figures["spread"]["faces"] == 25


async def test_the_disk_that_matches_take_is_measured() -> None:
    figures = read_back(await disk.measure(matches=len(GAMES) + 1))
    form = "bytes_per_match bytes_of_log_per_match mb_for_100_000 recount_s"
    del figures["tables"]
    layout = {
        "machine": MACHINE,
        **dict.fromkeys(["rows", "packed"], form),
        "transactions": "number p50_ms p99_ms all_s",
        "games": dict.fromkeys(
            GAMES, "entries_per_match packed_bytes_per_match packed_bytes_per_200_entries"
        ),
        "": "matches entries_per_match bytes_per_match_of_200_entries pack_ms unpack_ms",
    }
    assert found(figures) == keys(layout)


async def test_a_file_and_a_server_are_measured(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", database_url)
    found = await stores.measure(moves=5, tables=3)
    assert found.server is not None
    for speed in (found.file, found.server):
        assert min(speed.move_p50_ms, speed.read_p50_ms, speed.moves_per_second_at_many_tables) > 0


async def test_clicks_at_twin_it_are_measured(tmp_path: Path) -> None:
    figures = read_back(await twin_it.measure(seconds=2, data=tmp_path))
    assert found(figures) == keys(TWIN_IT)
    assert figures["grabbing"]["refused"] == 0


async def test_pictures_and_clicks_beside_them_are_measured() -> None:
    figures = read_back(await boards.measure(pictures=2, tables=1, clicks=3))
    games = dict.fromkeys(GAMES, DRAWING)
    clicks_ = {"": "tables drawing_to_idle_p99", "idle": WAIT, "drawing": WAIT}
    layout = {"machine": MACHINE, "tables": games, "hands": games, "": "sprites_mib", "clicks": clicks_}
    assert found(figures) == keys(layout)


async def test_whole_matches_are_measured_by_messages_requests_and_taps(tmp_path: Path) -> None:
    shortest = {"thirty-one": {"tokens": 1}, "twin-it": {"sets_to_win": 1, "singles": 1}}
    figures = read_back(await matches.measure([*shortest], options=shortest, data=tmp_path))
    assert found(figures) == keys({"machine": MACHINE, "games": dict.fromkeys(shortest, MATCH), "": "pause"})
    cards, race = figures["games"].values()
    assert cards["moves"] >= 4
    assert cards["messages_in_thread"] > 0
    assert cards["taps_per_move"] >= 2
    assert race["taps_per_move"] == 1
    assert list(tmp_path.iterdir()) == []


async def test_hands_are_compared_with_their_table_while_people_play_through_them(tmp_path: Path) -> None:
    slug, most = "thirty-one", 6
    figures = read_back(await hands.measure([slug], pause=0.1, most=most, data=tmp_path))
    assert found(figures) == keys({"machine": MACHINE, "games": {slug: HANDS}, "": "pause"})
    assert figures["games"][slug]["moves"] >= most
    assert list(tmp_path.iterdir()) == []


async def test_jumps_of_the_layout_are_counted_in_a_browser(tmp_path: Path) -> None:
    chromium.needed()
    slug = "thirty-one"
    figures = read_back(await layout.measure([slug], moves=1, data=tmp_path))
    assert found(figures) == keys({"machine": MACHINE, "games": {slug: LAYOUT}})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("figure", "shown"), [(None, "not measured"), (0.5, "0.50"), (614741.0, "614,741"), (5000, "5,000")]
)
def test_a_table_has_a_line_for_each_figure(figure: float | None, shown: str) -> None:
    assert table({"one_bot": {"p50_ms": figure}}).split("\n")[1].split() == ["p50", "ms", *shown.split()]
