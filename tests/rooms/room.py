"""A card room: a sandbox with two servers, the bot as a process, and every match as its log tells it."""

import asyncio
import sqlite3
import sys
import time
import traceback
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, fields, replace
from itertools import chain, takewhile
from math import inf
from operator import itemgetter
from pathlib import Path
from random import Random
from typing import Any, Protocol

from bot.gateway.shards import shard_of
from bot.match.log import read
from bot.match.state import Logged, TableState
from bot.match.times import Times
from bot.match.waking import waking
from bot.store import Hours, LogRow, Match
from bot.store.processes import LEASE
from cogs.common.door import BOARD
from games import GAMES, Event
from sandbox import Answer, Channel, Guild, Message, Permission, Person, Sandbox, TextChannel
from sandbox.checks import Refused
from sandbox.gateway import Carried
from sandbox.guilds import guild_of
from sandbox.interactions import DEFER, Interaction
from sandbox.refusals import AUTOCOMPLETE
from sandbox.snowflakes import time_of
from tests.e2e.match import FAULT
from tests.rooms.account import Account
from tests.rooms.ahead import Choices
from tests.rooms.attempt import Attempt
from tests.rooms.habits import Habits
from tests.rooms.plan import Plan
from tests.rooms.presses import Press, acknowledged
from tests.simulation.power import latest_commit

PEOPLE = 18
CHANNELS = 3
"""Number of channels of each server."""
POLL = 0.05
"""Seconds between two looks at the database."""
STALL = 0.5
"""Seconds between two looks after which an answer may be late because the machine is busy."""
BUSY = 0.5
"""Part of the time that the bot waits for a processor, from which on its answers may be late for that reason."""
BUSY_FOR = 1.0
"""Seconds after such a wait in which answers may still be late."""
UNSURE = 1_500
"""Ms by which the bot may think an outage shorter than it was."""
SLOW_DISK = "slow disk"
THINKS, WORKS = 60.0, 5.0
"""Seconds within which an answer that was deferred must come, and within which it would come but for a fault."""
FULL_DISK = "full disk"
JUMPED = "clock jumped"
REVOKED = "permission revoked"
ANSWERS_FAILED = "answers failed"
REMOVED = "bot removed"
HANDED_OVER = "shard handed over"
RESTORED = "backup restored"
UNAVAILABLE = "server unavailable"
BUSY_MACHINE = "the machine was busy"
SENT = 1.0
"""Seconds within which Discord sends an interaction to the bot that has a connection."""
STARTING = "first start"
ENDING = ("killed", "stopped", "frozen")
"""Faults of the whole bot, which does nothing meanwhile."""
CUTTING = (
    STARTING,
    *ENDING,
    "gateway lost",
    "shard lost",
    HANDED_OVER,
    "process killed",
    "process stopped",
    "process frozen",
    "database out of reach",
    "database away",
    JUMPED,  # the leases of processes end in their sleep
)
"""Faults that cut a shard off, maybe for long after their end."""
WITHOUT_DATABASE = ("database out of reach", "database away", "process frozen")
"""Faults in which the database does not answer one of two processes: the simulated server lets nobody write while a
frozen process holds a transaction."""
SLOW = (SLOW_DISK, BUSY_MACHINE, *WITHOUT_DATABASE)
"""Faults in which an answer may be late that is not deferred before the bot knows it."""
BACKLOG = 6.0
"""Seconds within which the bot has handled what people did while it could not."""
PAUSED = 3.0
"""Seconds without an entry after which the messages of a table are up to date."""
REFUSALS = 50
"""Number of the refused attempts at a table, the latest ones, that are kept for a report."""
TIMES = Times(
    live=9_000,
    relaxed=15_000,
    correspondence=24_000,
    lobby=30_000,
    calls=10_000,
    alone=40_000,
    computer=(50, 200),
    grace=1_000,
    reading=(200, 400),
    between_rounds=2_000,
    round=45_000,
)
"""Short waiting times. Deadlines pass within seconds, so the clock of the sandbox need not be moved for them, and each
jump of it is a fault: the machine of the bot has slept."""
NAMING = ("sit", "join", "offer", "give", "take", "cut", "reserve", "wish", "close")
"""Kinds of entries with names or ids of people in them."""
HOURS = "SELECT user, zone, begins, ends, away_until, digest FROM hours"
JUST_BEFORE = 2_000
"""Ms within which a change of hours may be seen before what follows from it, or after that."""
ENTRIES = "SELECT n, kind, seat, user, body, at FROM log WHERE match = ? AND n > ? ORDER BY n"
COLUMNS = ", ".join(each.name for each in fields(Match))


class Bot(Protocol):
    """The bot as a process, real or simulated. Hold `lock` while it must run, or must not."""

    lock: asyncio.Lock
    folder: Path
    file: Path
    """Its database."""
    may_lose_power: bool
    """True when its machine is a simulated one, whose power can be cut."""

    @property
    def runs(self) -> bool:
        """True while the process exists."""

    @property
    def uptime(self) -> float:
        """Seconds since the last start."""

    async def start(self, *, wait: bool = True) -> None:
        """Start the process, and with `wait` wait until it is connected. Raises RuntimeError when it ends instead."""

    async def kill(self, power: Random | None = None) -> None:
        """Kill the process with `kill -9`, and wait until the sandbox has noticed. With `power` a machine that
        `may_lose_power` does, and by chance what its disk has not synced."""

    async def stop(self) -> None:
        """Stop the process as a service manager does. Raises RuntimeError when it does not end well."""

    async def freeze(self, seconds: float) -> None:
        """Let the process do nothing for a time."""

    def full_disk(self) -> AbstractContextManager[None]:
        """Keep the process from making its files longer than the database's log is now, during a block."""

    def reading(self) -> AbstractContextManager[sqlite3.Connection]:
        """Give a connection that reads the database, for a block."""

    def waited(self) -> float:
        """Return the seconds for which it has waited for a processor."""

    def may_wait(self, asked: Mapping[str, Any]) -> bool:
        """Return whether an interaction with this data is answered later while the disk is slow."""

    def logged(self) -> str:
        """Return everything that was logged. Call it after the process has ended."""


@dataclass(eq=False)
class FollowedTable:
    """A match as the stored log tells it. Entries that were read once must stay as they are."""

    match: Match
    state: TableState
    rows: list[LogRow] = field(default_factory=list)
    deadlines: dict[int, int] = field(default_factory=dict)
    """By seat: the earliest deadline that the log allows."""
    since: dict[int, int] = field(default_factory=dict)
    """By seat: the time in ms of the entry that has set it."""
    account: Account = field(default_factory=Account)
    ahead: Choices = field(default_factory=Choices)
    attempts: list[Attempt] = field(default_factory=list)
    seen: dict[int, float] = field(default_factory=dict)
    """By number of an entry: when it was read."""
    put_out: set[int] = field(default_factory=set)
    """Numbers of entries by which somebody left, or closed it, who had been erased by then."""
    choices: list[Attempt] = field(default_factory=list)
    """Tries to decide ahead; "" takes that back."""
    prompts: dict[int, int] = field(default_factory=dict)
    """By number of a move's entry: the number of the decision that it answered."""
    refusals: deque[tuple[int, str]] = field(default_factory=lambda: deque(maxlen=REFUSALS))
    """The latest refused attempts: number of the last log entry before each, and what its person was told."""
    tampered: str = ""
    """Acts of people on its messages, after which these may not be all that the log requires; "" without any."""
    begins_again: bool = False
    """True when a backup was restored, or an entry undone, after which it had not begun: an earlier table of it may
    stand somewhere."""
    messages: int = -1
    """Number of messages where it was played when they were found to be right after its end; -1 before."""
    shown: tuple[int, int] = (0, 0)
    """Number of its last entry and of the last message in its place when they were last compared while it was open."""

    @property
    def id(self) -> int:
        """Number of the match."""
        return self.match.id

    @property
    def is_open(self) -> bool:
        """True in the lobby and in play."""
        return self.state.phase in ("lobby", "play")

    @property
    def place(self) -> int:
        """The thread or channel where it is played; before the start, the channel of its card."""
        return self.match.place or self.match.channel

    def tamper(self, cause: str) -> None:
        """Note an act of people on its messages, unless there was one: while it is open, a permission that came back
        hides no later one."""
        if not self.tampered or (self.tampered == REVOKED and self.is_open):
            self.tampered = cause

    def attempt(self, person: Person, text: str = "", form: str = "") -> Attempt:
        """Begin to count a try of this person to make a move. `form`: the custom id of its button, menu or modal."""
        counts = form and not self.state.game.real_time
        prompt = int(form.split(":")[2].partition("~")[0]) if counts else None
        self.attempts.append(Attempt(person.id, self.state.n, text, prompt=prompt))
        return self.attempts[-1]


@dataclass
class Answers:
    """The number of interactions by what became of them."""

    in_time: int = 0
    excused: Counter[str] = field(default_factory=Counter)
    """Unanswered, by the fault that was there at that time."""
    missing: list[str] = field(default_factory=list)
    """Unanswered although nothing was wrong."""


class Room:
    """Everything that people and faults share."""

    def __init__(self, box: Sandbox, bot: Bot, plan: Plan) -> None:
        self.box = box
        self.bot = bot
        self.plan = plan
        self.guilds = [
            box.guild(name, id_=(plan.shards + n % plan.shards) << 22 | n + 1 if plan.shards > 1 else None)
            for n, name in enumerate(("Palm Beach", "Dolphin Bay"))
        ]
        self.channels: list[TextChannel] = [
            guild.channel(f"card-room-{n}") for guild in self.guilds for n in range(1, CHANNELS + 1)
        ]
        everybody = [box.person(f"Player {n}", *self.guilds) for n in range(1, PEOPLE + 1)]
        self.people = [each for n, each in enumerate(everybody, 1) if f"p{n}" not in plan.dropped]
        self.habits = {each.id: Habits.of(self.chance(f"habits of {each.name}")) for each in everybody}
        self.managers = {guild.id: person for guild, person in zip(self.guilds, everybody, strict=False)}
        """By server: the person who manages it."""
        for guild in self.guilds:
            guild.grant(self.managers[guild.id].user, Permission.MANAGE_GUILD)
        self.erased: set[int] = set()
        """People who have erased themselves at some time."""
        self.former: dict[int, int] = {}
        """By the number that a restore has put in the place of somebody's id: that person."""
        self.hours: dict[int, Hours] = {}
        """By person: their hours, as they are stored."""
        self.changed_hours: dict[int, int] = {}
        """By person who has set hours at some time: when they were last seen to be others, in ms."""
        self.choosy: set[int] = set()
        """People who have chosen a preference at some time, such as not to be called."""
        self.bulletins: set[tuple[int, str]] = set()
        """By server and kind: the bulletins that were wanted at some time."""
        self.askers: set[int] = set()
        """People who have asked at some time to be told when a table opens, or were challenged."""
        self.tables: dict[int, FollowedTable] = {}
        self.deleted = set[int]()
        """Messages of the bot that a moderator has deleted."""
        self.counts: Counter[str] = Counter()
        self.moved: list[float] = []
        """Times (`time.monotonic`) at which moves were read, without those of daily deals."""
        self.answers = Answers()
        self.pressed: list[Press] = []
        """Presses that are so old that Discord has forgotten them."""
        self.told: list[Press] = []
        """Presses whose person was told that they count."""
        self.errors: list[str] = []
        """Violations that were found while people played."""
        self.own_errors: list[str] = []
        """Tracebacks of errors of the people and faults themselves."""
        self.lost_power = False
        """True until it is known what a cut of the power, or a backup in the place of the database, has undone."""
        self.restored = -inf
        """Seconds of the sandbox's clock at which a backup has taken the place of the database last."""
        self.recounted = -inf
        """Seconds of the sandbox's clock at which an import has counted all ratings anew last."""
        self.restoring = asyncio.Lock()
        """Held from a backup until it is restored."""
        self.calm = False
        """True once the faults are over and nobody stays away any more."""
        self.ending = False
        """True once nobody opens tables any more."""
        self.lost: list[tuple[float, float]] = []
        """Times in which nobody could act, as the bot was frozen or asleep: begin and end by the sandbox's clock."""
        self.in_doubt = set[int]()
        """Matches in doubt at which nobody looked when that was last checked."""
        self.cut_off: defaultdict[int, list[tuple[float, float]]] = defaultdict(list)
        """By shard: the times in which it had no connection."""
        self.troubled: list[tuple[float, float, str]] = []
        """Faults that may keep the bot from answering: begin and end by the sandbox's clock, and the name."""
        self._troubles: dict[object, tuple[float, str]] = {}
        self._slow: list[list[float]] = []
        """Begin and end of the times in which posts failed or took long, by the sandbox's clock."""
        self._held_up: list[list[float]] = []
        """Those of them in which an answer may have waited for a post."""
        self._cut_off: dict[int, float] = {}
        """By shard that has no connection: since when."""
        self._polled = b""
        """The latest commit that was read."""
        self._waiting: defaultdict[Person, list[Answer]] = defaultdict(list)
        self._looked = time.monotonic()
        self._looked_at = box.clock.now()
        self._waited = 0.0
        self._busy_until = 0.0

    @property
    def is_connected(self) -> bool:
        """True while each shard has a connection, and its servers are described."""
        there = [each for each in self.box.gateway.sessions.values() if each.connection]
        return not self._without_connection() and all(each.is_described for each in there)

    def _without_connection(self) -> set[int]:
        # A server that is not described yet has all of its people: what they press arrives, and their time runs.
        gateway = self.box.gateway
        there = {each.shard for each in gateway.sessions.values() if each.connection}
        return {*range(gateway.shards)} - there

    def chance(self, name: str) -> Random:
        """Return random numbers that follow from the seed."""
        return Random(f"{name} {self.plan.seed}")

    def person(self, user: int) -> Person | None:
        """Return the person with that id."""
        return next((person for person in self.people if person.id == user), None)

    def channel(self, id_: int) -> Channel | None:
        """Return a channel; None if it was deleted."""
        try:
            return self.box.world.channel(id_)
        except Refused:
            return None

    def has(self, channel: Channel) -> bool:
        """Return whether a channel is still there."""
        return self.channel(channel.id) is channel

    def read(self, query: str, *values: object) -> list[Any]:
        """Return rows of the database."""
        with self.bot.reading() as db:
            return db.execute(query, values).fetchall()

    def open_tables(self) -> list[FollowedTable]:
        """Return the open tables that have a place. Daily deals have none, and may stay unfinished for a day."""
        return [table for table in self.tables.values() if table.is_open and not table.match.placeless]

    def tamper(self, guild: Guild, cause: str) -> None:
        """Note what somebody has done to all tables of a server, and to those in direct messages, as these need one."""
        self.poll(all_=True)
        for table in self.tables.values():
            if table.match.guild in (guild.id, 0):
                table.tamper(cause)

    def note_erased(self, person: Person) -> None:
        """Note that a person erases themselves, after which their name is gone from the logs and from later edits."""
        self.erased.add(person.id)
        for table in self.tables.values():
            self._excuse_names(table, table.rows)

    def _excuse_names(self, table: FollowedTable, rows: Iterable[LogRow]) -> None:
        """Excuse a table from showing the names of people who have erased themselves."""
        named = {row.user for row in rows} | {int(row.body.split()[0]) for row in rows if row.kind == "offer"}
        if self.erased & named:
            table.tamper("somebody erased")

    @property
    def is_restored(self) -> bool:
        """True when a backup was restored once."""
        return self.restored > -inf

    def note_restored(self) -> None:
        """Note that a backup is in the place of the database: what came after it is gone, but for its messages."""
        self.lost_power, self.restored = True, self.box.clock.now()
        self.told.clear()
        for channel in self.box.world.channels.values():
            channel.nonces.clear()  # a backup is older than what Discord remembers
        for table in self.tables.values():
            table.tampered = RESTORED
            for attempt in table.attempts + table.choices:
                attempt.acknowledged = False
                attempt.is_undone = True  # its person may hear of the answer only now

    def is_same(self, one: LogRow, other: LogRow) -> bool:
        """Return whether an entry is what it was when it was read, but for what an erasure or a new seal changes."""
        if one == other:
            return True
        is_erased = bool(self.erased) and (one.user in self.erased or one.kind in NAMING)
        return (is_erased or without_seal(one) == without_seal(other)) and (
            (one.n, one.kind, one.seat, one.at) == (other.n, other.kind, other.seat, other.at)
        )

    def excuse_ended(self, channel: int, cause: str, *, open_too: bool = False) -> None:
        """Excuse the matches of a channel that are over from showing all messages. With `open_too`, excuse the others,
        too."""
        for table in self.tables.values():
            # For a match that is over, the bot posts no more once it was not allowed to.
            over = not table.is_open and table.messages < 0
            if table.match.channel == channel and (over or (open_too and table.is_open)):
                table.tamper(cause)

    # Time in which the bot need not answer

    @contextmanager
    def noting(self, *expected: type[Exception]) -> Iterator[None]:
        """End the block at an error. Note it unless it was expected: one mistake of the people must not end an hour."""
        try:
            yield
        except expected:
            pass
        except Exception:
            self.own_errors.append(traceback.format_exc())
            sys.stderr.write(self.own_errors[-1])

    @contextmanager
    def trouble(self, name: str, after: float = 0.0) -> Iterator[None]:
        """Excuse the bot from answering until some seconds `after` the end of the block."""
        key, began = object(), self.box.clock.now()
        self._troubles[key] = began, name
        try:
            yield
        finally:
            del self._troubles[key]
            self.troubled.append((began, self.box.clock.now() + after, name))

    def excuse(self, since: float, until: float, but: Collection[str] = (FULL_DISK,)) -> str | None:
        """Return the fault that was there in that time, the one that began last, `but` for some kinds; None if there
        was none. On a full disk everybody is answered."""
        return self._last(since, until, lambda name: name not in but)

    def _met(self, since: float, until: float, kinds: Collection[str]) -> str | None:
        """Return the fault of some kinds that was there in that time; see `excuse`."""
        return self._last(since, until, lambda name: name in kinds)

    def _last(self, since: float, until: float, counts: Callable[[str], bool]) -> str | None:
        pending = [(began, self.box.clock.now(), name) for began, name in self._troubles.values()]
        faults = chain(self.troubled, pending)
        met = [each for each in faults if each[0] <= until and since <= each[1] and counts(each[2])]
        return max(met)[2] if met else None

    @contextmanager
    def holding_up(self, *, answers: bool = True) -> Iterator[None]:
        """Note that posts fail or take long in the block, and that `answers` may wait for one."""
        self._slow.append(held := [self.box.clock.now(), inf])
        if answers:
            self._held_up.append(held)
        try:
            yield
        finally:
            held[1] = self.box.clock.now()

    def _works_until(self, since: float) -> float:
        """Return the time in seconds until which an answer that was deferred may come without another fault."""
        until = since + WORKS
        for began, ended in self._held_up:
            if since <= ended and began <= until:
                until = max(until, ended + WORKS)
        return until

    def were_posts_slow(self, since: float, until: float) -> bool:
        """Return whether posts failed or took long between two times in seconds."""
        return any(began <= until and since <= ended for began, ended in self._slow)

    def boards(self) -> list[Message]:
        """Return the boards that stand in Discord."""
        return [
            each for channel in self.channels for each in channel.messages() if str(BOARD) in each.custom_ids
        ]

    def is_troubled_by(self, name: str) -> bool:
        """Return whether a fault is there now."""
        return any(each == name for _, each in self._troubles.values())

    def was_troubled_by(self, name: str, at: float) -> bool:
        """Return whether a fault was there at a time in seconds, or just before; or is there now."""
        return self.is_troubled_by(name) or any(
            began <= at <= ended and each == name for began, ended, each in self.troubled
        )

    def excuse_private_edit(self, since: float, until: float) -> bool:
        """Return whether an edit of a private message between two times may have failed: its thread can be archived."""
        failed = (each for each in self.box.requests if each.status >= 400 and "/webhooks/" in each.path)
        return self.excuse(since, until) is not None or any(since <= each.time <= until for each in failed)

    def goes_on(self, table: FollowedTable | None) -> bool:
        """Return whether computers play at a table without a pause, as its people are out of the game or away: then its
        messages are never up to date."""
        return (
            table is not None and table.is_open and table.rows[-1].at > (self.box.clock.now() - PAUSED) * 1000
        )

    def answers_failed_since(self, time: float) -> bool:
        """Return whether answers to clicks have failed since a time."""
        ended = any(end >= time and name == ANSWERS_FAILED for _, end, name in self.troubled)
        return ended or self.is_troubled_by(ANSWERS_FAILED)

    def lost_between(self, since: int, until: int, guild: int, hours: Hours | None = None) -> int:
        """Return the ms between two times in which nobody could act for sure on a server, of somebody with hours those
        of their waking time. A loss of which the bot cannot know yet by its clock does not count."""
        total, last = 0.0, float(since)
        for began, ended in self._losses(guild):
            begin, end = max(began * 1000, last), ended * 1000
            if begin < end <= until:
                total, last = total + max(0.0, waking(hours, int(begin), int(end)) - UNSURE), end
        return int(total)

    def longest_loss(self, guild: int, within: int) -> int:
        """Return the ms of the longest time in which nobody could act on a server, of those after which people have had
        at most some ms."""
        now, shard = self.box.clock.now(), shard_of(guild, self.box.gateway.shards)
        lasting = [(self._cut_off[shard], now)] if shard in self._cut_off else []
        return int(longest_of(self._losses(guild) + lasting, now, within / 1000) * 1000)

    def _losses(self, guild: int) -> list[tuple[float, float]]:
        return sorted(self.lost + self.cut_off[shard_of(guild, self.box.gateway.shards)])

    def doubled(self, guild: int) -> int:
        """Return the ms that tables of a server may get twice where several processes share the shards: a click that
        another process handles sets new deadlines in an outage of which it does not know; and the clock may be
        corrected by a process that dies before it has said so."""
        if self.plan.processes == 1:
            return 0
        away = self.cut_off[shard_of(guild, self.plan.shards)]
        jumps = sum(ended - began for began, ended in self.lost)
        return int(1000 * (max((ended - began for began, ended in away), default=0.0) + LEASE + jumps))

    # Following

    async def follow(self, look: Callable[[], None]) -> None:
        """Read the logs, call `look`, and count the answers, again and again, until cancelled."""
        while True:
            await asyncio.sleep(POLL)
            self._note_load()
            self._note_connection()
            if self.poll():  # else what is shown may come from entries that are not read yet
                look()
            self.count_answers()

    def _note_load(self) -> None:
        """Excuse the bot for a time in which this process or the bot waited for a processor."""
        now, at, waited = time.monotonic(), self.box.clock.now(), self.bot.waited()
        passed, late = now - self._looked, waited - self._waited
        if passed > STALL or late > BUSY * passed:
            self._busy_until = now + BUSY_FOR
        if now < self._busy_until:
            self._troubles.setdefault("load", (at - passed, BUSY_MACHINE))
        elif (pending := self._troubles.pop("load", None)) is not None:
            self.troubled.append((pending[0], at, pending[1]))
        self._looked, self._waited = now, waited

    def _note_connection(self) -> None:
        """Excuse the bot while it is not connected: it may identify again only 5 s after Discord ended a session."""
        key = "connection"
        if not self.is_connected:
            self._troubles.setdefault(key, (self.box.clock.now() - 2 * POLL, "not connected"))
        elif (pending := self._troubles.pop(key, None)) is not None:
            # A process that takes over a shard first reads the tables there.
            reads = BACKLOG if self.plan.processes > 1 else 0.0
            self.troubled.append((pending[0], self.box.clock.now() + reads, pending[1]))
        now, away = self.box.clock.now(), self._without_connection()
        for shard in away - self._cut_off.keys():
            self._cut_off[shard] = self._looked_at  # the clock may have gone on by a day since
        self._looked_at = now
        for shard in self._cut_off.keys() - away:
            self.cut_off[shard].append((self._cut_off.pop(shard), now))

    def poll(self, *, all_: bool = False) -> bool:
        """Read what is new in the database, unless the bot is down: its next start has to recover the file. With `all_`
        read the rows of matches that are over, too, as their messages may still change. Return whether all is known."""
        commit = latest_commit(self.bot.file) if self.bot.runs else b""
        if not commit:
            return False
        if commit == self._polled and not all_ and not self.lost_power:
            return True
        try:
            with self.bot.reading() as db:
                if self.lost_power:
                    self._drop_undone(db)
                self._follow_hours(db)
                self.bulletins.update(db.execute("SELECT guild, kind FROM bulletins WHERE wanted"))
                for row in self._changed(db, all_):
                    self._follow(db, Match(*row))
            self._polled = commit
        except sqlite3.OperationalError:
            self.counts["reads that the database refused"] += 1
            return False
        return True

    def is_up_to_date(self) -> bool:
        """Return whether nothing was committed since the last poll. A real process may do so meanwhile."""
        return latest_commit(self.bot.file) == self._polled

    def _follow_hours(self, db: sqlite3.Connection) -> None:
        """Read the hours of people. Deadlines follow from those before they were changed, too."""
        found = {user: Hours(*row) for user, *row in db.execute(HOURS)}
        for user in found.keys() | self.hours.keys():
            if found.get(user) != self.hours.get(user):
                self.changed_hours[user] = int(self.box.clock.now() * 1000)
        self.hours = found

    def has_new_hours(self, user: int, since: int) -> bool:
        """Return whether a person has changed their hours since a time in ms, or just before."""
        return self.changed_hours.get(user, 0) > since - JUST_BEFORE

    def _drop_undone(self, db: sqlite3.Connection) -> None:
        """Drop entries that were read before their commit was synced and its result given, and then undone."""
        packed = {match for (match,) in db.execute("SELECT match FROM packed_logs")}  # a day after their ends
        seeds = dict(db.execute("SELECT id, seed FROM matches"))  # a restored lobby is sealed anew
        for table in [each for each in self.tables.values() if each.id not in packed]:
            stored = [LogRow(*row) for row in db.execute(ENTRIES, (table.id, 0))]
            pairs = zip(table.rows, stored, strict=False)
            same = [*takewhile(lambda pair: self.is_same(*pair), pairs)]
            self.former |= {new.user: old.user for old, new in same if new.user and new.user < 0 and old.user}
            kept = [new if old.kind == "cut" else old for old, new in same]
            table.begins_again |= not any(row.kind == "start" for row in kept)
            if not kept:
                table.state.phase = "closed"  # nobody attends it any more
                del self.tables[table.id]
            elif len(kept) < len(table.rows) or seeds[table.id] != table.match.seed:
                table.match = replace(table.match, seed=seeds[table.id])
                table.state = TableState.of(table.match, table.state.game)
                table.rows, table.deadlines, table.since, table.account = [], {}, {}, Account()
                table.ahead, table.seen = Choices(), {}
                table.put_out &= {row.n for row in kept}
                for row in kept:
                    self._read(table, row)
        self.lost_power = False

    def _changed(self, db: sqlite3.Connection, all_: bool) -> list[tuple[Any, ...]]:
        """Return the rows of all matches that are new, or were open at the last look."""
        known = [str(table.id) for table in self.tables.values() if table.is_open or all_]
        query = (
            f"SELECT {COLUMNS} FROM matches WHERE origin IS NULL AND (id > ? OR id IN ({', '.join(known)}))"
        )
        return db.execute(query, (max(self.tables, default=0),)).fetchall()

    def _follow(self, db: sqlite3.Connection, match: Match) -> None:
        table = self.tables.get(match.id)
        if table is None:
            game = GAMES[match.game]
            state = TableState.of(match, game)
            table = self.tables[match.id] = FollowedTable(match, state)
            self.counts["matches"] += 1
        table.match = match
        for row in db.execute(ENTRIES, (match.id, table.state.n)).fetchall():
            self._read(table, LogRow(*row))
            if table.rows[-1].kind == "move":
                self._note_move(table)

    def _read(self, table: FollowedTable, row: LogRow) -> None:
        """Apply the next entry of a log."""
        if (row.user or 0) < 0 and row.kind in ("leave", "close"):
            table.put_out.add(row.n)
        row = replace(row, user=self.former.get(row.user or 0, row.user))
        logged, before = read(row), table.state.copy()
        events = table.state.apply(logged)
        table.rows.append(row)
        table.seen[row.n] = self.box.clock.now()
        self.counts["decided ahead"] += row.kind == "ahead" and row.body != ""
        self.counts["played ahead"] += table.state.played_ahead
        self._excuse_names(table, [row])
        if row.kind == "move" and row.seat is not None:
            table.prompts[row.n] = before.prompts[row.seat]
        self.on_entry(table, logged, before, events)

    def _note_move(self, table: FollowedTable) -> None:
        self.counts["moves"] += 1
        if not table.match.placeless:
            self.moved.append(time.monotonic())

    def on_entry(
        self, table: FollowedTable, logged: Logged, before: TableState, events: Sequence[Event]
    ) -> None:
        """Handle one more entry of a log and its events. `tests.rooms.life` replaces this."""

    # Answers

    def count_answers(self, *, all_: bool = False) -> None:
        """Count the interactions whose time is over, and forget them."""
        now = self.box.clock.now()
        for person in self.people:
            waiting = [*self._waiting.pop(person, ()), *person.answers]
            person.answers.clear()
            for answer in waiting:
                due = answer.interaction.due + THINKS * _thinks(answer)
                if (answer.interaction.answer is not None and not _thinks(answer)) or now > due or all_:
                    self._note_told(answer)
                    self._count(answer)
                else:
                    self._waiting[person].append(answer)

    def presses(self) -> list[Press]:
        """Return all that people have pressed."""
        return [*self.pressed, *map(Press.of, self.box.interactions._by_token.values())]

    def _note_told(self, answer: Answer) -> None:
        """Keep what an answer says that its person has done, unless a restore has undone that."""
        since, now = time_of(answer.interaction.id), self.box.clock.now()
        # With a wrong clock or in an outage the bot may defer an answer before it does what was asked for.
        is_sure = self.excuse(since, now, but=()) is None
        press = acknowledged(answer, now - since if is_sure else inf)
        if press is not None and since > self.restored:
            self.told.append(press)

    def _count(self, answer: Answer) -> None:
        given = answer.interaction
        since = time_of(given.id)
        about = given.data.get("custom_id") or given.data.get("name")
        if _thinks(answer) and not self.excuse_private_edit(since, self._works_until(since)):
            self.answers.missing.append(f"{about} but “… is thinking” at {since:.3f}")
        if given.answer is not None:
            self.answers.in_time += 1
            if any(FAULT in text for text in (answer.text, *(each.text for each in answer.followups))):
                self.errors.append(f"{given.data} was answered: {answer.text}")
            return
        if (hindrance := self._hindrance(given)) is None:
            self.answers.missing.append(f"{about} in channel {given.channel.id} at {since:.3f}")
        else:
            self.answers.excused[hindrance] += 1

    def _hindrance(self, given: Interaction) -> str | None:
        """Return what has kept the first answer to an interaction from coming in time, None if nothing has."""
        since, until = time_of(given.id), given.due
        sent = self.box.gateway.carried.get(given.id)
        if sent is None and (cut := self._cut(given)) is not None:
            return cut
        # Deadlines are moved first, and no table is opened meanwhile.
        if any(began <= until and since <= ended + BACKLOG for began, ended in self.box.clock.jumps):
            return JUMPED
        if f"/interactions/{given.id}/{given.token}/callback" in self.box.faults.met:
            return ANSWERS_FAILED
        if sent is None or sent.time > since + SENT:
            return self._cut(given)
        if self._lapsed(sent, until - sent.time):
            return "process down, frozen or leaving"
        # Discord knows no deferred answer to an autocompletion.
        waits = given.type != AUTOCOMPLETE and self.bot.may_wait(given.data)
        if waits:
            return None
        # After a start, and by a process that takes over a shard, deadlines are moved first, and tables read.
        return self._met(since, until, SLOW) or self._met(since - BACKLOG, until, (*ENDING, HANDED_OVER))

    def _cut(self, given: Interaction) -> str | None:
        """Return why Discord has not sent an interaction to the bot in time, None if that is the bot's fault."""
        since, guild = time_of(given.id), guild_of(given.channel)
        if not given.owners or self._met(since, given.due, {UNAVAILABLE}):
            return "not sent by Discord"
        shard = shard_of(guild.id if guild else 0, self.box.gateway.shards)
        lasting = [(self._cut_off[shard], inf)] if shard in self._cut_off else []
        cuts = [
            began for began, ended in self.cut_off[shard] + lasting if began <= given.due and since <= ended
        ]
        # It may take long to connect again, but a bot that nothing has cut off stays connected.
        name = self._met(min([since, *cuts]) - SENT, given.due, CUTTING)
        return name and f"not connected, {name}"

    def _lapsed(self, sent: Carried, seconds: float) -> bool:
        """Return whether the process that got an interaction was down, frozen or leaving a shard at a time in the
        seconds after that."""
        began, ended = sent.monotonic, sent.monotonic + seconds
        if sent.connection.process is None:  # it is a real one
            return self._met(sent.time, sent.time + seconds, ENDING) is not None
        return any(each[0] <= ended and began <= each[1] for each in sent.connection.process.lapses)


def without_seal(row: LogRow) -> LogRow:
    """Return an entry without what a cut adds to the seal: a restored lobby is sealed anew."""
    return replace(row, body=row.body[65:]) if row.kind == "cut" else row


def _thinks(answer: Answer) -> bool:
    """Return whether a person reads that the bot thinks."""
    return answer.interaction.answer == DEFER and answer.is_loading


def longest_of(losses: Iterable[tuple[float, float]], now: float, within: float) -> float:
    """Return the longest of some times, given by begin and end, after which at most `within` has passed outside of
    all of them; 0 if there is none."""
    longest, passed = 0.0, 0.0
    for began, ended in sorted(losses, key=itemgetter(1), reverse=True):
        passed += max(0.0, now - ended)
        if passed > within:
            break
        longest, now = max(longest, ended - began), min(now, began)
    return longest
