"""The upgrade of a database file, by a migration that is made up here: all of it or nothing, and never back."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from bot.hosting.backup import back_up, silent
from bot.store import StoreRefused
from bot.store.sql.versions import SCRIPTS, versions
from bot.store.sqlite.opening import newest_version, prepare
from tests.bot.store.stores import copy_scripts, rows
from tests.stored.releases import NEWEST

NEXT = newest_version() + 1
LATER = """-- a table; and its first row
CREATE TABLE later (a INTEGER) STRICT;
CREATE TRIGGER t AFTER INSERT ON later
BEGIN
    UPDATE later SET a = a + 1;
END;
UPDATE matches SET seed = 'new';
INSERT INTO later VALUES (1);
"""
EVERYTHING = (
    "SELECT type, name, sql FROM sqlite_schema ORDER BY 2",
    "SELECT * FROM matches",
    "SELECT * FROM log",
    "PRAGMA user_version",
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = Path(shutil.copy(NEWEST, tmp_path))
    prepare(path)
    return path


@pytest.fixture
def scripts(tmp_path: Path) -> Path:
    """Return a folder with the scripts of the next version."""
    return copy_scripts(SCRIPTS, tmp_path / "scripts", LATER)


def content(path: Path) -> list[Any]:
    return [rows(path, query) for query in EVERYTHING]


def change(scripts: Path, old: str, new: str) -> None:
    script = versions(scripts)[NEXT]
    script.write_text(script.read_text().replace(old, new))


def test_versions_are_numbered_from_one_without_a_gap() -> None:
    assert [*versions(SCRIPTS)] == [*range(1, NEXT)]


async def test_an_upgrade_runs_once_and_the_version_before_refuses_it_untouched(
    file: Path, scripts: Path
) -> None:
    for _ in range(2):
        prepare(file, scripts)
    assert rows(file, "SELECT DISTINCT seed FROM matches") == [("new",)]
    assert rows(file, "SELECT a FROM later") == [(2,)]
    assert rows(file, "PRAGMA user_version") == [(NEXT,)]
    before = file.read_bytes()
    with pytest.raises(StoreRefused, match=rf"newer Palmhouse \(version {NEXT}; this one knows {NEXT - 1}\)"):
        prepare(file)
    assert file.read_bytes() == before


def test_a_new_database_runs_all_scripts(tmp_path: Path, scripts: Path) -> None:
    prepare(tmp_path / "new.sqlite3", scripts)
    assert rows(tmp_path / "new.sqlite3", "SELECT a FROM later") == [(2,)]


async def test_a_backup_from_before_an_upgrade_leads_back_and_can_be_upgraded(
    file: Path, scripts: Path, tmp_path: Path
) -> None:
    before = content(file)
    await back_up(file, tmp_path / "backup.sqlite3", silent)
    prepare(file, scripts)
    assert content(file) != before
    for target in ("old.sqlite3", "new.sqlite3"):
        shutil.copy(tmp_path / "backup.sqlite3", tmp_path / target)
    prepare(tmp_path / "old.sqlite3")
    prepare(tmp_path / "new.sqlite3", scripts)
    assert content(tmp_path / "old.sqlite3") == before
    assert content(tmp_path / "new.sqlite3") == content(file)


def test_an_upgrade_that_fails_is_rolled_back_and_can_be_repeated_once_corrected(
    file: Path, scripts: Path
) -> None:
    change(scripts, "(1)", "('not a number')")
    before = content(file)
    with pytest.raises(StoreRefused, match=r"palmhouse\.sqlite3 cannot be used: cannot store TEXT value"):
        prepare(file, scripts)
    assert content(file) == before
    change(scripts, "('not a number')", "(1)")
    prepare(file, scripts)
    assert rows(file, "PRAGMA user_version") == [(NEXT,)]


def test_a_script_that_ends_in_the_middle_of_a_statement_is_refused(file: Path, scripts: Path) -> None:
    change(scripts, "(1);", "(1);\nCREATE")
    before = content(file)
    with pytest.raises(StoreRefused, match="incomplete input"):
        prepare(file, scripts)
    assert content(file) == before
