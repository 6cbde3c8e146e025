"""`make soak`: storms over all games, one after another, for as long as one likes.

A storm that finds something ends the run, says what, and how to let the same storm rage again.
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
from tests.e2e.storm import storm
from tests.e2e.test_matches import SHORT

TROUBLES = 15
"""In each storm, if the match lasts as long."""
WIDTH = 30
"""Of the progress bar, in characters."""


def main() -> int:
    """Return the exit status: 1 when a storm has found something."""
    wanted = _arguments()
    began, survived = time.monotonic(), Counter[str]()
    for slug, seed in _storms(wanted.game, wanted.seed):
        _progress(time.monotonic() - began, wanted.minutes * 60, f"{slug} {seed}")
        said = io.StringIO()
        try:
            with contextlib.redirect_stderr(said):
                survived += asyncio.run(_rage(slug, seed))
        except Exception:
            print(f"\n{said.getvalue()}", file=sys.stderr)
            traceback.print_exc()
            print(f"\nTo see it again: make soak GAME={slug} SEED={seed} MINUTES=0", file=sys.stderr)
            return 1
        if time.monotonic() - began >= wanted.minutes * 60:
            break
    _progress(1, 1, "done")
    print(f"\n{survived.total()} troubles, nothing lost and nothing told twice:")
    print(
        "\n".join(
            f"{number:6} {name.rstrip('_').replace('_', ' ')}" for name, number in survived.most_common()
        )
    )
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10, help="how long new storms begin (default: 10)")
    parser.add_argument("--game", choices=GAMES, help="one game alone")
    parser.add_argument("--seed", type=int, default=1, help="the first storm's number (default: 1)")
    return parser.parse_args()


def _storms(game: str | None, seed: int) -> Iterator[tuple[str, int]]:
    """Yield each game in turn with one seed, then with the next."""
    for number in count(seed):
        for slug in [game] if game else [*GAMES]:
            yield slug, number


async def _rage(slug: str, seed: int) -> Counter[str]:
    with TemporaryDirectory(prefix="palmhouse-") as folder:
        async with storm(GAMES[slug], seed, Path(folder) / "house.sqlite3", **SHORT[slug]) as raging:
            await raging.rage(TROUBLES)
            await raging.calm()
            await raging.finish()
        return Counter(raging.done)


def _progress(done: float, of: float, now: str) -> None:
    part = min(1.0, done / of) if of else 1.0
    bar = "█" * round(part * WIDTH) + "·" * (WIDTH - round(part * WIDTH))
    print(f"\r{bar} {part:4.0%} {now:<20}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
