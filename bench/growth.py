"""The memory of the bot and its processes over thousands of moves in matches of all games, as they are played, hands
opened and hints asked for. Whoever plays does anything that is suggested to them."""

import asyncio
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random

from bench.process import ROOT, palmhouse
from bench.report import Machine, say
from games import GAMES
from sandbox import Message, Person, Sandbox, TextChannel

DATA = ROOT / "data"
MOVES = 5_000
SAMPLES = 5
PER_MATCH = 150
"""Moves after which a match is left for the next one."""
HINT_EACH = 10
"""Moves between two hints."""


@dataclass(frozen=True)
class Sample:
    """MiB of each process: resident, and with what they share counted once."""

    moves: int
    bot: float
    worker: float
    rasterizer: float
    together: float
    together_shared_once: float


@dataclass(frozen=True)
class Growth:
    """`python -m bench memory --json`."""

    machine: Machine
    samples: list[Sample]


@dataclass
class Evening:
    """All matches, and what was counted."""

    box: Sandbox
    pid: int
    room: TextChannel
    moves: int = 0
    most: int = MOVES
    samples: list[Sample] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=count)

    def sample(self) -> None:
        """Look at the processes now."""
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


async def measure(moves: int = MOVES) -> Growth:
    """One table of each game at a time, until so many moves are made in all."""
    machine = Machine()
    DATA.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=DATA) as folder:
        async with Sandbox(rate_limits=False) as box, palmhouse(box, Path(folder) / "memory.sqlite3") as pid:
            await box.ready(60)
            evening = Evening(box, pid, box.guild("Palm Beach").channel("card-room"), most=moves)
            evening.sample()
            await asyncio.gather(*(_play(evening, slug) for slug in GAMES))
            return Growth(machine, evening.samples)


async def _play(evening: Evening, slug: str) -> None:
    """One match after the other."""
    rng = Random(slug)
    while evening.moves < evening.most:
        guild = evening.room.guild
        people = [evening.box.person(f"P{next(evening.numbers)}", guild) for _ in range(3)]
        await _match(evening, slug, people, rng)


async def _match(evening: Evening, slug: str, people: list[Person], rng: Random) -> None:
    card = (await people[0].slash(evening.room, f"{slug} start")).message
    assert card is not None
    for person in people[1:]:
        await person.click(card, "Join")
    await people[0].click(card, "Start")
    await evening.box.until(lambda: card.thread and card.thread.messages(), 60)
    made = idle = 0
    while made < PER_MATCH and idle < 100 and evening.moves < evening.most and "🏁" not in card.text:
        moved = [await _move(evening, card, person, rng) for person in people]
        idle = 0 if any(moved) else idle + 1
        if not any(moved):
            await asyncio.sleep(0.05)
        made += sum(moved)
    for person in people:
        assert card.thread is not None
        asked = (await person.slash(card.thread, "table leave")).message
        if asked is not None and asked.buttons:
            await person.press(asked, asked.buttons[0]["custom_id"])


async def _move(evening: Evening, card: Message, person: Person, rng: Random) -> bool:
    """Open the hand, and do something if there is anything to do."""
    assert card.thread is not None
    suggested = await person.autocomplete(card.thread, "move", "action", "")
    if not suggested:
        return False
    await person.slash(card.thread, "hand")
    if evening.moves % HINT_EACH == 0:
        number = next(each for each in card.custom_ids if each.startswith("rules:")).partition(":")[2]
        await person.press(card, f"hint:{number}")
    answer = await person.slash(card.thread, "move", action=rng.choice(suggested)["value"])
    if answer.failed or "✅" not in answer.text:
        return False
    evening.moved()
    return True


def _sample(bot: int, moves: int) -> Sample:
    found = {"bot": _held(bot), "worker": (0.0, 0.0), "rasterizer": (0.0, 0.0)}
    for pid in _children(bot):
        module = Path(f"/proc/{pid}/cmdline").read_text().split("\0")[2].rpartition(".")[2]
        found[module] = _held(pid)
    resident = {name: round(each[0], 1) for name, each in found.items()}
    return Sample(
        moves,
        resident["bot"],
        resident["worker"],
        resident["rasterizer"],
        round(sum(each[0] for each in found.values()), 1),
        round(sum(each[1] for each in found.values()), 1),
    )


def _children(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def _held(pid: int) -> tuple[float, float]:
    """MiB that a process holds: RSS and PSS, which Linux tells."""
    said = Path(f"/proc/{pid}/smaps_rollup").read_text()
    rss, pss = (re.findall(rf"^{name}:\s+(\d+) kB", said, re.MULTILINE)[0] for name in ("Rss", "Pss"))
    return int(rss) / 1024, int(pss) / 1024
