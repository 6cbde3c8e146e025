"""Deadlines: rows in the store, one loop that sleeps to the next, and one rule for all time that nobody could use.

Whether the bot was killed, Discord was out of reach, the machine slept, or its clock was set: every deadline moves by
as much, and games of speed learn that everybody was away.
"""

import asyncio
import contextlib
import logging
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from functools import partial

from bot.computers.players import ComputerPlayers
from bot.match.refusal import Refusal
from bot.match.table import Table
from bot.match.tables import Tables
from bot.store import StoreFailed

log = logging.getLogger(__name__)

BEAT = 5.0
"""Seconds between two signs of life. After a kill, an outage is known this exactly."""

ANSWERED_WITHIN = 3_000
"""Ms that Discord waits for the answer to a click. After an absence that long, some have failed."""

JUMP: float = 3_000
"""Ms by which Discord's time may differ from ours before we have slept, or our clock was wrong. Less is only the way
that a message took."""

EPOCH = 1_420_070_400_000
"""Discord's first millisecond since the Unix epoch: what a snowflake counts from."""


class DiscordTime:
    """Discord's clock, as its snowflakes and the dates of its answers tell it, carried on by a clock of ours that never
    jumps.

    What tells the time can only arrive after it was made, so whenever it seems to come from the future we are behind.
    By how much, if that is more than the way can have taken, stands in `jump` until `arrive` is called.
    """

    def __init__(self) -> None:
        self._ahead = time.time_ns() // 1_000_000 - _steady()
        self._known = False
        """True once Discord has told the time. This machine's own may be a day wrong, either way."""
        self.jump = 0
        self.on_jump: list[Callable[[], None]] = []

    def heard(self, snowflake: int) -> int:
        """Return the time in a snowflake that has just arrived, in ms since the Unix epoch."""
        at = (snowflake >> 22) + EPOCH
        self.told(at)
        return at

    def told(self, at: int) -> None:
        """Take in that Discord's time is not earlier than `at`, in ms since the Unix epoch."""
        behind = at - self.now()
        if self._known and behind <= self.jump:
            return
        self._known = True
        if abs(behind) <= JUMP:
            self.arrive(behind)
        else:
            self.jump = behind
            for listener in self.on_jump:
                listener()

    def arrive(self, ms: int) -> None:
        """Go on at a time so many ms ahead, or behind if negative."""
        self._ahead, self.jump = self._ahead + ms, 0

    def now(self) -> int:
        """Return Discord's time, in ms since the Unix epoch."""
        return _steady() + self._ahead


def _steady() -> int:
    return time.monotonic_ns() // 1_000_000


@contextlib.contextmanager
def _logged(lack: str) -> Iterator[None]:
    """What fails ends here, in the log: the clock goes on without."""
    try:
        yield
    except StoreFailed as failure:
        log.warning("%s: %s", lack, failure)
    except Exception:
        log.exception(lack)


class Clock:
    """Rings tables whose deadlines have come."""

    def __init__(self, tables: Tables, company: ComputerPlayers, time: DiscordTime) -> None:
        self._tables = tables
        self._company = company
        self._time = time
        self._connected = asyncio.Event()
        self._absences = 0
        """How often Discord was out of reach."""
        self._paused = 0
        """Time at which Discord was last lost, in ms."""
        self._settling = asyncio.Lock()
        """One absence is given back after the other."""
        self._sooner = asyncio.Event()
        self._wakes = 0
        tables.on_change.append(self._heed)
        time.on_jump.append(self._sooner.set)

    def _heed(self, table: Table) -> None:
        """A table has new deadlines; wake the loop if one of them comes before its next."""
        if table.clocks and min(table.clocks.values()) < self._wakes:
            self._sooner.set()

    def pause(self) -> None:
        """Discord is out of reach: nobody can act, so nobody's time runs."""
        self._paused = self._tables.now()
        if self._tables.left is None:
            self._tables.left = self._paused
        self._absences += 1
        self._connected.clear()
        self._company.real_time.rest()

    async def start(self) -> None:
        """Give back the time since the process was last alive, before the first click can come."""
        self._tables.left = await self._tables.store.last_beat()
        await self._give_back()
        await self._tables.store.beat(
            self._tables.now()
        )  # a kill before the first bell is known exactly, too
        self.pause()  # Discord is not there yet

    async def go_on(self) -> None:
        """Discord is there, or there again. Clicks of a short while are delivered late; of a longer one, never."""
        absences = self._absences
        with _logged("the time away was not given back"):
            await self._give_back()
        if self._absences == absences:  # else Discord has gone again meanwhile
            self._connected.set()
            with _logged("computers look only where something changes"):
                await self._company.real_time.wake()

    async def _give_back(self) -> None:
        """Give every deadline the time since Discord was last there. What fails is tried again at the next beat."""
        async with self._settling:
            left = self._tables.left
            if left is not None:
                await self._absent(left, self._tables.now() - left)

    async def _set_right(self) -> None:
        """Go on at Discord's time where that has left ours behind."""
        async with self._settling:
            if jump := self._time.jump:
                now = self._tables.now()
                self._tables.left = min(now, now + jump)
                await self._absent(self._tables.left, jump, partial(self._arrive, jump))

    def _arrive(self, jump: int) -> None:
        self._time.arrive(jump)
        self._paused += jump

    async def _absent(self, since: int, ms: int, arrive: Callable[[], None] = lambda: None) -> None:
        """Put off every deadline by a time that nobody could use; games of speed learn of it when it was long. Until
        they have, nothing happens in them by itself."""
        absences = self._absences
        await self._tables.put_off(ms, arrive)
        if abs(ms) > 2 * BEAT * 1000:
            log.info("away for %.0f s; every deadline got that back", ms / 1000)
        if abs(ms) > ANSWERED_WITHIN:
            with _logged("not all matches know that the house was away"):
                for match in await self._tables.store.timed():
                    await self._touch(match, partial(Table.resume, since=since))
        self._tables.left = None if self._absences == absences else self._paused

    async def run(self) -> None:
        """For ever. What fails is logged and tried again at the next beat; the clock itself never stops."""
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
            beat = self._tables.now() + int(BEAT * 1000)
            self._wakes = beat if due is None else min(due, beat)
            await self._sleep()

    async def _settle(self) -> None:
        """Give back what is owed. A disk that fails stops the unfair bells, too; a fault of the bot's own does not."""
        try:
            await self._give_back()
            await self._set_right()
        except Exception as error:
            if isinstance(error, StoreFailed):
                raise
            log.exception("the time away was not given back")

    async def _ring(self) -> int | None:
        """Ring what has come. Return the next deadline of any table that had not come then: one that could not be met
        just now is tried again at the next beat, not in a tight loop."""
        now = self._tables.now()
        await self._tables.store.beat(now)
        due = await self._tables.store.due_until(now)
        await asyncio.gather(*(self._touch(match, partial(self._toll, seat=seat)) for match, seat, _ in due))
        return await self._tables.store.next_due(now)

    async def _toll(self, table: Table, seat: int) -> None:
        """A deadline of a seat has come, its player's or a computer's, or one of the table itself."""
        if seat >= 0 and seat in table.clocks and table.state.mind(seat):
            self._company.play(table, seat)
        else:
            await table.ring(seat)

    async def _touch(self, match: int, act: Callable[[Table], Awaitable[None]]) -> None:
        """Do something to one table. A fault of its own holds up no other."""
        try:
            await act(await self._tables.get(match))
        except (Refusal, StoreFailed) as reason:
            log.warning("the clock could not reach table %s: %s", match, reason)
        except Exception:
            log.exception("the clock could not reach table %s", match)

    async def _sleep(self) -> None:
        wait = max(0, self._wakes - self._tables.now()) / 1000
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(wait):
                await self._sooner.wait()
