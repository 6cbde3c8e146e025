"""The bot as a simulated process: it runs in the same event loop as its sandbox, and can be killed at any await."""

import asyncio
import logging
import sqlite3
import time
import traceback
from asyncio import Task
from collections.abc import Awaitable, Iterator, Mapping
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from discord import AppCommandType, app_commands

from bot.cli.logs import Discreet, is_no_late_suggestion
from bot.cli.start import Dismissed, StartRefused, enter_sandbox, play
from bot.cli.stopping import ORDERLY
from bot.client import Palmhouse
from bot.gateway.discord_time import DiscordTime
from bot.gateway.held_shards import HeldShards
from bot.match.openings import Openings
from bot.messages.admission import MAY_WAIT
from bot.store import Store, StoreFailed, StoreRefused, open_store
from bot.store.sqlite.opening import Waits
from sandbox import Sandbox
from tests.rooms.reading import opened, reading
from tests.rooms.room import TIMES
from tests.simulation.loop import Loop
from tests.simulation.process import PROCESS, Process
from tests.simulation.workers import rasterizer, thinker
from tests.simulation.world import World

T = TypeVar("T")
START = 0.8
"""Seconds in which the bot's modules are imported."""
WRONG = (0, 0, 0, -86_400, -60, 60, 86_400)
"""Seconds by which the machine's clock may be wrong at a start."""
FORESEEN = (StartRefused, Dismissed, StoreRefused, StoreFailed)
"""Errors with which a process may end by itself: the command line tells people their sentence."""
LOCKED = 5.0
"""Seconds that a start waits while another process writes."""
TO_START = 60.0
"""Seconds within which the bot must be connected after its start."""
MANY = 1_000
"""Number of tables that a person may open one after the other."""


class SimulatedBot:
    """The bot on `box`, with its database in `folder`."""

    name = "bot"
    may_lose_power = True

    def __init__(self, box: Sandbox, folder: Path, level: str, **chance: Any) -> None:
        """`chance`: arguments of `Palmhouse` in place of the usual ones."""
        self.box = box
        self.folder = folder
        self.file = folder / "palmhouse.sqlite3"
        self.lock = asyncio.Lock()
        self.lines: list[str] = []
        """All that was logged."""
        self.ended: list[str] = []
        """Tracebacks of the errors with which it has ended by itself."""
        self.unforeseen: list[str] = []
        """Those errors of which nobody was told what to do."""
        self.client: Palmhouse
        """The bot itself, once it has run."""
        self._chance = chance
        self._is_opened = False
        """True once the process that was started last has that bot."""
        self._number = 0
        self._started = 0.0
        self._process: Process
        self._reader: sqlite3.Connection | None = None
        self._keeps_reader = False
        """True while the bot has the database open, too. A new connection would read the whole schema."""
        self._main: Task[None] | None = None
        logging.getLogger().handlers[:] = [_Lines(self.lines)]
        logging.getLogger().setLevel("INFO" if level == "DEBUG" else level)
        for name in ("bot", "cogs", "games"):
            logging.getLogger(name).setLevel(level)
        logging.getLogger("discord.app_commands.tree").addFilter(is_no_late_suggestion)

    @property
    def world(self) -> World:
        """The world in which it runs."""
        loop = asyncio.get_running_loop()
        assert isinstance(loop, Loop)
        return loop.world

    @property
    def clients(self) -> tuple[Palmhouse, ...]:
        """The bot itself, while it runs."""
        return (self.client,) if self.runs and self._is_opened else ()

    @property
    def runs(self) -> bool:
        return self._main is not None and self._process.runs

    @property
    def uptime(self) -> float:
        return time.monotonic() - self._started

    async def start(self, *, wait: bool = True) -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, Loop)
        self._number += 1
        self._is_opened = False
        self._started = time.monotonic()
        self._process = Process(loop, f"{self.name} {self._number}")
        self._main = self._process.start(self._run())
        self._main.add_done_callback(self._note_end)
        if wait:
            # The sandbox may not have noticed yet that the last process is gone.
            await self.box.until(
                lambda: (self._is_opened and self.box.gateway.connected) or not self.runs, timeout=TO_START
            )
            if not self.runs:
                raise RuntimeError(f"The bot has ended: {self.ended[-1:]}")

    def _note_end(self, main: "Task[None]") -> None:
        error = None if main.cancelled() else main.exception()
        if error is not None:
            self._process.note_end()
            self.unforeseen += [] if isinstance(error, FORESEEN) else [repr(error)]
            self.ended.append("".join(traceback.format_exception(error)))

    async def _run(self) -> None:
        """Do what `bot.cli.start.run` does, without the checks of the machine."""
        await asyncio.sleep(START)
        async with AsyncExitStack() as stack:
            token = await enter_sandbox(stack, self.box.url)
            store, held = await self._opened(stack)
            wrong = self.world.chance(f"clock of {self._process.name}").choice(WRONG)
            usual: dict[str, Any] = {
                "time": DiscordTime(wall=lambda: time.time_ns() + wrong * 1_000_000_000),
                "times": TIMES,
                "openings": Openings(most=MANY),
                "rasterizer": rasterizer(),
                "thinker": thinker(stops_at_once=True),
            }
            bot = Palmhouse(store, held=held, **(usual | self._chance))
            await stack.enter_async_context(bot)
            bot.identifies.most = None
            self._watch(bot)
            self.client, self._is_opened, self._keeps_reader = bot, True, True
            await play(bot, token)

    def _watch(self, bot: Palmhouse) -> None:
        """Watch a bot that is about to connect."""

    async def _opened(self, stack: AsyncExitStack) -> tuple[Store, HeldShards | None]:
        """Open the database, as soon as no other process writes. The shards are those of one process among several."""
        end = time.monotonic() + LOCKED
        while True:
            try:
                store = await open_store(self.file, waits=Waits(start=0))
                stack.push_async_callback(store.close)
                return store, None
            except StoreRefused as refusal:
                if "another process" not in str(refusal) or time.monotonic() > end:
                    raise
            await asyncio.sleep(0.05)

    async def ask(self, _: Palmhouse, what: Awaitable[T]) -> T | None:
        """Run something of the bot in its process. Return None if that was killed meanwhile."""
        return await self._process.ask(what)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        if not (self.runs and self._keeps_reader):
            with reading(self.file) as db:
                yield db
            return
        self._reader = self._reader or opened(self.file)
        yield self._reader

    def _close_reader(self) -> None:
        """Close what reads, so that the bot is the last to close the database, after which SQLite tidies it up."""
        self._keeps_reader = False
        if self._reader is not None:
            self._reader.close()
            self._reader = None

    def end_process(self, power: Random | None = None) -> None:
        """Kill the process, if there is one."""
        self._close_reader()
        if self._main is not None:
            self._process.kill(power)

    async def kill(self, power: Random | None = None) -> None:
        self.end_process(power)
        await self.box.until(lambda: not self.box.gateway.connected)

    async def stop(self) -> None:
        await self.stop_process()
        await self.kill()

    async def stop_process(self) -> None:
        """Stop the process, and kill it when it does not end in time."""
        assert self._main is not None
        self._close_reader()
        self._process.note_end()
        self._main.cancel()
        try:
            await asyncio.wait({self._main}, timeout=ORDERLY)
        finally:
            self.end_process()

    async def freeze(self, seconds: float) -> None:
        await self._process.freeze(seconds)

    @contextmanager
    def full_disk(self) -> Iterator[None]:
        process = self._process
        wal = self.file.with_name(f"{self.file.name}-wal")
        process.largest_file = wal.stat().st_size if wal.exists() else 0
        try:
            yield
        finally:
            process.largest_file = None

    def waited(self) -> float:
        return 0.0

    def may_wait(self, asked: Mapping[str, Any]) -> bool:
        if custom_id := asked.get("custom_id"):
            route = self.client.router.verbs.get(custom_id.partition(":")[0])
            return route is not None and not route.at_once
        command: Any = self.client.tree.get_command(asked["name"], type=AppCommandType(asked["type"]))
        while isinstance(command, app_commands.Group):
            (asked,) = asked["options"]
            command = command.get_command(asked["name"])
        return command is not None and MAY_WAIT in command.extras

    def logged(self) -> str:
        return "\n".join(self.lines)


class _Lines(logging.Handler):
    """Keeps what simulated processes log."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__()
        lined = Discreet("%(asctime)s %(levelname)s %(name)s: %(message)s")
        lined.converter = time.gmtime  # a room repeats itself in each time zone
        self.setFormatter(lined)
        self._lines = lines

    def emit(self, record: logging.LogRecord) -> None:
        if PROCESS.get() is not None:
            self._lines.append(self.format(record))
