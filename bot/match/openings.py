"""A limit on the tables that a person opens one after the other: each leaves a message behind."""

from typing import Final

from bot.match.refusal import Refusal

MOST_OPENED: Final = 10
"""Maximum number of tables that a person opens within WITHIN."""
WITHIN: Final = 10 * 60_000
"""Milliseconds."""


class Openings:
    """The times at which people have opened tables. They are kept in memory only: a restart forgets them."""

    def __init__(self, most: int = MOST_OPENED, within: int = WITHIN) -> None:
        self._most = most
        self._within = within
        self.times: dict[int, list[int]] = {}
        """By person, whoever has opened the last table at the end."""

    def count(self, user: int, now: int) -> None:
        """Count a table that a person opens. Raises Refusal when they have opened too many."""
        recent = self.check(user, now)
        self.times.pop(user, None)
        self.times[user] = [*recent, now]
        while self.times[first := next(iter(self.times))][-1] <= now - self._within:
            del self.times[first]

    def check(self, user: int, now: int) -> list[int]:
        """Return when a person has opened tables lately. Raises Refusal when these are too many to open another one."""
        recent = [at for at in self.times.get(user, ()) if at > now - self._within]
        if len(recent) >= self._most:
            raise Refusal(
                f"You have opened {self._most} tables within {self._within // 60_000} minutes. You can open the next "
                f"one <t:{(recent[0] + self._within) // 1000 + 1}:R>."
            )
        return recent
