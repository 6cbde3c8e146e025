"""Measure how thinking computer players slow down answers to clicks: the same match with none and with fifty."""

from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from bench.latency import SEED, Setup, Wait
from bench.players import open_match, turns
from bench.process import running
from bench.report import say
from sandbox import Sandbox


@dataclass(frozen=True)
class ComputerLoad:
    """Answer times of moves of Twin Palms with 4 players, each committed and on the disk."""

    computers: int
    """Number of computers that think at full strength without a pause."""
    quiet: Wait
    """Answer times while no computer thinks."""
    thinking: Wait
    """Answer times while all of them think."""
    p99_to_quiet: float
    """Ratio of the 99th percentiles."""


async def measure(folder: Path, rounds: int | None, computers: int) -> ComputerLoad:
    """Play the match twice, one after the other, each with a bot of its own."""
    say(f"A match with no computer thinking, then one while {computers} think.")
    quiet = await _played(folder / "quiet.sqlite3", rounds, 0)
    thinking = await _played(folder / "thinking.sqlite3", rounds, computers)
    return ComputerLoad(computers, quiet, thinking, round(thinking.p99_ms / quiet.p99_ms, 2))


async def _played(file: Path, rounds: int | None, computers: int) -> Wait:
    async with AsyncExitStack() as stack:
        setup = Setup(await stack.enter_async_context(Sandbox(rate_limits=False)))
        arguments = (setup.box.url, str(file), SEED, "FULL", str(computers))
        await stack.enter_async_context(running(setup.box, "bench.tuned_bot", *arguments))
        await setup.box.ready(60)
        options = {"rounds": rounds} if rounds else {}
        card = await open_match(setup.room, *setup.people, **options)
        await setup.rest()
        async for tap in turns(setup.box, card, setup.people):
            await setup.press(tap)
        return setup.wait()
