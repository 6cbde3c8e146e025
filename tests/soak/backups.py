"""Backups under faults, and the proof that each is sound or absent."""

import asyncio
import resource
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from random import Random

from tests.rooms.faults import Faults
from tests.rooms.room import Room
from tests.soak.process import BotProcess

KEPT = 3
"""Number of backups that are kept, the latest ones."""


class Backups:
    """The backups of one soak."""

    def __init__(self, room: Room, bot: BotProcess) -> None:
        self._room = room
        self._bot = bot
        self._kept: list[Path] = []
        self._lock = asyncio.Lock()

    async def back_up(self, _: Faults, rng: Random) -> None:
        """Make a backup with `python -m bot backup`, now and then with a full disk or a kill in the middle."""
        counts = self._room.counts
        async with self._lock:
            counts["backups begun"] += 1
            target = self._bot.folder / f"backup-{counts['backups begun']}.sqlite3"
            process = await self._begin("backup", str(target), limit=rng.choice((None, None, 60_000)))
            try:
                if rng.randrange(3) == 0:
                    await asyncio.sleep(rng.uniform(0.3, 2))
                    with suppress(ProcessLookupError):
                        process.kill()
                await process.communicate()
            finally:
                with suppress(ProcessLookupError):
                    process.kill()
            if target.exists():
                counts["backups made"] += 1
                self._kept.append(target)
                for older in self._kept[:-KEPT]:
                    older.unlink()
                self._kept = self._kept[-KEPT:]
            elif process.returncode == 0:
                self._room.errors.append(f"{target.name} was reported as made, but it is not there")

    async def faults(self) -> list[str]:
        """Check that each kept backup can be restored and is sound, and that a last one leaves nothing behind."""
        last = self._bot.folder / "last.sqlite3"
        wrong = await self._task("backup", str(last))
        for backup in [*self._kept, *([] if wrong else [last])]:
            trial = self._bot.folder / f"trial-{backup.name}"
            for task in (("restore", "--sandbox", str(backup)), ("check",)):
                wrong += await self._task(*task, DATABASE_PATH=str(trial))
        return wrong + [f"{each.name} was left behind" for each in self._bot.folder.glob("*.part*")]

    async def _task(self, *arguments: str, **settings: str) -> list[str]:
        """Run `python -m bot` with these arguments. Return what it says when it fails."""
        process = await self._begin(*arguments, settings=settings)
        _, error = await process.communicate()
        return [f"{' '.join(arguments)} says: {error.decode()}"] if process.returncode else []

    async def _begin(
        self, *arguments: str, limit: int | None = None, settings: Mapping[str, str] | None = None
    ) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot", *arguments),
            cwd=self._bot.folder,
            env=self._bot.environment() | {**(settings or {})},
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            preexec_fn=_limited(limit),
        )


def _limited(size: int | None) -> Callable[[], None] | None:
    """Return a function that lets the files of a new process be no longer than that many bytes."""
    if size is None:
        return None
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
