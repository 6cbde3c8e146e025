"""Twin It!: how fast a grab is answered, and how many pairs people find in a race."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

from bench import grabbing, spotting
from bench.clicks import DATA
from bench.grabbing import Grabbing
from bench.report import Machine
from bench.spotting import Spotting


@dataclass(frozen=True)
class TwinIt:
    """`python -m bench twin-it --json`."""

    machine: Machine
    grabbing: Grabbing
    spotting: dict[str, Spotting]


async def measure(seconds: float = 60.0, races: int = 40, data: Path = DATA) -> TwinIt:
    """So many seconds of clicking, and so many races for each pace and number of people."""
    machine = Machine()
    data.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=data) as name:
        return TwinIt(machine, await grabbing.measure(Path(name), seconds), spotting.measure(races))
