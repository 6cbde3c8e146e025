"""Reading game nights in SQLite: every two seconds, so only those that are due, however many are planned."""

from pathlib import Path

from bot.store.sql.nights import TO_DO
from tests.bot.store.stores import new_database, plan


def test_of_planned_nights_only_those_that_are_due_or_of_some_guilds_are_read(tmp_path: Path) -> None:
    steps = plan(new_database(tmp_path / "palmhouse.sqlite3"), TO_DO, [1, "[7]"])
    assert [step for step in steps if step.startswith("SEARCH")] == [
        "SEARCH nights USING INDEX nights_to_do (phase=?)",
        "SEARCH nights USING INDEX nights_to_do (phase=? AND due<?)",
        "SEARCH nights USING INDEX nights_of_guilds (guild=? AND phase=? AND due>?)",
    ]
