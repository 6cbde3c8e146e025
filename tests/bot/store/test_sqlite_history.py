"""Queries of profiles and histories: each begins at an index, so its time depends on one person's matches alone."""

import sqlite3
from pathlib import Path

import pytest

from bot.store import Selection
from bot.store.sql import history
from tests.bot.store.stores import ALICE, BEN, GUILD, opened

EVERYTHING = Selection(ALICE, GUILD, "palace", 1, BEN, 1, "palace", 1, 9, "exact", 3, 1)
SELECTIONS = (
    Selection(ALICE),
    Selection(ALICE, GUILD),
    Selection(ALICE, GUILD, "palace"),
    Selection(ALICE, GUILD, "palace", placing=1),
    Selection(ALICE, GUILD, other=BEN),
    Selection(ALICE, GUILD, other=BEN, ahead=-1),
    Selection(ALICE, GUILD, pool="palace"),
    Selection(ALICE, GUILD, since=1, until=9),
    Selection(ALICE, GUILD, "palace", fact="exact"),
    Selection(ALICE, GUILD, season=1),
    EVERYTHING,
)


@pytest.mark.parametrize("selection", SELECTIONS, ids=range(len(SELECTIONS)))
async def test_no_query_reads_a_whole_table(selection: Selection, tmp_path: Path) -> None:
    async with opened(tmp_path / "palmhouse.sqlite3"):
        db = sqlite3.connect(tmp_path / "palmhouse.sqlite3")
        queries = (
            history.placings_query(selection),
            history.number_query(selection),
            history.page_query(selection, 8, 8),
            history.results_query([1, 2]),
            history.ratings_query(ALICE, [1, 2]),
            history.fact_values_query(selection),
            history.best_win_query(selection, 10, 5.0),
        )
        plans = [
            [row[3] for row in db.execute(f"EXPLAIN QUERY PLAN {sql}", values)] for sql, *values in queries
        ]
        db.close()
    for plan in plans:
        read = [step for step in plan if step.startswith(("SCAN", "SEARCH"))]
        # json_each is a table of the values of one parameter or of one row.
        assert [step for step in read if step.startswith("SCAN") and "json_each" not in step] == [], plan
        assert not any("results_by_guild" in step for step in read), plan


async def test_matches_are_counted_and_paged_within_the_index(tmp_path: Path) -> None:
    async with opened(tmp_path / "palmhouse.sqlite3"):
        db = sqlite3.connect(tmp_path / "palmhouse.sqlite3")
        for sql, *values in (
            history.number_query(Selection(ALICE, GUILD, "palace", placing=1)),
            history.page_query(Selection(ALICE, GUILD), 8, 80),
            history.placings_query(Selection(ALICE, GUILD)),
        ):
            (step,) = [row[3] for row in db.execute(f"EXPLAIN QUERY PLAN {sql}", values)]
            assert "COVERING INDEX results_by_user (user=?" in step  # and no sorting
        db.close()
