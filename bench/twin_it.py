"""Measure Twin It!: how fast clicks of six people are answered, and how many points people make in a race."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

from bench import race_points, twin_it_load
from bench.process import DATA
from bench.race_points import RacePoints
from bench.report import Machine
from bench.twin_it_load import TwinItLoad


@dataclass(frozen=True)
class TwinIt:
    """`python -m bench twin-it --json`."""

    machine: Machine
    grabbing: TwinItLoad
    """Answer times. This name and the next are those of earlier versions, so that programs still find them."""
    spotting: dict[str, RacePoints]
    """Points by strength and number of players."""


async def measure(seconds: float = 60.0, races: int = 40, data: Path = DATA) -> TwinIt:
    """Click for `seconds`, and play `races` for each strength and number of people."""
    machine = Machine()
    data.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=data) as name:
        return TwinIt(machine, await twin_it_load.measure(Path(name), seconds), race_points.measure(races))
