"""One loop that sleeps until the next deadline of any table, then handles it.

After a kill, a freeze of the process, an outage of Discord or of the store, a sleep of the machine or a correction of
its clock, every deadline is moved by the time lost, except those at which a game does something by itself: such games
learn that nobody could act. When only a shard or a server is out of reach, this concerns its tables alone; the others
play on.
"""

import asyncio
import contextlib
import logging
import sys
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from bot.background import in_background
from bot.computers.players import ComputerPlayers
from bot.gateway.discord_time import DiscordTime
from bot.match.clock import ANSWERED_WITHIN, Outage
from bot.match.refusal import Refusal
from bot.match.table import Table
from bot.match.tables import Tables, Unloadable
from bot.standings.daily import SHORTEST_OUTAGE
from bot.store import StoreFailed
from games.types import Seat

log = logging.getLogger(__name__)

HEARTBEAT = 5.0
"""Seconds between two heartbeats in the store. After a kill the length of the outage is known to this precision."""

PULSE = 1.0
"""Seconds between two checks that the process runs. The start of a freeze is known to this precision."""


@contextlib.contextmanager
def _logged(what: str) -> Iterator[None]:
    """Log an error of the block as `what`, and continue after it."""
    try:
        yield
    except StoreFailed as error:
        log.warning("%s: %s", what, error)
    except Exception:
        log.exception(what)


@dataclass(eq=False)
class Absence(Outage):
    """An outage of a shard or a server, or of the bot."""

    is_over: bool = False
    """True once people can act again, until their deadlines are moved."""
    lost_again: int = 0
    """Time in ms at which it last began."""
    told: bool = False
    """True when another process has said when it began. Its clock may be right where this one is wrong."""


def _is_since(since: int, away: Mapping[int, int], alive: int, guild: int) -> bool:
    """Return whether the people of a server could last act at `since`: before a kill, else when the bot was `alive`."""
    return away.get(guild, alive) == since


class Clock:
    """The loop over all deadlines. `shard_of` returns the shard of a server; by default there is one shard."""

    def __init__(
        self,
        tables: Tables,
        computers: ComputerPlayers,
        time: DiscordTime,
        shard_of: Callable[[int], int] = lambda _: 0,
    ) -> None:
        self._tables = tables
        self._computers = computers
        self._time = time
        self._shard_of = shard_of
        self._connected = asyncio.Event()
        """Set while any shard is there."""
        self._there = set[int]()
        """Shards that are there."""
        self._seen = set[int]()
        """Shards that were there since the start."""
        self._starting: Absence | None = None
        """The outage of all shards that were not seen yet."""
        self._shards: dict[int, Absence] = {}
        self._guilds: dict[int, Absence] = {}
        self.on_given_back: Callable[[], None] = lambda: None
        """Called when deadlines were moved."""
        self._giving_back = asyncio.Lock()
        """Held while deadlines are moved."""
        self._ran: float | None = None
        """Time of the event loop at which the process was last known to run; None before the first pulse."""
        self._freezes: list[float] = []
        """Times of the event loop at which freezes began that are not given back. While the store takes no writes every
        click is refused, which counts as a freeze, too."""
        self._beaten = 0.0
        """Time of the event loop at which the store was last known to take writes."""
        self._woken = asyncio.Event()
        """Set when the loop must look again before `_wakes`."""
        self._wakes = 0
        """Time in ms at which the loop wakes."""
        self._failing = ""
        """Why the loop could not write when it tried last."""
        self._tried: dict[int, dict[int, int]] = {}
        """By match: its deadlines when the loop last handled one, or tried to."""
        tables.clock.frozen = self._frozen
        tables.clock.corrected = lambda: time.now() + max(0, time.jump)
        tables.clock.lost_since = self._lost_since
        tables.on_change.append(self._wake_if_sooner)
        time.on_jump.append(self._woken.set)

    def _wake_if_sooner(self, table: Table) -> None:
        """Wake the loop if a changed table has a deadline before the time at which the loop wakes."""
        # One that could not be handled waits for the next heartbeat, though its table is loaded again at each try.
        if not table.is_open:
            self._tried.pop(table.id, None)
        new = table.deadlines.items() - self._tried.get(table.id, {}).items()
        if min((due for _, due in new), default=self._wakes) < self._wakes:
            self._woken.set()

    # Outages

    def pause(self, shard: int) -> None:
        """Let no time run for the people of a shard that is out of reach."""
        self._there.discard(shard)
        if not self._there:
            self._connected.clear()
        if shard in self._seen or self._starting is None:
            self._seen.add(shard)
            self._lose(self._shards, shard, lambda guild: self._shard_of(guild) == shard)

    def servers_out(self) -> list[int]:
        """Return the servers that have an outage of their own."""
        return [*self._guilds]

    def away(self) -> dict[int, int]:
        """Return since when servers with tables have an outage of their own, in ms, by server."""
        return {guild: self._guilds[guild].since for guild in self._guilds.keys() & self._tables.guilds()}

    def pause_guild(self, guild: int) -> None:
        """Let no time run for the people of a server that has an outage."""
        self._lose(self._guilds, guild, lambda other: other == guild)

    def _lose(self, absences: dict[int, Absence], key: int, covers: Callable[[int], bool]) -> None:
        now = self._tables.clock.now()
        absence = absences.setdefault(key, Absence(now, covers))
        if absence not in self._tables.clock.outages:  # it is new, or the last one was given back just now
            absence.since, absence.told = now, False
            self._begin(absence)
        absence.is_over = False
        absence.lost_again = now
        self._computers.real_time.rest()

    def _begin(self, absence: Absence) -> Absence:
        self._tables.clock.outages.append(absence)
        return absence

    async def start(self) -> None:
        """Move all deadlines by the time since the last heartbeat, and where people could not act then, by the time
        since when. Call it before the first click can arrive."""
        alive = await self._tables.store.last_heartbeat()
        if alive is not None:
            self._time.be_at_least(alive)
        # What is read until the deadlines are moved takes a while, in which nobody can act either.
        since = self._tables.clock.now()
        if alive is not None:
            away = await self._tables.store.away()
            stopped = [
                self._begin(Absence(began, partial(_is_since, began, away, alive), is_over=True))
                for began in sorted({alive, *away.values()})
            ]
            try:
                # First: after the first of them, another start would not know any more since when the bot was away.
                await self._make_day_longer(alive, since - alive)
                for each in stopped:
                    await self._give_back_one(each, of_all=False)
            finally:
                for each in stopped:
                    self._forget(each)
        # A kill before anybody could act counts from here, even before the loop runs.
        await self._tables.store.heartbeat(since)
        self._starting = self._begin(Absence(since, lambda guild: self._shard_of(guild) not in self._seen))

    def is_running(self, shard: int) -> bool:
        """Return whether the people of a shard can act, and have got back the time in which they could not."""
        return shard in self._there and shard not in self._shards and not self._frozen()

    def take(self, shard: int, since: int, away: Mapping[int, int]) -> None:
        """Begin to serve a shard where people could last act at `since` ms; 0 if that is unknown. `away`: by server
        that had an outage of its own: the same."""
        self.pause(shard)
        if since:
            self._time.learn(since)
            self._shards[shard].since, self._shards[shard].told = since, True
        for guild in [guild for guild in away if self._shard_of(guild) == shard]:
            self.pause_guild(guild)
            self._guilds[guild].since, self._guilds[guild].told = away[guild], True

    async def hand_over(self, shards: Collection[int]) -> None:
        """Before others serve these shards, correct this clock, and give back what their servers with an outage of
        their own have lost so far: a lease that is released tells nobody since when. Raises StoreFailed."""
        await asyncio.shield(in_background(self._hand_over(shards)))

    async def _hand_over(self, shards: Collection[int]) -> None:
        await self._correct()
        async with self._giving_back:
            # Without a table there is nothing to move, and those with one wait for each write.
            for guild in self._guilds.keys() & self._tables.guilds():
                if self._shard_of(guild) not in shards:
                    continue
                absence, of_shard = self._guilds[guild], self._shards.get(self._shard_of(guild))
                if of_shard is None:
                    await self._give_back_one(absence, of_all=False)
                    self._end(self._guilds, guild)
                elif of_shard.since > absence.since:
                    # Others know since when the shard is away, and give that back.
                    since, until = absence.since, of_shard.since
                    known = partial(setattr, absence, "since", until)
                    await self._postpone(until - since, absence.covers, until, known)

    async def release(self, shard: int) -> None:
        """Leave a shard to another process."""
        self.pause(shard)
        async with self._giving_back:
            for absences, keys in (
                (self._shards, {shard} & {*self._shards}),
                (self._guilds, {guild for guild in self._guilds if self._shard_of(guild) == shard}),
            ):
                for key in keys:
                    self._forget(absences.pop(key))

    async def resume(self, shard: int) -> None:
        """Let time run again for the people of a shard that is connected."""
        if shard not in self._seen and self._starting is not None:
            self._shards[shard] = self._begin(
                Absence(self._starting.since, lambda guild: self._shard_of(guild) == shard)
            )
        self._seen.add(shard)
        self._there.add(shard)
        if shard in self._shards:
            # Also after a short outage, whose clicks arrive late; those of a longer one never arrive.
            self._shards[shard].is_over = True
        await self._go_on()
        if shard in self._there:  # else the connection was lost again meanwhile
            self._connected.set()

    async def resume_guild(self, guild: int) -> None:
        """Let time run again for the people of a server, if it had an outage."""
        if guild in self._guilds:
            self._guilds[guild].is_over = True
            await self._go_on()

    async def _go_on(self) -> None:
        """Give back the time of outages that are over, and let computers play where people can."""
        with _logged("deadlines were not moved by the time of the outage"):
            await self._give_back()
        self._woken.set()
        with _logged("computers do not play in real time before a table changes"):
            await self._computers.real_time.wake()

    async def _give_back(self) -> None:
        """Move the deadlines of every outage that is over by its length. The loop retries this after an error."""
        # A write goes on when its caller is cancelled. Nobody may move deadlines again before it counts.
        await asyncio.shield(in_background(self._give_back_all()))

    async def _give_back_all(self) -> None:
        await self._correct()  # what others say of an outage is by the right time
        async with self._giving_back:
            await self._give_back_freeze()
            for shard in [key for key, each in self._shards.items() if each.is_over]:
                await self._give_back_shard(shard)
            for guild in [key for key, each in self._guilds.items() if each.is_over]:
                if self._shard_of(guild) in self._there:
                    await self._give_back_one(self._guilds[guild], of_all=False)
                    self._end(self._guilds, guild)

    async def _give_back_shard(self, shard: int) -> None:
        """Move the deadlines of a shard by the length of its outage."""
        absence = self._shards[shard]
        since = absence.since
        # Not those that begin meanwhile, whose tables are moved.
        left_out = {guild: each for guild, each in self._guilds.items() if self._shard_of(guild) == shard}
        await self._give_back_one(absence)
        for each in left_out.values():
            each.since = min(each.since, since)
        try:
            for guild, each in left_out.items():  # at once: another process may run their tables later
                await self._give_back_one(each, of_all=False)
                self._end(self._guilds, guild)
        finally:  # last: after a kill the outage of the shard counts again then, while that of a server would be lost
            self._end(self._shards, shard)

    async def _give_back_freeze(self) -> None:
        """Move the deadlines by the length of a freeze, if there was one."""
        if frozen := self._frozen():
            since, given = self._tables.clock.now() - frozen, len(self._freezes)
            # It lasts until the store takes writes, also where no table needs one.
            await self._tables.heartbeat()
            left_out = {*self._tables.clock.outages} - self._taken_over()
            absence = self._begin(Absence(since, lambda _: True, is_over=True))
            try:
                await self._give_back_one(absence)
            finally:
                self._forget(absence)
            # An outage that was noticed after the freeze began with it, if no other process has served there meanwhile.
            # Its tables get this time later.
            for other in left_out:
                other.since = min(other.since, since)
            # The process may have frozen again while it waited for the tables.
            del self._freezes[:given]
            self._beaten = asyncio.get_running_loop().time()

    def _taken_over(self) -> set[Absence]:
        """Return the outages of the shards that another process has served last, and of their servers."""
        guilds = {each for guild, each in self._guilds.items() if not self._is_own(guild)}
        return guilds | {each for each in self._shards.values() if each.told}

    def _stall(self) -> None:
        """Count the time since the store last took a write as a freeze."""
        # A process that was not started by `start` shares the shards: its leases end, and whoever takes them gives
        # the time back.
        if self._starting is not None and not self._freezes:
            self._freezes.append(self._beaten)

    def _frozen(self) -> int:
        """Return the ms since a freeze began that made clicks fail and is not given back yet; 0 if there is none."""
        now = asyncio.get_running_loop().time()
        if self._ran is not None:
            # Load alone makes no freeze: the loop still turns many times a second.
            if now - self._ran > PULSE + ANSWERED_WITHIN / 1000:
                self._freezes.append(self._ran)
            self._ran = now
        return int((now - self._freezes[0]) * 1000) if self._freezes else 0

    def _lost_since(self) -> int:
        return min(
            [self._tables.clock.now() - self._frozen(), *(each.since for each in self._shards.values())]
        )

    async def _pulse(self) -> None:
        """Note that the process runs, until cancelled. After a freeze wake the loop, which gives the time back."""
        while True:
            if self._frozen():
                self._woken.set()
            elif self._ran is None:
                self._ran = asyncio.get_running_loop().time()
            await asyncio.sleep(PULSE)

    def _end(self, absences: dict[int, Absence], key: int) -> None:
        """End an outage whose time is given back, unless it has begun again meanwhile."""
        if absences[key] not in self._tables.clock.outages:
            del absences[key]

    def _forget(self, absence: Absence) -> None:
        if absence in self._tables.clock.outages:
            self._tables.clock.outages.remove(absence)

    def _settle(self, absence: Absence, now: int) -> None:
        """Let deadlines that are set from here on count without an outage, whose time up to `now` is given back."""
        if absence.is_over:
            self._forget(absence)
        else:  # it has begun again meanwhile
            absence.since, absence.told = max(now, absence.lost_again), False

    async def _give_back_one(self, absence: Absence, *, of_all: bool = True) -> None:
        """Move the deadlines of an outage by its length, except where another one lasts. `of_all`: days, which are the
        same on all servers, get longer by it. Logs all errors but StoreFailed."""
        others = [each for each in self._tables.clock.outages if each is not absence]
        shared = set[int]()  # servers that another outage covers, too

        def concerns(guild: int) -> bool:
            if absence.covers(guild) and any(other.covers(guild) for other in others):
                shared.add(guild)
            return absence.covers(guild) and guild not in shared

        def given_back() -> None:
            # A server whose shard is away again gets all of it when that is back.
            if of_all or not shared:
                self._settle(absence, now)

        now = self._tables.clock.now()
        lost = max(0, now - absence.since)  # the clock of the machine may have been set back before a start
        try:
            if of_all:
                await self._make_day_longer(absence.since, lost)
            await self._postpone(lost, concerns, now, given_back)
        except StoreFailed:
            raise
        except Exception:
            log.exception("deadlines were not moved by the time of the outage")
            self._settle(absence, now)

    async def correct(self) -> None:
        """Set this clock by Discord's when they differ too much, and move every deadline by the difference, except
        those that another process has set, by its own clock. Raises StoreFailed."""
        await asyncio.shield(in_background(self._correct()))

    async def _correct(self) -> None:
        async with self._giving_back:
            if jump := self._time.jump:

                def right() -> None:
                    self._set_forward(jump)
                    self._forget(asleep)

                # After a kill an outage that lasts counts from where it began, by the corrected clock.
                def lasting() -> dict[int, int]:
                    clock, guilds = self._tables.clock, self._tables.guilds()
                    starts = clock.outage_starts(guilds, but=asleep).items()
                    return {guild: since + jump * self._is_own(guild) for guild, since in starts}

                # A freeze, too, counts until it is given back.
                now = self._tables.clock.now() - self._frozen()
                asleep = self._begin(Absence(min(now, now + jump), lambda _: True, is_over=True))
                try:
                    await self._make_day_longer(asleep.since, jump)
                    await self._postpone(jump, self._is_own, now + jump, right, lasting)
                finally:
                    self._forget(asleep)

    def _is_own(self, guild: int) -> bool:
        """Return whether this process has set the deadlines of a server, also before an outage."""
        absence = self._shards.get(self._shard_of(guild))
        return absence is None or not absence.told

    def _set_forward(self, jump: int) -> None:
        self._time.set_forward(jump)
        for each in [*self._shards.values(), *self._guilds.values(), self._starting]:
            if each is not None:
                each.since += 0 if each.told else jump
                each.lost_again += jump

    async def _make_day_longer(self, since: int, ms: int) -> None:
        """Store a long outage: days end later by its length."""
        if ms > SHORTEST_OUTAGE:  # it is stored under its start, so a retry does not count it twice
            await self._tables.store.add_outage(since, since + ms)

    async def _postpone(
        self,
        ms: int,
        concerns: Callable[[int], bool],
        now: int,
        then: Callable[[], None],
        lasting: Callable[[], dict[int, int]] | None = None,
    ) -> None:
        """Move the deadlines of some servers by `ms` in which nobody could act. `now` is the time after the correction
        of the clock in `then`, if any. For `lasting` see `Tables.postpone`."""
        await self._tables.postpone(ms, concerns, now, then, lasting)
        # As most of the servers that come back after an outage of Discord have none.
        has_tables = any(map(concerns, self._tables.guilds()))
        if has_tables and abs(ms) > 2 * HEARTBEAT * 1000:
            log.info("away for %.0f s; every deadline got that back", ms / 1000)
        self.on_given_back()

    # The loop

    async def run(self) -> None:
        """Run until cancelled. Errors are logged, and the work is tried again, at the next heartbeat at the latest."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._pulse(), name="pulse")
            await self._loop()

    async def _loop(self) -> None:
        self._beaten = asyncio.get_running_loop().time()
        while True:
            while not self._connected.is_set():  # it may be lost again before this wakes up
                await self._connected.wait()
                self._beaten = asyncio.get_running_loop().time()  # the outage has been given back up to now
            self._woken.clear()
            self._wakes = sys.maxsize  # until the next deadline is known, any new one counts as sooner
            due = None
            try:
                await self._make_up_lost_time()
                due = await self._handle_deadlines()
                self._failing = ""
            except StoreFailed as failure:
                if self._failing != str(failure):  # a disk may be full for hours
                    log.warning("the clock cannot write, and tries again and again: %s", failure)
                self._failing = str(failure)
            except Exception:
                log.exception("the clock failed; it tries again")
            heartbeat = self._tables.clock.now() + int(HEARTBEAT * 1000)
            self._wakes = heartbeat if due is None else min(due, heartbeat)
            if not self._failing:
                await self._load_behind()
            await self._sleep()

    async def _load_behind(self) -> None:
        """Load the tables again that may lag behind their logs, as after a write whose answer was lost."""
        # What was kept is shown then, and who is next is called; else nobody may ask for the table for hours.
        for match in self._tables.behind():
            with _logged(f"table {match} could not be loaded again"), contextlib.suppress(Refusal):
                await self._tables.get(match)

    async def _make_up_lost_time(self) -> None:
        """Move all deadlines by lost time. Logs all errors but StoreFailed.

        Raises StoreFailed: deadlines that could not be moved must not be handled, as that might be too early.
        """
        try:
            await self._give_back()
        except Exception as error:
            if isinstance(error, StoreFailed):
                self._stall()
                raise
            log.exception("deadlines were not moved by the time of the outage")

    async def _handle_deadlines(self) -> int | None:
        """Handle all deadlines that have passed. Return the next one of any table, in ms."""
        now = self._tables.clock.now()
        try:
            await self._tables.heartbeat()
        except StoreFailed:
            self._stall()
            raise
        self._beaten = asyncio.get_running_loop().time()
        due = await self._tables.due_deadlines(now)
        self._tried = {match: self._tried[match] for match, _ in due if match in self._tried}
        await asyncio.gather(
            *(self._with_table(match, partial(self._handle_deadline, seat=seat)) for match, seat in due)
        )
        return await self._tables.store.next_deadline(now)

    async def _handle_deadline(self, table: Table, seat: int) -> None:
        """Handle one deadline: of a person, of a computer, or of the table itself."""
        if table.is_open:
            self._tried[table.id] = {**table.deadlines}
        if seat >= 0 and seat in table.deadlines and table.state.strength_at(Seat(seat)):
            self._computers.play(table, Seat(seat))
        else:
            await table.apply_deadline(seat)

    async def _with_table(self, match: int, act: Callable[[Table], Awaitable[None]]) -> None:
        """Call `act` with one table of this process, and log an error of it."""
        try:
            table = await self._tables.get(match)
            if self._tables.owns(table.match.guild):
                await act(table)
        except Unloadable:  # it was logged when that was found, and comes here each time that the loop wakes
            pass
        except (Refusal, StoreFailed) as reason:
            log.warning("the clock failed at table %s: %s", match, reason)
        except Exception:
            log.exception("the clock failed at table %s", match)

    async def _sleep(self) -> None:
        wait = max(0, self._wakes - self._tables.clock.now()) / 1000
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(wait):
                await self._woken.wait()
