"""From a click to its answer: for a committed move, beside a bot that answers "ok", and for a move that nobody waits
for the disk to keep. Three bots, three processes, one sandbox each; they are clicked in turn."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

from bench import bare
from bench.players import Tap, open_match, turns
from bench.process import running
from bench.report import say
from sandbox import Message, Sandbox, TextChannel

SEED = "figures"
PLAYERS = ("Alice", "Ben", "Cleo", "Dana")
QUIET = 0.02
"""Seconds without a request after which a bot is taken to be at rest."""


@dataclass(frozen=True)
class Wait:
    """Milliseconds from a click to its answer."""

    p50_ms: float
    p99_ms: float


@dataclass(frozen=True)
class Calls:
    """Requests to Discord per move, over a whole match from the command to the final standings."""

    total: float
    answers: float
    """To commands and clicks: opening a hand and picking cards in it are clicks, too."""
    posts: float
    """New messages: what is told, and the cards of the table."""
    edits: float
    """Of the cards, when people take longer than a second to a move. In a hurry several share one."""
    uploaded_kb: float
    """Pictures of the table, of hands and of scores, in kB (not a count)."""


@dataclass(frozen=True)
class Latency:
    """Twin Palms with 4 players."""

    moves: int
    """Clicks timed for each of the three."""
    ok: Wait
    """A bare discord.py bot."""
    move: Wait
    """A move, checked, committed and on the disk."""
    move_without_fsync: Wait
    """The same with SQLite's `synchronous = OFF`: written, but not waited for."""
    fsync_p50_ms: float
    """What the disk costs a move: `move` less `move_without_fsync`, by their medians."""
    move_to_ok: float
    """Ratios of the medians."""
    move_without_fsync_to_ok: float
    calls_per_move: Calls


class Stage:
    """One bot, the server it is in, and four people."""

    def __init__(self, box: Sandbox) -> None:
        self.box = box
        guild = box.guild("Palm Beach")
        self.room: TextChannel = guild.channel("card-room")
        self.people = [box.person(name, guild) for name in PLAYERS]
        self.waits: list[float] = []

    async def press(self, tap: Tap) -> None:
        """Press, note how long it took, and wait until all that follows is done: it must not disturb the next."""
        begin = time.perf_counter()
        await tap.press()
        self.waits.append((time.perf_counter() - begin) * 1000)
        await self.rest()

    async def rest(self) -> None:
        """Wait until the bot asks for nothing more."""
        asked = -1
        while asked != (asked := len(self.box.requests)):  # noqa: ASYNC110 - no event tells of silence
            await asyncio.sleep(QUIET)

    def wait(self) -> Wait:
        """Of all that was pressed."""
        return Wait(round(median(self.waits), 2), round(quantiles(self.waits, n=100)[98], 2))


async def measure(folder: Path, rounds: int | None) -> Latency:
    """One match of so many rounds (None: the usual number), played by two bots at once."""
    async with AsyncExitStack() as stack:
        ok, move, unsynced = [await _stage(stack) for _ in range(3)]
        await stack.enter_async_context(running(ok.box, "bench.bare", ok.box.url))
        for stage, synchronous in ((move, "FULL"), (unsynced, "OFF")):
            file = str(folder / f"{synchronous}.sqlite3")
            await stack.enter_async_context(
                running(stage.box, "bench.house", stage.box.url, file, SEED, synchronous)
            )
        for stage in (ok, move, unsynced):
            await stage.box.ready(60)
        await ok.box.until(lambda: ok.room.messages())
        say("A match, move by move, with a click on the other bot before each.")
        cards = [
            await open_match(stage.room, *stage.people, **({"rounds": rounds} if rounds else {}))
            for stage in (move, unsynced)
        ]
        for stage in (move, unsynced):
            await stage.rest()
        await _play(ok, move, unsynced, *cards)
        return _latency(ok, move, unsynced)


async def _stage(stack: AsyncExitStack) -> Stage:
    return Stage(await stack.enter_async_context(Sandbox(rate_limits=False)))


async def _play(ok: Stage, move: Stage, unsynced: Stage, card: Message, other: Message) -> None:
    """The same match at both tables: both are dealt from one seed, and nobody decides anything by chance."""
    presser, button = ok.people[0], ok.room.messages()[0]
    matches = turns(move.box, card, move.people), turns(unsynced.box, other, unsynced.people)
    async for tap, twin in _both(*matches):
        await ok.press(Tap(presser, button, bare.LABEL))
        await move.press(tap)
        await unsynced.press(twin)


async def _both(one: AsyncIterator[Tap], other: AsyncIterator[Tap]) -> AsyncIterator[tuple[Tap, Tap]]:
    async for tap in one:
        yield tap, await anext(other)


def _latency(ok: Stage, move: Stage, unsynced: Stage) -> Latency:
    waits = ok.wait(), move.wait(), unsynced.wait()
    return Latency(
        moves=len(move.waits),
        ok=waits[0],
        move=waits[1],
        move_without_fsync=waits[2],
        fsync_p50_ms=round(waits[1].p50_ms - waits[2].p50_ms, 2),
        move_to_ok=round(waits[1].p50_ms / waits[0].p50_ms, 2),
        move_without_fsync_to_ok=round(waits[2].p50_ms / waits[0].p50_ms, 2),
        calls_per_move=_calls(move.box, len(move.waits)),
    )


def _calls(box: Sandbox, moves: int) -> Calls:
    asked = [each for each in box.requests if each.template.startswith(("/channels", "/interactions"))]
    counts = [
        len(asked),
        sum(each.template.startswith("/interactions") for each in asked),
        sum(each.method == "POST" and each.template.endswith("/messages") for each in asked),
        sum(each.method == "PATCH" for each in asked),
        sum(map(len, box.world.files.values())) / 1000,
    ]
    return Calls(*(round(count / moves, 2) for count in counts))
