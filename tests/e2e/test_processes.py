"""Several processes on one PostgreSQL database, each with some of the shards, run as a host runs them."""

import asyncio
from asyncio.subprocess import Process
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random

import psycopg
import pytest

from bot.match.state import TableState
from bot.match.tables import Tables
from bot.match.times import Times
from bot.store import open_store
from sandbox import Answer, Channel, Message, Person, Sandbox
from tests.bot.test_start import begin, start
from tests.e2e.messages import expected_messages, posted_messages
from tests.e2e.players import open_table, some_move

SHARDS = 2
TAKEOVER = 30
"""Seconds within which another process serves the shards of one that has gone."""


class Server:
    """A server on a shard, with two people and a match of theirs."""

    card: Message
    number: int

    def __init__(self, box: Sandbox, shard: int) -> None:
        guild = box.guild(f"Server {shard}", id_=(SHARDS + shard) << 22 | 1)
        self.box = box
        self.room = guild.channel("card-room")
        self.people = [box.person(f"{name} {shard}", guild) for name in ("Alice", "Ben")]
        self.watcher = box.person(f"Walter {shard}", guild)

    async def deal(self, number: int) -> None:
        """Open table `number` and start its match."""
        self.number = number
        self.card = await open_table(self.room, "palace start", *self.people)
        await self.people[0].click(self.card, "Start")
        await self.box.until(lambda: self.card.thread is not None)

    @property
    def place(self) -> Channel:
        """The thread of the match."""
        return self.box.world.channel(self.card.id)


class Room:
    """A sandbox with a server on each shard, and the processes of a bot on a database."""

    def __init__(self, box: Sandbox, url: str, folder: Path) -> None:
        self.box = box
        self.url = url
        self.folder = folder
        self.servers = [Server(box, shard) for shard in range(SHARDS)]
        self.running: list[Process] = []
        self.moves: Counter[int] = Counter()
        """Acknowledged moves by match."""

    async def start(self, shards: str, url: str = "") -> Process:
        """Start a process."""
        process = await begin(
            self.folder,
            "--sandbox",
            self.box.url,
            DATABASE_URL=url or self.url,
            SHARDS=shards,
            LOG_LEVEL="ERROR",
        )
        self.running.append(process)
        return process

    async def kill(self, process: Process) -> None:
        """Kill a process."""
        self.running.remove(process)
        with suppress(ProcessLookupError):
            process.kill()
        await process.communicate()

    async def until_served(self, *shards: int) -> None:
        """Wait until these shards are connected."""
        await self.box.until(lambda: self.connected().keys() >= {*shards}, timeout=TAKEOVER)

    def connected(self) -> Counter[int]:
        """Return the number of connections by shard."""
        return Counter(each.shard for each in self.box.gateway.sessions.values() if each.connection)

    def execute(self, statement: str) -> list[tuple[object, ...]]:
        with psycopg.connect(self.url, autocommit=True) as db:
            cursor = db.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def holders(self) -> dict[int, str]:
        """Return the holders of the shards."""
        rows = self.execute("SELECT shard, holder FROM leases WHERE until > now() AND shard >= 0")
        return {int(str(shard)): str(holder) for shard, holder in rows}

    async def state(self, server: Server) -> TableState:
        """Return the state of a server's match, read from its log."""
        async with self.tables() as tables:
            return (await tables.get(server.number)).state

    @asynccontextmanager
    async def tables(self) -> AsyncIterator[Tables]:
        """Yield tables that are only read."""
        store = await open_store(self.url, is_alone=False)
        try:
            yield Tables(store, lambda: int(self.box.clock.now() * 1000), owns=lambda _: False)
        finally:
            await store.close()

    async def next(self, server: Server) -> tuple[Person, str]:
        """Return an awaited person of a server's match, and the text of a move."""
        state = await self.state(server)
        seat, action = some_move(state, Random(state.n))
        person = next(each for each in server.people if each.id == state.players[seat].user)
        return person, state.game.text(action)

    async def move(self, server: Server, *, by_dm: bool = False) -> Answer:
        """Make the next move of a server's match."""
        person, text = await self.next(server)
        answer = await person.slash(person.dms if by_dm else server.place, "move", action=text)
        self.moves[server.number] += "✅" in answer.text
        return answer

    async def check(self, server: Server) -> None:
        """Check that each acknowledged move is in the log once, and that each message is posted once and is right."""
        rows = self.execute(f"SELECT n, kind FROM log WHERE match = {server.number} ORDER BY n")
        assert [n for n, _ in rows] == [*range(1, len(rows) + 1)]
        assert sum(kind == "move" for _, kind in rows) >= self.moves[server.number]
        async with self.tables() as tables:
            table, log = await tables.get(server.number), await tables.store.log(server.number)
            fresh = TableState(table.state.game, table.state.options, table.match.seed)
            wanted = expected_messages(fresh, log, Times())

        def is_shown() -> bool:
            posted = posted_messages(self.box.world, server.number, server.place)
            return (posted.records, posted.turn) == (wanted.records, wanted.turn)

        await self.box.until(is_shown, timeout=20)


@asynccontextmanager
async def watched(room: Room) -> AsyncIterator[None]:
    """Check all the time that no shard has two connections, and at the end that none had."""
    twice = set[int]()

    async def watch() -> None:
        while True:
            twice.update(shard for shard, number in room.connected().items() if number > 1)
            await asyncio.sleep(0.01)

    watching = asyncio.create_task(watch())
    try:
        yield
    finally:
        watching.cancel()
    assert not twice


@pytest.fixture(autouse=True)
def soon_unanswered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give up sooner on clicks that a process takes along when it dies."""
    monkeypatch.setattr("sandbox.interactions.FIRST_ANSWER", 8.0)


@pytest.fixture
async def room(database_url: str, tmp_path: Path) -> AsyncIterator[Room]:
    async with Sandbox(rate_limits=False) as box:
        box.gateway.shards = box.gateway.max_concurrency = SHARDS
        room = Room(box, database_url, tmp_path)
        room.execute("DROP TABLE IF EXISTS leases, session_turns")
        async with watched(room):
            yield room
        for each in [*room.running]:
            await room.kill(each)
        assert box.complaints == []


async def test_a_match_is_played_by_two_processes_one_of_which_is_killed(room: Room) -> None:
    here = room.servers[1]
    await room.start("0/2")
    running = await room.start("1/2")
    await room.until_served(0, 1)
    await here.deal(1)
    for n in range(6):
        answer = await room.move(here, by_dm=n % 2 == 0)
        assert "✅" in answer.text, answer
    await room.check(here)

    status, said = await start(room.folder, "--sandbox", room.box.url, DATABASE_URL=room.url, SHARDS="0-1/2")
    assert status == 1
    assert "is served by process " in said
    assert "name other shards in SHARDS" in said

    person, text = await room.next(here)
    moving = asyncio.ensure_future(person.slash(here.place, "move", action=text))
    await asyncio.sleep(0.005)
    await room.kill(running)
    # A hand in direct messages works meanwhile.
    assert "✅" in (await room.move(here, by_dm=True)).text
    room.execute("UPDATE leases SET until = now() WHERE shard = 1")  # as it does after some seconds
    await room.start("1/2")
    await room.until_served(0, 1)
    for n in range(4):
        assert "✅" in (await room.move(here, by_dm=n % 2 == 0)).text
    room.moves[1] += "✅" in (await moving).text
    await room.check(here)
