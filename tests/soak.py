"""`make soak`: stress runs of all games, one after another, for a given time.

A run that finds an error ends the program, which prints the error and the command that repeats the same run.
"""

import argparse
import asyncio
import contextlib
import io
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from games import GAMES
from tests.e2e.stress import stress_run
from tests.e2e.test_matches import SHORT

FAULTS = 15
"""Number of faults in each run, if the match lasts that long."""
WIDTH = 30
"""Width of the progress bar, in characters."""


def main() -> int:
    """Run until the time is over, and return the exit status: 1 when a run has found an error."""
    wanted = _arguments()
    began, survived = time.monotonic(), Counter[str]()
    for slug, seed in _runs(wanted.game, wanted.seed):
        _progress(time.monotonic() - began, wanted.minutes * 60, f"{slug} {seed}")
        said = io.StringIO()
        try:
            with contextlib.redirect_stderr(said):
                survived += asyncio.run(_run(slug, seed))
        except Exception:
            print(f"\n{said.getvalue()}", file=sys.stderr)
            traceback.print_exc()
            print(f"\nTo see it again: make soak GAME={slug} SEED={seed} MINUTES=0", file=sys.stderr)
            return 1
        if time.monotonic() - began >= wanted.minutes * 60:
            break
    _progress(1, 1, "done")
    print(f"\n{survived.total()} faults, nothing lost and nothing announced twice:")
    print("\n".join(f"{number:6} {name.replace('_', ' ')}" for name, number in survived.most_common()))
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument(
        "--minutes", type=float, default=10, help="time in which new runs begin (default: 10)"
    )
    parser.add_argument("--game", choices=GAMES, help="only this game")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first run (default: 1)")
    return parser.parse_args()


def _runs(game: str | None, seed: int) -> Iterator[tuple[str, int]]:
    """Yield each game with one seed, then each game with the next."""
    for number in count(seed):
        for slug in [game] if game else [*GAMES]:
            yield slug, number


async def _run(slug: str, seed: int) -> Counter[str]:
    with TemporaryDirectory(prefix="palmhouse-") as folder:
        async with stress_run(GAMES[slug], seed, Path(folder) / "house.sqlite3", **SHORT[slug]) as run:
            await run.play_with_faults(FAULTS)
            await run.check_after_faults()
            await run.finish()
        return Counter(run.faults)


def _progress(done: float, of: float, now: str) -> None:
    part = min(1.0, done / of) if of else 1.0
    bar = "█" * round(part * WIDTH) + "·" * (WIDTH - round(part * WIDTH))
    print(f"\r{bar} {part:4.0%} {now:<20}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
