"""Queries of profiles and histories: each begins at an index, so its time depends on one person's matches alone."""

from pathlib import Path

import pytest

from bot.store import Selection
from bot.store.sql import history
from tests.bot.store.stores import ALICE, BEN, GUILD, new_database, plan

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


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return new_database(tmp_path / "palmhouse.sqlite3")


def test_no_query_reads_a_whole_table(path: Path) -> None:
    queries = [history.results_query([1, 2]), history.ratings_query(ALICE, [1, 2])]
    for selection in SELECTIONS:
        queries += [
            history.placings_query(selection),
            history.number_query(selection),
            history.page_query(selection, 8, 8),
            history.fact_values_query(selection),
            history.best_win_query(selection, 10, 5.0),
        ]
    for sql, *values in queries:
        read = [step for step in plan(path, sql, values) if step.startswith(("SCAN", "SEARCH"))]
        # json_each is a table of the values of one parameter or of one row.
        assert [step for step in read if step.startswith("SCAN") and "json_each" not in step] == [], sql
        assert not any("results_by_guild" in step for step in read), sql


def test_matches_are_counted_and_paged_within_the_index(path: Path) -> None:
    for sql, *values in (
        history.number_query(Selection(ALICE, GUILD, "palace", placing=1)),
        history.page_query(Selection(ALICE, GUILD), 8, 80),
        history.placings_query(Selection(ALICE, GUILD)),
    ):
        (step,) = plan(path, sql, values)
        assert "COVERING INDEX results_by_user (user=?" in step  # and no sorting
