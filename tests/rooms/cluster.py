"""The bot as two processes that share its shards and a PostgreSQL database, all of them simulated."""

import asyncio
import sqlite3
from asyncio import Task
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, AsyncExitStack, contextmanager, nullcontext
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import discord

from bot.cli.start import hold_shards
from bot.client import Palmhouse
from bot.gateway.held_shards import Bot, HeldShards
from bot.gateway.shards import shard_of
from bot.store import Store, open_store
from bot.store.postgresql.processes import PostgreSQLProcesses
from sandbox import Sandbox
from tests.rooms.reading import reading
from tests.rooms.room import HANDED_OVER
from tests.rooms.simulated_bot import TO_START, SimulatedBot
from tests.simulation.loop import Loop
from tests.simulation.postgresql import URL, Server, Written
from tests.simulation.process import PROCESS

T = TypeVar("T")
RESTART = 1.0
"""Seconds after which a process that has ended by itself is started again."""
HANGING_UP = 0.5
"""Seconds after which Discord knows that a process has left a shard: it sends it no more clicks."""
LEAVING = 5.0
"""Seconds after which another process serves a shard that was left."""
OWN = ("remind", "overdue", "caretaker", "move", "tick")
"""Kinds of entries that a process appends by itself; a move is a computer's then."""
OWNER = "SELECT holder FROM leases WHERE shard = ? AND until > ?"


class Member(SimulatedBot):
    """One of the processes. `wanted`: its setting SHARDS."""

    def __init__(self, cluster: "Cluster", level: str, number: int, wanted: str) -> None:
        super().__init__(cluster.box, cluster.folder, level)
        self.name = f"process {number} start"
        self.since: dict[int, float] = {}
        """By shard: when it has begun to serve it, by the sandbox's clock."""
        self._cluster = cluster
        self._wanted = wanted

    @property
    def process_name(self) -> str:
        """The name of the process that was started last."""
        return self._process.name

    async def _opened(self, stack: AsyncExitStack) -> tuple[Store, HeldShards | None]:
        store = await open_store(URL, is_shared=True)
        stack.push_async_callback(store.close)
        processes, process = PostgreSQLProcesses(URL), PROCESS.get()
        assert process is not None
        processes.holder = process.name
        held, self.since = await hold_shards(stack, processes, self._wanted), {}
        serve_with = held.serve_with
        held.serve_with = lambda bot: serve_with(self._noting(bot))  # type: ignore[method-assign]
        return store, held

    def _watch(self, bot: Palmhouse) -> None:
        name = self.process_name

        async def on_interaction(interaction: discord.Interaction[Any]) -> None:
            self._cluster.check_server(name, interaction)

        bot.add_listener(on_interaction)

    def _noting(self, bot: Bot) -> Bot:
        process = self._process

        def begin(shard: int, since: int, away: Mapping[int, int]) -> None:
            self.since[shard] = self.box.clock.now()
            bot.begin(shard, since, away)

        async def end(shard: int) -> None:
            # From now on it sends nothing for people there; the next one has its own connection.
            with self._cluster.trouble(HANDED_OVER, LEAVING), process.lapse(HANGING_UP):
                await bot.end(shard)

        return bot._replace(begin=begin, end=end)

    def _note_end(self, main: "Task[None]") -> None:
        super()._note_end(main)
        if not main.cancelled() and not self._process.is_dead:
            self._cluster.note_end(self)


class Cluster:
    """The processes together: to start, kill, stop or freeze it is to do that to all of them."""

    may_lose_power = False  # what its database has committed stays

    def __init__(
        self, box: Sandbox, folder: Path, level: str, wanted: Sequence[str], ahead: float = 0.0
    ) -> None:
        """`wanted`: the setting SHARDS of each. `ahead`: seconds by which the database's clock is ahead."""
        loop = asyncio.get_running_loop()
        assert isinstance(loop, Loop)
        self.box = box
        self.folder = folder
        self.file = folder / "palmhouse.sqlite3"
        self.lock = asyncio.Lock()
        self.server = Server(loop, self.file)
        self.server.ahead = ahead
        self.server.on_commit = self._check_fence
        self.strayed: list[str] = []
        """Entries that a process has written by itself, and interactions that it has handled, without a lease of the
        shard."""
        self.trouble: Callable[[str, float], AbstractContextManager[None]] = lambda *_: nullcontext()
        """Returns the context in which, and some seconds after which, clicks may be answered by nobody."""
        self.members = [Member(self, level, n, each) for n, each in enumerate(wanted)]
        self.lines = self.members[-1].lines
        """All that was logged by any of them."""
        self._loop = loop
        self._shards = box.gateway.shards

    @property
    def shares_all(self) -> bool:
        """True when each process takes any shard that is free."""
        return self.members[0]._wanted.startswith("any")

    @property
    def clients(self) -> tuple[Palmhouse, ...]:
        return tuple(client for each in self.members for client in each.clients)

    @property
    def ended(self) -> list[str]:
        return [said for each in self.members for said in each.ended]

    @property
    def unforeseen(self) -> list[str]:
        return [said for each in self.members for said in each.unforeseen]

    @property
    def runs(self) -> bool:
        return any(each.runs for each in self.members)

    @property
    def uptime(self) -> float:
        return min(each.uptime for each in self.members)

    @property
    def is_connected(self) -> bool:
        """True while each shard has a connection."""
        return (
            len({each.shard for each in self.box.gateway.sessions.values() if each.connection})
            == self._shards
        )

    async def start(self, *, wait: bool = True) -> None:
        for each in self.members:
            if not each.runs:
                await each.start(wait=False)
        if wait:
            await self.box.until(lambda: self.is_connected, timeout=TO_START)

    def note_end(self, member: Member) -> None:
        """Start a process again that has ended by itself."""
        self._loop.call_later(RESTART, self._start_again, member, context=self.server.context)

    def _start_again(self, member: Member) -> None:
        if not member.runs and not member._process.is_dead:
            self._loop.create_task(member.start(wait=False))

    async def kill(self, power: Random | None = None) -> None:
        for each in self.members:
            each.end_process()
        await self.box.until(lambda: not self.box.gateway.connected)

    async def stop(self) -> None:
        await asyncio.gather(*(each.stop_process() for each in self.members if each.runs))
        await self.kill()

    def reading(self) -> AbstractContextManager[sqlite3.Connection]:
        return reading(self.file)

    async def freeze(self, seconds: float) -> None:
        await asyncio.gather(*(each.freeze(seconds) for each in self.members if each.runs))

    async def ask(self, client: Palmhouse, what: Awaitable[T]) -> T | None:
        """Run something of one of the clients in its process. Return None if that was killed meanwhile."""
        (member,) = [each for each in self.members if client in each.clients]
        return await member.ask(client, what)

    @contextmanager
    def full_disk(self) -> Iterator[None]:
        yield

    def waited(self) -> float:
        return 0.0

    def may_wait(self, asked: Mapping[str, Any]) -> bool:
        return self.members[0].may_wait(asked)

    def logged(self) -> str:
        return "\n".join(self.lines)

    def check_server(self, process: str, interaction: discord.Interaction[Any]) -> None:
        """Note an interaction that a process handles though another one serves its server."""
        with self.reading() as db:
            holders = self._holders(db, interaction.guild_id or 0)
        if holders and holders != [process]:
            self.strayed.append(f"{process} has handled {interaction.data} while it is served by {holders}")

    def _holders(self, db: sqlite3.Connection, guild: int) -> list[str]:
        shard = shard_of(guild, self._shards)
        return [name for (name,) in db.execute(OWNER, (shard, self.server.now()))]

    def _check_fence(self, db: sqlite3.Connection, entries: Sequence[Written]) -> None:
        """Note entries without a person's act that come from a process which does not hold the shard."""
        acted = set[int]()
        for each in entries:
            ((guild, channel),) = db.execute("SELECT guild, channel FROM matches WHERE id = ?", (each.match,))
            if each.user is not None:
                acted.add(each.match)
            # Who leaves by a button in another server may end a vote there.
            is_verdict = each.kind == "caretaker" and each.match in acted
            if each.kind in OWN and each.user is None and channel and not is_verdict:
                holders = self._holders(db, guild)
                if holders != [each.process]:
                    self.strayed.append(f"{each} was written while its server was served by {holders}")
