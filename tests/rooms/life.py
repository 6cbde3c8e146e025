"""The life of a card room: people and faults together, people alone, then the laws."""

import asyncio
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from bot.match.state import Logged, TableState
from games import Event
from tests.rooms import nights
from tests.rooms.faults import A_DAY, Faults, Kind
from tests.rooms.laws import (
    AT_EACH_ENTRY,
    Law,
    deadlines_are_stored_for_exactly_those_whom_a_table_awaits,
    nobody_waits_longer_than_was_promised,
    the_clock_of_the_bot_is_that_of_discord,
)
from tests.rooms.people import open_tables
from tests.rooms.proof import Proof
from tests.rooms.room import STARTING, FollowedTable, Room
from tests.rooms.screens import Screens
from tests.rooms.tape import Tape

CHECKED_EVERY = 2.0
"""Seconds between two checks of the messages of matches that are over."""
QUIET = 15.0
"""Seconds without a fault after which the bot's clock is right."""
PATIENCE = 240.0
"""Seconds within which every open match must go on after the last fault."""
LAST_OUTAGES = (0, 0, 90, A_DAY, 8 * A_DAY)
"""Seconds that pass before the last start: what ends by the calendar ends then."""
STALE_PICTURE = "ATTACHMENT_NOT_FOUND"
BEGUN = "the time is past"


class Life:
    """The life of one room."""

    def __init__(
        self,
        room: Room,
        kinds: Mapping[Kind, int],
        tape: Tape,
        show: Callable[[float], None] = lambda _: None,
        laws: Sequence[Law] = (),
        at_rest: Sequence[Law] = (),
    ) -> None:
        """`kinds`: faults with their weights. `show` is called again and again with the part of the time that has
        passed. `laws` and `at_rest`: further ones, as in `Proof`."""
        self.room = room
        self.faults = Faults(room, kinds)
        self.screens = Screens(room)
        self.proof = Proof(room, self.faults, self.screens, laws, at_rest)
        self.tape = tape
        self._show = show
        self._dated = 0
        """Number of the violations that have their time."""
        self.began = self.ended = time.monotonic()
        """Begin and end of play."""

    async def run(self) -> None:
        """Let people play until the time is over, check what must hold while the bot runs, and stop it."""
        room = self.room
        room.on_entry = self._on_entry  # type: ignore[method-assign]
        with self.screens:
            following = asyncio.create_task(self._follow())
            try:
                with room.trouble(STARTING):
                    await room.bot.start()
                await self._live()
                with room.trouble("stopped"):
                    await room.bot.stop()
            finally:
                following.cancel()
                if room.bot.runs:
                    await room.bot.kill()
        self.tape.note()
        # A click may come while an edit replaces the picture that its answer would keep. The bot then sends all anew.
        # A night that waits for another one has no event if it should have begun by then.
        room.own_errors += [
            each for each in room.box.complaints if STALE_PICTURE not in each and BEGUN not in each
        ]

    def _on_entry(
        self, table: FollowedTable, logged: Logged, before: TableState, events: Sequence[Event]
    ) -> None:
        self.room.counts[f"entry: {logged.row.kind}"] += 1
        self.screens.learn(table, events)
        self.room.errors += self.screens.compare(table)
        for law in AT_EACH_ENTRY:
            self.room.errors += law(self.room, table, logged.entry, before, logged.row)

    async def _live(self) -> None:
        self.began = time.monotonic()
        room, plan = self.room, self.room.plan
        playing = asyncio.create_task(open_tables(room))
        disturbing = asyncio.create_task(self.faults.run())
        checking = asyncio.create_task(self._check())
        try:
            await self._until(plan.deadly, playing, disturbing, checking)
            self.faults.steady = True
            await self._until(plan.faulty, playing, disturbing, checking)
            disturbing.cancel()
            with suppress(asyncio.CancelledError):
                await disturbing
            await self.faults.end()
            room.calm = True
            for person in room.people:
                person.open_dms()
            stuck = await self._all_went_on(playing)
            await self._until(1, playing)
            last = room.chance("last kill")
            if last.randrange(2):  # what is not shown yet is found by the next start
                await self.faults.restart(last.choice(LAST_OUTAGES))
        finally:
            room.ending = True
            for task in (disturbing, checking):
                task.cancel()
        await playing
        self.ended = time.monotonic()
        await self.proof.check_running(stuck)

    async def _until(self, part: float, *tasks: "asyncio.Task[None]") -> None:
        """Wait until that part of the time is over. Raises the error of a task that has failed meanwhile."""
        seconds = self.room.plan.seconds
        while (passed := time.monotonic() - self.began) < part * seconds:
            self._show(passed / seconds)
            for task in tasks:
                if task.done():
                    task.result()
            await asyncio.sleep(0.5)

    async def _all_went_on(self, playing: "asyncio.Task[None]") -> list[FollowedTable]:
        """Wait until each open match has a new entry or is over. Return those that have not in time. Who sleeps by
        their hours is waited for much longer."""
        room, late = self.room, int((self.room.box.clock.now() + PATIENCE) * 1000)
        before = {table.id: table.state.n for table in room.open_tables()}
        end = time.monotonic() + PATIENCE

        def waiting() -> list[FollowedTable]:
            return [
                table
                for table in room.open_tables()
                if before.get(table.id) == table.state.n
                and room.doubled(table.match.guild) < PATIENCE * 1000
                and not room.read("SELECT * FROM clocks WHERE match = ? AND due > ?", table.id, late)
            ]

        while waiting() and time.monotonic() < end:
            if playing.done():
                playing.result()
            await asyncio.sleep(0.5)
        return waiting()

    async def _follow(self) -> None:
        """Follow the logs and look at the screens, until cancelled."""
        forgotten = time.monotonic()
        following = asyncio.create_task(self.room.follow(self._look))
        try:
            while True:
                await asyncio.sleep(1)
                if following.done():
                    following.result()
                if time.monotonic() - forgotten > 5:
                    self.tape.note()
                    self.screens.forget()
                    forgotten = time.monotonic()
        finally:
            following.cancel()

    def _look(self) -> None:
        """Look at the screens, and add the time to what was found wrong since the last look, as in the trace."""
        self.screens.look()
        errors = self.room.errors
        errors[self._dated :] = [
            f"{each} (at {self.room.box.clock.now():.3f})" for each in errors[self._dated :]
        ]
        self._dated = len(errors)

    async def _check(self) -> None:
        """Check deadlines, and matches that are over, until cancelled."""
        room = self.room
        while True:
            await asyncio.sleep(CHECKED_EVERY)
            with room.noting(sqlite3.OperationalError):
                await self.proof.check_some()
                if room.bot.runs and room.bot.file.exists():
                    room.errors += await nobody_waits_longer_than_was_promised(room)
                    room.errors += await deadlines_are_stored_for_exactly_those_whom_a_table_awaits(room)
                    room.errors += await nights.nobody_sits_at_two_tables_of_a_night_at_once(room)
                    now = room.box.clock.now()
                    if room.excuse(now - QUIET, now, but=()) is None:
                        room.errors += await the_clock_of_the_bot_is_that_of_discord(room)
