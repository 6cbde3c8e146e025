"""Measure the bot with a thousand live tables, at rising rates of moves until it cannot keep up, and after a restart.

People move by `/move` at a given rate, whether or not others have their answers yet. The baseline bot is clicked at the
same rates. The sandbox runs in the process that measures, and needs a core of its own.
"""

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from statistics import median, quantiles

from bench import baseline_bot
from bench.players import open_match
from bench.process import DATA, Usage, palmhouse, running, usage
from bench.report import Machine, say
from bot.match.log import read
from bot.match.state import TableState
from bot.store import Store, open_store
from games import GAMES
from sandbox import Answer, Channel, Guild, Message, Person, Sandbox

PACE = "correspondence"
"""Nobody is overdue while others play."""
PEOPLE = 2
"""Number of people at each table."""
AT_ONCE = 20
"""Number of tables that are opened at the same time."""
KEEPS_UP = 0.95
"""Part of the wanted answers that a bot which keeps up gives."""
TOO_LATE = 1_000.0
"""P99 in ms from which a bot counts as overloaded."""


@dataclass(frozen=True)
class Sizes:
    """Amounts to measure."""

    servers: int = 100
    tables: int = 1_000
    rates: tuple[int, ...] = (10, 20, 30, 40, 50, 60, 80, 100, 130, 160, 200, 250, 300, 400)
    """Wanted answers a second, one step after the other."""
    seconds: float = 10.0
    """Length of a step."""


@dataclass(frozen=True)
class Step:
    """One rate. Processor time and memory are those of all processes of the bot."""

    answers_per_s: float
    p50_ms: float
    p99_ms: float
    failed: int
    """Interactions without an answer."""
    bot_ms: float
    """Processor time per answer of the bot's own process, in ms."""
    others_ms: float
    """The same of its worker and its rasterizer."""
    sandbox_ms: float
    """The same of the sandbox and the people."""
    mib: float
    """Memory in which pages shared by several processes count once."""


@dataclass(frozen=True)
class Rush:
    """After a restart every table is asked for a hand, all within a second."""

    hands: int
    p50_ms: float
    p99_ms: float
    failed: int


@dataclass(frozen=True)
class Load:
    """`python -m bench load --json`. The steps are named by their rates."""

    machine: Machine
    tables: int
    baseline: dict[str, Step]
    palmhouse: dict[str, Step]
    rush: Rush
    baseline_per_s: float
    """Highest rate of answers at which the baseline bot kept up."""
    palmhouse_per_s: float
    throughput_ratio: float | None
    """Rate of the bot divided by that of the baseline bot; None when that did not keep up with any."""


@dataclass
class Waits:
    """Answers of one step."""

    ms: list[float] = field(default_factory=list)
    failed: int = 0

    async def note(self, answering: Awaitable[Answer]) -> None:
        """Wait for an answer, and note how long it takes."""
        begin = time.perf_counter()
        answer = await answering
        self.ms.append((time.perf_counter() - begin) * 1000)
        self.failed += bool(answer.failed)

    @property
    def p99(self) -> float:
        """The 99th percentile in ms."""
        return round(quantiles(self.ms, n=100)[98], 1)


Act = Callable[[Waits], Coroutine[None, None, None]]
"""One act of a person, whose answer is noted."""


@dataclass
class LiveTable:
    """A table on which people play."""

    id: int
    place: Channel
    people: dict[int, Person]
    state: TableState
    busy: bool = False

    async def move(self, store: Store, rng: Random, waits: Waits) -> None:
        """Make any legal move of an awaited person."""
        seat = rng.choice(self.state.awaited())
        text = self.state.game.text(rng.choice(self.state.legal(seat)))
        person = self.people[self.state.players[seat].user]
        await waits.note(person.slash(self.place, "move", action=text))
        await self.follow(store)
        self.busy = False

    async def follow(self, store: Store) -> None:
        """Apply what is new in the log."""
        for row in await store.log(self.id, self.state.n):
            self.state.apply(read(row))


async def measure(sizes: Sizes = Sizes(), data: Path = DATA) -> Load:
    """Measure the baseline bot, then the bot. The database lies in a folder of `data` that is removed at the end."""
    machine = Machine()
    data.mkdir(exist_ok=True)
    baseline = await _baseline(sizes)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=data) as name:
        steps, rush = await _palmhouse(Path(name) / "load.sqlite3", sizes)
    rates = _kept_up(baseline), _kept_up(steps)
    ratio = round(rates[1] / rates[0], 2) if rates[0] else None
    return Load(machine, sizes.tables, baseline, steps, rush, *rates, ratio)


async def _baseline(sizes: Sizes) -> dict[str, Step]:
    async with Sandbox(rate_limits=False) as box:
        guild = box.guild("Palm Beach")
        room, person = guild.channel("card-room"), box.person("Alice", guild)
        async with running(box, "bench.baseline_bot", box.url) as pid:
            await box.ready(60)
            await box.until(room.messages)
            button = room.messages()[0]
            return await _rising(
                sizes, pid, lambda: lambda waits: waits.note(person.click(button, baseline_bot.LABEL))
            )


async def _palmhouse(file: Path, sizes: Sizes) -> tuple[dict[str, Step], Rush]:
    async with Sandbox(rate_limits=False) as box:
        guilds = [box.guild(f"Server {number}") for number in range(sizes.servers)]
        async with palmhouse(box, file) as pid:
            await box.ready(60)
            store = await open_store(file)
            try:
                tables = await _open(box, guilds, store, sizes.tables)
                steps = await _rising(sizes, pid, partial(_mover, tables, store, Random(1)))
            finally:
                await store.close()
        async with palmhouse(box, file):
            await box.ready(120)
            return steps, await _rush(tables)


async def _open(box: Sandbox, guilds: list[Guild], store: Store, tables: int) -> list[LiveTable]:
    """Open the tables, and let the matches begin."""
    say(f"{tables} tables are opened and dealt.")
    opened: list[LiveTable] = []
    rooms = [guild.channel("card-room") for guild in guilds]
    for first in range(0, tables, AT_ONCE):
        numbers = range(first, min(first + AT_ONCE, tables))
        chosen = [rooms[number % len(rooms)] for number in numbers]
        groups = [[box.person(f"P{n}", room.guild) for n in range(PEOPLE)] for room in chosen]
        cards = await asyncio.gather(
            *(open_match(room, *people, pace=PACE) for room, people in zip(chosen, groups, strict=True))
        )
        await box.until(partial(_are_posted, cards), timeout=60)
        opened += [await _followed(card, people, store) for card, people in zip(cards, groups, strict=True)]
    return opened


def _are_posted(cards: list[Message]) -> bool:
    return all(card.thread is not None and card.thread.log for card in cards)


async def _followed(card: Message, people: list[Person], store: Store) -> LiveTable:
    number = next(int(each.partition(":")[2]) for each in card.custom_ids if each.startswith("rules:"))
    match = await store.match(number)
    assert match is not None
    assert card.thread is not None
    game = GAMES[match.game]
    state = TableState(game, game.Options.model_validate_json(match.options), match.seed)
    table = LiveTable(number, card.thread, {person.id: person for person in people}, state)
    await table.follow(store)
    return table


def _mover(tables: list[LiveTable], store: Store, rng: Random) -> Act | None:
    """Return a move at any table where nobody moves at present; None when there is none."""
    free = [table for table in tables if not table.busy and table.state.phase == "play"]
    if not free:
        return None
    table = rng.choice(free)
    table.busy = True
    return partial(table.move, store, rng)


async def _rising(sizes: Sizes, pid: int, acts: Callable[[], Act | None]) -> dict[str, Step]:
    """Raise the rate until the bot does not keep up."""
    steps: dict[str, Step] = {}
    for rate in sizes.rates:
        step = await _step(rate, sizes.seconds, pid, acts)
        steps[f"{rate} per s"] = step
        say(f"{rate} a second: {asdict(step)}")
        if not _keeps_up(rate, step):
            break
    return steps


def _keeps_up(rate: int, step: Step) -> bool:
    return step.answers_per_s >= KEEPS_UP * rate and step.p99_ms < TOO_LATE and step.failed == 0


def _kept_up(steps: dict[str, Step]) -> float:
    """Return the highest rate of answers with which a bot kept up."""
    return max(
        (step.answers_per_s for name, step in steps.items() if _keeps_up(_rate(name), step)), default=0.0
    )


def _rate(name: str) -> int:
    return int(name.split()[0])


async def _step(rate: int, seconds: float, pid: int, acts: Callable[[], Act | None]) -> Step:
    """Act at a rate for some seconds, then wait for the last answers."""
    waits, tasks = Waits(), set[asyncio.Task[None]]()
    before, begin = usage(pid), time.perf_counter()
    own = time.process_time()
    for due in _times(begin, rate, seconds):
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        if (act := acts()) is not None:
            tasks.add(asyncio.create_task(act(waits)))
    await asyncio.gather(*tasks)
    length, after = time.perf_counter() - begin, usage(pid)
    return _figures(waits, length, before, after, time.process_time() - own)


def _times(begin: float, rate: int, seconds: float) -> Iterator[float]:
    for number in count():
        if number / rate > seconds:
            return
        yield begin + number / rate


def _figures(waits: Waits, length: float, before: Usage, after: Usage, own: float) -> Step:
    answers = len(waits.ms)
    return Step(
        answers_per_s=round(answers / length, 1),
        p50_ms=round(median(waits.ms), 1),
        p99_ms=waits.p99,
        failed=waits.failed,
        bot_ms=round((after.bot_s - before.bot_s) * 1000 / answers, 1),
        others_ms=round((after.others_s - before.others_s) * 1000 / answers, 1),
        sandbox_ms=round(own * 1000 / answers, 1),
        mib=round(after.mib, 1),
    )


async def _rush(tables: list[LiveTable]) -> Rush:
    """Ask for a hand at every table within a second."""
    say("The bot was started again; a hand is opened at every table within a second.")
    waits, begin = Waits(), time.perf_counter()
    tasks = []
    for number, table in enumerate(tables):
        await asyncio.sleep(max(0.0, begin + number / len(tables) - time.perf_counter()))
        person = next(iter(table.people.values()))
        tasks.append(asyncio.create_task(waits.note(person.slash(table.place, "hand"))))
    await asyncio.gather(*tasks)
    return Rush(len(waits.ms), round(median(waits.ms), 1), waits.p99, waits.failed)
