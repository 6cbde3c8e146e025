"""Who was called by which message, and why."""

from bot.match.call import call
from sandbox import Message
from tests.rooms.room import TIMES, FollowedTable


class Pings:
    """The reasons for which people were called so far."""

    def __init__(self) -> None:
        self._called = dict[tuple[int, int, int], Message]()
        """By match, person, and number of the log entry that made it necessary: the latest message."""

    def note(self, table: FollowedTable, message: Message) -> list[str]:
        """Note a new message of a table. Return a sentence for each person who was called before for the same."""
        found = list[str]()
        for user in sorted(message.pings):
            n = _reason(table, message, user)
            earlier = self._called.get((table.id, user, n))
            if earlier and earlier is not message and not table.tampered:
                found.append(f"match {table.id} has called {user} twice for entry {n}: {message.text:.300}")
            if n:
                self._called[table.id, user, n] = message
        return found


def _reason(table: FollowedTable, message: Message, user: int) -> int:
    """Return the number of the entry for which a message calls a person; 0 if the log has moved on already."""
    if any(each.startswith(f"hand:{table.id}:p") for each in message.custom_ids):
        return next(
            (row.n for row in table.rows if row.kind == "start"), 0
        )  # the first table calls everybody
    parts = call(table.state, TIMES).parts
    return max((part.n for part in parts if user in part.users and part.text in message.text), default=0)
