"""Measure the memory of the bot and its worker processes over thousands of moves in matches of all games.

Players open their hands, ask for hints, and make any move that is suggested.
"""

import asyncio
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random

from bench.process import DATA, children, held, palmhouse
from bench.report import Machine, say
from games import GAMES
from sandbox import Message, Person, Sandbox, TextChannel

MOVES = 5_000
SAMPLES = 5
PER_MATCH = 150
"""Moves after which players leave a match for the next one."""
HINT_EACH = 10
"""Moves between two hints."""


@dataclass(frozen=True)
class Sample:
    """Resident memory of each process in MiB, after a number of moves."""

    moves: int
    bot: float
    worker: float
    rasterizer: float
    together: float
    together_shared_once: float
    """Sum of PSS: memory that processes share is counted once."""


@dataclass(frozen=True)
class MemoryOverTime:
    """`python -m bench memory --json`."""

    machine: Machine
    samples: list[Sample]


@dataclass
class Run:
    """The matches being played, and the samples so far."""

    box: Sandbox
    pid: int
    room: TextChannel
    moves: int = 0
    most: int = MOVES
    samples: list[Sample] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=count)

    def sample(self) -> None:
        """Measure the processes now."""
        found = _sample(self.pid, self.moves)
        self.samples.append(found)
        say(
            f"{self.moves} moves: {found.together} MiB, {found.together_shared_once} with shared memory once."
        )

    def moved(self) -> None:
        """Count a move."""
        self.moves += 1
        if self.moves % (self.most // SAMPLES) == 0:
            self.sample()


async def measure(moves: int = MOVES) -> MemoryOverTime:
    """Play one table of each game at a time, until `moves` are made in all."""
    machine = Machine()
    DATA.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=DATA) as folder:
        async with Sandbox(rate_limits=False) as box, palmhouse(box, Path(folder) / "memory.sqlite3") as pid:
            await box.ready(60)
            run = Run(box, pid, box.guild("Palm Beach").channel("card-room"), most=moves)
            run.sample()
            await asyncio.gather(*(_play(run, slug) for slug in GAMES))
            return MemoryOverTime(machine, run.samples)


async def _play(run: Run, slug: str) -> None:
    """Play one match after the other."""
    rng = Random(slug)
    while run.moves < run.most:
        guild = run.room.guild
        people = [run.box.person(f"P{next(run.numbers)}", guild) for _ in range(3)]
        await _match(run, slug, people, rng)


async def _match(run: Run, slug: str, people: list[Person], rng: Random) -> None:
    card = (await people[0].slash(run.room, f"{slug} start")).message
    assert card is not None
    for person in people[1:]:
        await person.click(card, "Join")
    await people[0].click(card, "Start")
    await run.box.until(lambda: card.thread and card.thread.messages(), 60)
    made = idle = 0
    while made < PER_MATCH and idle < 100 and run.moves < run.most and "🏁" not in card.text:
        moved = [await _move(run, card, person, rng) for person in people]
        idle = 0 if any(moved) else idle + 1
        if not any(moved):
            await asyncio.sleep(0.05)
        made += sum(moved)
    for person in people:
        assert card.thread is not None
        asked = (await person.slash(card.thread, "table leave")).message
        if asked is not None and asked.buttons:
            await person.press(asked, asked.buttons[0]["custom_id"])


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


def _sample(bot: int, moves: int) -> Sample:
    found = {"bot": held(bot), "worker": (0.0, 0.0), "rasterizer": (0.0, 0.0)}
    for pid in children(bot):
        module = Path(f"/proc/{pid}/cmdline").read_text().split("\0")[2].rpartition(".")[2]
        found[module] = held(pid)
    resident = {name: round(each[0], 1) for name, each in found.items()}
    return Sample(
        moves,
        resident["bot"],
        resident["worker"],
        resident["rasterizer"],
        round(sum(each[0] for each in found.values()), 1),
        round(sum(each[1] for each in found.values()), 1),
    )
