"""A cut of the power keeps what was synced, and loses the rest or not."""

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

from tests.simulation.power import Written, latest_commit, torn

CUTS = 60


def cut(folder: Path, chance: Random, *, lies: bool = False) -> list[str]:
    """Sync one row, write another one, cut the power, and return the rows that are left. A disk that `lies` has not
    synced the first one either."""
    path, log = folder / "db.sqlite3", folder / "db.sqlite3-wal"
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("CREATE TABLE rows (row TEXT)")
        before = written(path)
        db.execute("INSERT INTO rows VALUES ('synced')")
        synced = before if lies else written(path)
        db.execute("INSERT INTO rows VALUES ('not')")
        database, left = path.read_bytes(), torn(log.read_bytes(), synced, written(path), chance)
    path.write_bytes(database)
    log.write_bytes(left)
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return [row for (row,) in db.execute("SELECT row FROM rows")]


def written(path: Path) -> Written:
    found = Written.of(path)
    assert found is not None
    return found


def results(folder: Path, *, lies: bool) -> set[tuple[str, ...]]:
    found = set()
    for n in range(CUTS):
        (folder / str(n)).mkdir()
        found.add(tuple(cut(folder / str(n), Random(n), lies=lies)))
    return found


def test_what_was_synced_is_kept_and_what_was_not_is_lost_or_whole(tmp_path: Path) -> None:
    assert results(tmp_path, lies=False) == {("synced",), ("synced", "not")}


def test_a_disk_that_says_synced_too_early_loses_more(tmp_path: Path) -> None:
    assert () in results(tmp_path, lies=True)


def test_an_index_that_a_full_disk_cut_off_is_none(tmp_path: Path) -> None:
    Path(f"{tmp_path / 'db'}-shm").write_bytes(bytes(60))
    assert Written.of(tmp_path / "db") is None
    assert latest_commit(tmp_path / "db") == b""
