"""Acknowledged entries stay stored: with many writers, a full disk, a kill, a second process, a cancelled caller."""

import asyncio
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import aiosqlite
import pytest

from bot.store import Finished, Match, Result, Store, StoreFailed, Unreadable
from bot.store.sql.database import Database
from bot.store.sql.writer import Writer
from bot.store.sqlite.database import SQLiteDatabase
from bot.store.sqlite.opening import connect, prepare
from bot.store.sqlite.store import SQLiteStore
from tests.bot.store.stores import ALICE, GUILD, lobby, move, opened, rows

ROOT = Path(__file__).parents[3]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "palmhouse.sqlite3"
    prepare(path)
    return path


@pytest.fixture
async def writing(path: Path) -> aiosqlite.Connection:
    """Open the writing connection of `store`, which closes it."""
    return await connect(path)


@pytest.fixture
async def store(path: Path, writing: aiosqlite.Connection) -> AsyncIterator[Store]:
    reading, patient = [await connect(path, query_only=True) for _ in range(2)]
    store = SQLiteStore(path, reading, patient, writing)
    yield store
    await store.close()


@pytest.fixture
async def statements(writing: aiosqlite.Connection) -> list[str]:
    """Return a list that collects the statements on the writing connection from now on."""
    executed: list[str] = []
    await writing.set_trace_callback(executed.append)
    return executed


async def length(store: Store, match: Match) -> int:
    """Return the length of a match's log. Check that its numbers run from 1 without a gap."""
    numbers = [entry.n for entry in await store.log(match.id)]
    assert numbers == list(range(1, len(numbers) + 1))
    return len(numbers)


# One commit for all


async def test_appends_that_wait_at_the_same_time_share_a_commit(store: Store, statements: list[str]) -> None:
    matches = [await lobby(store) for _ in range(20)]
    statements.clear()
    await asyncio.gather(*(store.append(match.id, [move(2)], deadlines={0: 5}) for match in matches))
    assert statements.count("COMMIT") < 3
    assert [await length(store, match) for match in matches] == [2] * 20


async def test_an_append_that_fails_among_others_fails_alone(store: Store, statements: list[str]) -> None:
    matches = [await lobby(store) for _ in range(3)]
    statements.clear()
    outcomes = await asyncio.gather(
        store.append(matches[0].id, [move(2)]),
        store.append(matches[1].id, [move(2), move(4)], deadlines={}),
        store.append(matches[2].id, [move(2)]),
        return_exceptions=True,
    )
    assert statements.count("COMMIT") == 1
    assert [type(outcome) for outcome in outcomes] == [type(None), StoreFailed, type(None)]
    assert [await length(store, match) for match in matches] == [2, 1, 2]
    assert await store.deadlines(matches[1].id) == {-1: 9_000}


async def test_an_append_needs_the_thread_of_the_connection_twice(
    store: Store, writing: aiosqlite.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, runs = await lobby(store), 0
    run = writing._execute

    async def counted(*arguments: Any) -> Any:
        nonlocal runs
        runs += 1
        return await run(*arguments)  # type: ignore[no-untyped-call]

    monkeypatch.setattr(writing, "_execute", counted)
    await store.append(match.id, [move(2)], deadlines={0: 5, 1: 6})
    assert runs == 2  # the statements, and the commit


async def test_a_statement_alone_runs_after_a_transaction_that_an_error_has_ended(
    writing: aiosqlite.Connection,
) -> None:
    db = SQLiteDatabase(writing)
    await db.begin()
    await db.settle()
    await writing.rollback()
    await db.execute("INSERT INTO facts VALUES ('key', '')")
    assert await db.fetch("SELECT value FROM facts WHERE key = 'key'") == [("",)]
    await db.close()


async def test_an_append_alone_needs_no_savepoint(store: Store, statements: list[str]) -> None:
    match = await lobby(store)
    await store.append(match.id, [move(2)])
    with pytest.raises(StoreFailed):
        await store.append(match.id, [move(2)])
    assert not any("SAVEPOINT" in each for each in statements)
    assert statements[-1] == "ROLLBACK"
    assert await length(store, match) == 2


async def test_a_commit_that_fails_fails_for_all_and_the_next_succeeds(
    path: Path, writing: aiosqlite.Connection
) -> None:
    writer = Writer(SQLiteDatabase(writing))

    async def keep(key: str) -> None:
        await writer.write(lambda db: db.execute("INSERT INTO facts VALUES (?, '')", (key,)))

    async def break_the_commit(db: Database) -> None:
        await db.execute("PRAGMA defer_foreign_keys = ON")
        await db.execute("INSERT INTO clocks VALUES (99, 0, 0)")

    outcomes = await asyncio.gather(
        keep("before"), writer.write(break_the_commit), keep("behind"), return_exceptions=True
    )
    assert [type(outcome) for outcome in outcomes] == [StoreFailed] * 3
    await keep("later")
    await writer.close()
    assert rows(path, "SELECT key FROM facts WHERE key <> 'installation'") == [("later",)]


async def test_an_error_that_is_not_the_databases_is_raised_unchanged(
    path: Path, writing: aiosqlite.Connection
) -> None:
    writer = Writer(SQLiteDatabase(writing))

    async def mistaken(db: Database) -> None:
        await db.execute("INSERT INTO facts VALUES ('half', '')")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await writer.write(mistaken)
    await writer.close()
    assert rows(path, "SELECT * FROM facts WHERE key <> 'installation'") == []


# Failures of the file


async def limit_growth(writing: aiosqlite.Connection, pages: int) -> None:
    """Let the file grow by that number of pages and no more."""
    ((used,),) = await writing.execute_fetchall("PRAGMA page_count")
    await writing.execute_fetchall(f"PRAGMA max_page_count = {used + pages}")


async def test_an_append_refused_by_a_full_disk_stores_nothing(
    store: Store, writing: aiosqlite.Connection
) -> None:
    match = await lobby(store)
    moves = [move(n, "x" * 3_000) for n in range(2, 12)]
    result = Result(match.id, 0, GUILD, match.game, ALICE, "Alice", 1, 0, 1, 5)
    await limit_growth(writing, 3)
    with pytest.raises(StoreFailed, match="the disk is full; free some space"):
        await store.append(match.id, moves, deadlines={}, phase="over", finished=Finished([result]))
    assert await length(store, match) == 1
    assert await store.match(match.id) == match
    assert await store.deadlines(match.id) == {-1: 9_000}
    assert await store.leaderboard(GUILD) == []

    await limit_growth(writing, 300)
    await store.append(match.id, moves, deadlines={}, phase="over", finished=Finished([result]))
    assert await length(store, match) == 11


async def test_a_full_disk_loses_nothing_that_was_acknowledged_before(
    store: Store, writing: aiosqlite.Connection
) -> None:
    match = await lobby(store)
    await limit_growth(writing, 5)
    kept = 1
    with suppress(StoreFailed):
        for n in range(2, 20):
            await store.append(match.id, [move(n, "x" * 3_000)])
            kept = n
    assert 1 < kept < 19
    assert await length(store, match) == kept


async def test_a_transaction_that_a_full_disk_rolls_back_fails_for_all_its_callers(
    store: Store, writing: aiosqlite.Connection
) -> None:
    match, other = await lobby(store), await lobby(store)
    await limit_growth(writing, 0)
    outcomes = await asyncio.gather(
        store.append(match.id, [move(2)]),
        store.set_fact("length", "x" * 100_000),
        store.append(other.id, [move(2)]),
        return_exceptions=True,
    )
    assert [type(outcome) for outcome in outcomes] == [StoreFailed] * 3
    assert await length(store, match) == await length(store, other) == 1
    await store.append(match.id, [move(2)])


async def test_appends_fail_while_the_file_is_locked_and_succeed_afterwards(
    path: Path, store: Store, writing: aiosqlite.Connection
) -> None:
    match = await lobby(store)
    await writing.execute("PRAGMA busy_timeout = 1")
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreFailed, match="another process is holding the file"):
            await store.append(match.id, [move(2)])
        assert await length(store, match) == 1, "reading goes on"
    await store.append(match.id, [move(2)])


# Cancelling and closing


async def test_reading_a_damaged_file_fails_with_a_sentence(path: Path, store: Store) -> None:
    await lobby(store)
    for file in path.parent.glob(f"{path.name}*"):
        file.write_bytes(b"no database" * 1000)
    with pytest.raises(Unreadable, match=r"^The database cannot be read: "):
        await store.open_matches()


@pytest.mark.parametrize("turns", [1, 2, 3, 5, 10, 50])
async def test_a_cancelled_append_that_has_reached_the_writer_is_stored_as_a_whole(
    store: Store, turns: int
) -> None:
    """Cancel the append after that number of turns of the event loop."""
    match = await lobby(store)
    task = asyncio.create_task(store.append(match.id, [move(2), move(3)], deadlines={0: 5}, phase="play"))
    for _ in range(turns):
        await asyncio.sleep(0)
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    await store.heartbeat(1)
    kept = await store.match(match.id)
    assert kept is not None
    found = await length(store, match), await store.deadlines(match.id), kept.phase
    assert found == (3, {0: 5}, "play"), "it had reached the writer"
    await store.append(match.id, [move(4)])


async def test_close_finishes_the_waiting_writes(path: Path) -> None:
    async with opened(path) as store:
        matches = [await lobby(store) for _ in range(5)]
        tasks = [asyncio.create_task(store.append(match.id, [move(2)])) for match in matches]
        await asyncio.sleep(0)
    assert [task.result() for task in tasks] == [None] * 5
    with pytest.raises(StoreFailed, match="the bot is stopping"):
        await store.append(matches[0].id, [move(3)])
    with pytest.raises(Unreadable, match="the bot is stopping"):
        await store.match(matches[0].id)
    async with opened(path) as store:
        assert [await length(store, match) for match in matches] == [2] * 5


# Other processes

APPENDING = """
import asyncio, sys
from pathlib import Path
from bot.store import open_store, StoreFailed
from tests.bot.store.stores import move

async def append(store, match, name, last):
    for n in range(len(await store.log(match)) + 1, last):
        try:
            await store.append(match, [move(n, name)], deadlines={0: n})
        except StoreFailed:
            continue
        print(f"{match} {n}\\n", end="", flush=True)  # one write: an unbuffered newline could be cut off by a kill

async def main(path, name, last, *matches):
    store = await open_store(Path(path))
    print("open", flush=True)
    sys.stdin.readline()
    await asyncio.gather(*(append(store, int(match), name, int(last)) for match in matches))
    await store.close()

asyncio.run(main(*sys.argv[1:]))
"""


async def appending(path: Path, name: str, last: int, *matches: Match) -> asyncio.subprocess.Process:
    """Start a process that, after a line on stdin, appends entries to matches and prints each acknowledged one."""
    words = [str(path), name, str(last), *(str(match.id) for match in matches)]
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-W", "error", "-c", APPENDING, *words),
        cwd=ROOT,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    assert await process.stdout.readline() == b"open\n"
    return process


async def test_a_killed_process_has_stored_all_that_it_acknowledged(path: Path) -> None:
    async with opened(path) as store:
        matches = {str(match.id): match for match in [await lobby(store) for _ in range(3)]}
    acknowledged = dict.fromkeys(matches, 1)
    for lines in (1, 20, 50):
        process = await appending(path, "x", 1_000_000, *matches.values())
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"go\n")
        said = [await process.stdout.readline() for _ in range(lines)]
        process.kill()
        said += (await process.stdout.read()).splitlines()
        await process.wait()
        for line in said:
            match, n = line.decode().split()
            acknowledged[match] = int(n)
        async with opened(path) as store:
            for match in matches:
                kept = await length(store, matches[match])
                assert kept - acknowledged[match] in (0, 1), "one may have been on its way"
                assert await store.deadlines(matches[match].id) == ({0: kept} if kept > 1 else {-1: 9_000})
                acknowledged[match] = kept


async def test_of_two_processes_at_one_match_only_one_stores_each_entry(path: Path) -> None:
    async with opened(path) as store:
        match = await lobby(store)
    names = ("one", "other")
    processes = [await appending(path, name, 40, match) for name in names]
    outputs = await asyncio.gather(*(process.communicate(b"go\n") for process in processes))
    assert [process.returncode for process in processes] == [0, 0]
    won = [
        (int(line.split()[1]), n)
        for n, (out, _) in zip(names, outputs, strict=True)
        for line in out.splitlines()
    ]
    async with opened(path) as store:
        assert [(entry.n, entry.body) for entry in await store.log(match.id, after=1)] == sorted(won)
    assert len(won) == 38
