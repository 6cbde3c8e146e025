"""Faults: of the bot's process, its disk, its network and Discord, and of what moderators do to its places.

They come at times that follow from the seed. Several may be there at once, and each may meet several matches.
"""

import asyncio
import re
import sqlite3
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import closing, suppress
from itertools import count
from math import inf
from random import Random

from sandbox import Message, Permission, Thread
from sandbox.faults import Fault
from sandbox.posting import delete
from tests.rooms.room import (
    ANSWERS_FAILED,
    BACKLOG,
    FULL_DISK,
    JUMPED,
    REMOVED,
    REVOKED,
    UNAVAILABLE,
    FollowedTable,
    Room,
)

BETWEEN_LOCKS = 3.0
"""Least seconds between two locks of the database."""
STATUSES = (500, 502, 503, 429, 0, None)
"""Possible faults of a request: an HTTP status, 0 for a cut connection, None for a delay only."""
START_ROUTES = re.compile(r"/users/@me$|/gateway|/(oauth2/)?applications/")
"""Routes used by every start. No fault affects them, because the bot could not start at all."""
STARTS = 20
"""Number of tries to start the bot after a kill."""
LONGEST_DELAY = 6.0
"""Greatest delay of a request, in seconds: twice what Discord waits for an answer."""
GIVEN_BACK = 4.5
"""Seconds of a freeze after which the bot gives the time back; shorter ones make no click fail."""
LAPSE = 4.0
"""Seconds after which a fault of a route that the bot has not used meanwhile is taken back."""
A_DAY = 25 * 3600
"""Seconds after which a day is over for everything that counts in days: seasons, logs to pack, backups."""
OUTAGES = (0, 0, 5, 60, 3 * 3600, A_DAY)
"""Seconds of Discord's clock that pass between a kill and the next start."""
JUMPS = (10, 60, 600, 7200, A_DAY)
"""Seconds by which the clock jumps, as after a sleep of the bot's machine."""
REVOCABLE = (
    Permission.VIEW_CHANNEL,
    Permission.SEND_MESSAGES,
    Permission.SEND_MESSAGES_IN_THREADS,
    Permission.CREATE_PUBLIC_THREADS,
    Permission.CREATE_PRIVATE_THREADS,
    Permission.ATTACH_FILES,
    Permission.READ_MESSAGE_HISTORY,
)
FOR_FILES = (
    Permission.SEND_MESSAGES,
    Permission.SEND_MESSAGES_IN_THREADS,
    Permission.ATTACH_FILES,
)
"""Those of them without which files are not allowed in a place where messages may still be edited."""


class Faults:
    """The faults of one room. Fault number `n` follows from the seed and `n`, so it stays nearly the same when others
    are dropped. `kinds`: all kinds that may come, with their weights."""

    def __init__(self, room: Room, kinds: "Mapping[Kind, int]") -> None:
        self.room = room
        self.kinds = kinds
        self.steady = False
        """True when nothing ends the process of the bot any more, so that its memory can be measured."""
        self.happened: list[str] = []
        """What happened, in order: such as "f3 at 1.2: kill"."""
        self.unlocked = -inf
        """Time of the loop at which the database was unlocked last; infinity while it is locked."""

    async def run(self) -> None:
        """Let faults happen until cancelled. Those under way are then ended."""
        began = time.monotonic()
        async with asyncio.TaskGroup() as group:
            for n in count(1):
                rng = self.room.chance(f"fault {n}")
                await asyncio.sleep(rng.uniform(*self.room.plan.between))
                kinds = self._possible()
                weights = [self.kinds[each] for each in kinds]
                kind = rng.choices(kinds, weights)[0] if kinds else None
                if kind is not None and f"f{n}" not in self.room.plan.dropped:
                    self.happened.append(f"f{n} at {time.monotonic() - began:.1f}: {name_of(kind)}")
                    group.create_task(self._happen(kind, rng))

    def _possible(self) -> "list[Kind]":
        bot = self.room.bot
        spared: tuple[str, ...] = DEADLY if self.steady or bot.uptime < self.room.plan.age else ()
        if bot.lock.locked():
            spared = EXCLUSIVE  # they would wait, and come one right after another
        others = [kind for kind in self.kinds if name_of(kind) not in self.room.plan.spared]
        return [kind for kind in others if not name_of(kind).startswith(spared)]

    async def _happen(self, kind: "Kind", rng: Random) -> None:
        self.room.counts["faults"] += 1
        with self.room.noting():
            await kind(self, rng)

    async def end(self) -> None:
        """End everything that faults have left, and let the bot run."""
        self.room.box.faults.clear()
        async with self.room.bot.lock:
            if not await self._is_connected():
                await self.start()

    async def _is_connected(self) -> bool:
        """Wait until a start that is under way has succeeded or failed, and return whether it has succeeded."""
        room = self.room
        with suppress(TimeoutError):
            await room.box.until(lambda: room.is_connected or not room.bot.runs, timeout=60)
        return room.is_connected and room.bot.runs

    async def kill(self, power: Random | None = None) -> None:
        """Kill the bot, with `power` by cutting that where it can be cut, and count it."""
        bot, room = self.room.bot, self.room
        await bot.kill(power)
        is_cut = power is not None and bot.may_lose_power
        room.counts["power cuts" if is_cut else "kills"] += 1
        room.lost_power |= is_cut

    async def start(self) -> None:
        """Start the bot; when a fault of its first requests or of its disk ends it, start it again, as systemd does.

        Raises RuntimeError when no start succeeds."""
        for _ in range(STARTS):
            try:
                await self.room.bot.start()
                return
            except (RuntimeError, TimeoutError):
                self.room.counts["starts that a fault ended"] += 1
                await self.room.bot.kill()
        raise RuntimeError(f"The bot could not be started in {STARTS} tries; its log has the reason.")

    async def restart(self, after: float = 0.0) -> None:
        """Kill the bot, and start it again after some seconds of Discord's clock."""
        async with self.room.bot.lock:
            with self.room.trouble("killed"):
                await self.room.bot.kill()
                self.room.box.clock.advance(after)
                await self.start()

    # For the kinds

    def table(self, rng: Random) -> FollowedTable | None:
        """Return an open table with a place, None if there is none."""
        found = self.room.open_tables()
        return rng.choice(found) if found else None


Kind = Callable[[Faults, Random], Awaitable[None]]


# The process


async def kill(faults: Faults, rng: Random) -> None:
    """Kill the bot at once, start it after some time, and now and then kill it again while it starts."""
    room, power = faults.room, rng if rng.randrange(2) else None
    async with room.bot.lock:
        with room.trouble("killed"):
            await faults.kill(power)
            is_forgotten, outage = bool(rng.randrange(2)), rng.choice(OUTAGES)
            if is_forgotten or outage > LONGEST_DELAY:
                await asyncio.sleep(LONGEST_DELAY)  # until then all arrives that was on its way
            if is_forgotten:  # Discord forgets them within minutes
                for channel in room.box.world.channels.values():
                    channel.nonces.clear()
            room.box.clock.advance(outage)
            for _ in range(rng.choice((0, 0, 0, 1, 2))):
                await room.bot.start(wait=False)
                await asyncio.sleep(rng.uniform(0, 2))
                await faults.kill(power)
            await faults.start()


async def cut_the_power(faults: Faults, rng: Random) -> None:
    """Cut the power, and start the bot without waiting for it, so that the next cut may reach into that."""
    async with faults.room.bot.lock:
        with faults.room.trouble("killed"):
            await faults.kill(rng)
            await faults.room.bot.start(wait=False)


async def kill_during_a_post(faults: Faults, rng: Random) -> None:
    """Kill the bot when the next of its messages was posted, edited or deleted, before it learns of that."""
    method = rng.choice(("POST", "PATCH", "DELETE"))
    await _kill_after(faults, rng, Fault(method, r"^/channels/\d+/messages", None, after=True, delay=60.0))


async def kill_as_a_board_is_posted(faults: Faults, rng: Random) -> None:
    """Delete a board, and kill the bot when the next one was posted, before it learns of that."""
    if boards := faults.room.boards():
        board = rng.choice(boards)
        delete(board)
        path = f"^/channels/{board.channel.id}/messages$"
        await _kill_after(faults, rng, Fault("POST", path, None, after=True, delay=60.0))


async def _kill_after(faults: Faults, rng: Random, fault: Fault) -> None:
    """Kill the bot when a request was carried out, before its answer."""
    faults.room.box.faults.add(fault)
    with faults.room.holding_up():  # another fault may have to end before the kill
        try:
            await faults.room.box.until(lambda: fault.times == 0, timeout=LAPSE)
        except TimeoutError:
            pass
        finally:
            fault.times = 0  # no request after the kill shall wait for it
        await kill(faults, rng)


async def kill_at_an_end(faults: Faults, rng: Random) -> None:
    """Kill the bot when a table closes, before all of its last messages are there."""
    room, tables = faults.room, faults.room.open_tables()
    with suppress(TimeoutError):
        await room.box.until(lambda: not all(each.is_open for each in tables), timeout=2 * LAPSE)
    await asyncio.sleep(rng.uniform(0, 0.3))
    await kill(faults, rng)


async def stop(faults: Faults, rng: Random) -> None:
    """Stop the bot with SIGTERM, and start it again."""
    room = faults.room
    async with room.bot.lock:
        with room.trouble("stopped"):
            try:
                await room.bot.stop()
            except RuntimeError as error:
                room.errors.append(str(error))
                await room.bot.kill()
            except asyncio.CancelledError:  # the faults are over in the middle of this one
                await room.bot.kill()
                raise
            await faults.start()


async def freeze(faults: Faults, rng: Random) -> None:
    """Let the bot do nothing for a few seconds."""
    room, seconds = faults.room, rng.choice((rng.uniform(0.2, 4), rng.uniform(5, 12)))
    async with room.bot.lock:
        with room.trouble("frozen", BACKLOG):
            began = room.box.clock.now()
            await room.bot.freeze(seconds)
            if seconds > GIVEN_BACK:
                # The answer that tells the bot of a jump meanwhile may have been under way for so long.
                has_jumped = room.box.clock.now() - began > seconds + 1
                room.lost.append((began + LONGEST_DELAY * has_jumped, room.box.clock.now()))
            await asyncio.sleep(0.5)


# The disk


async def fill_the_disk(faults: Faults, rng: Random) -> None:
    """Let no file of the bot grow for some time."""
    room = faults.room
    async with room.bot.lock:
        with room.trouble(FULL_DISK), room.bot.full_disk():
            await asyncio.sleep(rng.uniform(0.2, 3))


async def lock_the_database(faults: Faults, rng: Random) -> None:
    """Let another process hold the lock for writing, but not again and again: clicks would wait for too long."""
    file, now = faults.room.bot.file, time.monotonic()
    if now < faults.unlocked + BETWEEN_LOCKS:
        return
    faults.unlocked = inf
    with (
        closing(sqlite3.connect(file, isolation_level=None, timeout=0)) as other,
        suppress(sqlite3.OperationalError),
    ):
        other.execute("BEGIN IMMEDIATE")
        await asyncio.sleep(rng.uniform(0.2, 2.0))
        other.execute("ROLLBACK")
    faults.unlocked = time.monotonic()


# The network


async def fail_a_route(faults: Faults, rng: Random) -> None:
    """Let one of the routes used lately fail, time out, or be carried out without an answer."""
    box = faults.room.box
    used = {(each.method, each.template) for each in box.requests[-500:] if not START_ROUTES.match(each.path)}
    if not used:
        return
    method, template = rng.choice(sorted(used))
    pattern = "^" + re.sub(r"\{\w+(:[^}]*)?\}", "[^/]+", template) + "$"
    await _fail(faults, rng, method, pattern, rng.randrange(1, 4))


async def fail_many_requests(faults: Faults, rng: Random) -> None:
    """Let many requests of all kinds fail."""
    async with asyncio.TaskGroup() as group:
        for method in ("POST", "PATCH", "DELETE", "GET"):
            group.create_task(_fail(faults, rng, method, "/messages|/callback|/threads|/webhooks", 3))


async def slow_requests_down(faults: Faults, rng: Random) -> None:
    """Let single requests take some seconds, before or after they are carried out, so that others overtake them."""
    slow = []
    with faults.room.holding_up(answers=False):
        for _ in range(rng.randrange(5, 50)):
            method, after = rng.choice(("POST", "PATCH", "DELETE", "GET")), bool(rng.randrange(2))
            delay = min(rng.expovariate(2), LONGEST_DELAY / 2)
            slow.append(Fault(method, "/messages|/threads", None, after=after, delay=delay, arrives=True))
            faults.room.box.faults.add(slow[-1])
            await asyncio.sleep(rng.uniform(0, 0.6))
        for fault in slow:
            fault.times = 0
        await asyncio.sleep(LONGEST_DELAY / 2)  # the last one may still be under way


async def _fail(faults: Faults, rng: Random, method: str, pattern: str, times: int) -> None:
    status = rng.choice(STATUSES)
    delay = rng.uniform(0, LONGEST_DELAY) if status is None or rng.randrange(4) == 0 else 0.0
    fault = Fault(
        method,
        pattern,
        status,
        times,
        after=bool(rng.randrange(2)),
        delay=delay,
        retry_after=rng.choice((0.05, 0.5, 2.0)),
        everywhere=rng.randrange(10) == 0,
    )
    faults.room.box.faults.add(fault)
    of_answers = fault.everywhere or "callback" in pattern or "webhooks" in pattern
    with faults.room.trouble(ANSWERS_FAILED) if of_answers else faults.room.holding_up():
        with suppress(TimeoutError):
            await faults.room.box.until(lambda: fault.times == 0, timeout=LAPSE)
        fault.times = 0
        await asyncio.sleep(delay + fault.retry_after)


async def lose_the_gateway(faults: Faults, rng: Random) -> None:
    """Lose the connection to the gateway in one of five ways; in two of them the bot misses what happens meanwhile."""
    gateway = faults.room.box.gateway
    async with faults.room.bot.lock:
        with faults.room.trouble("gateway lost"):
            way = rng.randrange(5)
            if way == 4:
                await gateway.ask_to_reconnect()
            else:
                await (gateway.drop if way < 2 else gateway.invalidate)(resumable=bool(way % 2))
            await asyncio.sleep(0.1)
            with suppress(TimeoutError):
                await faults.room.box.until(lambda: faults.room.is_connected, timeout=30)
            await asyncio.sleep(1)


async def lose_a_server(faults: Faults, rng: Random) -> None:
    """Let Discord lose a server for some time."""
    gateway, guild = faults.room.box.gateway, rng.choice(faults.room.guilds)
    if gateway.is_out(guild):
        return
    with faults.room.trouble(UNAVAILABLE):
        gateway.begin_outage(guild)
        try:
            await asyncio.sleep(rng.uniform(0.2, 3))
        finally:
            gateway.end_outage(guild)


async def jump(faults: Faults, rng: Random) -> None:
    """Let the clock jump, as after a sleep of the bot's machine. What is under way then comes too late."""
    with faults.room.trouble(JUMPED, BACKLOG):
        began = faults.room.box.clock.now()
        faults.room.box.clock.advance(rng.choice(JUMPS))
        # The answer that tells the bot of it may have been under way for so long.
        faults.room.lost.append((began + LONGEST_DELAY, faults.room.box.clock.now()))
        await asyncio.sleep(0.5)


# Places and messages


async def delete_a_message(faults: Faults, rng: Random) -> None:
    """Delete a message of the bot: a card, a live table, a record, a call or a result."""
    table = faults.table(rng)
    places = {table.place, table.match.channel} if table else set()
    for place in rng.sample(sorted(places), len(places)):
        channel = faults.room.channel(place)
        ours = [each for each in channel.messages() if _is_ours(each)] if channel else []
        if ours and table:
            message = rng.choice(ours[-3:])
            for each in [*faults.room.tables.values()]:
                if message.channel.id in (each.place, each.match.channel) and (harm := _harm(each, message)):
                    each.tamper(harm)
            faults.room.deleted.add(message.id)
            delete(message)
            return


def _is_ours(message: Message) -> bool:
    return message.author is message.channel.world.bot and not message.deleted


def _harm(table: FollowedTable, message: Message) -> str:
    """Return what the deletion of a message does to a table: nothing when it belongs to another one."""
    own = message.channel.id == table.place != table.match.channel
    named = any(each.split(":")[1:2] == [str(table.id)] for each in message.custom_ids)
    return "message deleted" if own or named or message.channel.id == table.place else ""


async def delete_a_thread(faults: Faults, rng: Random) -> None:
    """Delete the thread of a match."""
    table = faults.table(rng)
    channel = faults.room.channel(table.place) if table else None
    if table and isinstance(channel, Thread):
        table.tampered = "thread deleted"
        channel.delete()


async def delete_a_channel(faults: Faults, rng: Random) -> None:
    """Delete a channel with all threads in it. The server gets a new one."""
    room = faults.room
    channel = rng.choice(room.channels)
    gone = {channel.id, *(thread.id for thread in channel.threads)}
    for table in [*room.tables.values()]:
        if gone & {table.match.channel, table.place}:
            table.tampered = "channel deleted"
    room.channels[room.channels.index(channel)] = channel.guild.channel(channel.name)
    channel.delete()


async def archive_a_thread(faults: Faults, rng: Random) -> None:
    """Archive the thread of a match, maybe just after an edit there has failed or something was posted; lock it now and
    then for some time."""
    room, table = faults.room, faults.table(rng)
    channel = room.channel(table.place) if table else None
    if table is None or not isinstance(channel, Thread):
        return
    if rng.randrange(2):
        method, status = rng.choice((("PATCH", 502), ("POST", None)))
        fault = Fault(method, rf"^/channels/{channel.id}/messages", status, after=status is None)
        room.box.faults.add(fault)
        with suppress(TimeoutError):
            await room.box.until(lambda: fault.times == 0, timeout=LAPSE)
        fault.times = 0
        await asyncio.sleep(rng.uniform(0, 0.1))
    if not room.has(channel):
        return
    locked = rng.randrange(3) == 0
    channel.archive(locked=locked)
    if locked:
        try:
            await asyncio.sleep(rng.uniform(1, 6))
        finally:
            if room.has(channel):
                channel.archive(False, locked=False)


async def archive_at_an_edit(faults: Faults, rng: Random) -> None:
    """Archive the thread of a match while an edit above other messages there is on its way: posted anew, it would not
    stand where it stood."""
    room, delayed = faults.room, list[tuple[Fault, Thread]]()
    for thread in [room.channel(each.place) for each in room.tables.values() if each.place]:
        if isinstance(thread, Thread):
            above = "|".join(str(each.id) for each in thread.messages()[:-1])
            path = f"^/channels/{thread.id}/messages/({above})$"
            delayed.append((Fault("PATCH", path, None, delay=rng.uniform(0.05, 1)), thread))
    for fault, _ in delayed:
        room.box.faults.add(fault)
    with suppress(TimeoutError):
        await room.box.until(lambda: not all(fault.times for fault, _ in delayed), timeout=LAPSE)
    for fault, thread in delayed:
        if not fault.times and room.has(thread):
            thread.archive()
        fault.times = 0


async def revoke_a_permission(faults: Faults, rng: Random) -> None:
    """Take a permission from the bot in a channel, and give it back later."""
    room = faults.room
    channel, permission = rng.choice(room.channels), rng.choice(REVOCABLE)
    with room.trouble(REVOKED):
        channel.deny(room.box.world.bot, permission)
        try:
            await asyncio.sleep(rng.uniform(0.5, 6))
        finally:
            if room.has(channel):
                channel.allow(room.box.world.bot, permission)
            room.poll(all_=True)
            if permission in FOR_FILES:  # a record that is posted without its picture stays so
                room.excuse_ended(channel.id, REVOKED, open_too=True)


async def remove_the_bot(faults: Faults, rng: Random) -> None:
    """Remove the bot from a server, and invite it again."""
    room, guild = faults.room, rng.choice(faults.room.guilds)
    if not guild.has_bot:
        return
    with room.trouble(REMOVED):
        room.tamper(guild, REMOVED)
        guild.remove(room.box.world.bot)
        try:
            await asyncio.sleep(rng.uniform(0.2, 4))
            # Nobody invites it while a session waits for its servers: this one alone would be described then.
            with suppress(TimeoutError):
                await room.box.until(lambda: room.box.gateway.is_all_sent, timeout=LAPSE)
        finally:
            room.tamper(guild, REMOVED)
            guild.invite_bot()
        await asyncio.sleep(1)


async def time_out_a_person(faults: Faults, rng: Random) -> None:
    """Let a moderator keep a person from writing for some time."""
    if not faults.room.people:  # in a smaller form of a room
        return
    guild, person = rng.choice(faults.room.guilds), rng.choice(faults.room.people)
    if person.id in guild.members:  # some leave for a while
        guild.time_out(person.user, rng.uniform(1, 8))


def name_of(kind: Kind) -> str:
    """Return the name of a kind for people."""
    return kind.__name__.replace("_", " ")


KINDS: dict[Kind, int] = {
    kill: 7,
    kill_during_a_post: 4,
    kill_as_a_board_is_posted: 3,
    kill_at_an_end: 3,
    stop: 3,
    freeze: 3,
    fill_the_disk: 4,
    lock_the_database: 3,
    fail_a_route: 14,
    fail_many_requests: 5,
    slow_requests_down: 8,
    lose_the_gateway: 5,
    lose_a_server: 2,
    jump: 2,
    delete_a_message: 6,
    delete_a_thread: 2,
    delete_a_channel: 1,
    archive_a_thread: 3,
    archive_at_an_edit: 3,
    revoke_a_permission: 4,
    remove_the_bot: 1,
    time_out_a_person: 1,
}
"""All kinds with their weights."""
DEADLY = ("kill", "stop", "import", "restore", "cut the power")
"""Beginnings of the names of kinds that end a process of the bot."""
EXCLUSIVE = (*DEADLY, "freeze", "fill", "lose the gateway", "lose a shard", "cut off", "restart", "back up")
"""Beginnings of the names of kinds that cannot be there at the same time. All others can, also together with one of
these."""
