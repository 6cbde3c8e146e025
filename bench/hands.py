"""Measure private hands in matches of four people: taps, seconds behind the table, agreement with it, and requests.

People think for `pause` seconds before each move. Per move: `taps` with `My hand`, but for the first one; `calls`, of
which the `limited` ones count for Discord's limit of 50 a second (all but answers and their edits); `over_the_limit`
are calls that Discord refused for its limits. `refused` are taps
on buttons of an earlier decision; `changed` are times that a form changed between two taps on it; the seconds (`_s`)
are from the change of a table to the hand that shows it, without answers to own clicks.

In percent of all moments and hands: a hand `agrees` with its table; or the table has changed within the last 1.5
seconds (`recent`); only a picture was of before (`late_picture`); the hand had words in the place of its picture
(`in_words`), or buttons of an earlier decision (`misleads`). `disagreements` are times that a hand was behind longer.
"""

import asyncio
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.hand_watch import KINDS, HandWatch
from bench.phone_player import Pace
from bench.phones import EACH, Match, Room, cancelled, played, room
from bench.process import Lab
from bench.report import Figures, percentile, say
from games import GAMES
from sandbox import Sandbox

TAKES: Final = 0.1
"""Seconds that each request takes, as on the way to Discord, so that changes come while answers are under way."""
AT_THE_END: Final = 3.0
"""Seconds for which hands are compared after the last move."""
WORST: Final = 8
"""Number of disagreements that are printed."""


@dataclass(frozen=True)
class Sizes:
    """Amounts to measure."""

    games: tuple[str, ...] = tuple(GAMES)
    pause: float = 1.0
    moves: int = 120
    """Moves after which a match is broken off."""


TINY: Final = Sizes(("thirty-one",), pause=0.1, moves=1)


async def measure(lab: Lab, sizes: Sizes) -> Figures:
    """Play a match of each game, one after the other."""
    games = {slug: await _match(lab.folder / f"{slug}.sqlite3", slug, sizes) for slug in sizes.games}
    return {"games": games}


async def _match(file: Path, slug: str, sizes: Sizes) -> Figures:
    async with Sandbox() as box, room(box, file) as here:
        # One has the hand in direct messages.
        await here.bot.store.set_preference(here.people[-1].id, "hand", "dm")
        match = await here.begin(slug, Pace(sizes.pause))
        for method in ("POST", "PATCH", "DELETE"):
            box.fail(method, "", None, times=sys.maxsize, delay=TAKES)
        calls = len(box.requests)
        watches = [HandWatch(here.bot, match.table, player) for player in match.players]
        await _watched(here, match, watches, sizes.moves)
        _tell(watches)
        return _figures(box, watches, calls)


async def _watched(here: Room, match: Match, watches: Sequence[HandWatch], moves: int) -> None:
    """Let the match be played, and compare all the while."""
    clock = here.box.clock
    changes = [clock.now()]
    here.bot.tables.on_change.append(lambda _: changes.append(clock.now()))

    async def compare() -> None:
        """Compare whenever anything has changed, and twenty times a second."""
        while True:
            for watch in watches:
                await watch.look(changes[-1], clock.now())
            await clock.change(0.05)

    def sample() -> None:
        if comparing.done():
            comparing.result()
        for watch in watches:
            watch.sample(clock.now())

    comparing = asyncio.create_task(compare())
    try:
        await played(match.players, lambda: match.moves() >= moves, sample)
        for _ in range(round(AT_THE_END / EACH)):
            await asyncio.sleep(EACH)
            sample()
    finally:
        await cancelled([comparing])


def _tell(watches: Sequence[HandWatch]) -> None:
    found = sorted((each for watch in watches for each in watch.disagreements), reverse=True)
    for seconds, sentence in found[:WORST]:
        say(f"  {seconds:.2f} s behind: {sentence}")


def _figures(box: Sandbox, watches: Sequence[HandWatch], calls: int) -> Figures:
    players = [watch.player for watch in watches]
    moves = sum(len(player.moved) for player in players)
    asked = [each for each in box.requests[calls:] if each.path != "/gateway/bot"]
    limited = [each for each in asked if not each.template.startswith(("/interactions", "/webhooks"))]
    waits = [wait for watch in watches for wait in watch.waits]
    moments = {kind: sum(watch.moments[kind] for watch in watches) for kind in KINDS}
    every = sum(moments[kind] for kind in KINDS[:4])
    return {
        "moves": moves,
        "taps_per_move": sum(player.taps for player in players) / moves,
        "my_hand_per_move": sum(player.reopened for player in players) / moves,
        "refused": sum(player.refused for player in players),
        "changed": sum(len(player.surprises) for player in players),
        "p50_s": percentile(waits, 50),
        "p95_s": percentile(waits, 95),
        "most_s": max(waits, default=None),
        **{kind.replace(" ", "_"): 100 * number / every for kind, number in moments.items()},
        "calls_per_move": len(asked) / moves,
        "limited_calls_per_move": len(limited) / moves,
        "over_the_limit": sum(each.status == 429 for each in asked),
        "uploaded_kb_per_move": sum(map(len, box.world.files.values())) / 1000 / moves,
        "disagreements": sum(len(watch.disagreements) for watch in watches),
    }
