"""The health and the metrics of a bot whose disk, event loop or messages are in trouble."""

import asyncio
import json
import sqlite3
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import closing
from pathlib import Path

import aiohttp
import pytest

from bot.cli.settings import Settings
from bot.hosting.backup import back_up, silent
from bot.match.times import Times
from sandbox import Sandbox
from tests.bot.running import running
from tests.e2e.players import open_table
from tests.simulation.testing import *  # noqa: F403

DISK = "Nothing reaches the database."
LATE = "The event loop is late: the machine is too busy, or out of memory."


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "palmhouse.sqlite3"


@pytest.fixture
async def box() -> AsyncIterator[Sandbox]:
    async with Sandbox(rate_limits=False) as box:
        yield box


@pytest.fixture
async def port(file: Path, box: Sandbox, unused_tcp_port: int) -> AsyncIterator[int]:
    """The port of a bot in this process."""
    settings = Settings(database_path=file, metrics_port=unused_tcp_port)
    async with running(box, settings):
        await until(faults, unused_tcp_port, [])
        yield unused_tcp_port


async def asked(port: int, path: str) -> str:
    async with aiohttp.ClientSession() as session, session.get(f"http://127.0.0.1:{port}/{path}") as response:
        assert response.status in (200, 503)
        return await response.text()


async def faults(port: int) -> list[str]:
    """Return the faults that the health names; one when the port is not open yet."""
    try:
        found: list[str] = json.loads(await asked(port, "health"))["faults"]
    except aiohttp.ClientConnectorError:
        return ["closed"]
    return found


def value_of(name: str) -> Callable[[int], Awaitable[float]]:
    """Return a function that returns the value of a metric without labels."""

    async def value(port: int) -> float:
        lines = (await asked(port, "metrics")).splitlines()
        return next(float(line.split()[1]) for line in lines if line.startswith(f"{name} "))

    return value


async def until(ask: Callable[[int], Awaitable[object]], port: int, wanted: object) -> None:
    """Ask the port until it answers as wanted."""
    async with asyncio.timeout(300):
        while await ask(port) != wanted:  # noqa: ASYNC110 - there is no event to wait for
            await asyncio.sleep(1)


async def test_a_disk_that_takes_nothing_is_named_and_deadlines_become_overdue(
    port: int, file: Path, box: Sandbox
) -> None:
    guild = box.guild("Palm Beach")
    await box.person("Alice", guild).slash(guild.channel("card-room"), "palmer start")
    overdue = value_of("palmhouse_overdue_turns")
    assert await overdue(port) == 0
    await asyncio.sleep(Times().lobby / 1000 - 60)
    with closing(sqlite3.connect(file, isolation_level=None, check_same_thread=False)) as other:
        await asyncio.to_thread(other.execute, "BEGIN IMMEDIATE")  # from now on the bot cannot write
        await until(faults, port, [DISK])
        await until(overdue, port, 1)
        other.execute("ROLLBACK")
    await until(faults, port, [])
    await until(overdue, port, 0)


async def test_a_late_event_loop_is_named_until_it_was_on_time_for_a_while(port: int) -> None:
    time.sleep(3)  # noqa: ASYNC251 - this is to be noticed
    await until(faults, port, [LATE])
    await until(faults, port, [])


async def test_what_discord_has_not_taken_yet_waits(port: int, box: Sandbox) -> None:
    guild = box.guild("Palm Beach")
    alice, ben = (box.person(name, guild) for name in ("Alice", "Ben"))
    card = await open_table(guild.channel("card-room"), "twin-palms start", alice, ben)
    edits = value_of("palmhouse_waiting_edits")
    await until(edits, port, 0)
    box.fail("POST", "/threads$", None, delay=60)
    await alice.click(card, "Start")
    assert await edits(port) >= 1
    box.clock.advance(60)
    await until(edits, port, 0)


async def test_the_last_backup_is_the_newest_one(port: int, file: Path) -> None:
    backup = value_of("palmhouse_last_backup_timestamp_seconds")
    assert await backup(port) == 0
    await back_up(file, None, silent)
    assert abs(time.time() - await backup(port)) < 100  # its name has the minute
    newest = await backup(port)
    (file.parent / "backups" / "another-file.sqlite3").touch()
    assert await backup(port) == newest
