"""Who was called by which message, and why."""

from bot.match.call import Call, bits, call, timeless
from bot.match.entries.ahead import Ahead
from bot.match.waking import DAY, is_awake
from bot.store import LogRow
from sandbox import Message, Thread
from sandbox.snowflakes import time_of
from tests.rooms.room import JUMPED, REVOKED, TIMES, FollowedTable, Room

UNDER_WAY = 30_000
"""Ms for which a call may be on its way to Discord while its person moves or goes to sleep, with the time for which the
click waited."""

CLOCKS = 10_000
"""Ms by which the bot's clock may be wrong."""


class Pings:
    """The reasons for which people were called so far."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._called = dict[tuple[int, int, int], Message]()
        """By match, person, and number of the entry that made it necessary, among those that people are told of: the
        latest message."""

    def note(self, table: FollowedTable, message: Message) -> list[str]:
        """Note a new message of a table. Return a sentence for each person who was called before for the same, or who
        sleeps."""
        found = list[str]()
        for user in sorted(message.pings):
            if self._sleeps(table, message, user):
                found.append(f"match {table.id} has called {user} in their night: {message.text:.300}")
            n = _reason(self._room, table, message, user)
            earlier = self._called.get((table.id, user, n))
            if (
                earlier
                and earlier is not message
                and table.tampered in ("", REVOKED)  # calls have no files
                and not self._room.has_new_hours(user, int(time_of(earlier.id) * 1000))
                and not self._was_lost(table, earlier, message)
                and not self._was_for_an_earlier_turn(table, earlier, user, n)
            ):
                found.append(f"match {table.id} has called {user} twice for entry {n}: {message.text:.300}")
            if n:
                self._called[table.id, user, n] = message
        return found

    def _sleeps(self, table: FollowedTable, message: Message, user: int) -> bool:
        """Return whether a person was called who slept, by the hours that they had not changed meanwhile and the time
        of which the bot knew."""
        at, hours = int(time_of(message.id) * 1000), self._room.hours.get(user)
        if table.state.pace == "live" or self._room.has_new_hours(user, at):
            return False
        # A fault may hold a call up while its person goes away.
        changed = self._room.changed_hours.get(user, 0)
        meanwhile = changed / 1000, at / 1000
        is_held_up = self._room.excuse(*meanwhile) is not None or self._room.were_posts_slow(*meanwhile)
        if changed > at - UNDER_WAY and is_held_up:
            return False
        # Until a jump is set right, the bot goes by the time before.
        if self._room.was_troubled_by(JUMPED, at / 1000):
            return False
        return not any(is_awake(hours, at + each) for each in (-CLOCKS, 0, CLOCKS))

    def _was_lost(self, table: FollowedTable, earlier: Message, message: Message) -> bool:
        """Return whether a call stood there unnoted after a fault, and could not be told from one for an earlier turn:
        it stood above the table, or has more to say now."""
        between = (each for each in message.channel.log.values() if earlier.id < each.id < message.id)
        unlike = timeless(earlier.text) != timeless(message.text) or any(
            is_live(table, each) for each in between
        )
        return unlike and self._room.excuse(time_of(earlier.id), time_of(message.id), but=()) is not None

    def _was_for_an_earlier_turn(self, table: FollowedTable, message: Message, user: int, n: int) -> bool:
        """Return whether a call was under way as its person moved, before entry `n` made it their turn again: both
        turns may be called in the same words. Then none had come for the earlier one."""
        moves = [
            (m, row.at)
            for m, row in enumerate(_told(table), 1)
            if row.kind == "move" and row.user == user and m < n
        ]
        if not moves:
            return False
        posted, (last, moved) = int(time_of(message.id) * 1000), moves[-1]
        if posted - moved - self._room.lost_between(moved, posted, table.match.guild) > UNDER_WAY:
            return False
        since = moves[-2][0] if moves[:-1] else 0
        return not any((table.id, user, m) in self._called for m in range(since + 1, last))


def is_live(table: FollowedTable, message: Message) -> bool:
    """Return whether a message shows a table live."""
    return any(each.startswith(f"hand:{table.id}:p") for each in message.custom_ids)


def _reason(room: Room, table: FollowedTable, message: Message, user: int) -> int:
    """Return the number of the entry for which a message calls a person; 0 if the log has moved on already."""
    if is_live(table, message):
        return next(
            (row.n for row in table.rows if row.kind == "start"), 0
        )  # the first table calls everybody
    asked = called(room, table)
    if timeless(message.text) != timeless(asked.text):
        return 0
    return max((part.n for part in asked.parts if user in part.users), default=0)


def called(room: Room, table: FollowedTable) -> Call:
    """Return the call of a table as it is now."""
    # A time that it says is not compared: an outage moves deadlines, and may not be over when a message is drawn.
    deadlines = dict.fromkeys(range(len(table.state.players)), DAY)
    now = int(room.box.clock.now() * 1000)
    known, asleep = _posted(room, table)
    slept = [user for user, bit in bits(table.state).items() if bit & asleep]
    return call(table.state, TIMES, room.hours, deadlines).at(now, known, slept)


def is_to_come(room: Room, table: FollowedTable, asked: Call) -> bool:
    """Return whether the bot has still to post the call of a table as it is now."""
    known, _ = _posted(room, table)
    return asked.number > known


def has_called_above(thread: Thread, table: FollowedTable, number: int) -> bool:
    """Return whether the first table in a thread has called for an entry. Calls count entries by `number`."""
    first = min((each.id for each in thread.log.values() if is_live(table, each)), default=0)
    return any(row.at <= time_of(first) * 1000 for row in _told(table)[number - 1 : number])


def _told(table: FollowedTable) -> list[LogRow]:
    """Return the entries that people are told of; calls count no others."""
    return [row for row in table.rows if row.kind != Ahead.kind]


def _posted(room: Room, table: FollowedTable) -> tuple[int, int]:
    """Return the number of the last call of a table, and whom it did not call (see `bot.match.call.bits`)."""
    rows = room.read("SELECT number, asleep FROM posts WHERE match = ? AND kind = 'call'", table.id)
    return max(rows, default=(0, 0))
