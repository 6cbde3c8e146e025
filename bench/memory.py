"""Measure the memory of the bot: with one live table and with many, with hands open, and over thousands of moves.

Figures are RSS of the bot's process in MiB unless they say otherwise. A live table of three people is dealt and its
messages posted. `after_moves` is measured on another bot, with matches of all games: players open their hands, ask for
hints, and make any move that is suggested. In `shared_once`, memory that processes share is counted once.
"""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Final

from bench.live_tables import opened
from bench.players import open_match
from bench.process import Lab, mib, until_idle, usage
from bench.report import Figures, say
from games import GAMES
from sandbox import Guild, Message, Person, Sandbox, TextChannel

SAMPLES: Final = 5
PEOPLE: Final = 3
"""People at a table."""
PER_MATCH: Final = 150
"""Moves after which players leave a match for the next one."""
HINT_EACH: Final = 10
"""Moves between two hints."""


@dataclass(frozen=True)
class Sizes:
    """Amounts to measure."""

    tables: int = 500
    games: tuple[str, ...] = tuple(GAMES)
    """Games of which one table each is played at a time."""
    moves: int = 5_000


TINY: Final = Sizes(tables=2, games=("palmer",), moves=5)


async def measure(lab: Lab, sizes: Sizes) -> Figures:
    """Open the tables, then play on another bot."""
    async with Sandbox(rate_limits=False) as box:
        guild = box.guild("Palm Beach")
        async with lab.palmhouse(box, lab.folder / "tables.sqlite3") as (pid,):
            found = await _tables(box, pid, guild, sizes.tables)
    async with Sandbox(rate_limits=False) as box:
        room = box.guild("Palm Beach").channel("card-room")
        async with lab.palmhouse(box, lab.folder / "moves.sqlite3") as (pid,):
            run = Run(box, pid, room, sizes.moves)
            run.sample()
            await asyncio.gather(*(_play(run, slug) for slug in sizes.games))
    return {**found, "after_moves": run.samples}


async def _tables(box: Sandbox, pid: int, guild: Guild, tables: int) -> Figures:
    idle = mib(pid)
    seated = await opened(box, [guild], 1, PEOPLE)
    one = mib(pid)
    say(f"{tables} tables are opened and dealt.")
    seated += await opened(box, [guild], tables - 1, PEOPLE)
    every = mib(pid)
    for card, people in seated:
        assert card.thread is not None
        await asyncio.gather(*(person.slash(card.thread, "hand") for person in people))
    await until_idle([pid])
    return {
        "idle": idle,
        "one_table": one,
        f"{tables}_tables": every,
        "kib_per_table": (every - one) / (tables - 1) * 1024,
        "kib_per_hand": (mib(pid) - every) / tables / PEOPLE * 1024,
    }


@dataclass
class Run:
    """The matches being played, and the samples so far."""

    box: Sandbox
    pid: int
    room: TextChannel
    most: int
    moves: int = 0
    samples: Figures = field(default_factory=dict)
    numbers: Iterator[int] = field(default_factory=count)

    def sample(self) -> None:
        """Measure the processes now."""
        now = usage([self.pid])
        parts = {kind: now.rss_mib[kind] for kind in ("bot", "computers", "rasterizer")}
        once = sum(now.mib.values())
        self.samples[f"{self.moves:,}"] = {**parts, "together": sum(parts.values()), "shared_once": once}
        say(f"{self.moves} moves: {sum(parts.values()):.1f} MiB, {once:.1f} with shared memory once.")

    def moved(self) -> None:
        """Count a move."""
        self.moves += 1
        if self.moves % (self.most // SAMPLES) == 0:
            self.sample()


async def _play(run: Run, slug: str) -> None:
    """Play one match after the other."""
    rng = Random(slug)
    while run.moves < run.most:
        people = [run.box.person(f"P{next(run.numbers)}", run.room.guild) for _ in range(PEOPLE)]
        card = await open_match(run.room, *people, game=slug)
        await run.box.until(lambda card=card: card.thread and card.thread.messages(), 60)  # type: ignore[misc]
        await _match(run, card, people, rng)
        for person in people:
            assert card.thread is not None
            asked = (await person.slash(card.thread, "table leave")).message
            if asked is not None and asked.buttons:
                await person.press(asked, asked.buttons[0]["custom_id"])


async def _match(run: Run, card: Message, people: Sequence[Person], rng: Random) -> None:
    """Play the beginning of a match, or all of it if it is short."""
    made = idle = 0
    while made < PER_MATCH and idle < 100 and run.moves < run.most and "🏁" not in card.text:
        moved = [await _move(run, card, person, rng) for person in people]
        idle = 0 if any(moved) else idle + 1
        if not any(moved):
            await asyncio.sleep(0.05)
        made += sum(moved)


async def _move(run: Run, card: Message, person: Person, rng: Random) -> bool:
    """Open the hand and make a move. Return whether there was one to make."""
    assert card.thread is not None
    suggested = await person.autocomplete(card.thread, "move", "action", "")
    if not suggested:
        return False
    await person.slash(card.thread, "hand")
    if run.moves % HINT_EACH == 0:
        number = next(each for each in card.custom_ids if each.startswith("rules:")).partition(":")[2]
        await person.press(card, f"hint:{number}")
    answer = await person.slash(card.thread, "move", action=rng.choice(suggested)["value"])
    if answer.failed or "✅" not in answer.text:
        return False
    run.moved()
    return True
