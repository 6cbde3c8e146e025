"""Which files the house opens, and how it refuses the others: with a sentence, and without a touch."""

import asyncio
import os
import resource
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from bot.store import StoreRefused, open_store
from bot.store.sqlite.opening import ANSWERABLE, MIGRATIONS, connect, prepare
from tests.store.stores import lobby, move, opened

NOBODY = 65_534
"""A user without rights."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where nothing is yet."""
    return tmp_path / "house.sqlite3"


@pytest.fixture
async def kept(path: Path) -> Path:
    """A database with a match of some length, closed."""
    async with opened(path) as store:
        match = await lobby(store)
        await store.append(match.id, [move(n) for n in range(2, 200)])
    return path


def everything(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, but SQLite's index of the write-ahead log: it is rebuilt at will."""
    return {file.name: file.read_bytes() for file in folder.iterdir() if not file.name.endswith("-shm")}


def run(path: Path, script: str) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.executescript(script)


def ask(path: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as db:
        return db.execute(query).fetchall()


def refusal(path: Path) -> str:
    """The sentence with which `path` is refused; it names the path, and the folder is left as it was."""
    before = everything(path.parent)
    with pytest.raises(StoreRefused) as refused:
        prepare(path)
    assert everything(path.parent) == before
    assert str(path) in str(refused.value)
    return str(refused.value)


# What is opened


async def test_a_missing_folder_is_made(tmp_path: Path) -> None:
    async with opened(tmp_path / "some" / "where" / "house.sqlite3") as store:
        assert await store.open_matches() == []


async def test_what_was_kept_is_there_after_a_restart_and_the_house_leaves_one_file(path: Path) -> None:
    async with opened(path) as store:
        match = await lobby(store)
        await store.append(match.id, [move(2)])
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    async with opened(path) as store:
        assert await store.match(match.id) == match
        assert len(await store.log(match.id)) == 2


def test_a_path_may_hold_what_an_address_may_not(tmp_path: Path) -> None:
    """SQLite is given an address to look at; it must be that of this very file."""
    path = tmp_path / "a b?c#d%20é" / "house.sqlite3"
    prepare(path)
    run(path, "PRAGMA user_version = 99")
    assert "newer Palmhouse" in refusal(path)
    assert list(tmp_path.iterdir()) == [path.parent]


def test_an_empty_file_is_a_fresh_start(path: Path) -> None:
    path.touch()
    prepare(path)
    assert ask(path, "SELECT * FROM matches") == []


def test_a_first_start_that_was_killed_half_way_is_begun_anew(tmp_path: Path, path: Path) -> None:
    halfway = tmp_path / "halfway"
    with closing(sqlite3.connect(halfway, isolation_level=None)) as db:
        db.executescript("PRAGMA cache_size = 1; BEGIN; CREATE TABLE half (way TEXT);")
        db.executemany("INSERT INTO half VALUES (?)", [("x" * 3_000,)] * 50)
        shutil.copy(halfway, path)
        shutil.copy(f"{halfway}-journal", f"{path}-journal")
    assert path.stat().st_size > 0
    prepare(path)
    assert ask(path, "SELECT name FROM sqlite_schema WHERE name = 'half'") == []


async def test_two_houses_that_start_together_make_one_database(path: Path) -> None:
    await asyncio.gather(*(asyncio.to_thread(prepare, path) for _ in range(4)))
    assert ask(path, "PRAGMA user_version") == [(len(list(MIGRATIONS.iterdir())),)]


async def test_a_commit_waits_for_the_disk_and_keys_are_kept(path: Path) -> None:
    prepare(path)
    for query_only in (False, True):
        db = await connect(path, query_only=query_only)
        pragmas = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout", "query_only")
        values = [next(iter(await db.execute_fetchall(f"PRAGMA {pragma}")))[0] for pragma in pragmas]
        await db.close()
        assert values == ["wal", 2, 1, ANSWERABLE, query_only]


# What is refused


async def test_a_refused_database_is_not_opened(path: Path) -> None:
    run(path, "CREATE TABLE cookies (name TEXT)")
    with pytest.raises(StoreRefused):
        await open_store(path)


def test_a_database_of_a_newer_version_is_refused_untouched(kept: Path) -> None:
    run(kept, "PRAGMA user_version = 99")
    assert f"newer Palmhouse (version 99; this one knows {len(list(MIGRATIONS.iterdir()))})" in refusal(kept)
    assert list(kept.parent.iterdir()) == [kept]


def test_a_newer_version_that_was_killed_is_refused_untouched(tmp_path: Path, kept: Path) -> None:
    """Its version stands in the write-ahead log alone, and opening and closing would fold that in."""
    killed = tmp_path / "killed" / "house.sqlite3"
    killed.parent.mkdir()
    with closing(sqlite3.connect(kept)) as db:
        db.execute("PRAGMA user_version = 99")
        shutil.copy(kept, killed)
        shutil.copy(f"{kept}-wal", f"{killed}-wal")
    assert "newer Palmhouse" in refusal(killed)


@pytest.mark.parametrize(
    "script",
    [
        "CREATE TABLE cookies (name TEXT)",
        "PRAGMA user_version = 1",
        "PRAGMA application_id = 7",
        "PRAGMA journal_mode = WAL; CREATE TABLE cookies (name TEXT)",
    ],
)
def test_another_programs_database_is_refused_untouched(path: Path, script: str) -> None:
    run(path, script)
    assert "belongs to another program" in refusal(path)


def test_a_file_that_is_no_database_is_refused_untouched(path: Path) -> None:
    path.write_text("Dear diary, today I learned a new game. " * 100)
    assert "not a database" in refusal(path)


def test_a_database_damaged_in_any_of_its_pages_is_refused_untouched(kept: Path) -> None:
    sound = kept.read_bytes()
    ((size,),) = ask(kept, "PRAGMA page_size")
    assert isinstance(size, int)
    for start in range(0, len(sound), size):
        kept.write_bytes(sound[:start] + b"\xa5" * size + sound[start + size :])
        assert ("damaged" if start else "not a database") in refusal(kept)


def test_a_database_that_was_cut_off_is_refused_untouched(kept: Path) -> None:
    kept.write_bytes(kept.read_bytes()[:-10_000])
    assert "damaged" in refusal(kept)


def test_a_folder_is_refused(path: Path) -> None:
    path.mkdir()
    with pytest.raises(
        StoreRefused, match=r"house\.sqlite3: Is a directory\. Name another file in DATABASE_PATH"
    ):
        prepare(path)


def test_a_path_below_a_file_is_refused(path: Path) -> None:
    path.touch()
    with pytest.raises(StoreRefused, match="DATABASE_PATH"):
        prepare(path / "house.sqlite3")


@contextmanager
def unprivileged() -> Iterator[None]:
    """As somebody whom rights hold for: root may write everywhere."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that everybody may read, with the migrations in it, and a folder for a database of theirs."""
    with TemporaryDirectory(prefix="palmhouse-test-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        shutil.copytree(MIGRATIONS, folder / "steps")
        (folder / "kept").mkdir()
        yield folder


def refused_unprivileged(public: Path, folder: int, file: int) -> str:
    """What is said when folder and files have these rights."""
    path = public / "kept" / "house.sqlite3"
    before = everything(path.parent)
    for each in path.parent.iterdir():
        each.chmod(file)
    path.parent.chmod(folder)
    try:
        with unprivileged(), pytest.raises(StoreRefused) as refused:
            prepare(path, public / "steps")
    finally:
        path.parent.chmod(0o700)
    assert everything(path.parent) == before
    assert str(path) in str(refused.value)
    return str(refused.value)


@pytest.mark.parametrize("made", [True, False])
def test_an_unwritable_folder_is_refused(public: Path, made: bool) -> None:
    if made:
        prepare(public / "kept" / "house.sqlite3")
    assert "this process may not" in refused_unprivileged(public, folder=0o555, file=0o444)


def test_a_folder_that_may_not_be_entered_is_refused(public: Path) -> None:
    prepare(public / "kept" / "house.sqlite3")
    assert "Permission denied. Name another file" in refused_unprivileged(public, folder=0o444, file=0o444)


def test_what_a_kill_left_on_a_disk_that_may_only_be_read_is_refused(public: Path, tmp_path: Path) -> None:
    """With all three files there SQLite opens it, and begins a transaction; only a write tells."""
    alive = tmp_path / "house.sqlite3"
    prepare(alive)
    with closing(sqlite3.connect(alive)) as db:
        db.execute("INSERT INTO facts VALUES ('a', 'b')")
        db.commit()
        for ending in ("", "-wal", "-shm"):
            shutil.copy(f"{alive}{ending}", public / "kept" / f"house.sqlite3{ending}")
    assert "may not write the file" in refused_unprivileged(public, folder=0o555, file=0o444)


def test_a_disk_that_takes_no_more_is_refused(kept: Path) -> None:
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, limits[1]))
    try:
        with pytest.raises(StoreRefused, match=r"house\.sqlite3 cannot be used: the disk "):
            prepare(kept)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def test_a_database_that_another_process_keeps_locked_is_refused(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.store.sqlite.opening.PATIENCE", 0.01)
    with closing(sqlite3.connect(kept, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert "another process is holding the file" in refusal(kept)


# Migrations


@pytest.fixture
def steps(tmp_path: Path) -> Path:
    return shutil.copytree(MIGRATIONS, tmp_path / "steps")


def test_migrations_are_numbered_from_one_without_a_gap() -> None:
    names = sorted(step.name for step in MIGRATIONS.iterdir())
    assert [int(name[:4]) for name in names] == list(range(1, len(names) + 1))
    assert all(name[4] == "_" and name.endswith(".sql") for name in names)


def test_a_migration_that_fails_is_taken_back_whole_and_can_be_taken_once_mended(
    kept: Path, steps: Path
) -> None:
    step = steps / f"{len(list(steps.iterdir())) + 1:04}_later.sql"
    step.write_text(
        "-- a table; and its first row\nCREATE TABLE later (a INTEGER) STRICT;\n"
        "CREATE TRIGGER t AFTER INSERT ON later\nBEGIN\n    DELETE FROM later;\nEND;\n"
        "UPDATE matches SET seed = 'lost';\nINSERT INTO later VALUES ('not a number');\n"
    )
    questions = "SELECT * FROM sqlite_schema", "SELECT * FROM matches", "PRAGMA user_version"
    before = [ask(kept, question) for question in questions]
    with pytest.raises(StoreRefused, match=r"house\.sqlite3 cannot be used: cannot store TEXT value"):
        prepare(kept, steps)
    assert [ask(kept, question) for question in questions] == before

    step.write_text(step.read_text().replace("'not a number'", "1").replace("'lost'", "'new'"))
    prepare(kept, steps)
    assert ask(kept, "SELECT seed FROM matches") == [("new",)]
    assert ask(kept, "PRAGMA user_version") == [(int(step.name[:4]),)]


def test_what_games_do_by_themselves_gets_a_seat_of_its_own_among_the_clocks_of_older_databases(
    path: Path, steps: Path
) -> None:
    for step in sorted(steps.iterdir())[6:]:
        step.unlink()
    prepare(path, steps)
    columns = "id, game, rules, options, seed, guild, channel, host, opened, phase"
    matches = [(1, "twin-it", "play"), (2, "twin-it", "lobby"), (3, "palace", "play")]
    run(
        path,
        "".join(
            f"INSERT INTO matches ({columns}) VALUES ({n}, '{game}', 1, '{{}}', 's', 1, 1, 1, 1, '{phase}');"
            f"INSERT INTO clocks VALUES ({n}, -1, 500), ({n}, 0, 600);"
            for n, game, phase in matches
        ),
    )
    prepare(path)
    assert ask(path, "SELECT match, seat, due FROM clocks WHERE due = 500 ORDER BY match") == [
        (1, -2, 500),
        (2, -1, 500),
        (3, -1, 500),
    ]
    assert ask(path, "SELECT match FROM clocks WHERE due = 600") == [(1,), (2,), (3,)]


def test_a_migration_that_ends_in_the_middle_of_a_statement_is_refused(path: Path, steps: Path) -> None:
    (steps / f"{len(list(steps.iterdir())) + 1:04}_cut.sql").write_text(
        "CREATE TABLE whole (a TEXT);\nCREATE"
    )
    with pytest.raises(StoreRefused, match="incomplete input"):
        prepare(path, steps)
    assert ask(path, "SELECT name FROM sqlite_schema WHERE name = 'whole'") == []
