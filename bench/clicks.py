"""Measure the whole bot as a process on the sandbox: answer times, calls to Discord, memory, start."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

from bench import computer_load, latency, start, table_memory
from bench.computer_load import ComputerLoad
from bench.latency import Latency
from bench.process import DATA
from bench.report import Machine
from bench.start import Start
from bench.table_memory import Memory


@dataclass(frozen=True)
class Sizes:
    """Amounts to measure."""

    rounds: int | None = None
    """Rounds of the timed match; None for the usual number."""
    computers: int = 50
    """Computers that think at once."""
    tables: int = 500
    """Live tables at once."""
    matches: int = 10_000
    """Unfinished matches in the database at a start."""


@dataclass(frozen=True)
class Clicks:
    """`python -m bench clicks --json`."""

    machine: Machine
    latency: Latency
    company: ComputerLoad
    """Answer times beside thinking computers. Named as in earlier versions, so that programs still find it."""
    memory: Memory
    start: Start


async def measure(sizes: Sizes = Sizes(), data: Path = DATA) -> Clicks:
    """Measure one after the other. The databases lie in a folder of `data` that is removed at the end."""
    machine = Machine()
    data.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=data) as name:
        folder = Path(name)
        return Clicks(
            machine,
            await latency.measure(folder, sizes.rounds),
            await computer_load.measure(folder, sizes.rounds, sizes.computers),
            await table_memory.measure(folder, sizes.tables),
            await start.measure(folder, sizes.matches),
        )
