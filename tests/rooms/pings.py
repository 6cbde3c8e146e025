"""Who was called by which message, and why."""

from bot.match.call import call
from sandbox import Message
from sandbox.snowflakes import time_of
from tests.rooms.room import TIMES, FollowedTable, Room

UNDER_WAY = 30_000
"""Ms for which a call may be on its way to Discord while its person moves, with the time for which the click waited."""


class Pings:
    """The reasons for which people were called so far."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._called = dict[tuple[int, int, int], Message]()
        """By match, person, and number of the log entry that made it necessary: the latest message."""

    def note(self, table: FollowedTable, message: Message) -> list[str]:
        """Note a new message of a table. Return a sentence for each person who was called before for the same."""
        found = list[str]()
        for user in sorted(message.pings):
            n = _reason(table, message, user)
            earlier = self._called.get((table.id, user, n))
            if (
                earlier
                and earlier is not message
                and not table.tampered
                and not self._was_lost(table, earlier, message)
                and not self._was_for_an_earlier_turn(table, earlier, user, n)
            ):
                found.append(f"match {table.id} has called {user} twice for entry {n}: {message.text:.300}")
            if n:
                self._called[table.id, user, n] = message
        return found

    def _was_lost(self, table: FollowedTable, earlier: Message, message: Message) -> bool:
        """Return whether a call stood there unnoted after a fault, and could not be told from one for an earlier turn:
        it stood above the table, or has more to say now."""
        between = (each for each in message.channel.log.values() if earlier.id < each.id < message.id)
        unlike = earlier.text != message.text or any(_is_live(table, each) for each in between)
        return unlike and self._room.excuse(time_of(earlier.id), time_of(message.id), but=()) is not None

    def _was_for_an_earlier_turn(self, table: FollowedTable, message: Message, user: int, n: int) -> bool:
        """Return whether a call was under way as its person moved, before entry `n` made it their turn again: both
        turns may be called in the same words. Then none had come for the earlier one."""
        moves = [row for row in table.rows if row.kind == "move" and row.user == user and row.n < n]
        if not moves:
            return False
        posted, moved = int(time_of(message.id) * 1000), moves[-1].at
        if posted - moved - self._room.lost_between(moved, posted, table.match.guild) > UNDER_WAY:
            return False
        since = moves[-2].n if moves[:-1] else 0
        return not any((table.id, user, m) in self._called for m in range(since + 1, moves[-1].n))


def _is_live(table: FollowedTable, message: Message) -> bool:
    return any(each.startswith(f"hand:{table.id}:p") for each in message.custom_ids)


def _reason(table: FollowedTable, message: Message, user: int) -> int:
    """Return the number of the entry for which a message calls a person; 0 if the log has moved on already."""
    if _is_live(table, message):
        return next(
            (row.n for row in table.rows if row.kind == "start"), 0
        )  # the first table calls everybody
    asked = call(table.state, TIMES)
    if message.text != asked.text:
        return 0
    return max((part.n for part in asked.parts if user in part.users), default=0)
