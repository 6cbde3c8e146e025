"""What computers that think cost people who click: the same match in a quiet house, and in one where fifty think."""

from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from bench.latency import SEED, Stage, Wait
from bench.players import open_match, turns
from bench.process import running
from bench.report import say
from sandbox import Sandbox

COMPUTERS = 50


@dataclass(frozen=True)
class ComputerPlayers:
    """Moves of Twin Palms with 4 players, each committed and on the disk."""

    computers: int
    """So many at a time wait for their next thought, at full strength, without a pause."""
    quiet: Wait
    """With nobody thinking."""
    thinking: Wait
    p99_to_quiet: float
    """Ratio of the 99th percentiles."""


async def measure(folder: Path, rounds: int | None) -> ComputerPlayers:
    """The match is played twice, one after the other, in houses of their own."""
    say(f"A match in a quiet house, then one beside {COMPUTERS} computers that think.")
    quiet = await _played(folder / "quiet.sqlite3", rounds, 0)
    thinking = await _played(folder / "thinking.sqlite3", rounds, COMPUTERS)
    return ComputerPlayers(COMPUTERS, quiet, thinking, round(thinking.p99_ms / quiet.p99_ms, 2))


async def _played(file: Path, rounds: int | None, computers: int) -> Wait:
    async with AsyncExitStack() as stack:
        stage = Stage(await stack.enter_async_context(Sandbox(rate_limits=False)))
        arguments = (stage.box.url, str(file), SEED, "FULL", str(computers))
        await stack.enter_async_context(running(stage.box, "bench.house", *arguments))
        await stage.box.ready(60)
        options = {"rounds": rounds} if rounds else {}
        card = await open_match(stage.room, *stage.people, **options)
        await stage.rest()
        async for tap in turns(stage.box, card, stage.people):
            await stage.press(tap)
        return stage.wait()
