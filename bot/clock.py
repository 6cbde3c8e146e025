"""Deadlines: rows in the store, one loop that sleeps to the next, and the time an outage took given back."""

import asyncio
import contextlib
import logging
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from functools import partial

from bot.company import Company
from bot.refusal import Refusal
from bot.store import StoreFailed
from bot.table import Table
from bot.tables import Tables
from bot.timing import TABLE

log = logging.getLogger(__name__)

BEAT = 5.0
"""Seconds between two signs of life. After a kill, an outage is known this exactly."""

ANSWERED_WITHIN = 3_000
"""Ms that Discord waits for the answer to a click. After an outage that long, some have failed."""

EPOCH = 1_420_070_400_000
"""Discord's first millisecond since the Unix epoch: what a snowflake counts from."""


class DiscordTime:
    """Discord's clock, as arriving snowflakes tell it, carried on by a clock of ours that never jumps.

    A snowflake can only arrive after it was made, so whenever one seems to come from the future we are behind.
    """

    def __init__(self) -> None:
        self._ahead = time.time_ns() // 1_000_000 - _steady()
        self._heard = False

    def heard(self, snowflake: int) -> int:
        """The time in a snowflake that has just arrived, in ms since the Unix epoch."""
        at = (snowflake >> 22) + EPOCH
        ahead = at - _steady()
        # The first one replaces what this machine believed, which may be an hour wrong either way.
        self._ahead = max(self._ahead, ahead) if self._heard else ahead
        self._heard = True
        return at

    def now(self) -> int:
        """Ms since the Unix epoch."""
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

    def __init__(self, tables: Tables, company: Company) -> None:
        self._tables = tables
        self._company = company
        self._connected = asyncio.Event()
        self._absences = 0
        """How often Discord was out of reach."""
        self._left: int | None = None
        """When Discord was last there, or an absence was told last, in ms; None: neither yet."""
        self._sooner = asyncio.Event()
        self._wakes = 0
        tables.on_change.append(self._heed)

    def _heed(self, table: Table) -> None:
        """A table has new deadlines; wake the loop if one of them comes before its next."""
        if table.clocks and min(table.clocks.values()) < self._wakes:
            self._sooner.set()

    def pause(self) -> None:
        """Discord is out of reach: nobody can act, so nobody's time runs."""
        if self._connected.is_set():
            self._left = self._tables.now()
        self._absences += 1
        self._connected.clear()
        self._company.lookout.rest()

    async def go_on(self) -> None:
        """Discord is there, or there again. Clicks of a short while are delivered late; of a longer one, never."""
        absences = self._absences
        with _logged("the time away was not given back"):
            await self.give_back()
        if self._left is None or self._tables.now() - self._left > ANSWERED_WITHIN:
            with _logged("not all matches know that the house was away"):
                await self.resume()
        if self._absences == absences:  # else Discord has gone again meanwhile
            self._connected.set()
            with _logged("computers look only where something changes"):
                await self._company.lookout.wake()

    async def resume(self) -> None:
        """Tell the matches in which something is due by itself that the house was away."""
        self._left = self._tables.now()
        for match in await self._tables.store.timed():
            await self._touch(match, Table.resume)

    async def give_back(self) -> None:
        """Every deadline gets back the time that nobody could use."""
        outage = await self._tables.give_back()
        if outage > 2 * BEAT * 1000:
            log.info("away for %.0f s; every deadline got that back", outage / 1000)

    async def run(self) -> None:
        """For ever. What fails is logged and tried again at the next beat; the clock itself never stops."""
        while True:
            await self._connected.wait()
            self._sooner.clear()
            self._wakes = sys.maxsize  # until the next deadline is known, any new one counts as sooner
            now = self._tables.now()
            beat, due = now + int(BEAT * 1000), None
            try:
                due = await self._ring(now)
            except StoreFailed as failure:
                log.warning("the clock could not write: %s", failure)
            except Exception:
                log.exception("the clock stumbled")
            # A deadline that could not be met just now is tried again at the next beat, not in a tight loop.
            self._wakes = min(due, beat) if due is not None and due > now else beat
            await self._sleep()

    async def _ring(self, now: int) -> int | None:
        """Ring what has come. Returns the next deadline of any table that has not."""
        await self._tables.store.beat(now)
        due = await self._tables.store.due_until(now)
        await asyncio.gather(*(self._touch(match, partial(self._toll, seat=seat)) for match, seat, _ in due))
        return await self._tables.store.next_due(now)

    async def _toll(self, table: Table, seat: int) -> None:
        """A deadline of a seat has come, its player's or a computer's, or one of the table itself."""
        if seat != TABLE and seat in table.clocks and table.sitting.mind(seat):
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
