"""Reading a leaderboard in SQLite: only through indexes, however many matches there are."""

import asyncio
from pathlib import Path

import pytest

from bot.store.sql import standings
from bot.store.sqlite.opening import connect
from bot.store.sqlite.store import SQLiteStore
from tests.bot.store.stores import ALICE, BEN, GUILD, new_database, plan


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return new_database(tmp_path / "palmhouse.sqlite3")


@pytest.mark.parametrize("since", [0, 1_000])
@pytest.mark.parametrize(("game", "pool"), [(None, None), ("palace", None), ("palace", "palace")])
def test_a_leaderboard_reads_one_index_of_results_and_no_whole_table(
    path: Path, game: str | None, pool: str | None, since: int
) -> None:
    steps = plan(path, *standings.leaderboard_query(GUILD, game, pool, since))
    found = "guild=? AND game=?" if game else "guild=?"
    assert f"SEARCH r USING COVERING INDEX results_by_guild ({found})" in steps
    assert "SEARCH o USING PRIMARY KEY (match=?)" in steps
    assert "SEARCH latest USING INDEX results_by_user (user=? AND ended=?)" in steps
    assert any(
        step.startswith("SEARCH n USING ") and "(match=? AND seat=?)" in step for step in steps
    ) == bool(pool)
    assert [step for step in steps if step.startswith("SCAN")] == ["SCAN s"]  # a row for each person


async def test_nobody_waits_while_a_leaderboard_is_read(path: Path) -> None:
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
    patient = await connect(path)
    store = SQLiteStore(path, await connect(path), patient, await connect(path))
    reading = asyncio.create_task(store._read_long(endless))
    await asyncio.sleep(0)
    assert await store.match(1) is None
    assert not reading.done()
    while not reading.done():
        await patient.interrupt()
        await asyncio.sleep(0.01)
    await asyncio.gather(reading, return_exceptions=True)
    await store.close()


def test_a_match_is_counted_without_reading_the_others(path: Path) -> None:
    assert plan(path, standings.COUNT, ["{}", 7]) == [
        "SEARCH matches USING INTEGER PRIMARY KEY (rowid=?)",
        "SCALAR SUBQUERY 1",
        "SEARCH matches USING COVERING INDEX counted_matches (counted>?)",
    ]


def test_the_latest_matches_of_a_person_are_found_by_person_and_time(path: Path) -> None:
    steps = plan(path, standings.FINISHES, [ALICE, 5, 20])
    assert steps == ["SEARCH results USING INDEX results_by_user (user=? AND ended>?)"]


def test_progress_is_found_by_person(path: Path) -> None:
    steps = plan(path, standings.PROGRESS, ["[1, 2]"])
    assert "SEARCH progress USING INTEGER PRIMARY KEY (rowid=?)" in steps


def test_present_ratings_are_found_by_person_and_pool(path: Path) -> None:
    steps = plan(path, standings.CURRENT, standings.current("palace", [ALICE, BEN]))
    assert [step for step in steps if "ratings" in step] == [
        "SEARCH ratings USING PRIMARY KEY (user=? AND pool=?)",
        "SEARCH ratings USING PRIMARY KEY (user=? AND pool=? AND n=?)",
    ]


def test_participants_are_read_by_the_index_of_aliases_and_then_by_person_and_pool(path: Path) -> None:
    steps = plan(path, standings.PARTICIPANTS, ["palace", 10, 5])
    assert steps[0] == "SCAN p USING COVERING INDEX preferences_by_alias"  # has participants only
    assert [step for step in steps if step.startswith(("SCAN", "USE"))] == steps[:1]
    assert "SEARCH r USING PRIMARY KEY (user=? AND pool=? AND n=?)" in steps
    assert "SEARCH last USING PRIMARY KEY (user=? AND pool=?)" in steps
