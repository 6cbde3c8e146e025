"""One loop that sleeps until the next deadline of any table, then handles it.

After a kill, an outage of Discord, a sleep of the machine or a correction of its clock, every deadline is moved by the
time lost, and games that do things by themselves learn that nobody could act.
"""

import asyncio
import contextlib
import logging
import sys
from collections.abc import Awaitable, Callable, Iterator
from functools import partial

from bot.computers.players import ComputerPlayers
from bot.discord_time import DiscordTime
from bot.match.refusal import Refusal
from bot.match.table import Table
from bot.match.tables import Tables
from bot.standings.daily import SHORTEST_OUTAGE
from bot.store import StoreFailed

log = logging.getLogger(__name__)

HEARTBEAT = 5.0
"""Seconds between two heartbeats in the store. After a kill the length of the outage is known to this precision."""

ANSWERED_WITHIN = 3_000
"""Ms that Discord waits for the answer to a click. In a longer outage some clicks have failed."""


@contextlib.contextmanager
def _logged(what: str) -> Iterator[None]:
    """Log an error of the block as `what`, and continue after it."""
    try:
        yield
    except StoreFailed as error:
        log.warning("%s: %s", what, error)
    except Exception:
        log.exception(what)


class Clock:
    """The loop over all deadlines."""

    def __init__(self, tables: Tables, computers: ComputerPlayers, time: DiscordTime) -> None:
        self._tables = tables
        self._computers = computers
        self._time = time
        self._connected = asyncio.Event()
        self._absences = 0
        """Number of times the connection to Discord was lost."""
        self._paused = 0
        """Time in ms at which it was last lost."""
        self._giving_back = asyncio.Lock()
        """Held while all deadlines are moved."""
        self._woken = asyncio.Event()
        """Set when the loop must look again before `_wakes`."""
        self._wakes = 0
        """Time in ms at which the loop wakes."""
        tables.on_change.append(self._wake_if_sooner)
        time.on_jump.append(self._woken.set)

    def _wake_if_sooner(self, table: Table) -> None:
        """Wake the loop if a table that has changed has a deadline before the loop's next."""
        if table.deadlines and min(table.deadlines.values()) < self._wakes:
            self._woken.set()

    def pause(self) -> None:
        """Stop while Discord is out of reach: nobody can act, so nobody's time runs."""
        self._paused = self._tables.clock.now()
        if self._tables.clock.away_since is None:
            self._tables.clock.away_since = self._paused
        self._absences += 1
        self._connected.clear()
        self._computers.real_time.rest()

    async def start(self) -> None:
        """Move all deadlines by the time since the last heartbeat. Called before the first click can arrive."""
        self._tables.clock.away_since = await self._tables.store.last_heartbeat()
        await self._give_back()
        # From now on the time of a kill is known, even before the loop runs.
        await self._tables.store.heartbeat(self._tables.clock.now())
        self.pause()  # Discord is not there yet

    async def resume(self) -> None:
        """Run again: Discord is connected. It delivers the clicks of a short outage late, of a longer one never."""
        absences = self._absences
        with _logged("deadlines were not moved by the time of the outage"):
            await self._give_back()
        if self._absences == absences:  # else the connection was lost again meanwhile
            self._connected.set()
            with _logged("computers do not play in real time before a table changes"):
                await self._computers.real_time.wake()

    async def _give_back(self) -> None:
        """Move every deadline by the length of the outage, if there was one. The loop retries this after an error."""
        async with self._giving_back:
            left = self._tables.clock.away_since
            if left is not None:
                await self._postpone(left, self._tables.clock.now() - left)

    async def _correct_clock(self) -> None:
        """Set this clock by Discord's when they differ too much, and move every deadline by the difference."""
        async with self._giving_back:
            if jump := self._time.jump:
                now = self._tables.clock.now()
                self._tables.clock.away_since = min(now, now + jump)
                await self._postpone(self._tables.clock.away_since, jump, partial(self._set_forward, jump))

    def _set_forward(self, jump: int) -> None:
        self._time.set_forward(jump)
        self._paused += jump

    async def _postpone(self, since: int, ms: int, then: Callable[[], None] = lambda: None) -> None:
        """Move every deadline by `ms` in which nobody could act, and store a long outage, from which the ends of days
        follow. After a long outage, call `Table.resume` for games that do things by themselves; before that call they
        do nothing."""
        absences = self._absences
        if ms > SHORTEST_OUTAGE:  # it is stored under its start, so a retry does not count it twice
            await self._tables.store.add_outage(since, since + ms)
        await self._tables.postpone(ms, then)
        if abs(ms) > 2 * HEARTBEAT * 1000:
            log.info("away for %.0f s; every deadline got that back", ms / 1000)
        if abs(ms) > ANSWERED_WITHIN:
            with _logged("not all games have learned of the outage"):
                for match in await self._tables.with_game_deadlines():
                    await self._with_table(match, partial(Table.resume, since=since))
        self._tables.clock.away_since = None if self._absences == absences else self._paused

    async def run(self) -> None:
        """Run until cancelled. Errors are logged, and the work is tried again at the next heartbeat."""
        while True:
            while not self._connected.is_set():  # it may be lost again before this wakes up
                await self._connected.wait()
            self._woken.clear()
            self._wakes = sys.maxsize  # until the next deadline is known, any new one counts as sooner
            due = None
            try:
                await self._make_up_lost_time()
                due = await self._handle_deadlines()
            except StoreFailed as failure:
                log.warning("the clock could not write: %s", failure)
            except Exception:
                log.exception("the clock failed; it tries again")
            heartbeat = self._tables.clock.now() + int(HEARTBEAT * 1000)
            self._wakes = heartbeat if due is None else min(due, heartbeat)
            await self._sleep()

    async def _make_up_lost_time(self) -> None:
        """Move all deadlines by lost time. Other errors than StoreFailed are only logged.

        Raises StoreFailed: deadlines that could not be moved must not be handled, as that might be too early.
        """
        try:
            await self._give_back()
            await self._correct_clock()
        except Exception as error:
            if isinstance(error, StoreFailed):
                raise
            log.exception("deadlines were not moved by the time of the outage")

    async def _handle_deadlines(self) -> int | None:
        """Handle all deadlines that have passed. Return the next one of any table, in ms. One that failed is tried
        again at the next heartbeat, not in a tight loop."""
        now = self._tables.clock.now()
        await self._tables.store.heartbeat(now)
        due = await self._tables.due_deadlines(now)
        await asyncio.gather(
            *(self._with_table(match, partial(self._handle_deadline, seat=seat)) for match, seat in due)
        )
        return await self._tables.store.next_deadline(now)

    async def _handle_deadline(self, table: Table, seat: int) -> None:
        """Handle one deadline: of a person, of a computer, or of the table itself."""
        if seat >= 0 and seat in table.deadlines and table.state.strength_at(seat):
            self._computers.play(table, seat)
        else:
            await table.apply_deadline(seat)

    async def _with_table(self, match: int, act: Callable[[Table], Awaitable[None]]) -> None:
        """Call `act` with one table. An error is logged, and does not affect other tables."""
        try:
            await act(await self._tables.get(match))
        except (Refusal, StoreFailed) as reason:
            log.warning("the clock failed at table %s: %s", match, reason)
        except Exception:
            log.exception("the clock failed at table %s", match)

    async def _sleep(self) -> None:
        wait = max(0, self._wakes - self._tables.clock.now()) / 1000
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(wait):
                await self._woken.wait()
