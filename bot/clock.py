"""The clock: one loop that sleeps until the next deadline of any table, and gives back time that nobody could use.

After a kill, an outage of Discord, a machine that slept, or a clock that was set, every deadline moves by the time
lost, and games of speed are told that everybody was away.
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
from bot.store import StoreFailed

log = logging.getLogger(__name__)

BEAT = 5.0
"""Seconds between two heartbeats in the store. After a kill the length of the outage is known to this precision."""

ANSWERED_WITHIN = 3_000
"""Ms that Discord waits for the answer to a click. After an absence that long, some have failed."""


@contextlib.contextmanager
def _logged(lack: str) -> Iterator[None]:
    """Log what fails, and go on without it."""
    try:
        yield
    except StoreFailed as failure:
        log.warning("%s: %s", lack, failure)
    except Exception:
        log.exception(lack)


class Clock:
    """Calls each table when one of its deadlines has passed."""

    def __init__(self, tables: Tables, company: ComputerPlayers, time: DiscordTime) -> None:
        self._tables = tables
        self._company = company
        self._time = time
        self._connected = asyncio.Event()
        self._absences = 0
        """Number of times Discord was lost."""
        self._paused = 0
        """Time at which Discord was last lost, in ms."""
        self._settling = asyncio.Lock()
        """Held while the time of one absence is given back."""
        self._sooner = asyncio.Event()
        self._wakes = 0
        tables.on_change.append(self._heed)
        time.on_jump.append(self._sooner.set)

    def _heed(self, table: Table) -> None:
        """Wake the loop if a table that has changed has a deadline before the loop's next."""
        if table.clocks and min(table.clocks.values()) < self._wakes:
            self._sooner.set()

    def pause(self) -> None:
        """Stop, for Discord is out of reach: nobody can act, so nobody's time runs."""
        self._paused = self._tables.clock.now()
        if self._tables.clock.away_since is None:
            self._tables.clock.away_since = self._paused
        self._absences += 1
        self._connected.clear()
        self._company.real_time.rest()

    async def start(self) -> None:
        """Give back the time since the last heartbeat. Called before the first click can come."""
        self._tables.clock.away_since = await self._tables.store.last_beat()
        await self._give_back()
        await self._tables.store.beat(
            self._tables.clock.now()
        )  # a kill before the first bell is known exactly, too
        self.pause()  # Discord is not there yet

    async def go_on(self) -> None:
        """Run, for Discord is connected. It delivers the clicks of a short outage late, those of a longer one never."""
        absences = self._absences
        with _logged("the time away was not given back"):
            await self._give_back()
        if self._absences == absences:  # else Discord has gone again meanwhile
            self._connected.set()
            with _logged("computers look only where something changes"):
                await self._company.real_time.wake()

    async def _give_back(self) -> None:
        """Move every deadline by the time since Discord was lost. What fails is tried again at the next heartbeat."""
        async with self._settling:
            left = self._tables.clock.away_since
            if left is not None:
                await self._absent(left, self._tables.clock.now() - left)

    async def _set_right(self) -> None:
        """Set this clock by Discord's when the two have drifted apart, and move every deadline as much."""
        async with self._settling:
            if jump := self._time.jump:
                now = self._tables.clock.now()
                self._tables.clock.away_since = min(now, now + jump)
                await self._absent(self._tables.clock.away_since, jump, partial(self._arrive, jump))

    def _arrive(self, jump: int) -> None:
        self._time.arrive(jump)
        self._paused += jump

    async def _absent(self, since: int, ms: int, arrive: Callable[[], None] = lambda: None) -> None:
        """Move every deadline by `ms` that nobody could use, and tell games of speed when it was long. Until they know,
        nothing happens in them by itself."""
        absences = self._absences
        await self._tables.put_off(ms, arrive)
        if abs(ms) > 2 * BEAT * 1000:
            log.info("away for %.0f s; every deadline got that back", ms / 1000)
        if abs(ms) > ANSWERED_WITHIN:
            with _logged("not all matches know that the house was away"):
                for match in await self._tables.timed():
                    await self._touch(match, partial(Table.resume, since=since))
        self._tables.clock.away_since = None if self._absences == absences else self._paused

    async def run(self) -> None:
        """Run until cancelled. What fails is logged and tried again at the next heartbeat."""
        while True:
            while not self._connected.is_set():  # it may have gone again before this wakes up
                await self._connected.wait()
            self._sooner.clear()
            self._wakes = sys.maxsize  # until the next deadline is known, any new one counts as sooner
            due = None
            try:
                await self._settle()
                due = await self._ring()
            except StoreFailed as failure:
                log.warning("the clock could not write: %s", failure)
            except Exception:
                log.exception("the clock stumbled")
            beat = self._tables.clock.now() + int(BEAT * 1000)
            self._wakes = beat if due is None else min(due, beat)
            await self._sleep()

    async def _settle(self) -> None:
        """Give back lost time. Raises StoreFailed: while deadlines cannot be moved, none is met, as it might be too
        early. A fault of the bot's own is logged, and stops nothing."""
        try:
            await self._give_back()
            await self._set_right()
        except Exception as error:
            if isinstance(error, StoreFailed):
                raise
            log.exception("the time away was not given back")

    async def _ring(self) -> int | None:
        """Meet all deadlines that have passed. Return the next one of any table, in ms. One that could not be met is
        tried again at the next heartbeat, not in a tight loop."""
        now = self._tables.clock.now()
        await self._tables.store.beat(now)
        due = await self._tables.due_until(now)
        await asyncio.gather(*(self._touch(match, partial(self._toll, seat=seat)) for match, seat in due))
        return await self._tables.store.next_due(now)

    async def _toll(self, table: Table, seat: int) -> None:
        """Meet one deadline: of a person, of a computer, or of the table itself."""
        if seat >= 0 and seat in table.clocks and table.state.mind(seat):
            self._company.play(table, seat)
        else:
            await table.ring(seat)

    async def _touch(self, match: int, act: Callable[[Table], Awaitable[None]]) -> None:
        """Do something to one table. A fault of its own is logged, and holds up no other table."""
        try:
            await act(await self._tables.get(match))
        except (Refusal, StoreFailed) as reason:
            log.warning("the clock could not reach table %s: %s", match, reason)
        except Exception:
            log.exception("the clock could not reach table %s", match)

    async def _sleep(self) -> None:
        wait = max(0, self._wakes - self._tables.clock.now()) / 1000
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(wait):
                await self._sooner.wait()
