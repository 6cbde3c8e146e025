"""The bot logs in, in virtual time: obstacles are waited for, and what does not fit is noted once."""

import asyncio
import gc
import re
import sqlite3
from pathlib import Path

import pytest

from bot.cli.settings import SANDBOX_DATABASE, Settings
from bot.cli.start import AT_DISCORD
from sandbox import Sandbox
from tests.bot.running import running
from tests.simulation.testing import *  # noqa: F403
from tests.simulation.world import World


def settings(database: Path | None) -> Settings:
    return Settings(database_path=database, database_url=None, nightly_backups=False)


async def log_of_a_start(box: Sandbox, caplog: pytest.LogCaptureFixture, database: Path | None = None) -> str:
    """Run the bot until it is ready, and return its log."""
    caplog.clear()
    caplog.set_level("INFO", "bot.client")
    caplog.set_level("INFO", "discord.client")
    async with running(box, settings(database)):
        await box.until(lambda: "ready as" in caplog.text, 600)
    return caplog.text


async def test_a_start_without_a_network_waits_for_it(
    tmp_path: Path, world: World, caplog: pytest.LogCaptureFixture
) -> None:
    async with Sandbox(rate_limits=False) as box:
        (port,) = world.servers
        discord = world.servers.pop(port)
        async with running(box, settings(tmp_path / "palmhouse.sqlite3")):
            await asyncio.sleep(4)
            assert "Check the network. The bot tries again in 5 s." in caplog.text
            world.servers[port] = discord
            await box.ready(60)


@pytest.mark.parametrize(
    ("path", "status", "times", "words"),
    [
        ("^/users/@me$", 503, 1, "answers with an error (503). The bot tries again"),
        ("^/oauth2/applications/@me$", 0, 2, "cannot be reached"),  # the HTTP client itself tries it twice
    ],
)
async def test_a_start_during_an_outage_waits_for_its_end(
    path: str, status: int, times: int, words: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with Sandbox(rate_limits=False) as box:
        box.fail("GET", path, status, times=times)
        said = await log_of_a_start(box, caplog, tmp_path / "palmhouse.sqlite3")
    assert words in said
    gc.collect()
    assert "Unclosed" not in caplog.text


async def test_a_token_of_another_application_is_noted_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "palmhouse.sqlite3"
    async with Sandbox(rate_limits=False) as first, Sandbox(rate_limits=False) as other:
        other.world.bot.id += 1  # made in the same millisecond, both have the same id
        logs = [await log_of_a_start(box, caplog, path) for box in (first, first, other, other)]
    said = f"belongs to the application {other.world.bot.id}, but {first.world.bot.id} has played with this database."
    assert [said in log for log in logs] == [False, False, True, False]


async def test_a_new_sandbox_gets_a_new_database_and_the_same_one_keeps_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    starts = list[int]()
    async with Sandbox(rate_limits=False) as first, Sandbox(rate_limits=False) as other:
        other.world.bot.id += 1
        for box in (first, first, other):
            said = await log_of_a_start(box, caplog)
            assert "WARNING" not in said
            assert said.count("logging in") == 1
            with sqlite3.connect(SANDBOX_DATABASE) as db:
                db.execute(
                    "INSERT INTO facts VALUES ('start', 1) ON CONFLICT DO UPDATE SET value = value + 1"
                )
                facts = dict(db.execute("SELECT key, value FROM facts").fetchall())
            starts.append(int(facts["start"]))
            assert facts[AT_DISCORD] == "0"
    assert starts == [1, 2, 1]


async def test_a_clock_that_is_wrong_is_noted(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with Sandbox(rate_limits=False) as box:
        assert "clock is" not in await log_of_a_start(box, caplog, tmp_path / "a.sqlite3")
        box.clock.advance(60)
        said = await log_of_a_start(box, caplog, tmp_path / "b.sqlite3")
    assert re.search("this machine's clock is (59|60) s off; set it by the network", said)
