"""Opening a database file: an unusable one is refused with a sentence and left unchanged."""

import asyncio
import os
import shutil
import sqlite3
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from socket import AF_UNIX, socket
from tempfile import TemporaryDirectory
from threading import Timer
from typing import Any

import aiosqlite
import pytest

from bot.store import StoreFailed, StoreRefused, open_store
from bot.store.sql.versions import SCRIPTS
from bot.store.sqlite.opening import (
    USUAL,
    alone,
    check_place,
    connect,
    inspect,
    is_in_use,
    newest_version,
    prepare,
)
from bot.store.sqlite.store import SQLiteStore
from tests.bot.store.stores import copy_scripts, lobby, move, opened, rows, run
from tests.held import full_disk

NOBODY = 65_534
"""A user without rights."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of a file that does not exist yet."""
    return tmp_path / "palmhouse.sqlite3"


@pytest.fixture
async def kept(path: Path) -> Path:
    """Create a database with a match of 200 entries, and close it."""
    async with opened(path) as store:
        match = await lobby(store)
        await store.append(match.id, [move(n) for n in range(2, 200)])
    return path


def everything(folder: Path) -> dict[str, bytes]:
    """Return the content of all files in a folder except the index of the write-ahead log, which SQLite may rebuild."""
    return {file.name: file.read_bytes() for file in folder.iterdir() if not file.name.endswith("-shm")}


def refusal(path: Path) -> str:
    """Return the sentence with which `path` is refused. Check that it names the path and the folder is unchanged."""
    before = everything(path.parent)
    with pytest.raises(StoreRefused) as refused:
        prepare(path)
    assert everything(path.parent) == before
    assert str(path) in str(refused.value)
    return str(refused.value)


# Files that are opened


async def test_after_a_restart_all_rows_are_there_and_closing_leaves_one_file(path: Path) -> None:
    async with opened(path) as store:
        match = await lobby(store)
        await store.append(match.id, [move(2)])
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    async with opened(path) as store:
        assert await store.match(match.id) == match
        assert len(await store.log(match.id)) == 2


def test_a_path_may_contain_characters_that_are_special_in_an_address(tmp_path: Path) -> None:
    """SQLite gets the path as an address, which must name this very file."""
    path = tmp_path / "a b?c#d%20é" / "palmhouse.sqlite3"
    prepare(path)
    run(path, "PRAGMA user_version = 99")
    assert "newer Palmhouse" in refusal(path)
    assert list(tmp_path.iterdir()) == [path.parent]


def test_a_first_start_that_was_killed_is_repeated(tmp_path: Path, path: Path) -> None:
    halfway = tmp_path / "halfway"
    with closing(sqlite3.connect(halfway, isolation_level=None)) as db:
        db.executescript("PRAGMA cache_size = 1; BEGIN; CREATE TABLE half (way TEXT);")
        db.executemany("INSERT INTO half VALUES (?)", [("x" * 3_000,)] * 50)
        shutil.copy(halfway, path)
        shutil.copy(f"{halfway}-journal", f"{path}-journal")
    assert path.stat().st_size > 0
    prepare(path)
    assert rows(path, "SELECT name FROM sqlite_schema WHERE name = 'half'") == []


async def test_two_bots_that_start_together_create_one_database(path: Path) -> None:
    await asyncio.gather(*(asyncio.to_thread(prepare, path) for _ in range(4)))
    assert rows(path, "PRAGMA user_version") == [(newest_version(),)]


async def test_commits_wait_for_the_disk_and_foreign_keys_are_enforced(path: Path) -> None:
    prepare(path)
    for query_only in (False, True):
        db = await connect(path, query_only=query_only)
        pragmas = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout", "query_only")
        values = [next(iter(await db.execute_fetchall(f"PRAGMA {pragma}")))[0] for pragma in pragmas]
        await db.close()
        assert values == ["wal", 2, 1, 1000 * USUAL.answer, query_only]


async def test_only_the_owner_may_read_a_new_database_and_the_files_beside_it(path: Path) -> None:
    async with opened(path) as store:
        await lobby(store)
        assert {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()} == {
            f"{path.name}{ending}": 0o600 for ending in ("", "-wal", "-shm")
        }


async def test_a_database_that_others_may_read_is_made_private_with_the_files_of_a_killed_bot(
    kept: Path, tmp_path: Path
) -> None:
    killed = tmp_path / "killed" / "palmhouse.sqlite3"
    killed.parent.mkdir()
    with closing(sqlite3.connect(kept)) as db:
        db.execute("INSERT INTO facts VALUES ('a', 'b')")
        db.commit()
        for ending in ("", "-wal", "-shm"):
            shutil.copy(f"{kept}{ending}", f"{killed}{ending}")
            Path(f"{killed}{ending}").chmod(0o644)
    async with opened(killed) as store:
        assert await store.fact("a") == "b"
        assert {stat.S_IMODE(file.stat().st_mode) for file in killed.parent.iterdir()} == {0o600}


def test_a_database_that_is_refused_keeps_its_mode(path: Path) -> None:
    run(path, "CREATE TABLE cookies (name TEXT)")
    path.chmod(0o644)
    refusal(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


# Files that are refused


@pytest.mark.parametrize("connection", [1, 2, 3])
async def test_a_database_that_is_spoiled_during_the_start_lets_the_process_end(
    kept: Path, monkeypatch: pytest.MonkeyPatch, connection: int
) -> None:
    """It is spoiled after it was checked, before one of the connections."""
    left = connection

    async def connect_late(*given: Any, **named: Any) -> aiosqlite.Connection:
        nonlocal left
        left -= 1
        if not left:
            kept.write_bytes(b"no database" * 1_000)
        return await connect(*given, **named)

    monkeypatch.setattr("bot.store.sqlite.store.connect", connect_late)
    before = {*threading.enumerate()}
    with pytest.raises(StoreRefused, match="cannot be used"):
        await open_store(kept)
    threads_end(before)


async def test_a_start_that_is_interrupted_while_it_erases_lets_the_process_end(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As by Ctrl+C while a large file is rebuilt."""
    erasing = asyncio.Event()

    async def erase_for_long(_: SQLiteStore) -> None:
        erasing.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(SQLiteStore, "_finish_erasures", erase_for_long)
    before = {*threading.enumerate()}
    opening = asyncio.create_task(open_store(kept))
    await erasing.wait()
    opening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await opening
    threads_end(before)


def threads_end(before: set[threading.Thread]) -> None:
    """Check that the threads of connections which were not there before end."""
    for thread in {*threading.enumerate()} - before:
        if "connection" in thread.name:  # the thread that opened the file ends with the loop
            thread.join(5)
            assert not thread.is_alive()


def test_a_database_of_a_newer_version_is_refused_untouched(kept: Path) -> None:
    run(kept, "PRAGMA user_version = 99")
    assert f"newer Palmhouse (version 99; this one knows {newest_version()})" in refusal(kept)
    assert list(kept.parent.iterdir()) == [kept]


def test_a_newer_version_that_was_killed_is_refused_untouched(tmp_path: Path, kept: Path) -> None:
    """Its version is only in the write-ahead log, which opening and closing would merge into the database."""
    killed = tmp_path / "killed" / "palmhouse.sqlite3"
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


def test_a_database_damaged_in_any_of_its_pages_is_refused_untouched(kept: Path) -> None:
    sound = kept.read_bytes()
    ((size,),) = rows(kept, "PRAGMA page_size")
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
        StoreRefused, match=r"palmhouse\.sqlite3: Is a directory\. Name another file in DATABASE_PATH"
    ):
        prepare(path)


def test_what_is_no_file_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `/dev/null`, which the bot would make private."""
    monkeypatch.chdir(path.parent)  # the address of a socket must be short
    with closing(socket(AF_UNIX)) as bound:
        bound.bind(path.name)
        for use in (prepare, check_place, lambda at: alone(at).__enter__()):
            with pytest.raises(
                StoreRefused, match=r"or a socket is there\. Name another file in DATABASE_PATH"
            ):
                use(path)
    assert [*path.parent.iterdir()] == [path]


@contextmanager
def unprivileged() -> Iterator[None]:
    """Run the block as a user without rights, because root may write everywhere."""
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
    """Yield a folder that everybody may read. It contains the scripts, and a folder for a database."""
    with TemporaryDirectory(prefix="palmhouse-test-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        copy_scripts(SCRIPTS, folder / "scripts")
        (folder / "kept").mkdir()
        yield folder


def refused_unprivileged(public: Path, folder: int, file: int) -> str:
    """Return the sentence of the refusal when folder and files have these permissions."""
    path = public / "kept" / "palmhouse.sqlite3"
    before = everything(path.parent)
    for each in path.parent.iterdir():
        each.chmod(file)
    path.parent.chmod(folder)
    try:
        with unprivileged(), pytest.raises(StoreRefused) as refused:
            prepare(path, public / "scripts")
    finally:
        path.parent.chmod(0o700)
    assert everything(path.parent) == before
    assert str(path) in str(refused.value)
    return str(refused.value)


@pytest.mark.parametrize("made", [True, False])
def test_an_unwritable_folder_is_refused(public: Path, made: bool) -> None:
    if made:
        prepare(public / "kept" / "palmhouse.sqlite3")
    assert "this process may not" in refused_unprivileged(public, folder=0o555, file=0o444)


def test_a_folder_that_may_not_be_entered_is_refused(public: Path) -> None:
    prepare(public / "kept" / "palmhouse.sqlite3")
    said = refused_unprivileged(public, folder=0o444, file=0o444)
    assert f"may not enter {public / 'kept'}. Run the bot as the owner" in said


def test_files_of_a_killed_bot_on_a_read_only_disk_are_refused(public: Path, tmp_path: Path) -> None:
    """With all three files SQLite can open the database and begin a transaction; only a write fails."""
    alive = tmp_path / "palmhouse.sqlite3"
    prepare(alive)
    with closing(sqlite3.connect(alive)) as db:
        db.execute("INSERT INTO facts VALUES ('a', 'b')")
        db.commit()
        for ending in ("", "-wal", "-shm"):
            shutil.copy(f"{alive}{ending}", public / "kept" / f"palmhouse.sqlite3{ending}")
    assert "may not write the file" in refused_unprivileged(public, folder=0o555, file=0o444)


@pytest.mark.parametrize("free", [0, 1_000])
def test_a_full_disk_is_refused_and_what_is_there_can_be_read(free: int, kept: Path) -> None:
    with full_disk(free):
        for _ in range(2):
            with pytest.raises(StoreRefused, match=r"cannot be used: the disk is full; free some space"):
                prepare(kept)
        inspect(kept)


def test_a_database_that_another_process_keeps_locked_is_refused(kept: Path) -> None:
    with closing(sqlite3.connect(kept, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreRefused, match="another process is holding the file"):
            prepare(kept, wait=0.01)


# One process for one file, and one file for one process


def test_while_one_process_uses_a_database_alone_no_other_may(path: Path) -> None:
    """Two blocks in one process exclude each other as those of two processes do."""
    with alone(path):
        assert is_in_use(path)
        with (
            pytest.raises(StoreRefused, match=r"Another bot or task uses the database .*palmhouse\.sqlite3"),
            alone(path),
        ):
            pass
        with alone(path.with_name("other.sqlite3")):
            pass
    assert not is_in_use(path)
    with alone(path):
        assert list(path.parent.glob("palmhouse*")) == [path.with_name("palmhouse.sqlite3.lock")]


def test_a_start_waits_for_a_bot_that_is_about_to_end(path: Path) -> None:
    with ExitStack() as first:
        first.enter_context(alone(path))
        timer = Timer(0.2, first.pop_all().close)
        timer.start()
        with alone(path):
            timer.join()


def test_looking_whether_a_database_is_in_use_makes_no_file(path: Path) -> None:
    assert not is_in_use(path)
    assert list(path.parent.iterdir()) == []


def test_a_lock_that_cannot_be_made_is_refused(path: Path) -> None:
    path.touch()
    with pytest.raises(StoreRefused, match="DATABASE_PATH"), alone(path / "palmhouse.sqlite3"):
        pass


@pytest.mark.skipif(os.geteuid() != 0, reason="Only root can give files away.")
def test_a_lock_that_root_makes_belongs_to_the_owner_of_the_database(path: Path) -> None:
    path.touch()
    os.chown(path, NOBODY, NOBODY)
    with alone(path):
        assert path.with_name(f"{path.name}.lock").stat().st_uid == NOBODY


async def lost(path: Path, act: Callable[[], object]) -> tuple[str, Path]:
    """Open a database, save something, call `act`, and fail to save more. Return what the store says of it, and the
    file with what was kept."""
    async with opened(path) as store:
        await store.set_fact("acknowledged", "move")
        act()
        for _ in range(2):
            with pytest.raises(StoreFailed, match="deleted or replaced"):
                await store.set_fact("refused", "move")
        async with asyncio.timeout(10):
            said = await store.until_lost()
    (kept,) = path.parent.glob("palmhouse.sqlite3.before-*")
    assert str(kept) in said
    return said, kept


async def test_what_a_deleted_database_held_is_kept(kept: Path) -> None:
    _, aside = await lost(kept, kept.unlink)
    assert rows(aside, "SELECT value FROM facts WHERE key = 'acknowledged'") == [("move",)]
    assert rows(aside, "SELECT count(*) FROM log") == [(199,)]
    assert stat.S_IMODE(aside.stat().st_mode) == 0o600
    assert list(kept.parent.iterdir()) == [aside]


async def test_a_replaced_database_stays_as_it_was_put_there(kept: Path) -> None:
    """The log of the lost file would damage the new one."""
    other = kept.with_name("other.sqlite3")
    shutil.copy(kept, other)
    run(other, "UPDATE matches SET seed = 'other'")
    content = other.read_bytes()
    _, aside = await lost(kept, lambda: other.replace(kept))
    assert kept.read_bytes() == content
    assert {each.name for each in kept.parent.iterdir()} == {kept.name, aside.name}
    assert rows(aside, "SELECT value FROM facts WHERE key = 'acknowledged'") == [("move",)]


async def test_a_folder_that_may_not_be_entered_any_more_stops_no_bot(public: Path) -> None:
    """As when an update gives a folder to root: what is written reaches the open file."""
    async with opened(public / "kept" / "palmhouse.sqlite3") as store:
        (public / "kept").chmod(0)
        with unprivileged():
            await store.set_fact("written", "yes")
            assert await store.fact("written") == "yes"
        (public / "kept").chmod(0o700)


async def test_a_database_whose_folder_became_a_file_is_lost(kept: Path) -> None:
    """Anything written from then on would be gone with the process."""
    async with opened(kept) as store:
        shutil.rmtree(kept.parent)
        kept.parent.touch()
        with pytest.raises(StoreFailed, match="deleted or replaced"):
            await store.set_fact("refused", "move")


async def test_a_lost_database_whose_content_cannot_be_kept_is_reported(kept: Path) -> None:
    async with opened(kept) as store:
        await store.set_fact("acknowledged", "move")
        shutil.rmtree(kept.parent)
        with pytest.raises(StoreFailed, match="deleted or replaced"):
            await store.set_fact("refused", "move")
        assert "What it held could not be kept" in await store.until_lost()
