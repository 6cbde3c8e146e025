"""The checks at the end of a soak. Each returns what it has counted, and a sentence for each violation."""

import asyncio
import re
import sqlite3
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import pairwise, zip_longest
from pathlib import Path
from statistics import median

from bot.match.state import TableState
from bot.store import LogRow, Store, open_store
from sandbox import Channel, Thread
from tests.e2e.messages import TableMessages, expected_messages, posted_messages
from tests.e2e.viewer import cards_in
from tests.soak.faults import Faults
from tests.soak.launch import TIMES
from tests.soak.room import Attempt, FollowedTable, Room
from tests.soak.screens import Screens, french_cards_in

TO_SETTLE = 150.0
"""Seconds within which the bot must have posted everything after the last fault. It waits up to a minute to retry."""
AT_ONCE = 10
"""Number of matches whose messages are checked together while people play."""
OVERDUE = 60_000
"""Ms by which a deadline may be late on a busy machine."""
MOST_GROWTH = 24.0
"""MiB by which the memory of the bot may grow. SQLite's cache takes up to 16 of them while the database is small."""
LONG, MOST_AT_FIRST = 300, 64.0
"""Number of samples, one a second, below which more growth is allowed: the bot has just begun to play every game."""
WARM_UP = 0.2
"""Part of the time of measuring after which the memory counts."""
EXPECTED_ERRORS = re.compile(r"a (write|read) failed: ")
"""Lines of the log at level ERROR for which a fault of the disk is the cause."""
LONGEST_PAUSE = 30.0
"""Seconds without a move that are always allowed. In a longer run, a tenth of its time is."""
INVITATION = "**Rematch!**"
"""Beginning of a message with which somebody has answered the end of a match in its thread."""
FORBIDDEN = {
    "a traceback": re.compile(r"^Traceback", re.MULTILINE),
    "a name": re.compile(r"Player \d+"),
    "a token or a secret": re.compile(r"(?<![\w-])[\w-]{64,}"),
    "a form": re.compile(r"\bform:\d"),
}


@dataclass
class Check:
    """One truth about the soak, with its figures."""

    title: str
    counted: str
    violations: list[str] = field(default_factory=list)


class Proof:
    """All checks of one soak, in order."""

    def __init__(self, room: Room, faults: Faults, screens: Screens) -> None:
        self.room = room
        self.faults = faults
        self.screens = screens
        self.checks: list[Check] = []
        self._wrong: set[int] = set()
        """Matches whose messages were wrong at the first check. The second one does not wait for them again."""

    def check_pauses(self, began: float, ended: float, seconds: float) -> None:
        """Check that people played all the time, from `began` to `ended` (`time.monotonic`). `seconds`: the time with
        faults."""
        longest, most = longest_pause([began, *self.room.moved, ended]), max(LONGEST_PAUSE, seconds / 10)
        wrong = [] if longest <= most else [f"no move was made for {longest:.0f} s, allowed are {most:.0f}"]
        self._add("People played all the time", f"the longest time without a move was {longest:.0f} s", wrong)

    async def check_running(self, stuck: Sequence[FollowedTable]) -> None:
        """Check what must hold while the bot runs after the last fault. `stuck`: tables where nobody could move."""
        self._add(
            "After the faults every open match went on",
            f"{len(self.room.open_tables())} open matches",
            [f"match {table.id} ({table.match.game}) did not go on" for table in stuck],
        )
        await self._check_messages("Each public announcement is shown once and in order")
        async with self.room.bot.lock:
            with self.room.trouble("killed"):
                await self.room.bot.kill()
                await self.faults.start()
        await self._check_messages("A last kill and start changed no message")

    async def check_stopped(self, memory: Sequence[tuple[float, int]]) -> None:
        """Stop the bot, then check the database, the log and all that was counted. `memory`: of the bot in MiB, with
        the moves made by then."""
        await self._check_backups()
        with self.room.trouble("stopped"):
            await self.room.bot.stop()
        self.room.count_answers(all_=True)
        await self._check_task("Standings equal a recount, and every live match replays", "check")
        store = await open_store(self.room.bot.file)
        try:
            logs = {number: await store.log(number) for number in self.room.tables}
            self._check_moves(logs)
            await self._check_matches(store)
        finally:
            await store.close()
        self._check_screens()
        self._check_answers()
        self._add(
            "The soak itself made no error", f"{len(self.room.own_errors)} errors", self.room.own_errors
        )
        self._check_log()
        self._check_memory(memory)

    def _add(self, title: str, counted: str, violations: Sequence[str] = ()) -> None:
        self.checks.append(Check(title, counted, [*violations]))

    # Moves

    def _check_moves(self, logs: dict[int, list[LogRow]]) -> None:
        acknowledged, lost = 0, list[str]()
        for table in self.room.tables.values():
            log = logs[table.id]
            if log[: len(table.rows)] != table.rows:
                lost.append(f"the log of match {table.id} has lost or changed entries that were read before")
            acknowledged += sum(each.acknowledged for each in table.attempts)
            found = [f"match {table.id}: {each}" for each in unexplained(table.attempts, log)]
            lost += found
            if found:
                lost += [f"match {table.id}: after entry {n} was told: {said}" for n, said in table.refusals]
        moves = sum(row.kind == "move" for log in logs.values() for row in log)
        self._add(
            "Every acknowledged move is in the log, and no click made two",
            f"{acknowledged:,} acknowledged moves; {moves:,} in {len(logs):,} logs",
            lost,
        )

    async def _check_matches(self, store: Store) -> None:
        phases, wrong = Counter[str](), list[str]()
        alive = await store.last_heartbeat() or 0
        for table in self.room.tables.values():
            match, state = await store.match(table.id), table.state
            phases[state.phase] += 1
            if match is None or match.phase != state.phase:
                wrong.append(f"match {table.id} is {state.phase} by its log, but its row is {match}")
            elif state.phase == "closed" and not state.reason:
                wrong.append(f"match {table.id} is closed without a reason")
            elif table.is_open and not match.placeless:
                wrong += _faults_of_deadlines(table, await store.deadlines(table.id), alive)
        counted = ", ".join(f"{number:,} {phase}" for phase, number in sorted(phases.items()))
        self._add("Every match is over, closed with a reason, or has a deadline ahead", counted, wrong)

    # Messages

    async def check_some(self) -> None:
        """Check the messages of a few matches that are over, so that little is left for the end."""
        self.room.poll(all_=True)
        over = [each for each in self.room.tables.values() if not each.is_open and each.messages < 0]
        tables = [each for each in over if each.match.published == each.state.n]
        for table in [each for each in tables if not each.match.placeless and not each.tampered][:AT_ONCE]:
            await asyncio.sleep(0)
            place = self.room.channel(table.place)
            if not self._faults_of(table) and isinstance(place, Thread):
                place.archive()  # as Discord does after a day; else the servers would have thousands of threads

    def _faults_of(self, table: FollowedTable) -> list[str]:
        """Return the faults of the messages of a table. After its end, check them only when their number changes."""
        place = self.room.channel(table.place)
        count = len(place.messages()) if place else 0
        if table.messages == count:
            return []
        found = faults_of_messages(self.room, table)
        if not found and not table.is_open:
            table.messages = count
        return found

    async def _check_messages(self, title: str) -> None:
        """Wait until the messages are what the logs require; those that stay wrong are violations."""
        room, loop = self.room, asyncio.get_running_loop()
        end = loop.time() + TO_SETTLE
        tables = [table for table in room.tables.values() if not table.match.placeless]
        checked = [table for table in tables if not table.tampered and table.id not in self._wrong]
        while True:
            room.poll(all_=True)
            wrong = {each.id: found for each in checked if (found := self._faults_of(each))}
            late = [f"match {number} is not marked as posted" for number in self._not_posted()]
            if not (wrong or late) or loop.time() > end:
                break
            await asyncio.sleep(1)
        for number in wrong:
            describe(room, room.tables[number])
        self._wrong |= wrong.keys()
        tampered = Counter(table.tampered for table in tables if table.tampered)
        left_out = ", ".join(f"{number} {name}" for name, number in tampered.items()) or "none"
        entries = sum(len(table.rows) for table in checked)
        counted = f"{entries:,} entries of {len(checked):,} matches; left out: {left_out}"
        self._add(title, counted, [*late, *(each for found in wrong.values() for each in found)])

    def _not_posted(self) -> list[int]:
        """Return the matches with a place whose messages lag behind their log. Those in the lobby have only a card."""
        query = (
            "SELECT id FROM matches WHERE channel > 0 AND phase <> 'lobby'"
            " AND published < (SELECT max(n) FROM log WHERE match = id)"
        )
        with closing(sqlite3.connect(f"{self.room.bot.file.as_uri()}?mode=ro", uri=True)) as db:
            return [number for (number,) in db.execute(query)]

    # The other checks

    def _check_screens(self) -> None:
        counted = f"{self.screens.looked:,} states of messages with {self.screens.named:,} names of cards"
        self._add("Nobody saw a hidden card or a secret, or read of an error", counted, self.room.errors)

    def _check_answers(self) -> None:
        answers = self.room.answers
        excused = ", ".join(f"{number} {name}" for name, number in answers.excused.most_common()) or "none"
        counted = f"{answers.in_time:,} answered within 3 s; unanswered under a fault: {excused}"
        missing = [f"no answer to {each}" for each in answers.missing]
        self._add("Every interaction was answered, unless the bot could not", counted, missing)

    def _check_log(self) -> None:
        logged = self.room.bot.logged()
        lines = logged.splitlines()
        wrong = [
            f"{name} in the log: {found[0]:.200}"
            for name, each in FORBIDDEN.items()
            for found in [each.search(logged)]
            if found
        ]
        wrong += [line for line in lines if " ERROR " in line and not EXPECTED_ERRORS.search(line)]
        wrong += [f"a card in the log: {line}" for line in lines if cards_in(line) or french_cards_in(line)]
        self._add(
            "The log has no error of the bot's own, and no token, secret, card or name",
            f"{len(lines):,} lines",
            wrong,
        )

    def _check_memory(self, samples: Sequence[tuple[float, int]]) -> None:
        counted = samples[int(len(samples) * WARM_UP) :]
        quarter = len(counted) // 4
        if quarter == 0:
            self._add("The memory of the bot is flat", "not measured")
            return
        before, after = counted[:quarter], counted[-quarter:]
        growth = median(mib for mib, _ in after) - median(mib for mib, _ in before)
        moves = median(n for _, n in after) - median(n for _, n in before)
        figures = f"{median(mib for mib, _ in after):.0f} MiB; {growth:+.1f} MiB in {moves:,.0f} moves"
        most = MOST_GROWTH if len(samples) >= LONG else MOST_AT_FIRST
        wrong = [f"it grew by {growth:.1f} MiB, and {most:.0f} are allowed"] if growth > most else []
        self._add("The memory of the bot is flat", figures, wrong)

    # Backups

    async def _check_backups(self) -> None:
        """Check that each kept backup can be restored and is sound, and that a last one leaves nothing behind."""
        bot, wrong = self.room.bot, list[str]()
        last = bot.folder / "last.sqlite3"
        status, said = await self._task("backup", str(last))
        wrong += [] if status == 0 else [f"the last backup failed: {said}"]
        kept = [Path(each) for each in self.faults.backups] + [last] * (status == 0)
        for backup in kept:
            trial = bot.folder / f"trial-{backup.name}"
            for task in (("restore", str(backup)), ("check",)):
                status, said = await self._task(*task, DATABASE_PATH=str(trial))
                if status:
                    wrong.append(f"{backup.name}: {task[0]} says: {said}")
        wrong += [f"{each.name} was left behind" for each in bot.folder.glob("*.part*")]
        counts = self.room.counts
        self._add(
            "A backup is sound or absent",
            f"{counts['backups begun']} begun under faults, {counts['backups made']} made; {len(kept)} restored",
            wrong,
        )

    async def _check_task(self, title: str, task: str) -> None:
        status, said = await self._task(task)
        self._add(title, said.splitlines()[-1] if said else "", [] if status == 0 else [said])

    async def _task(self, *arguments: str, **settings: str) -> tuple[int, str]:
        """Run `python -m bot` with these arguments. Return its exit status, and what it said at the end."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot", *arguments),
            cwd=self.room.bot.folder,
            env=self.room.bot.environment() | settings,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        out, error = await process.communicate()
        assert process.returncode is not None
        return process.returncode, (error if process.returncode else out).decode().strip()


def longest_pause(times: Sequence[float]) -> float:
    """Return the longest time between two neighbours of a sequence of times."""
    return max((after - before for before, after in pairwise(times)), default=0.0)


def unexplained(attempts: Sequence[Attempt], log: Sequence[LogRow]) -> list[str]:
    """Return a sentence for each acknowledged attempt without an entry, and for each person's entry without an
    attempt. Each attempt explains at most one entry, of the same person and later than the attempt began."""
    moves = [row for row in log if row.kind == "move" and row.user is not None]
    found: list[str] = []
    for attempt in sorted(attempts, key=lambda each: (not each.acknowledged, not each.text, each.after)):
        made = next((row for row in moves if _explains(attempt, row)), None)
        if made is not None:
            moves.remove(made)
        elif attempt.acknowledged:
            found.append(f"the acknowledged move {attempt.text!r} after entry {attempt.after} is lost")
    return found + [f"entry {row.n} ({row.body!r}) was made by no click" for row in moves]


def _explains(attempt: Attempt, row: LogRow) -> bool:
    return attempt.user == row.user and attempt.after < row.n and attempt.text in ("", row.body)


def _faults_of_deadlines(table: FollowedTable, deadlines: dict[int, int], alive: int) -> list[str]:
    about = f"match {table.id} ({table.match.game}, {table.state.phase})"
    if not deadlines:
        return [f"{about} waits for {table.state.awaited()} and has no deadline"]
    late = alive - min(deadlines.values())
    return [f"{about} has a deadline that passed {late} ms ago"] if late > OVERDUE else []


def faults_of_messages(room: Room, table: FollowedTable) -> list[str]:
    """Return a sentence for each difference between the messages of a table and those that its log requires."""
    place, match = room.channel(table.place), table.match
    if table.state.game_state is None:
        return []  # it never had more than its card
    if place is None:
        return [f"match {table.id} has no place any more"]
    game = table.state.game
    start = TableState.of(match, game)
    wanted = expected_messages(start, table.rows, TIMES, greeted=match.place != match.channel)
    # The card of a match in private, and what is left of a former card, can have its other buttons.
    ends = sum(f"verify:{table.id}" in each.custom_ids for each in place.messages())
    found = [] if ends == (table.state.phase == "over") else [f"match {table.id} has {ends} last messages"]
    if isinstance(place, Thread) and not place.private:
        return found + _differences(room, table, place, wanted)
    return found + _missing(table, place, wanted.records)


def _differences(room: Room, table: FollowedTable, thread: Thread, wanted: TableMessages) -> list[str]:
    try:
        posted = posted_messages(room.box.world, table.id, thread)
    except AssertionError as error:
        return [f"match {table.id}: {error}"]
    records = tuple(each for each in posted.records if not each.startswith(INVITATION))
    pairs = (
        *zip_longest(records, wanted.records, fillvalue="nothing"),
        (posted.turn, wanted.turn),
        ("" if posted.call.startswith(INVITATION) else posted.call, wanted.call),
    )
    return [f"match {table.id} {_difference(one, other)}" for one, other in pairs if one != other]


def _difference(shown: str, wanted: str) -> str:
    """Say where two texts begin to differ. Long texts that begin alike would hide it in a report."""
    pairs = enumerate(zip_longest(shown, wanted))
    begin = max(0, next(at for at, (one, other) in pairs if one != other) - 60)
    return (
        f"shows {shown[begin : begin + 300]!r}, not {wanted[begin : begin + 300]!r}, from character {begin}"
    )


def _missing(table: FollowedTable, place: Channel, records: Sequence[str]) -> list[str]:
    """Return a sentence for each record that is not shown once and in order, in a place of several matches."""
    shown = [each.text for each in place.messages() if each.author is place.world.bot]
    at, found = 0, list[str]()
    for record in records:
        if record not in shown[at:]:
            found.append(f"match {table.id} does not show this once, or not in order: {record:.200}")
        else:
            at = shown.index(record, at) + 1
    return found


def describe(room: Room, table: FollowedTable) -> None:
    """Write all that is known about the messages of a match into a file beside the database."""
    place, number = room.channel(table.place), table.id
    lines = [str(table.match), "", *map(str, table.rows), ""]
    for message in place.log.values() if place else ():
        state = "deleted" if message.deleted else f"{message.edits} edits"
        lines.append(f"{message.id} {message.author.name} {state} nonce {message.nonce} {message.custom_ids}")
        lines.append(f"    {message.text!r}")
    lines += [
        f"{each.time:.3f} {each.status} {each.method} {each.path} {each.answer[:120]!r}"
        for each in room.box.requests
        if f"/channels/{table.place}" in each.path
    ]
    (room.bot.folder / f"match-{number}.txt").write_text("\n".join(lines))
