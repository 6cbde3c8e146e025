"""A killed process runs nothing any more, a frozen one goes on later, and the system closes what they had open."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import aiosqlite
import pytest

from tests.simulation.loop import Loop
from tests.simulation.process import Process
from tests.simulation.test_loop import run
from tests.simulation.testing import *  # noqa: F403
from tests.simulation.world import World


def new_process(name: str = "bot") -> Process:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, Loop)
    return Process(loop, name)


async def noted(said: list[str]) -> None:
    """Say something every second, and at the end."""
    try:
        while True:
            said.append("works")
            await asyncio.sleep(1)
    finally:
        said.append("cleans up")


def test_a_killed_process_runs_no_finally() -> None:
    said: list[str] = []

    async def main() -> None:
        process = new_process()
        process.start(noted(said))
        await asyncio.sleep(1.5)
        was_running = process.runs
        process.kill()
        assert (was_running, process.runs) == (True, False)
        await asyncio.sleep(10)

    run(main)
    assert said == ["works", "works"]


def test_a_kill_ends_all_that_a_process_has_started() -> None:
    said: list[str] = []

    async def main() -> None:
        async def start() -> None:
            asyncio.get_running_loop().call_later(2, said.append, "timer")
            asyncio.create_task(noted(said))  # noqa: RUF006
            await asyncio.to_thread(said.append, "thread")
            await asyncio.sleep(100)

        process = new_process()
        process.start(start())
        await asyncio.sleep(0.5)
        process.kill()
        await asyncio.sleep(10)

    run(main)
    assert said == ["works", "thread"]


async def test_a_frozen_process_goes_on_where_it_was() -> None:
    said: list[str] = []
    process = new_process()
    process.start(noted(said))
    await asyncio.sleep(1.5)
    await process.freeze(60)
    assert said == ["works", "works"]
    await asyncio.sleep(0.1)
    assert said == ["works"] * 3, "the timer is over, but the time of the freeze is lost"
    process.kill()


def test_what_is_asked_of_a_process_belongs_to_it_and_ends_with_it() -> None:
    said: list[str] = []

    async def ask(answer: int, seconds: float) -> int:
        asyncio.create_task(noted(said))  # noqa: RUF006
        await asyncio.sleep(seconds)
        return answer

    async def main() -> None:
        process = new_process()
        asyncio.get_running_loop().call_later(1.5, process.kill)
        assert await process.ask(ask(1, 0.5)) == 1
        assert await process.ask(ask(2, 100)) is None
        await asyncio.sleep(10)

    run(main)
    assert said == ["works"] * 3


# Connections


async def talk(process: Process) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Let a process open a connection to a server outside of it, and return the server's end."""
    accepted: asyncio.Future[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = asyncio.Future()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        accepted.set_result((reader, writer))

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]

    async def connect() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"hello\n")
        await reader.read()

    process.start(connect())
    return await accepted


async def test_bytes_arrive_in_order_and_then_the_end() -> None:
    reader, writer = await talk(process := new_process())
    assert await reader.readline() == b"hello\n"
    process.kill()
    assert await reader.read() == b""
    writer.close()


async def test_what_reaches_a_dead_process_resets_the_connection() -> None:
    reader, writer = await talk(process := new_process())
    await reader.readline()
    writer.write(b"late")
    process.kill()
    with pytest.raises(ConnectionResetError):
        await reader.read()


async def test_a_port_without_a_server_refuses_and_one_with_a_server_is_taken() -> None:
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection("127.0.0.1", 1)
    server = await asyncio.start_server(lambda *_: None, "127.0.0.1", 80)
    with pytest.raises(OSError, match="in use"):
        await asyncio.start_server(lambda *_: None, "127.0.0.1", 80)
    server.close()
    await asyncio.start_server(lambda *_: None, "127.0.0.1", 80)


# Databases


async def write(path: Path, *, committed: int, open_: int) -> None:
    """Commit rows one by one, and write others in a transaction that stays open."""
    async with aiosqlite.connect(path, isolation_level=None) as db:
        await db.execute("PRAGMA journal_mode = WAL")
        await db.execute("CREATE TABLE t (n)")
        for n in range(committed):
            await db.execute("INSERT INTO t VALUES (?)", (n,))
        await db.execute("BEGIN")
        for n in range(open_):
            await db.execute("INSERT INTO t VALUES (?)", (n,))
        await asyncio.sleep(100)


async def test_what_a_killed_process_has_committed_is_there_and_nothing_else(tmp_path: Path) -> None:
    path, process = tmp_path / "file", new_process()
    process.start(write(path, committed=3, open_=5))
    await asyncio.sleep(1)
    process.kill()
    with sqlite3.connect(path) as db:
        assert db.execute("SELECT n FROM t").fetchall() == [(0,), (1,), (2,)]
    db.close()


async def test_a_statement_waits_in_virtual_time_for_the_lock_of_another_connection(tmp_path: Path) -> None:
    path, process, loop = tmp_path / "file", new_process(), asyncio.get_running_loop()
    process.start(write(path, committed=0, open_=1))
    await asyncio.sleep(1)
    began = loop.time()
    loop.call_later(1, process.kill)
    async with aiosqlite.connect(path, isolation_level=None, timeout=0) as db:
        await db.execute("BEGIN IMMEDIATE")
    assert 1 < loop.time() - began < 1.2


async def test_a_full_disk_refuses_what_is_new(tmp_path: Path) -> None:
    path, process = tmp_path / "file", new_process()

    async def fill() -> None:
        async with aiosqlite.connect(path, isolation_level=None) as db:
            await db.execute("CREATE TABLE t (n)")
            process.largest_file = path.stat().st_size
            with pytest.raises(sqlite3.OperationalError):
                await db.execute("INSERT INTO t VALUES (zeroblob(100000))")
            process.largest_file = None
            await db.execute("INSERT INTO t VALUES (zeroblob(100000))")

    await process.start(fill())


def rows_left(path: Path, seed: int) -> int:
    """Cut the power after one connection has read, and before the commit of another one is on the disk. Return the
    number of rows that are left."""
    world = World(seed)

    async def write_and_read() -> None:
        async with (
            aiosqlite.connect(path, isolation_level=None) as one,
            aiosqlite.connect(path, isolation_level=None) as other,
        ):
            await one.execute("PRAGMA journal_mode = WAL")
            await one.execute("CREATE TABLE t (n)")
            await one.execute("SELECT * FROM t")
            world.disk = lambda: 1.0
            writing = asyncio.ensure_future(one.execute("INSERT INTO t VALUES (1)"))
            await asyncio.sleep(0.1)
            world.disk = lambda: 0.001
            await other.execute("SELECT * FROM t")
            await writing

    async def main() -> None:
        process = new_process()
        process.start(write_and_read())
        await asyncio.sleep(0.5)
        process.kill(Random(seed))

    run(main, world=world)
    with closing(sqlite3.connect(path)) as db:
        return len(db.execute("SELECT * FROM t").fetchall())


def test_what_another_connection_reads_need_not_be_on_the_disk(tmp_path: Path) -> None:
    assert {rows_left(tmp_path / str(seed), seed) for seed in range(12)} == {0, 1}
