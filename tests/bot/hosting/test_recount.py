"""`python -m bot recount`: what the logs say is what the results, facts and ratings say."""

from pathlib import Path
from shutil import copy

import pytest

from bot.hosting.recount import recount, report
from bot.store import Recounted, StoreFailed, open_store
from tests.bot.store.stores import rows
from tests.bot.test_start import start
from tests.stored.releases import NEWEST


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a stored database with many finished matches, whose facts, ratings and milestones are lost."""
    path = Path(copy(NEWEST, tmp_path / "palmhouse.sqlite3"))
    for change in ("UPDATE results SET facts = '{}'", "DELETE FROM ratings", "DELETE FROM progress"):
        rows(path, change)
    return path


async def recounted(file: Path) -> str:
    store = await open_store(file)
    try:
        return await recount(store)
    finally:
        await store.close()


async def test_a_recount_fills_in_facts_and_ratings(file: Path) -> None:
    assert "corrected results of" in await recounted(file)
    assert rows(file, "SELECT count(*) FROM ratings")[0][0] > 0
    facts = rows(file, "SELECT DISTINCT game FROM results WHERE facts <> '{}'")
    assert {game for (game,) in facts} == {
        game for (game,) in rows(file, "SELECT DISTINCT game FROM results")
    }


@pytest.mark.parametrize(
    ("fault", "named"),
    [
        ("UPDATE results SET score = score + 1 WHERE match = ?", "results of 1: match"),
        ("UPDATE results SET facts = '{}' WHERE match = ?", "results of 1: match"),
        ("DELETE FROM results WHERE match = ?", "results of 1: match"),
        ("UPDATE ratings SET mu = mu + 1 WHERE match = ?", "ratings of 1: match"),
        ("DELETE FROM ratings WHERE match = ?", "ratings of 1: match"),
    ],
)
async def test_a_recount_mends_whatever_was_changed(file: Path, fault: str, named: str) -> None:
    await recounted(file)
    before = rows(file, "SELECT * FROM results"), rows(file, "SELECT * FROM ratings")
    ((match,),) = rows(file, "SELECT max(match) FROM ratings")
    rows(file, fault, match)
    assert f"{named} {match}" in await recounted(file)
    assert (rows(file, "SELECT * FROM results"), rows(file, "SELECT * FROM ratings")) == before


async def test_a_recount_fills_in_and_mends_milestones(file: Path) -> None:
    assert "milestones of" in await recounted(file)
    before = rows(file, "SELECT * FROM progress ORDER BY user")
    assert rows(file, "SELECT count(*) FROM progress WHERE earned <> '{}'")[0][0] > 0
    for fault in ("DELETE FROM progress", "UPDATE progress SET earned = '{}' WHERE earned <> '{}'"):
        rows(file, fault)
        assert "milestones of" in await recounted(file)
        assert rows(file, "SELECT * FROM progress ORDER BY user") == before  # bit for bit


async def test_a_log_that_does_not_replay_is_named_and_nothing_is_changed(file: Path) -> None:
    await recounted(file)
    rows(file, "UPDATE log SET body = 'nonsense' WHERE match = 1 AND kind = 'move'")
    before = rows(file, "SELECT * FROM results")
    with pytest.raises(StoreFailed, match="The log of match 1, which is over, does not replay"):
        await recounted(file)
    assert rows(file, "SELECT * FROM results") == before


def test_the_report_names_the_first_matches_only() -> None:
    assert report(Recounted(7, [], [], [])) == "Recounted 7 matches: everything was as stored."
    said = report(Recounted(2_000, [5], [*range(1, 1_001)], []))
    assert said.startswith(
        "Recounted 2,000 matches, and corrected results of 1: match 5; ratings of 1,000: matches 1, 2"
    )
    assert said.endswith("19, 20 ….")


async def test_the_command_reports_what_it_did_and_its_progress(file: Path) -> None:
    rows(file, "UPDATE alive SET at = 0")
    code, said = await start(file.parent, "recount", DATABASE_PATH=str(file))
    assert code == 0
    assert "matches" in said.splitlines()[0]
    assert rows(file, "SELECT count(*) FROM ratings")[0][0] > 0


async def test_without_a_database_there_is_nothing_to_recount(tmp_path: Path) -> None:
    code, said = await start(tmp_path, "recount", DATABASE_PATH=str(tmp_path / "none.sqlite3"))
    assert code == 1
    assert said.startswith("Nothing was recounted. ")
    assert "nothing to recount" in said
    assert not (tmp_path / "none.sqlite3").exists()
