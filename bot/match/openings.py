"""Limits on what a person does again and again, such as opening tables: each time leaves a message behind."""

from typing import Final

from bot.match.refusal import Refusal

MOST_OPENED: Final = 10
"""Maximum number of tables that a person opens within WITHIN."""
MOST_OFFERS: Final = 3
"""Maximum number of times that a person offers a seat within WITHIN, at whichever tables: each mentions somebody."""
WITHIN: Final = 10 * 60_000
"""Milliseconds."""
OPENED: Final = "You have opened {} tables within {} minutes. You can open the next one <t:{}:R>."
OFFERED: Final = "You have offered seats {} times within {} minutes. You can offer one again <t:{}:R>."


class Limit:
    """The times at which people have done something. They are kept in memory only: a restart forgets them."""

    def __init__(self, most: int, within: int, refusal: str) -> None:
        self._most = most
        self._within = within
        self._refusal = refusal
        self.times: dict[int, list[int]] = {}
        """By person, whoever has done it last at the end."""

    def count(self, user: int, now: int) -> None:
        """Count something that a person has done. `check` comes before: whoever is refused must find nothing done."""
        recent = self._lately(user, now)
        self.times.pop(user, None)
        self.times[user] = [*recent, now]
        while self.times[first := next(iter(self.times))][-1] <= now - self._within:
            del self.times[first]

    def check(self, user: int, now: int) -> None:
        """Raise Refusal when a person has done it too often lately to do it once more."""
        recent = self._lately(user, now)
        if len(recent) >= self._most:
            again = (recent[-self._most] + self._within) // 1000 + 1
            raise Refusal(self._refusal.format(self._most, self._within // 60_000, again))

    def _lately(self, user: int, now: int) -> list[int]:
        return [at for at in self.times.get(user, ()) if at > now - self._within]


class Openings(Limit):
    """The times at which people have opened tables."""

    def __init__(self, most: int = MOST_OPENED, within: int = WITHIN) -> None:
        super().__init__(most, within, OPENED)
