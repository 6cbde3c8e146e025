"""Measure the time from a click to its answer, beside the baseline bot, and what a move costs besides.

A match of Twin Palms with 4 players, played by clicks on two bots, which are processes with a sandbox each, as is the
baseline bot, which answers "ok". The three are clicked in turn, so that other work on the machine slows all alike.

`ok` is a click on the baseline bot; `move` a move, committed and on the disk; `move_without_fsync` the same with
SQLite's `synchronous = OFF`: written, without waiting for the disk. `thinking` are moves while `computers` computers
think all the time, in a match of its own.

Per move, with everything that people do for it (opening hands, picking cards): calls to Discord, from the command to
the final standings, and milliseconds of processor time. `answers` are those to commands and clicks; `edits` those of
live messages when people take longer than a second for a move, as faster moves share an edit.
"""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from typing import Final

from bench import baseline_bot
from bench.players import Tap, open_match, turns
from bench.process import TO_START, Lab, until_quiet, usage
from bench.report import Figures, percentile, ratio, say, wait
from sandbox import Sandbox

PLAYERS: Final = ("Alice", "Ben", "Cleo", "Dana")
QUIET: Final = 0.02
"""Seconds without a request after which a bot counts as idle."""


@dataclass(frozen=True)
class Sizes:
    """Amounts to measure."""

    moves: int = 10_000
    """Moves after which a match is broken off."""
    computers: int = 50


TINY: Final = Sizes(moves=2, computers=1)


class Setup:
    """A sandbox for one bot, with a server and four people."""

    def __init__(self, box: Sandbox) -> None:
        self.box = box
        guild = box.guild("Palm Beach")
        self.room = guild.channel("card-room")
        self.people = [box.person(name, guild) for name in PLAYERS]
        self.waits: list[float] = []
        self.pid = 0

    async def turns(self) -> AsyncIterator[Tap]:
        """Open a match, wait until it is shown, and return its turns."""
        card = await open_match(self.room, *self.people)
        await until_quiet(self.box, QUIET)
        return turns(self.box, card, self.people)

    async def press(self, tap: Tap) -> None:
        """Press, and measure the time. Then wait for the work that follows, which would disturb the next press."""
        self.waits.append(await tap.timed())
        await until_quiet(self.box, QUIET)


async def measure(lab: Lab, sizes: Sizes) -> Figures:
    """Play one match on two bots at once, then one beside thinking computers."""
    async with AsyncExitStack() as stack:
        begun = partial(_begun, lab, stack)
        ok, move, unsynced = await begun(), await begun("FULL"), await begun("OFF")
        await ok.box.until(ok.room.messages)
        say("A match, move by move, with a click on the other bots before each.")
        one, other = await move.turns(), await unsynced.turns()
        before = usage([move.pid])
        await _play(ok, move, unsynced, one, other, sizes.moves)
        cpu = usage([move.pid]).cpu_ms(before, len(move.waits))
    found = _figures(ok, move, unsynced, cpu)
    say(f"A match while {sizes.computers} computers think.")
    thinking = await _beside_computers(lab, sizes)
    beside = {"computers": sizes.computers, **wait(thinking)}
    return {
        **found,
        "thinking": beside,
        "thinking_to_move_p99": ratio(beside["p99_ms"], found["move"]["p99_ms"]),
    }


async def _begun(lab: Lab, stack: AsyncExitStack, synchronous: str = "", computers: int = 0) -> Setup:
    """Start a bot on a sandbox of its own: the baseline bot without a setting of the disk."""
    setup = Setup(await stack.enter_async_context(Sandbox(rate_limits=False)))
    file = str(lab.folder / f"{synchronous} {computers}.sqlite3")
    module, settings = "bench.baseline_bot", list[str]()
    if synchronous:
        module, settings = "bench.measured_bot", [file, synchronous, str(computers)]
    setup.pid = await stack.enter_async_context(lab.running(setup.box, module, setup.box.url, *settings))
    await setup.box.ready(TO_START)
    return setup


async def _play(
    ok: Setup, move: Setup, unsynced: Setup, one: AsyncIterator[Tap], other: AsyncIterator[Tap], moves: int
) -> None:
    """Play the same match at both tables: they are dealt from one seed, and nobody decides at random."""
    click = Tap(ok.people[0], ok.room.messages()[0], baseline_bot.LABEL)
    async for tap in one:
        # A bid that is asked for again, by a call right after the greeting, is a press more at one of the tables.
        if len(move.waits) == moves or (same := await anext(other, None)) is None:
            return
        await ok.press(click)
        await move.press(tap)
        await unsynced.press(same)


async def _beside_computers(lab: Lab, sizes: Sizes) -> list[float]:
    async with AsyncExitStack() as stack:
        setup = await _begun(lab, stack, "FULL", sizes.computers)
        async for tap in await setup.turns():
            await setup.press(tap)
            if len(setup.waits) == sizes.moves:
                break
        return setup.waits


def _figures(ok: Setup, move: Setup, unsynced: Setup, cpu: dict[str, float]) -> Figures:
    bots = {"ok": ok, "move": move, "move_without_fsync": unsynced}
    middle = {name: percentile(setup.waits, 50) or 0.0 for name, setup in bots.items()}
    return {
        "moves": len(move.waits),
        **{name: wait(setup.waits) for name, setup in bots.items()},
        "fsync_p50_ms": middle["move"] - middle["move_without_fsync"],
        "move_to_ok": ratio(middle["move"], middle["ok"]),
        "move_without_fsync_to_ok": ratio(middle["move_without_fsync"], middle["ok"]),
        "calls_per_move": _calls(move.box, len(move.waits)),
        "cpu_ms_per_move": {kind: cpu[kind] for kind in ("bot", "rasterizer")},
    }


def _calls(box: Sandbox, moves: int) -> Figures:
    asked = [each for each in box.requests if each.template.startswith(("/channels", "/interactions"))]
    counts = {
        "total": len(asked),
        "answers": sum(each.template.startswith("/interactions") for each in asked),
        "posts": sum(each.method == "POST" and each.template.endswith("/messages") for each in asked),
        "edits": sum(each.method == "PATCH" for each in asked),
        "uploaded_kb": sum(map(len, box.world.files.values())) / 1000,
    }
    return {name: count / moves for name, count in counts.items()}
