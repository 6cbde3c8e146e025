"""Measure Twin It!: how fast clicks of six people are answered."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

from bench import twin_it_load
from bench.process import DATA
from bench.report import Machine
from bench.twin_it_load import TwinItLoad


@dataclass(frozen=True)
class TwinIt:
    """`python -m bench twin-it --json`."""

    machine: Machine
    grabbing: TwinItLoad


async def measure(seconds: float = 60.0, data: Path = DATA) -> TwinIt:
    """Click for `seconds`."""
    machine = Machine()
    data.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=data) as name:
        return TwinIt(machine, await twin_it_load.measure(Path(name), seconds))
