"""Stopping the bot, as hosts and people at a terminal do: in order, soon, and with one sentence."""

import asyncio
import re
import signal
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path

import pytest

from bench.process import ROOT
from bot.stopping import ORDERLY
from bot.store.sqlite.opening import prepare
from sandbox import Message, Person, Sandbox, TextChannel
from sandbox.faults import Fault
from tests.e2e.hosted import Bot, bot_on, until
from tests.e2e.players import open_table

pytestmark = pytest.mark.skipif(not Path("/proc/self").exists(), reason="It is looked up in Linux' /proc.")

SOON = 5.0
"""Seconds in which a stop is done on a machine that may be busy; two on one that is not."""
STOPS = (signal.SIGTERM, signal.SIGINT)

stops = pytest.mark.parametrize("sign", STOPS, ids=lambda sign: sign.name)


class Table:
    """One person, and computers."""

    def __init__(self, room: TextChannel, person: Person, card: Message) -> None:
        self.room = room
        self.person = person
        self.card = card

    @classmethod
    async def start(cls, room: TextChannel, person: Person) -> "Table":
        """Deal a match in which all bid first."""
        card = await open_table(room, "twin-palms start", person, computers=3)
        await person.click(card, "Start")
        return cls(room, person, card)

    async def click(self) -> None:
        """Ask for a hint over and over, for as long as there is an answer."""
        number = next(each for each in self.card.custom_ids if each.startswith("rules:")).partition(":")[2]
        answered = True
        while answered:
            answered = not (await self.person.press(self.card, f"hint:{number}")).failed


@asynccontextmanager
async def playing(folder: Path, tables: int = 1) -> AsyncIterator[tuple[Sandbox, Bot, list[Table]]]:
    """A bot, and tables at which one person has just started a match with computers."""
    async with Sandbox(rate_limits=False) as box, bot_on(box.url, folder) as bot:
        await box.ready(30)
        guild = box.guild("Palm Beach")
        room = guild.channel("card-room")
        people = [box.person(f"P{n}", guild) for n in range(tables)]
        yield box, bot, await asyncio.gather(*(Table.start(room, person) for person in people))


@stops
async def test_a_signal_stops_the_bot_in_order_while_people_and_computers_play(
    sign: signal.Signals, tmp_path: Path
) -> None:
    async with playing(tmp_path, tables=6) as (box, bot, tables):
        clicking = [asyncio.create_task(table.click()) for table in tables for _ in range(2)]
        await box.until(lambda: len(bot.children()) == 2, 20)
        await asyncio.sleep(0.5)
        assert await bot.stopped(sign) < SOON
        box.clock.advance(5)
        await asyncio.gather(*clicking)
    with closing(sqlite3.connect(tmp_path / "house.sqlite3")) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert not (tmp_path / "house.sqlite3-wal").exists()


async def test_messages_that_wait_and_requests_that_hang_hold_up_no_stop(tmp_path: Path) -> None:
    async with playing(tmp_path) as (box, bot, (table,)):
        box.fail("POST", "/messages$", None, delay=60, times=99)
        box.fail("PATCH", "/messages/", None, delay=60, times=99)
        box.fail("POST", "/callback$", None, delay=60, times=99)
        clicks = [asyncio.create_task(table.person.slash(table.room, "hand")) for _ in range(3)]
        await asyncio.sleep(0.5)
        assert await bot.stopped(signal.SIGTERM) < SOON
        box.clock.advance(99)
        await asyncio.gather(*clicks)


@asynccontextmanager
async def other_sandbox() -> AsyncIterator[tuple[str, asyncio.subprocess.Process]]:
    """A sandbox that is a process of its own, and its address."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "sandbox", "--port", "0"), cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(30):
            line = (await process.stdout.readline()).decode()
        yield re.findall(r"http://\S+:\d+", line)[0], process
    finally:
        process.kill()
        await process.communicate()


async def test_a_discord_that_does_not_answer_at_all_holds_up_no_stop(tmp_path: Path) -> None:
    async with other_sandbox() as (url, discord), bot_on(url, tmp_path) as bot:
        await until(lambda: "ready as" in bot.logged)
        discord.send_signal(signal.SIGSTOP)
        assert await bot.stopped(signal.SIGTERM) < SOON


# While it starts


@stops
async def test_a_signal_while_the_bot_is_still_being_loaded_is_answered_by_a_sentence(
    sign: signal.Signals, tmp_path: Path
) -> None:
    async with bot_on("http://127.0.0.1:9", tmp_path) as bot:
        await until(lambda: listens(bot))
        assert await bot.stopped(sign) < SOON
    assert list(tmp_path.glob("house*")) == []


def listens(bot: Bot) -> bool:
    """Whether it has a handler for both signals."""
    wanted = sum(1 << (sign - 1) for sign in STOPS)
    status = Path(f"/proc/{bot.process.pid}/status").read_text()
    return int(re.findall(r"SigCgt:\s*(\w+)", status)[0], 16) & wanted == wanted


@pytest.mark.parametrize(("method", "path"), [("GET", "/users/@me$"), ("PUT", "/commands$")])
async def test_a_signal_while_discord_lets_the_bot_wait_at_the_door_stops_it(
    method: str, path: str, tmp_path: Path
) -> None:
    async with Sandbox(rate_limits=False) as box:
        wait = Fault(method, path, None, delay=60)
        box.faults.add(wait)
        async with bot_on(box.url, tmp_path) as bot:
            await box.until(lambda: wait.times == 0, 30)
            assert await bot.stopped(signal.SIGTERM) < SOON
        box.clock.advance(99)


@pytest.mark.parametrize(("signs", "limit"), [(STOPS[:1], SOON), (STOPS, ORDERLY)], ids=["once", "twice"])
async def test_a_thread_that_hangs_holds_up_no_stop_and_a_second_signal_ends_it_at_once(
    signs: tuple[signal.Signals, ...], limit: float, tmp_path: Path
) -> None:
    file = tmp_path / "house.sqlite3"
    prepare(file)
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")  # so the start waits for the file for some seconds
        async with bot_on("http://127.0.0.1:9", tmp_path) as bot:
            await until(lambda: str(file) in opened(bot))
            assert await bot.stopped(*signs) < limit


def opened(bot: Bot) -> set[str]:
    """The files that it has open."""
    files = set()
    for link in Path(f"/proc/{bot.process.pid}/fd").glob("*"):
        with suppress(OSError):  # it has just been closed
            files.add(str(link.readlink()))
    return files


# Its children


@pytest.mark.parametrize("sign", [*STOPS, signal.SIGKILL], ids=lambda sign: sign.name)
async def test_no_process_is_left_behind(sign: signal.Signals, tmp_path: Path) -> None:
    async with playing(tmp_path) as (box, bot, _):
        await box.until(lambda: len(bot.children()) == 2, 20)
        children = bot.children()
        bot.process.send_signal(sign)
        await bot.process.wait()
        await box.until(lambda: not any(runs(pid) for pid in children), 10)
        assert "BrokenPipe" not in bot.logged


def runs(pid: int) -> bool:
    """Whether there is such a process, and it has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
