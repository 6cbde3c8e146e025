"""Several processes on one PostgreSQL database, each with some of the shards, run as a host runs them."""

import asyncio
from asyncio.subprocess import Process
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random

import psycopg
import pytest

from bot.match.state import TableState
from bot.match.tables import Tables
from bot.match.times import Times
from bot.store import Store, StoreFailed, open_store
from sandbox import Answer, Channel, Message, Person, Sandbox
from tests.bot.test_start import begin, start
from tests.e2e.messages import expected_messages, posted_messages
from tests.e2e.players import open_table, some_move
from tests.postgresql import server

pytestmark = pytest.mark.real

SHARDS = 2
TAKEOVER = 30
"""Seconds within which another process serves the shards of one that has gone."""


class Club:
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
        return self.box.world.channel(self.card.id)


class Room:
    """A sandbox with a server on each shard, and the processes of a bot on a database."""

    def __init__(self, box: Sandbox, url: str, store: Store, folder: Path) -> None:
        self.box = box
        self.url = url
        self.tables = Tables(store, lambda: int(self.box.clock.now() * 1000), owns=lambda _: False)
        """Tables that are only read."""
        self.folder = folder
        self.servers = [Club(box, shard) for shard in range(SHARDS)]
        self.running: list[Process] = []
        self.moves: Counter[int] = Counter()
        """Acknowledged moves by match."""
        self.doubtful: Counter[int] = Counter()
        """Other moves that were tried; the answer of some may be lost."""

    async def start(self, shards: str) -> Process:
        """Start a process."""
        process = await begin(
            self.folder, "--sandbox", self.box.url, DATABASE_URL=self.url, SHARDS=shards, LOG_LEVEL="ERROR"
        )
        self.running.append(process)
        return process

    async def kill(self, process: Process) -> None:
        self.running.remove(process)
        with suppress(ProcessLookupError):
            process.kill()
        await process.communicate()

    async def until_served(self, *shards: int) -> None:
        """Wait until these shards are connected."""
        await self.box.until(lambda: self.connected().keys() >= {*shards}, timeout=TAKEOVER)

    def connected(self) -> Counter[int]:
        return Counter(each.shard for each in self.box.gateway.sessions.values() if each.connection)

    def execute(self, statement: str) -> list[tuple[object, ...]]:
        with psycopg.connect(self.url, autocommit=True) as db:
            cursor = db.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    async def state(self, server: Club) -> TableState:
        return (await self.tables.get(server.number)).state

    async def next(self, server: Club) -> tuple[Person, str]:
        state = await self.state(server)
        seat, action = some_move(state, Random(state.n))
        person = next(each for each in server.people if each.id == state.players[seat].user)
        return person, state.game.text(action)

    async def move(self, server: Club, *, by_dm: bool = False) -> Answer:
        person, text = await self.next(server)
        answer = await person.slash(person.dms if by_dm else server.place, "move", action=text)
        self.note(server, answer)
        return answer

    def note(self, server: Club, answer: Answer) -> None:
        (self.moves if "✅" in answer.told else self.doubtful)[server.number] += 1

    async def check(self, server: Club) -> None:
        """Check that each acknowledged move is in the log once, and that each message is posted once and is right."""
        rows = self.execute(f"SELECT n, kind FROM log WHERE match = {server.number} ORDER BY n")
        assert [n for n, _ in rows] == [*range(1, len(rows) + 1)]
        kept, moves = sum(kind == "move" for _, kind in rows), self.moves[server.number]
        assert moves <= kept <= moves + self.doubtful[server.number]
        table, log = await self.tables.get(server.number), await self.tables.store.log(server.number)
        fresh = TableState.of(table.match, table.state.game)
        wanted = expected_messages(fresh, log, Times())

        def is_shown() -> bool:
            posted = posted_messages(self.box.world, server.number, server.place)
            return (posted.records, posted.turn) == (wanted.records, wanted.turn)

        # A process that had lost the database waits 1, 5, 15 and then 60 seconds between its tries.
        await self.box.until(is_shown, timeout=100)


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


@pytest.fixture
async def room(database_url: str, tmp_path: Path) -> AsyncIterator[Room]:
    async with room_on(database_url, tmp_path) as room:
        room.execute("DROP TABLE IF EXISTS leases, session_turns")
        yield room


@asynccontextmanager
async def room_on(url: str, folder: Path) -> AsyncIterator[Room]:
    """Yield a room with the database at an address. At the end every request must have been valid for Discord."""
    async with Sandbox(rate_limits=False) as box:
        box.interactions.first_answer = 8.0  # a busy machine is slow
        box.gateway.shards = box.gateway.max_concurrency = SHARDS
        store = await open_store(url, is_alone=False)
        room = Room(box, url, store, folder)
        async with watched(room):
            yield room
        for each in [*room.running]:
            await room.kill(each)
        await store.close()
        assert box.complaints == []


async def test_a_match_is_played_by_two_processes_one_of_which_is_killed(room: Room) -> None:
    here = room.servers[1]
    await room.start("0/2")
    running = await room.start("1/2")
    await room.until_served(0, 1)
    await here.deal(1)
    for n in range(6):
        answer = await room.move(here, by_dm=n % 2 == 0)
        assert "✅" in answer.told, answer
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
    room.note(here, await moving)
    await room.check(here)


async def test_a_restart_of_the_server_under_load_loses_no_move_and_makes_none_twice(tmp_path: Path) -> None:
    with server() as own:
        async with room_on(f"{own.url('postgres')}&options=-csynchronous_commit%3Don", tmp_path) as room:
            await room.start("0/2")
            await room.start("1/2")
            await room.until_served(0, 1)
            for number, each in enumerate(room.servers, 1):
                await each.deal(number)
            over = asyncio.Event()
            playing = [
                asyncio.create_task(play(room, each, by_dm, over))
                for each in room.servers
                for by_dm in (True, False)
            ]
            await asyncio.sleep(1)
            before = room.moves.total()
            own.stop()
            await asyncio.sleep(1)
            await asyncio.to_thread(own.start)
            await until(lambda: room.moves.total() > before + 8)
            over.set()  # not cancelled: each move has its answer, and is counted
            await asyncio.gather(*playing)
            for club in room.servers:
                await room.check(club)


async def play(room: Room, club: Club, by_dm: bool, over: asyncio.Event) -> None:
    """Make moves until it is over, also while the database is away."""
    while not over.is_set():
        with suppress(StoreFailed):
            await room.move(club, by_dm=by_dm)
        await asyncio.sleep(0.05)


async def until(condition: Callable[[], bool]) -> None:
    """Look again and again until a condition holds, which nothing on the sandbox announces."""
    for _ in range(TAKEOVER * 10):
        if condition():
            return
        await asyncio.sleep(0.1)
    assert condition()
