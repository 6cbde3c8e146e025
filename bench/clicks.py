"""The whole bot, as processes on the sandbox: from a click to its answer, calls to Discord, memory, start."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

from bench import company, latency, memory, start
from bench.company import ComputerPlayers
from bench.latency import Latency
from bench.memory import Memory
from bench.process import ROOT
from bench.report import Machine
from bench.start import Start

DATA = ROOT / "data"
"""Where the bot keeps its own database: the disk that counts."""


@dataclass(frozen=True)
class Sizes:
    """How much: rounds of the match that is timed (None: the usual number), live tables, unfinished matches."""

    rounds: int | None = None
    tables: int = 500
    matches: int = 5000


@dataclass(frozen=True)
class Clicks:
    """`python -m bench clicks --json`."""

    machine: Machine
    latency: Latency
    company: ComputerPlayers
    memory: Memory
    start: Start


async def measure(sizes: Sizes = Sizes(), data: Path = DATA) -> Clicks:
    """One after the other, with databases in a folder of `data` that is removed at the end."""
    machine = Machine()
    data.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=data) as name:
        folder = Path(name)
        return Clicks(
            machine,
            await latency.measure(folder, sizes.rounds),
            await company.measure(folder, sizes.rounds),
            await memory.measure(folder, sizes.tables),
            await start.measure(folder, sizes.matches),
        )
