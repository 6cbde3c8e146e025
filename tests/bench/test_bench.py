"""Each measurement runs with the least amounts, and prints its figures. No test looks at the values."""

import asyncio
import json
from pathlib import Path

import pytest

from bench import strength
from bench.__main__ import SUBJECTS
from bench.process import Lab
from bench.report import middle, rounded, table
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
    "computers": {**dict.fromkeys(["quiet", "thinking"], WAIT), "": "computers p99_to_quiet"},
    "memory": "tables idle_mib one_table_mib all_tables_mib kib_per_table hands kib_per_hand",
    "start": dict.fromkeys(["one", "many"], "matches start_s gap_s click_in_gap_answered"),
}
DISTANCES = "any_two near_twins"
PICTURES = {
    "machine": MACHINE,
    "spread": "faces first_ms p50_ms p90_ms cpu_ms kbytes sprites_mib",
    "loop": "tables idle_p99_ms drawing_p99_ms",
    "distances": dict.fromkeys(["all cones", "protanopia", "deuteranopia", "tritanopia"], DISTANCES),
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

POOL = {
    "computers": " ".join(STRENGTHS),
    "log_loss": "coin defaults fitted known",
    "bins": {f"{number}": "forecast share" for number in range(1, 11)},
    "": "matches beta tau worst_bin settled_after",
}

CLICK_WAITS = f"clicks {WAIT}"
TWIN_IT = {
    "machine": MACHINE,
    "clicks": {
        **dict.fromkeys(["won", "changed", "silent"], CLICK_WAITS),
        "": "refused calls_per_click edits_per_second",
    },
    "races": {
        f"{strength}, {players} players": "points each_a_minute verdict"
        for strength in STRENGTHS
        for players in (1, 2, 4, 6)
    },
}


def test_figures_of_several_runs_are_printed_by_their_medians() -> None:
    runs = [{"game": "palmer", "waits": {"p50_ms": number, "p99_ms": None}} for number in (3.0, 1000.4, 2.0)]
    assert table(middle(runs)).split() == ["game", "palmer", "waits", "p50", "ms", "3.00", "p99", "ms", "–"]


def test_parts_with_the_same_figures_are_printed_side_by_side() -> None:
    printed = table({"games": {"palmer": {"step_us": 1.5}, "palace": {"step_us": 614_741}}})
    assert [line.split() for line in printed.splitlines()] == [
        ["games", "palmer", "palace"],
        ["step", "us", "1.50", "614,741"],
    ]


def won(number: int) -> strength.Row:
    """Play a match in another process."""
    return {"number": number, "win": 1.0}


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


async def test_clicks_beside_a_backup_are_measured(tmp_path: Path) -> None:
    figures = read_back(await backup.measure(backup.Sizes(megabytes=5, backups=1), tmp_path))
    waits = dict.fromkeys(["alone", "beside"], WAIT)
    layout = {"machine": MACHINE, **waits, "": "megabytes backup_s moves p50_ratio p99_ratio"}
    assert found(figures) == keys(layout)
    assert figures["moves"] > 0
    assert 4 < figures["megabytes"] < 7
    assert list(tmp_path.iterdir()) == []


def test_deals_are_measured() -> None:
    figures = read_back(deals.measure(rounds=1))
    game = "players entries ms ms_for_200 kbytes"
    assert found(figures) == keys({"machine": MACHINE, "games": dict.fromkeys(GAMES, game)})


async def test_pictures_and_designs_are_measured() -> None:
    figures = read_back(await pictures.measure(pictures=2, tables=1, designs=7))
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


async def test_standings_are_measured_in_a_database_of_any_size() -> None:
    figures = read_back(await standings.measure(results=400))
    readings = {
        *(
            "leaderboard_all_games",
            "leaderboard_ratings",
            "leaderboard_everywhere",
            "profile_placings",
            "profile_facts",
            "profile_best_win",
        ),
        *("profile_chart", "history_page", "ratings_of_six", "rating_steps"),
    }
    layout = {
        "machine": MACHINE,
        "": "results bytes_per_match",
        "readings": dict.fromkeys(readings, "p50_ms p99_ms"),
        "recording": "p50_ms p99_ms bare_p50_ms to_bare",
        "recount": "matches seconds again_seconds same_bit_for_bit",
    }
    assert found(figures) == keys(layout)
    assert figures["recount"]["same_bit_for_bit"]
    assert figures["recount"]["matches"] >= 400 / 6


async def test_clicks_at_twin_it_and_points_in_races_are_measured(tmp_path: Path) -> None:
    figures = read_back(await twin_it.measure(seconds=2, races=1, data=tmp_path))
    assert found(figures) == keys(TWIN_IT)
    assert figures["clicks"]["refused"] == 0


def test_in_a_race_of_the_usual_length_every_verdict_is_within_reach() -> None:
    assert race_points.reach(races=2) == {"better luck next time", "prospects", "experts", "geniuses"}


async def test_pictures_and_clicks_beside_them_are_measured() -> None:
    figures = read_back(await boards.measure(pictures=2, tables=1, clicks=3))
    games = dict.fromkeys(GAMES, DRAWING)
    clicks_ = {"": "tables drawing_to_idle_p99", "idle": WAIT, "drawing": WAIT}
    layout = {"machine": MACHINE, "tables": games, "hands": games, "": "sprites_mib", "clicks": clicks_}
    assert found(figures) == keys(layout)


def test_replays_are_measured() -> None:
    figures = read_back(replays.measure(5, drawn=2))
    step = "steps fold_ms step_p50_ms step_p90_ms step_cpu_ms page_ms page_kbytes"
    memory = {"": "replays mib"}
    assert found(figures | {"memory": figures["memory"][0]}) == keys(
        {"machine": MACHINE, "games": dict.fromkeys(GAMES, step), "memory": memory}
    )
    assert [sample["replays"] for sample in figures["memory"]] == [1, 2, 3, 4, 5]


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


def test_ratings_are_fitted_to_stored_matches(tmp_path: Path) -> None:
    figures = read_back(ratings.measure("palmer", 40, tmp_path))
    assert found(figures) == keys({"machine": MACHINE, "pools": {"palmer": POOL}})
    (path,) = tmp_path.iterdir()
    stored = path.read_text()
    path.write_text(stored + '\n{"number": 40, "stren')
    again = read_back(ratings.measure("palmer", 40, tmp_path))
    assert again["pools"] == figures["pools"]
    assert path.read_text().startswith(stored)


def test_every_pool_has_line_ups_of_the_number_of_seats_its_game_allows() -> None:
    for pool, played in rated_matches.tables().items():
        game = GAMES[played.game]
        seats = {len(rated_matches.line_up(pool, number)) for number in range(60)}
        allowed = game.seats(game.Options(**played.options))
        assert seats == {number for number in allowed if number <= 5}


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
