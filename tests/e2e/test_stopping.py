"""Stopping the bot as hosts and people at a terminal do: cleanly, quickly, and with one sentence."""

import asyncio
import logging
import re
import signal
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path

import pytest

from bench.process import ROOT
from bot.cli.stopping import ORDERLY
from bot.messages.answers import Interaction
from bot.messages.router import Click
from bot.store.sqlite.opening import prepare
from sandbox import Message, Person, Sandbox, TextChannel
from sandbox.faults import Fault
from tests.bot.store.stores import rows
from tests.e2e.card_room import card_room
from tests.e2e.hosted import HostedBot, hosted_bot, until
from tests.e2e.players import deal, open_table

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(not Path("/proc/self").exists(), reason="It is looked up in Linux' /proc."),
]

SOON = 5.0
"""Greatest number of seconds for a stop on a busy machine; two on another."""
STOPS = (signal.SIGTERM, signal.SIGINT)

stops = pytest.mark.parametrize("sign", STOPS, ids=lambda sign: sign.name)


class Table:
    """One person at a table with computers."""

    def __init__(self, room: TextChannel, person: Person, card: Message) -> None:
        self.room = room
        self.person = person
        self.card = card

    @classmethod
    async def start(cls, room: TextChannel, person: Person) -> "Table":
        """Deal a match that begins with everybody's bid."""
        card = await open_table(room, "twin-palms start", person, computers=3)
        await person.click(card, "Start")
        return cls(room, person, card)

    async def click(self) -> None:
        """Ask for a hint again and again, as long as answers come."""
        number = next(each for each in self.card.custom_ids if each.startswith("rules:")).partition(":")[2]
        answered = True
        while answered:
            answered = not (await self.person.press(self.card, f"hint:{number}")).failed


@asynccontextmanager
async def playing(folder: Path, tables: int = 1) -> AsyncIterator[tuple[Sandbox, HostedBot, list[Table]]]:
    """Run a bot with tables at which one person has just started a match with computers."""
    async with Sandbox(rate_limits=False) as box, hosted_bot(box.url, folder) as bot:
        await box.ready(30)
        guild = box.guild("Palm Beach")
        room = guild.channel("card-room")
        people = [box.person(f"P{n}", guild) for n in range(tables)]
        yield box, bot, await asyncio.gather(*(Table.start(room, person) for person in people))


@stops
async def test_a_signal_stops_the_bot_cleanly_while_people_and_computers_play(
    sign: signal.Signals, tmp_path: Path
) -> None:
    async with playing(tmp_path, tables=6) as (box, bot, tables):
        clicking = [asyncio.create_task(table.click()) for table in tables for _ in range(2)]
        await box.until(lambda: len(bot.subprocesses()) == 2, 20)
        children = bot.subprocesses()
        await asyncio.sleep(0.5)
        assert await bot.stopped(sign) < SOON
        box.clock.advance(5)
        await asyncio.gather(*clicking)
        await box.until(lambda: not any(map(runs, children)), 10)
        assert "BrokenPipe" not in bot.logged
    assert rows(tmp_path / "palmhouse.sqlite3", "PRAGMA integrity_check") == [("ok",)]
    assert not (tmp_path / "palmhouse.sqlite3-wal").exists()


async def test_a_kill_leaves_no_process_behind(tmp_path: Path) -> None:
    async with playing(tmp_path) as (box, bot, _):
        await box.until(lambda: len(bot.subprocesses()) == 2, 20)
        children = bot.subprocesses()
        bot.process.kill()
        await bot.process.wait()
        await box.until(lambda: not any(map(runs, children)), 10)


def runs(pid: int) -> bool:
    """Return whether the process exists and has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


async def test_waiting_messages_and_hanging_requests_delay_no_stop(tmp_path: Path) -> None:
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
    """Run a sandbox in a process of its own and return its address."""
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


async def test_a_discord_that_never_answers_delays_no_stop(tmp_path: Path) -> None:
    async with other_sandbox() as (url, discord), hosted_bot(url, tmp_path) as bot:
        await until(lambda: "ready as" in bot.logged)
        discord.send_signal(signal.SIGSTOP)
        assert await bot.stopped(signal.SIGTERM) < SOON


# During the start


async def test_a_signal_during_loading_is_answered_with_a_sentence(tmp_path: Path) -> None:
    async with hosted_bot("http://127.0.0.1:9", tmp_path, anew=True) as bot:
        await until(lambda: listens(bot))
        assert await bot.stopped(signal.SIGINT) < SOON
    assert list(tmp_path.glob("palmhouse*")) == []


def listens(bot: HostedBot) -> bool:
    """Return whether the bot has a handler for both signals."""
    wanted = sum(1 << (sign - 1) for sign in STOPS)
    status = Path(f"/proc/{bot.process.pid}/status").read_text()
    return int(re.findall(r"SigCgt:\s*(\w+)", status)[0], 16) & wanted == wanted


@pytest.mark.parametrize(("method", "path"), [("GET", "/users/@me$"), ("PUT", "/commands$")])
async def test_a_signal_stops_the_bot_while_it_waits_to_connect(
    method: str, path: str, tmp_path: Path
) -> None:
    async with Sandbox(rate_limits=False) as box:
        wait = Fault(method, path, None, delay=60)
        box.faults.add(wait)
        async with hosted_bot(box.url, tmp_path) as bot:
            await box.until(lambda: wait.times == 0, 30)
            assert await bot.stopped(signal.SIGTERM) < SOON
        box.clock.advance(99)


@pytest.mark.parametrize(("signs", "limit"), [(STOPS[:1], SOON), (STOPS, ORDERLY)], ids=["once", "twice"])
async def test_a_hanging_thread_delays_no_stop_and_a_second_signal_ends_the_bot_at_once(
    signs: tuple[signal.Signals, ...], limit: float, tmp_path: Path
) -> None:
    file = tmp_path / "palmhouse.sqlite3"
    prepare(file)
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")  # so the start waits some seconds for the file
        async with hosted_bot("http://127.0.0.1:9", tmp_path) as bot:
            await until(lambda: str(file) in opened(bot))
            assert await bot.stopped(*signs) < limit


def opened(bot: HostedBot) -> set[str]:
    """Return the files that the bot has open."""
    files = set()
    for link in Path(f"/proc/{bot.process.pid}/fd").glob("*"):
        with suppress(OSError):  # it was closed just now
            files.add(str(link.readlink()))
    return files


# What is under way


async def test_an_answer_that_fails_because_the_bot_has_stopped_is_no_error(
    file: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    clicked: list[tuple[Interaction, Click | None]] = []

    async def hold(interaction: Interaction, click: Click | None) -> None:
        clicked.append((interaction, click))

    async with card_room(file) as here:
        card = await open_table(here.room, "twin-palms start", here.people[0])
        with monkeypatch.context() as patch:
            patch.setattr(here.bot.router, "dispatch", hold)
            click = asyncio.create_task(here.people[0].click(card, "Rules"))
            await here.box.until(lambda: clicked)
        await here.bot.close()
        await here.bot.router.dispatch(*clicked[0])
        here.box.clock.advance(99)
        await click
    assert [each.getMessage() for each in caplog.records if each.levelno >= logging.WARNING] == []


async def test_an_edit_that_begins_after_the_bot_has_stopped_is_no_error(
    file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with card_room(file) as here:
        await deal(here, 2)
        live = here.bot.publisher.live.get(await here.bot.tables.get(1), "table")
        assert live is not None
        await here.bot.close()
        live._shown = []  # else there is nothing to edit
        await live.update()
    assert [each.getMessage() for each in caplog.records if each.levelno >= logging.WARNING] == []
