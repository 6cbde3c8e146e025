"""The bot in a simulated process that can be killed at any time and started again on the same file."""

import asyncio
import re
import sqlite3
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from bot.gateway.discord_time import DiscordTime
from bot.hosting.backup import back_up, restore, silent
from bot.messages.live_message import EditBudget
from bot.store import LogRow
from sandbox import Sandbox
from tests.e2e.card_room import QUICK
from tests.rooms.simulated_bot import SimulatedBot

SEED = "e2e"
"""Seed of every match, so that two runs of it can be compared."""
OFTEN = 0.001
"""Seconds between two looks at a condition for a kill."""

T = TypeVar("T")
Condition: TypeAlias = Callable[[], bool]
"""A function that returns True once something has happened."""


class BotProcess(SimulatedBot):
    """A bot for which clicks do not wait for earlier ones, jumps of the clock do not count as sleep, and messages are
    edited ten times a second. It logs levels from WARNING."""

    def __init__(self, box: Sandbox, folder: Path) -> None:
        super().__init__(
            box,
            folder,
            "WARNING",
            seed=lambda: SEED,
            times=replace(QUICK, hold=0),
            time=DiscordTime(inf),
            edits=EditBudget(0.1),
        )

    # The database

    def read(self, query: str, *values: Any) -> list[Any]:
        """Return rows of the database, opened read-only: recovery after a kill is left to the next start of the bot."""
        uri = f"{self.file.as_uri()}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True)) as db:
            return db.execute(query, values).fetchall()

    def write(self, statement: str, *values: Any) -> None:
        """Change the database while the bot does not run."""
        with closing(sqlite3.connect(self.file)) as db, db:
            db.execute(statement, values)

    def log(self, match: int, after: int = 0) -> list[LogRow]:
        """Return the entries of a match after number `after`, in order."""
        query = "SELECT n, kind, seat, user, body, at FROM log WHERE match = ? AND n > ? ORDER BY n"
        return [LogRow(*row) for row in self.read(query, match, after)]

    def all_posted(self) -> bool:
        """Return whether the bot has marked every entry of every match as posted."""
        unpublished = "SELECT 1 FROM matches WHERE published < (SELECT max(n) FROM log WHERE match = id)"
        return not self.read(unpublished)

    async def keep_copy(self) -> None:
        """Make a backup."""
        await back_up(self.file, self.folder / "copy.sqlite3", silent)

    async def bring_back(self, *, knows_nonces: bool = False) -> None:
        """Kill the bot, and restore the backup, by which time Discord has forgotten all nonces."""
        await self.kill()
        if not knows_nonces:
            self.forget_nonces()
        await restore(self.file, self.folder / "copy.sqlite3", silent)

    # Kills

    async def kill_during(
        self, act: Callable[[], Awaitable[T]], condition: Condition, after: float = 0.0
    ) -> T:
        """Run `act` and kill the bot when the condition holds, `after` so many seconds. Return the result of `act`."""
        doing = asyncio.ensure_future(act())
        async with asyncio.timeout(20):
            while not condition():
                if doing.done():
                    doing.result()  # raises the error instead of waiting for ever
                await asyncio.sleep(OFTEN)
        await asyncio.sleep(after)
        await self.kill()
        return await doing

    def request_made(self, method: str, path: str) -> Condition:
        """Return a condition: one more such request of the bot was carried out; it may not have received the
        response."""
        before = len(self.box.requests)
        return lambda: any(r.method == method and re.search(path, r.path) for r in self.box.requests[before:])

    def entry_stored(self) -> Condition:
        """Return a condition: the log has one more entry."""
        before = self.read("SELECT count(*) FROM log")
        return lambda: self.read("SELECT count(*) FROM log") > before

    def forget_nonces(self) -> None:
        """Forget all nonces, as Discord does in a long outage."""
        for channel in self.box.world.channels.values():
            channel.nonces.clear()


@asynccontextmanager
async def bot_process(box: Sandbox, folder: Path) -> AsyncIterator[BotProcess]:
    """Run the bot. At the end of the block neither it nor Discord may have reported an error."""
    bot = BotProcess(box, folder)
    try:
        await bot.start()
        yield bot
    finally:
        await bot.kill()
        sys.stderr.write(bot.logged())  # shown when the test fails
    assert box.complaints == [], box.complaints
    assert bot.lines == []
