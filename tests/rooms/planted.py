"""`make planted`: does the simulation find faults that are planted?

Each is put into a copy of the project, and rooms are run there until one breaks a law.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tests.rooms.planted_faults import FAULTS, Fault

ROOT = Path(__file__).parents[2]
PARTS = ("bot", "cogs", "games", "sandbox", "tests", "pyproject.toml")
"""What rooms need of the project."""
BROKEN = "In room "
"""Beginning of the line that says which room breaks a law; the next one says which law."""


class Found(NamedTuple):
    """The first room that breaks a law, and what it prints about that."""

    seed: int
    law: str


def main() -> int:
    """Plant the faults one after the other, and return 1 when one was not found."""
    parser = argparse.ArgumentParser(prog="python -m tests.rooms.planted", description=__doc__)
    parser.add_argument("faults", nargs="*", type=int, help="numbers of faults, from 1 (default: all)")
    parser.add_argument("--seeds", default="1-300", help="numbers of rooms (default: 1-300)")
    wanted = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # else the rooms would go on
    missed = 0
    for number, fault in enumerate(FAULTS, 1):
        if not wanted.faults or number in wanted.faults:
            began = time.monotonic()
            found = _first(fault, wanted.seeds)
            missed += found is None
            said = "NOT FOUND" if found is None else f"room {found.seed}: {found.law:.120}"
            print(f"{number:2} {fault.title}: {said} ({time.monotonic() - began:.0f} s)", flush=True)
    return int(missed > 0)


def _first(fault: Fault, seeds: str) -> Found | None:
    """Return the first room that finds a fault."""
    with TemporaryDirectory(prefix="palmhouse-planted-") as folder:
        for part in PARTS:
            _copy(ROOT / part, Path(folder) / part)
        file = Path(folder) / fault.file
        file.write_text(planted(fault, file.read_text()))
        command = [sys.executable, "-m", "tests.rooms", "--seeds", seeds]
        with subprocess.Popen(
            command,
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        ) as run:
            assert run.stdout is not None
            try:
                return _report(iter(run.stdout))
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(run.pid, signal.SIGKILL)  # with the rooms, which are processes of their own


def planted(fault: Fault, text: str) -> str:
    """Return the text of a file with the fault in it."""
    assert text.count(fault.text) == 1, (
        f"{fault.file} has this not just once, so correct the list: {fault.text!r}"
    )
    return text.replace(fault.text, fault.planted)


def _report(lines: Iterator[str]) -> Found | None:
    for line in lines:
        if line.startswith(BROKEN):
            return Found(int(line.removeprefix(BROKEN).split()[0]), next(lines, "").strip())
    return None


def _copy(of: Path, to: Path) -> None:
    if of.is_dir():
        shutil.copytree(of, to, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copy(of, to)


if __name__ == "__main__":
    sys.exit(main())
