"""Measure whole matches of two people and two computers: the messages they leave, and the requests for them.

People decide like a steady computer and wait `pause` seconds before each move. A move is one of any player. `calls` are
posts, edits, deletes and all other requests about channels; answers to commands and clicks are not among them.
"""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.phone_player import Pace
from bench.phones import played, room
from bench.process import Lab, until_quiet
from bench.report import Figures
from games import GAMES
from sandbox import Sandbox

COMPUTERS: Final = 2
QUIET: Final = 3.0
"""Seconds without a request after which all is done, at the end of the match: edits may wait for more than a second."""


@dataclass(frozen=True)
class Sizes:
    """Amounts to measure."""

    games: tuple[str, ...] = tuple(GAMES)
    pause: float = 0.0
    moves: int = 100_000
    """Moves of people after which a match is broken off."""


TINY: Final = Sizes(("thirty-one",), moves=1)


async def measure(lab: Lab, sizes: Sizes) -> Figures:
    """Play a match of each game, one after the other."""
    return {
        "games": {slug: await _match(lab.folder / f"{slug}.sqlite3", slug, sizes) for slug in sizes.games}
    }


async def _match(file: Path, slug: str, sizes: Sizes) -> Figures:
    begin = time.perf_counter()
    options = {} if GAMES[slug].real_time else {"computers": COMPUTERS}
    async with Sandbox(rate_limits=False) as box, room(box, file, people=2) as here:
        match = await here.begin(slug, Pace(sizes.pause, glance=0.05, tap=0.05), **options)
        await played(match.players, lambda: match.moves() >= sizes.moves)
        await until_quiet(box, QUIET)
        moves = sum(entry.kind == "move" for entry in await here.bot.store.log(1, 0))
    calls = [each for each in box.requests if each.template.startswith("/channels")]
    messages = [each.method for each in calls if "/messages" in each.template]
    return {
        "moves": moves,
        "seconds": time.perf_counter() - begin,
        "messages_in_thread": len(match.thread.messages()),
        "messages_in_channel": len(here.channel.messages()),
        "posts_per_move": messages.count("POST") / moves,
        "edits_per_move": messages.count("PATCH") / moves,
        "deletes_per_move": messages.count("DELETE") / moves,
        "calls_per_move": len(calls) / moves,
        "uploaded_kb_per_move": sum(map(len, box.world.files.values())) / 1000 / moves,
    }
