"""`make soak`: one card room lives for MINUTES under faults of every kind. Then the proof that nothing was lost.

A violation ends the program with status 1, after it has printed the first ones and the command that repeats the seed.
"""

import argparse
import asyncio
import sys
import time
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from sandbox import Sandbox
from tests.soak.faults import Faults
from tests.soak.people import open_tables
from tests.soak.proof import Proof
from tests.soak.room import FollowedTable, Room
from tests.soak.screens import Screens

WIDTH = 30
"""Width of the progress bar, in characters."""
MOST_SHOWN = 10
"""Number of violations that are printed of each check."""
DEADLY, STEADY = 0.55, 0.9
"""Parts of the time at which kills end, and at which all faults end."""
WARM_UP = 20.0
"""Seconds after a start of the bot in which its memory does not count."""
SHOWN_EVERY = 15.0
"""Seconds between two lines with the figures where there is no terminal for a progress bar."""
CHECKED_EVERY = 3.0
"""Seconds between two checks of the messages of matches that are over."""
PATIENCE = 240.0
"""Seconds within which every open match must go on after the last fault."""


def main() -> int:
    """Run, print the proof, and return the exit status: 1 when something was violated."""
    wanted = _arguments()
    with TemporaryDirectory(prefix="palmhouse-soak-") as folder:
        kept = Path(wanted.folder or folder).resolve()
        kept.mkdir(parents=True, exist_ok=True)
        soak = Soak(kept, wanted.seed, wanted.minutes * 60)
        proof = asyncio.run(soak.run())
    violated = False
    print(f"\n{soak.figures()}:")
    print(", ".join(f"{number} {kind}" for kind, number in proof.faults.kinds.most_common()), end="\n\n")
    for check in proof.checks:
        violated |= bool(check.violations)
        print(f"{'FAILED' if check.violations else 'ok':6}  {check.title}: {check.counted}")
        for each in check.violations[:MOST_SHOWN]:
            print(f"        {each}")
        if len(check.violations) > MOST_SHOWN:
            print(f"        and {len(check.violations) - MOST_SHOWN} more")
    if violated:
        print(f"\nTo repeat it: make soak SEED={wanted.seed} MINUTES={wanted.minutes:g}")
    return int(violated)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10, help="time with people and faults (default: 10)")
    parser.add_argument("--seed", type=int, default=1, help="decides games, people and faults (default: 1)")
    parser.add_argument("--folder", help="keep the database and the log in this folder")
    return parser.parse_args()


class Soak:
    """One run: people and faults together, people alone, then the proof."""

    def __init__(self, folder: Path, seed: int, seconds: float) -> None:
        self.folder = folder
        self.seed = seed
        self.seconds = seconds
        self.memory: list[tuple[float, int]] = []
        """MiB of the bot, and the moves made by then, while nothing kills it."""
        self.room: Room
        self._began = time.monotonic()
        self._shown = 0.0

    async def run(self) -> Proof:
        """Play, then check."""
        rng_limits = bool(self.seed % 2)
        async with Sandbox(rate_limits=rng_limits) as box:
            # In some runs the log shows all that it can.
            self.room = Room(box, self.folder, self.seed, "INFO" if self.seed % 3 == 0 else "DEBUG")
            with Screens(self.room) as screens:
                faults = Faults(self.room)
                proof = Proof(self.room, faults, screens)
                following = asyncio.create_task(self._follow(screens))
                try:
                    await self.room.bot.start()
                    await self._live(faults, proof)
                    await proof.check_stopped(self.memory)
                finally:
                    following.cancel()
                    if self.room.bot.runs:
                        await self.room.bot.kill()
            if box.complaints:
                self.room.errors += box.complaints
        return proof

    async def _live(self, faults: Faults, proof: Proof) -> None:
        playing = asyncio.create_task(open_tables(self.room))
        disturbing = asyncio.create_task(faults.run())
        checking = asyncio.create_task(self._check(proof))
        measuring = asyncio.create_task(self._measure(faults))
        try:
            await self._until(DEADLY, playing, disturbing, checking)
            faults.steady = True
            await self._until(STEADY, playing, disturbing, checking)
            measuring.cancel()
            disturbing.cancel()
            with suppress(asyncio.CancelledError):
                await disturbing
            await faults.end()
            self.room.calm = True
            stuck = await self._all_went_on(playing)
            await self._until(1, playing)
        finally:
            self.room.ending = True
            for task in (disturbing, measuring, checking):
                task.cancel()
        await playing
        proof.check_pauses(self._began, time.monotonic(), self.seconds)
        await proof.check_running(stuck)

    async def _until(self, part: float, *tasks: "asyncio.Task[None]") -> None:
        """Wait until that part of the time is over. Raises the error of a task that has failed meanwhile."""
        while (passed := time.monotonic() - self._began) < part * self.seconds:
            self._show(passed)
            for task in tasks:
                if task.done():
                    task.result()
            await asyncio.sleep(0.5)

    async def _all_went_on(self, playing: "asyncio.Task[None]") -> list[FollowedTable]:
        """Wait until each open match has a new entry or is over. Return those that have not in time."""
        room = self.room
        before = {table.id: table.state.n for table in room.open_tables()}
        end = time.monotonic() + PATIENCE

        def waiting() -> list[FollowedTable]:
            return [table for table in room.open_tables() if before.get(table.id) == table.state.n]

        while waiting() and time.monotonic() < end:
            self._show(time.monotonic() - self._began)
            if playing.done():
                playing.result()
            await asyncio.sleep(0.5)
        return waiting()

    async def _follow(self, screens: Screens) -> None:
        """Follow the logs and look at the screens, until cancelled."""
        room, forgotten = self.room, time.monotonic()
        following = asyncio.create_task(room.follow(screens.look))
        try:
            while True:
                await asyncio.sleep(1)
                if following.done():
                    following.result()
                if time.monotonic() - forgotten > 5:
                    screens.forget()
                    forgotten = time.monotonic()
        finally:
            following.cancel()

    async def _check(self, proof: Proof) -> None:
        """Check matches that are over, until cancelled."""
        while True:
            await asyncio.sleep(CHECKED_EVERY)
            with self.room.noting():
                await proof.check_some()

    async def _measure(self, faults: Faults) -> None:
        """Measure the memory of the bot each second while nothing kills it, until cancelled."""
        while True:
            await asyncio.sleep(1)
            bot = self.room.bot
            used = bot.memory() if faults.steady and bot.runs and bot.uptime > WARM_UP else None
            if used is not None:
                self.memory.append((used, self.room.counts["moves"]))

    def figures(self) -> str:
        """Return the main figures in one line."""
        counts = self.room.counts
        return (
            f"{counts['matches']:,} matches, {counts['moves']:,} moves, {counts['kills']:,} kills, "
            f"{counts['faults']:,} faults"
        )

    def _show(self, passed: float) -> None:
        part = min(1.0, passed / self.seconds) if self.seconds else 1.0
        if sys.stderr.isatty():
            bar = "█" * round(part * WIDTH) + "·" * (WIDTH - round(part * WIDTH))
            print(f"\r{bar} {part:4.0%}  {self.figures()}  ", end="", file=sys.stderr, flush=True)
        elif passed - self._shown > SHOWN_EVERY:
            self._shown = passed
            print(f"{part:4.0%}  {self.figures()}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
