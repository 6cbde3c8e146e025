"""`make soak`: one card room lives for MINUTES under faults of every kind. Then the proof that nothing was lost.

A violation ends the program with status 1, after it has printed the first ones and the command that repeats the seed.
"""

import argparse
import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from bench.process import children
from sandbox import Sandbox
from tests.rooms.faults import KINDS, Faults
from tests.rooms.life import Life
from tests.rooms.plan import Plan
from tests.rooms.room import Room
from tests.rooms.tape import Tape
from tests.soak.backups import Backups
from tests.soak.memory import Memory
from tests.soak.process import BotProcess

LONGEST_PAUSE = 30.0
"""Seconds without a move that are always allowed. In a longer run, a tenth of its time is."""
MOST_SHOWN = 10
"""Number of violations that are printed of each check."""


def main() -> int:
    """Run, print the proof, and return the exit status: 1 when something was violated."""
    wanted = _arguments()
    with TemporaryDirectory(prefix="palmhouse-soak-") as folder:
        kept = Path(wanted.folder or folder).resolve()
        kept.mkdir(parents=True, exist_ok=True)
        life = asyncio.run(soaked(kept, Plan(wanted.seed, wanted.minutes * 60)))
    print(f"\n{figures(life)}\n")
    for check in life.proof.checks:
        print(f"{'FAILED' if check.violations else 'ok':6}  {check.title}")
        for each in check.violations[:MOST_SHOWN]:
            print(f"        {each}")
    violated = any(check.violations for check in life.proof.checks)
    if violated:
        print(f"\nTo repeat it: make soak SEED={wanted.seed} MINUTES={wanted.minutes:g}")
    return int(violated)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10, help="time with people and faults (default: 10)")
    parser.add_argument("--seed", type=int, default=1, help="decides games, people and faults (default: 1)")
    parser.add_argument("--folder", help="keep the database and the log in this folder")
    return parser.parse_args()


async def soaked(folder: Path, plan: Plan) -> Life:
    """Let a card room live, and check it."""
    async with Sandbox(rate_limits=bool(plan.seed % 2)) as box:
        # In some runs the log shows all that it can.
        bot = BotProcess(box, folder, "INFO" if plan.seed % 3 == 0 else "DEBUG")
        room, memory = Room(box, bot, plan), Memory()
        backups = Backups(room, bot)
        life = Life(room, KINDS | {backups.back_up: 5, kill_a_worker: 2}, Tape(box), _show)
        measuring = asyncio.create_task(memory.measure(life, bot))
        await life.run()
        await measuring
    await life.proof.check_stopped()
    life.proof.add("a backup is sound or absent", await backups.faults())
    pause, most = longest_pause([life.began, *room.moved, life.ended]), max(LONGEST_PAUSE, plan.seconds / 10)
    wrong = [] if pause <= most else [f"no move was made for {pause:.0f} s, allowed are {most:.0f}"]
    life.proof.add("people played all the time", wrong)
    life.proof.add("the memory of the bot is flat", memory.faults())
    return life


def longest_pause(times: Sequence[float]) -> float:
    """Return the longest time between two neighbours of a sequence of times."""
    return max((after - before for before, after in pairwise(times)), default=0.0)


async def kill_a_worker(faults: Faults, rng: Random) -> None:
    """Kill a worker process of the bot: the one that draws, or one in which computers think."""
    bot = faults.room.bot
    assert isinstance(bot, BotProcess)
    async with bot.lock:
        workers = children(bot.pid)
        if workers:
            with suppress(ProcessLookupError), faults.room.trouble("worker killed"):
                os.kill(rng.choice(workers), signal.SIGKILL)
                await asyncio.sleep(1)


def figures(life: Life) -> str:
    """Return the main figures in one line."""
    counts = life.room.counts
    return ", ".join(f"{counts[name]:,} {name}" for name in ("matches", "moves", "kills", "faults"))


def _show(part: float) -> None:
    if sys.stderr.isatty():
        print(f"\r{part:4.0%}  ", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
