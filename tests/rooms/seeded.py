"""One card room in virtual time, which follows from its plan byte for byte."""

import asyncio
import gc
import sqlite3
import traceback
from collections.abc import Iterator
from contextlib import closing, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.standings.daily import DAY, day_of
from bot.standings.week import begin, week_of
from sandbox import Sandbox
from tests.rooms.cluster import Cluster
from tests.rooms.faults import name_of
from tests.rooms.inside import AT_REST, INSIDE, OF_CLUSTERS
from tests.rooms.life import Life
from tests.rooms.machine import SIMULATED, kinds_of
from tests.rooms.plan import Plan
from tests.rooms.room import PEOPLE, Room
from tests.rooms.simulated_bot import SimulatedBot
from tests.rooms.tape import Tape
from tests.simulation.loop import Loop
from tests.simulation.patches import simulated
from tests.simulation.world import EPOCH, Delays, World

MEMORY = Path("/dev/shm")
"""Where Linux keeps files in memory. Nothing here needs a real disk, and syncing one takes long."""
SECONDS = (15.0, 30.0, 60.0, 120.0)
"""Possible times with people and faults."""
STORMS = 0.1
"""Part of the rooms whose power is cut again and again."""
BETWEEN_CUTS = (0.05, 3.0)
"""Range of the seconds between two faults there. A start takes one to six."""
LONG = 90.0
"""Least of them where several processes take over from each other."""
KEPT = {
    "kept: seasons that ended": "seasons WHERE closed IS NOT NULL",
    "kept: final tables of seasons with points": "seasons WHERE id IN (SELECT season FROM season_tables)",
    "kept: daily deals to their end": "daily_attempts WHERE placing IS NOT NULL",
    "kept: lessons in which something was learnt": "lessons WHERE steps > 0",
    "kept: erased people": "erasures",
    "kept: rematches that began": "matches WHERE rematch_of IS NOT NULL AND started IS NOT NULL",
    "kept: matches that were rated": "matches WHERE rated IS NOT NULL",
    "kept: packed logs": "packed_logs",
    "kept: deals of a day that were posted": "bulletins WHERE kind = 'daily' AND message > 0",
    "kept: weeks that were told": "bulletins WHERE kind = 'weekly' AND message > 0",
    "kept: rounds of game nights that ended": "night_tables WHERE closed = 1 AND number = 1",
    "kept: tables of game nights with a result": "night_tables WHERE rated IS NOT NULL",
    "kept: events of game nights": "night_posts WHERE number = -1 AND message > 0",
    "kept: roles of winners": "night_roles",
    "kept: game nights told to their end": "nights WHERE phase = 'over' AND told = 1",
}
"""Parts of queries for what a database has kept, by what they count."""
AHEAD = (0.0, -3600.0, 0.7, 40 * 3600.0)
"""Seconds by which the clock of the database may be ahead of Discord's."""
PROCESSES = (*(1,) * 7, 2)
"""Possible numbers of processes."""
SHARDS = (*(1,) * 9, 2)
"""Possible numbers of shards of one process."""


@dataclass
class Outcome:
    """What became of a room."""

    plan: Plan
    violations: list[str] = field(default_factory=list)
    """Sentences, each after the law that was broken."""
    happened: list[str] = field(default_factory=list)
    """Faults in their order."""
    counts: dict[str, int] = field(default_factory=dict)
    virtual: float = 0.0
    """Seconds of virtual time."""
    digest: str = ""
    """Of all requests, answers and lines of the log, in their order."""

    @property
    def people(self) -> int:
        """Number of people who were there."""
        return PEOPLE - sum(each.startswith("p") for each in self.plan.dropped)

    @property
    def items(self) -> list[str]:
        """Names of the faults and people that were there."""
        faults = [each.partition(" ")[0] for each in self.happened]
        return faults + [p for n in range(PEOPLE) if (p := f"p{n + 1}") not in self.plan.dropped]


def plan_of(
    seed: int,
    *,
    seconds: float = 0.0,
    game: str = "",
    storm: bool = False,
    processes: int = 0,
    dropped: frozenset[str] = frozenset(),
) -> Plan:
    """Return the plan of a room. What is not given follows from the seed."""
    processes = processes or (1 if storm else World(seed).chance("processes").choice(PROCESSES))
    chance, company = World(seed).chance("plan"), World(seed).chance("company")
    drawn = chance.choice(SECONDS)
    mean = chance.choice((0.2, 0.5, 2.0, 5.0))
    # With all kinds at once, each would hide what another one does.
    few = chance.choice((0.0, 0.5, 0.8))
    shards = company.choice(SHARDS) if processes == 1 else processes
    plan = Plan(
        seed,
        seconds or (drawn if processes == 1 else max(drawn, LONG)),
        tables=chance.randint(1, 5),
        between=(mean / 4, 7 * mean / 4),
        age=chance.choice((0.0, 0.5, 3.0)),
        deadly=0.85,
        spared=frozenset(name_of(kind) for kind in SIMULATED if chance.random() < few),
        shards=shards,
        processes=processes,
        game=game,
        dropped=dropped,
    )
    if storm or (processes == 1 and chance.random() < STORMS):
        return replace(plan, storm=True, between=BETWEEN_CUTS, age=0.0)
    return plan


def live(plan: Plan, trace: Path | None = None) -> Outcome:
    """Run one room, and return what became of it. `trace`: file for all requests and answers."""
    outcome, world = Outcome(plan), World(plan.seed, _delays(plan))
    world.begins = _begin(plan)
    gc.disable()  # it would end what dead processes have left, at times that differ
    where = MEMORY if MEMORY.is_dir() else None
    with TemporaryDirectory(prefix="palmhouse-room-", dir=where) as folder:
        with simulated(world):
            loop = Loop(world)
            asyncio.set_event_loop(loop)
            try:
                loop.run_until_complete(_lived(outcome, Path(folder), trace))
            except Exception:
                outcome.violations.append(f"it comes to its end: {traceback.format_exc()}")
        asyncio.set_event_loop(None)
        outcome.virtual = world.now
    return outcome


def _begin(plan: Plan) -> float:
    """Return the time at which a room begins: some end a day or a week while people play."""
    chance = World(plan.seed).chance("begin")
    usual = int(EPOCH * 1000)
    ends = chance.choice((None, None, begin(week_of(usual) + 1), (day_of(usual) + 1) * DAY))
    return EPOCH if ends is None else ends / 1000 - chance.uniform(0.2, 0.9) * plan.seconds


async def _lived(outcome: Outcome, folder: Path, trace: Path | None) -> None:
    plan = outcome.plan
    async with Sandbox(rate_limits=bool(plan.seed % 2)) as box:
        lag = World(plan.seed).chance("lag")
        longest = lag.choice((0.0, 0.05, 0.5))
        box.under_way = lambda: lag.uniform(0.0, longest)
        level = "INFO" if plan.seed % 3 == 0 else "DEBUG"
        one = plan.processes == 1
        box.gateway.shards = plan.shards
        box.gateway.describes_after = World(plan.seed).chance("described").choice((0.0, 0.0, 0.5, 4.0))
        bot = SimulatedBot(box, folder, level) if one else _cluster(box, folder, level, plan)
        laws = INSIDE if one else (*INSIDE, *OF_CLUSTERS)
        room = Room(box, bot, plan)
        if isinstance(bot, Cluster):
            bot.trouble = room.trouble
        life = Life(room, kinds_of(plan), Tape(box, trace), laws=laws, at_rest=AT_REST)
        try:
            with bot.server if isinstance(bot, Cluster) else nullcontext():
                await life.run()
            await life.proof.check_stopped()
        finally:
            _fill(outcome, life)
            if trace is not None:
                trace.with_suffix(".story.txt").write_text("\n".join(_story(life)))


def _cluster(box: Sandbox, folder: Path, level: str, plan: Plan) -> Cluster:
    """Return the processes of a room: each takes what is free, or each has shards of its own."""
    chance, count = World(plan.seed).chance("cluster"), plan.processes
    fixed = [f"{n}/{plan.shards}" for n in range(count)]
    return Cluster(
        box, folder, level, chance.choice(([f"any/{plan.shards}"] * count, fixed)), chance.choice(AHEAD)
    )


def _fill(outcome: Outcome, life: Life) -> None:
    checks = life.proof.checks
    outcome.violations = [f"{check.title}: {each}" for check in checks for each in check.violations]
    outcome.happened = life.faults.happened
    outcome.counts = dict(life.room.counts)
    tables = [table for table in life.room.tables.values() if not table.match.placeless]
    outcome.counts["over"] = sum(table.state.phase == "over" for table in tables)
    outcome.counts["tampered"] = sum(bool(table.tampered) for table in tables)
    outcome.counts["answered"] = life.room.answers.in_time
    outcome.counts["excused"] = life.room.answers.excused.total()
    outcome.counts["answers: in time"] = life.room.answers.in_time
    outcome.counts |= {f"excused: {cause}": n for cause, n in life.room.answers.excused.items()}
    outcome.counts |= dict(_kept(life.room.bot.file))
    outcome.digest = life.tape.digest(life.room.bot.logged())


def _kept(file: Path) -> Iterator[tuple[str, int]]:
    """Yield what happened according to the database, and how often."""
    with closing(sqlite3.connect(file)) as db:
        for what, query in KEPT.items():
            yield what, db.execute(f"SELECT count(*) FROM {query}").fetchone()[0]


def _story(life: Life) -> Iterator[str]:
    """Yield lines with all that is known about a room, for whoever looks for a cause."""
    yield from life.faults.happened
    yield from (f"{began:.3f} to {ended:.3f} {name}" for began, ended, name in life.room.troubled)
    for table in life.room.tables.values():
        yield f"\n{table.match} {table.tampered}"
        yield from map(str, table.rows)
        yield from map(str, table.attempts)
        yield from map(str, table.refusals)
    assert isinstance(life.room.bot, SimulatedBot | Cluster)
    yield from life.room.bot.ended
    yield from life.room.bot.lines


def _delays(plan: Plan) -> Delays:
    chance = World(plan.seed).chance("delays")
    return Delays(
        network=(0.0005, chance.choice((0.003, 0.03, 0.2))),
        disk=(0.0002, chance.choice((0.001, 0.01, 0.03))),
        work=(0.001, chance.choice((0.005, 0.08, 0.5, 1.2))),
    )
