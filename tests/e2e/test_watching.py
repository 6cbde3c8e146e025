"""The port on which the bot says how it is, while real matches are played."""

import asyncio
import os
import signal
import socket
import sqlite3
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, closing, suppress
from pathlib import Path
from random import Random

import aiohttp
import pytest
import yarl
from prometheus_client.parser import text_string_to_metric_families

from bot.cli.watching import MOST_CONNECTIONS
from sandbox import TOKEN, Guild, Person, Sandbox
from tests.bot.hosting.promtool import promtool
from tests.bot.test_start import HERE, start
from tests.e2e.hosted import HostedBot, hosted_bot, until
from tests.e2e.players import by_typing, open_table
from tests.e2e.test_stopping import SOON

pytestmark = pytest.mark.real

PLAYED = ("palmer", "twin-it")
"""Games with a table: one of turns, one of speed."""
LABELS = {"game", "kind", "outcome", "shard", "route", "le"}
MOST_SERIES = 300
PATIENCE = 90
"""Seconds; discord.py waits between its attempts to connect, and a busy machine is slow."""
LISTEN = "0A"
"""State of a listening socket in Linux's table of sockets."""


@pytest.fixture
def port(unused_tcp_port: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """A free port, which is set as METRICS_PORT."""
    monkeypatch.setenv("METRICS_PORT", str(unused_tcp_port))
    return unused_tcp_port


class Watcher:
    """A program on the machine of the bot that asks its port."""

    def __init__(self, port: int, session: aiohttp.ClientSession) -> None:
        self._port = port
        self._session = session

    async def health(self) -> tuple[int, list[str]]:
        """Return the status, and the faults named."""
        async with self._session.get(f"http://127.0.0.1:{self._port}/health") as response:
            return response.status, (await response.json())["faults"]

    async def until_health(self, status: int, *faults: str) -> None:
        """Ask until the health is this."""
        async with asyncio.timeout(PATIENCE):
            while await self.health() != (status, [*faults]):  # noqa: ASYNC110 - it is another process
                await asyncio.sleep(0.05)

    async def text(self) -> str:
        async with self._session.get(f"http://127.0.0.1:{self._port}/metrics") as response:
            assert response.status == 200
            assert response.content_type == "text/plain"
            return await response.text()

    async def value(self, name: str, **labels: str) -> float:
        """Return the value of a time series, 0 if there is none."""
        return next((v for n, ls, v in samples(await self.text()) if (n, ls) == (name, labels)), 0.0)

    async def until(self, name: str, least: float, **labels: str) -> None:
        """Ask until a time series has this value, or a greater one."""
        async with asyncio.timeout(PATIENCE):
            while await self.value(name, **labels) < least:  # noqa: ASYNC110
                await asyncio.sleep(0.2)


def samples(text: str) -> Iterator[tuple[str, dict[str, str], float]]:
    """Yield name, labels and value of each time series."""
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            yield sample.name, sample.labels, sample.value


@asynccontextmanager
async def watched(
    folder: Path, port: int, *, anew: bool = False
) -> AsyncIterator[tuple[Sandbox, HostedBot, Watcher]]:
    """Run the bot on a sandbox, and a program that asks its port."""
    async with (
        Sandbox(rate_limits=False) as box,
        hosted_bot(box.url, folder, anew=anew) as bot,
        aiohttp.ClientSession() as session,
    ):
        await box.ready(30)
        watcher = Watcher(port, session)
        await watcher.until_health(200)
        await until(lambda: "ready as" in bot.logged)
        yield box, bot, watcher


async def play(box: Sandbox, guild: Guild, slug: str, people: list[Person], moves: int) -> None:
    """Open a table, let somebody try to start it who may not, and make some moves."""
    room = guild.channel("card-room")
    card = await open_table(room, f"{slug} start", *people)
    assert "Only the host" in (await people[1].click(card, "Start")).text
    await people[0].click(card, "Start")
    await box.until(lambda: card.thread and card.thread.messages())
    assert card.thread is not None
    for n in range(moves):
        for person in people:
            if await person.autocomplete(card.thread, "move", "action", ""):
                await by_typing(person, card.thread, Random(n))


def known(box: Sandbox) -> set[str]:
    """Return everything that names a person, a place or a message: names, ids, the token."""
    messages = [message for channel in box.world.channels.values() for message in channel.messages()]
    names = [user.name for user in box.world.users.values()] + [guild.name for guild in box.guilds.values()]
    ids = [*box.world.users, *box.guilds, *box.world.channels, *(message.id for message in messages)]
    return {*names, *map(str, ids), TOKEN}


async def test_metrics_count_what_happens_and_name_nobody(tmp_path: Path, port: int) -> None:
    async with watched(tmp_path, port) as (box, bot, watcher):
        for n in range(200):
            box.guild(f"Server {n}")
        guild = box.guild("Palm Beach")
        box.fail("POST", "^/channels/.*/messages$", 429)
        box.fail("PATCH", "^/channels/.*/messages/", 429, times=2)
        for slug in PLAYED:
            people = [box.person(f"{name} of {slug}", guild) for name in ("Alice", "Ben", "Cleo")]
            await play(box, guild, slug, people, moves=3)
        games = len(PLAYED)
        await watcher.until("palmhouse_interactions_total", games, kind="component", outcome="refused")
        await watcher.until("palmhouse_interactions_total", 2 * games, kind="command", outcome="answered")
        text = await watcher.text()
        found = {(name, tuple(labels.items())): value for name, labels, value in samples(text)}
        assert found["palmhouse_gateway_connected", (("shard", "0"),)] == 1
        assert [found["palmhouse_open_tables", (("game", slug),)] for slug in PLAYED] == [1] * games
        assert found["palmhouse_answer_seconds_count", (("kind", "component"),)] >= 4 * games
        assert found["palmhouse_answer_seconds_count", (("kind", "autocomplete"),)] >= games
        assert found["palmhouse_commit_seconds_count", (("outcome", "kept"),)] >= 10 * games
        assert found["palmhouse_rate_limits_total", (("route", "POST /channels/{}/messages"),)] == 1
        assert found["palmhouse_rate_limits_total", (("route", "PATCH /channels/{}/messages/{}"),)] == 2
        assert found["palmhouse_overdue_turns", ()] == 0
        assert {name for _, labels in found for name, _ in labels} <= LABELS
        assert len(found) <= MOST_SERIES
        assert [each for each in known(box) if each in text] == []
        assert promtool("check", "metrics", given=text) == ""
        assert "Traceback" not in bot.logged


async def test_moves_that_fail_and_answers_that_are_late_are_counted(tmp_path: Path, port: int) -> None:
    async with watched(tmp_path, port) as (box, _, watcher):
        guild = box.guild("Palm Beach")
        alice, room = box.person("Alice", guild), guild.channel("card-room")
        box.fail("POST", "^/interactions/.*/callback$", 404, times=9)
        asking = asyncio.create_task(alice.slash(room, "tables"))
        await watcher.until("palmhouse_interactions_total", 1, kind="command", outcome="late")
        asking.cancel()
        assert await watcher.value("palmhouse_answer_seconds_count", kind="command") == 0
        box.faults.clear()
        with closing(sqlite3.connect(tmp_path / "palmhouse.sqlite3", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            assert "could not be saved" in (await alice.slash(room, "palmer start")).text
            other.execute("ROLLBACK")
        await watcher.until("palmhouse_commit_seconds_count", 1, outcome="failed")
        await watcher.until("palmhouse_interactions_total", 1, kind="command", outcome="failed")


async def test_the_health_names_a_lost_connection_until_it_is_back(tmp_path: Path, port: int) -> None:
    async with watched(tmp_path, port) as (box, bot, watcher):
        assert await watcher.health() == (200, [])
        await box.close()
        await watcher.until_health(503, "Discord is not connected.")
        assert await watcher.value("palmhouse_gateway_connected", shard="0") == 0
        async with Sandbox(port=yarl.URL(box.url).port or 0):
            await watcher.until_health(200)
            bot.process.kill()  # else it would connect again while the sandbox closes
            await bot.process.wait()


async def test_the_port_answers_this_machine_alone_whatever_it_is_asked(tmp_path: Path, port: int) -> None:
    async with watched(tmp_path, port) as (_, bot, watcher):
        for name in ("127.0.0.1", "localhost", "LocalHost", "[::1]", f"127.0.0.1:{port}", "localhost:1"):
            for path in ("/health", "/metrics"):
                assert (await said(port, path, name)).startswith(b"HTTP/1.1 200 OK")
            assert (await said(port, "/", name)).startswith(b"HTTP/1.1 404 ")
        # Names that somebody else lets lead to this machine
        for name in ("example.com", f"localhost.example.com:{port}", "127.0.0.1.example.com", "[", "", "a b"):
            answer = await said(port, "/metrics", name)
            assert answer.startswith((b"HTTP/1.1 403 ", b"HTTP/1.1 400 ", b"HTTP/1.0 400 ")), name
            assert b"palmhouse" not in answer
        await bears_bad_requests(port, bot)
        assert await watcher.health() == (200, [])
        assert "Traceback" not in bot.logged


async def test_a_program_that_stays_connected_does_not_delay_the_end(tmp_path: Path, port: int) -> None:
    async with watched(tmp_path, port) as (_, bot, watcher):
        await watcher.text()  # the connection is kept
        assert await bot.stopped(signal.SIGTERM) < SOON


async def bears_bad_requests(port: int, bot: HostedBot) -> None:
    """Send long headers, the same one twice, and half requests."""
    long = await said(port, "/health", f"localhost\r\nX-Long: {'x' * 9_000}")
    assert long.startswith(b"HTTP/1.0 400 ")
    await until(lambda: "a request was refused: LineTooLong" in bot.logged)
    for _ in range(30):
        twice = await said(port, "/health", "localhost\r\nHost: localhost")
        assert twice.startswith(b"HTTP/1.0 400 ")
    assert bot.logged.count("a request was refused") == 1
    async with AsyncExitStack() as opened:
        halves = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3 * MOST_CONNECTIONS)]
        for _, writer in halves:
            opened.callback(writer.close)
            writer.write(b"GET /health HTTP/1.1\r\nHost: ")
        for reader, _ in halves:  # those too many are closed at once, the others when their time is up
            with suppress(ConnectionError):
                assert await asyncio.wait_for(reader.read(), PATIENCE) == b""


async def said(port: int, path: str, host: str) -> bytes:
    """Return everything that the port answers to one request, until it closes the connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    with closing(writer):
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        return await asyncio.wait_for(reader.read(), PATIENCE)


async def test_without_the_setting_the_library_is_not_imported_and_no_port_is_open(
    tmp_path: Path, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("METRICS_PORT", "")
    monkeypatch.setenv("PYTHONPROFILEIMPORTTIME", "1")  # the bot prints every module that it imports
    async with Sandbox() as box, hosted_bot(box.url, tmp_path, anew=True) as bot:
        await box.ready(30)
        assert "bot.client" in bot.logged
        assert "prometheus_client" not in bot.logged
        assert listening(bot.process.pid) == []
    monkeypatch.setenv("METRICS_PORT", str(port))
    async with watched(tmp_path, port, anew=True) as (_, bot, _):
        assert "prometheus_client" in bot.logged
        assert listening(bot.process.pid) == [f"127.0.0.1:{port}"]


def listening(pid: int) -> list[str]:
    """Return the addresses on which a process listens."""
    own = set(open_files(pid))
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return [address(row[1]) for row in rows if row[3] == LISTEN and f"socket:[{row[9]}]" in own]


def open_files(pid: int) -> Iterator[str]:
    for each in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # it was closed meanwhile
            yield str(each.readlink())


def address(written: str) -> str:
    """Return an address that Linux writes as two hexadecimal numbers."""
    host, port = written.split(":")
    return f"{socket.inet_ntoa(bytes.fromhex(host)[::-1])}:{int(port, 16)}"


async def test_a_port_that_is_taken_is_named(tmp_path: Path, port: int) -> None:
    with socket.create_server(("127.0.0.1", port)):
        status, said = await start(tmp_path, "--sandbox")
    assert status == 1
    assert f"METRICS_PORT: port {port} on 127.0.0.1 cannot be used." in said
    assert said.count("\n") == 1


async def test_a_missing_library_is_named(tmp_path: Path, port: int) -> None:
    (tmp_path / "prometheus_client.py").write_text("import not_installed\n")  # found before the real one
    # A forked process has imported the real one already.
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "--sandbox"),
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(HERE)},
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    _, said = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 1
    assert b"METRICS_PORT is set, but the package not_installed is missing." in said
    assert said.count(b"\n") == 1
