"""Reports to systemd, and its unit."""

import asyncio
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.hosting import systemd
from bot.store import StoreFailed
from sandbox import Sandbox
from tests.bot.test_start import begin

UNIT = Path(__file__).parents[3] / "ops" / "palmhouse.service"
EXPOSURE = 20
"""Greatest exposure of the unit, in tenths, as `systemd-analyze security` scores it."""
ANALYZE = shutil.which("systemd-analyze")
needs_systemd = pytest.mark.skipif(ANALYZE is None, reason="systemd-analyze is not here")


@pytest.fixture
def reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """The socket of systemd; a bot that does not report for two seconds would be restarted."""
    path = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as receiver:
        receiver.bind(path)
        receiver.setblocking(False)
        monkeypatch.setenv("NOTIFY_SOCKET", path)
        monkeypatch.setenv("WATCHDOG_USEC", "2000000")
        yield receiver


async def next_report(receiver: socket.socket) -> str:
    async with asyncio.timeout(20):
        return (await asyncio.get_running_loop().sock_recv(receiver, 100)).decode()


def received(receiver: socket.socket) -> list[str]:
    """Return the reports that have not been read."""
    found = []
    while True:
        try:
            found.append(receiver.recv(100).decode())
        except BlockingIOError:
            return found


def test_a_bot_that_nobody_hears_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "nowhere"))
    systemd.ask_for_time(10.0)


async def test_the_bot_reports_that_it_is_ready_and_then_that_it_is_well_while_the_database_takes_writes(
    tmp_path: Path, reports: socket.socket
) -> None:
    path = tmp_path / "palmhouse.sqlite3"
    async with Sandbox() as box:
        bot = await begin(tmp_path, "--sandbox", box.url, DATABASE_PATH=str(path))
        try:
            assert await next_report(reports) == "READY=1"
            assert box.gateway.connected
            assert await next_report(reports) == "WATCHDOG=1"
            assert await next_report(reports) == "WATCHDOG=1"
            with closing(sqlite3.connect(path, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")  # as another copy of the bot might
                await asyncio.sleep(0.6)  # the write under way fails
                received(reports)
                with pytest.raises(TimeoutError):
                    await asyncio.wait_for(next_report(reports), 2)
                other.execute("ROLLBACK")
            assert await next_report(reports) == "WATCHDOG=1"
        finally:
            bot.terminate()
            await bot.communicate()


async def test_a_bot_that_waits_for_discord_asks_systemd_for_time(
    tmp_path: Path, reports: socket.socket
) -> None:
    """The unit would end a start that takes more than five minutes."""
    async with Sandbox() as box:
        url = box.url
    bot = await begin(tmp_path, "--sandbox", url)
    try:
        assert await next_report(reports) == "EXTEND_TIMEOUT_USEC=305000000"
    finally:
        bot.terminate()
        await bot.communicate()


async def reports_with(write: object, receiver: socket.socket, seconds: float) -> list[str]:
    """Return what is reported in that time."""
    done = asyncio.get_running_loop().create_future()
    done.set_result(None)
    reporting = asyncio.create_task(systemd.report(done, write))  # type: ignore[arg-type]
    await asyncio.sleep(seconds)
    reporting.cancel()
    return received(receiver)


async def test_a_late_event_loop_and_a_failed_write_are_not_well(reports: socket.socket) -> None:
    async def well() -> None: ...

    async def late() -> None:
        asyncio.get_running_loop().call_later(0.1, time.sleep, 1.6)

    async def failed() -> None:
        raise StoreFailed("This was not saved: the disk is full.")

    async def hanging() -> None:
        await asyncio.sleep(60)

    assert await reports_with(well, reports, 1.3) == ["READY=1", "WATCHDOG=1", "WATCHDOG=1"]
    # The first pause ends in time. Its write makes the second one late.
    assert await reports_with(late, reports, 2.5) == ["READY=1", "WATCHDOG=1"]
    assert await reports_with(failed, reports, 1.3) == ["READY=1"]
    assert await reports_with(hanging, reports, 1.3) == ["READY=1"]


@pytest.mark.parametrize(("name", "value"), [("WATCHDOG_USEC", ""), ("WATCHDOG_PID", "1")])
async def test_without_a_watchdog_the_bot_only_says_that_it_is_ready(
    name: str, value: str, reports: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)

    async def well() -> None: ...

    assert await reports_with(well, reports, 0.7) == ["READY=1"]


@needs_systemd
def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    """The program and the folder of the unit are replaced by some that exist here."""
    unit = UNIT.read_text(encoding="utf-8")
    here = unit.replace("/opt/palmhouse/.venv/bin/python", sys.executable).replace("/opt/palmhouse", "/")
    (tmp_path / UNIT.name).write_text(here, encoding="utf-8")
    assert analyzed("verify", "--man=no", str(tmp_path / UNIT.name)) == ""


def test_systemd_starts_a_bot_again_however_often_its_start_is_refused() -> None:
    """Else it would stay away when the disk has space again. The bot itself counts the sessions that it begins."""
    unit = dict(line.split("=", 1) for line in UNIT.read_text(encoding="utf-8").splitlines() if "=" in line)
    starts, seconds = 5, 10  # systemd gives up after these where a unit sets no other limit
    assert unit["Restart"] == "always"
    assert unit.keys().isdisjoint(("StartLimitBurst", "StartLimitIntervalSec"))
    assert int(unit["RestartSec"]) * starts > seconds


@needs_systemd
def test_the_unit_exposes_little() -> None:
    assert "Overall exposure" in analyzed("security", "--offline=true", f"--threshold={EXPOSURE}", str(UNIT))


def analyzed(*arguments: str) -> str:
    """Run systemd-analyze and return what it said; it must find no fault."""
    assert ANALYZE is not None
    done = subprocess.run(
        (ANALYZE, *arguments), capture_output=True, text=True, env={**os.environ}, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr
