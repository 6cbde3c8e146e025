"""Measure the time from a click to its answer: of a committed move, of the same without waiting for the disk, and of
the baseline bot, which answers "ok". The three bots are processes with a sandbox each, and are clicked in turn."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

from bench import baseline_bot
from bench.players import Tap, open_match, turns
from bench.process import running
from bench.report import say
from bench.usage import Usage, usage
from sandbox import Message, Sandbox, TextChannel

SEED = "figures"
PLAYERS = ("Alice", "Ben", "Cleo", "Dana")
QUIET = 0.02
"""Seconds without a request after which a bot counts as idle."""


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
    """Answers to commands and clicks. Opening a hand and picking cards are clicks, too."""
    posts: float
    """New messages: announcements and live messages."""
    edits: float
    """Edits of live messages when people take longer than a second for a move. Faster moves share an edit."""
    uploaded_kb: float
    """Kilobytes of pictures of tables, hands and scores."""


@dataclass(frozen=True)
class Cpu:
    """Milliseconds of processor time per move, with everything that people do for it: opening hands, picking cards."""

    bot: float
    """Of the bot's own process."""
    rasterizer: float
    """Of the process that draws; computers, in another one, do not play here."""


@dataclass(frozen=True)
class Latency:
    """A match of Twin Palms with 4 players."""

    moves: int
    """Timed clicks on each of the three bots."""
    ok: Wait
    """A click on the baseline bot."""
    move: Wait
    """A move, committed and on the disk."""
    move_without_fsync: Wait
    """The same with SQLite's `synchronous = OFF`: written, without waiting for the disk."""
    fsync_p50_ms: float
    """Time that the disk takes: the median of `move` minus that of `move_without_fsync`."""
    move_to_ok: float
    """Median of `move` divided by the median of `ok`."""
    move_without_fsync_to_ok: float
    calls_per_move: Calls
    cpu_ms_per_move: Cpu


class Setup:
    """A sandbox for one bot, with a server and four people."""

    def __init__(self, box: Sandbox) -> None:
        self.box = box
        guild = box.guild("Palm Beach")
        self.room: TextChannel = guild.channel("card-room")
        self.people = [box.person(name, guild) for name in PLAYERS]
        self.waits: list[float] = []
        self.pid = 0

    async def press(self, tap: Tap) -> None:
        """Press, and measure the time. Then wait for the work that follows, which would disturb the next press."""
        begin = time.perf_counter()
        await tap.press()
        self.waits.append((time.perf_counter() - begin) * 1000)
        await self.rest()

    async def rest(self) -> None:
        """Wait until the bot sends no more requests."""
        asked = -1
        while asked != (asked := len(self.box.requests)):  # noqa: ASYNC110 - there is no event for silence
            await asyncio.sleep(QUIET)

    def wait(self) -> Wait:
        """Return the percentiles of all presses."""
        return Wait(round(median(self.waits), 2), round(quantiles(self.waits, n=100)[98], 2))


async def measure(folder: Path, rounds: int | None) -> Latency:
    """Play one match of `rounds` (None: the usual number) on two bots at once."""
    async with AsyncExitStack() as stack:
        ok, move, unsynced = [await _setup(stack) for _ in range(3)]
        await stack.enter_async_context(running(ok.box, "bench.baseline_bot", ok.box.url))
        for setup, synchronous in ((move, "FULL"), (unsynced, "OFF")):
            file = str(folder / f"{synchronous}.sqlite3")
            setup.pid = await stack.enter_async_context(
                running(setup.box, "bench.tuned_bot", setup.box.url, file, SEED, synchronous)
            )
        for setup in (ok, move, unsynced):
            await setup.box.ready(60)
        await ok.box.until(lambda: ok.room.messages())
        say("A match, move by move, with a click on the other bot before each.")
        cards = [
            await open_match(setup.room, *setup.people, **({"rounds": rounds} if rounds else {}))
            for setup in (move, unsynced)
        ]
        for setup in (move, unsynced):
            await setup.rest()
        before = usage([move.pid])
        await _play(ok, move, unsynced, *cards)
        return _latency(ok, move, unsynced, _cpu(before, usage([move.pid]), len(move.waits)))


async def _setup(stack: AsyncExitStack) -> Setup:
    return Setup(await stack.enter_async_context(Sandbox(rate_limits=False)))


async def _play(ok: Setup, move: Setup, unsynced: Setup, card: Message, other: Message) -> None:
    """Play the same match at both tables: they are dealt from one seed, and nobody decides at random."""
    presser, button = ok.people[0], ok.room.messages()[0]
    matches = turns(move.box, card, move.people), turns(unsynced.box, other, unsynced.people)
    async for tap, twin in _both(*matches):
        await ok.press(Tap(presser, button, baseline_bot.LABEL))
        await move.press(tap)
        await unsynced.press(twin)


async def _both(one: AsyncIterator[Tap], other: AsyncIterator[Tap]) -> AsyncIterator[tuple[Tap, Tap]]:
    async for tap in one:
        yield tap, await anext(other)


def _cpu(before: Usage, after: Usage, moves: int) -> Cpu:
    spent = (after.cpu_s[kind] - before.cpu_s[kind] for kind in ("bot", "rasterizer"))
    return Cpu(*(round(1000 * each / moves, 1) for each in spent))


def _latency(ok: Setup, move: Setup, unsynced: Setup, cpu: Cpu) -> Latency:
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
        cpu_ms_per_move=cpu,
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
