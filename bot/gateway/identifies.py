"""The sessions that the bot has begun with Discord's gateway in the last day, counted over its restarts.

Discord resets the token of a bot that begins more than 1,000 a day. One that ends soon after each start, and is started
again by its host, would have done that within hours.
"""

import json
import logging
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from bot.store import Store, StoreFailed

log = logging.getLogger(__name__)

HOUR: Final = 3_600_000
"""In ms."""
DAY: Final = 24 * HOUR
MOST: Final = 10
"""Number of sessions that a shard may begin within an hour."""
MOST_A_DAY: Final = 900
"""Number of sessions that all shards together may begin within a day."""
BEGUN: Final = "sessions begun"
"""Beginning of the key of the store's fact with their times; the shard follows."""


class TooManySessions(Exception):
    """The bot must not begin a session now. `str()` says why, until when, and what to do."""


class Identifies:
    """The times of the sessions begun. `now` returns the time in ms; None for `most`, within an hour, sets no limit."""

    def __init__(self, store: Store, now: Callable[[], int], most: int | None = MOST) -> None:
        self._store = store
        self._now = now
        self.most = most
        self._begun: dict[int, list[int]] = {}
        """By shard, earliest first."""

    async def load(self, shard: int) -> None:
        """Read when a shard began sessions, also in earlier runs and other processes. Raises StoreFailed."""
        begun = Counter[int](json.loads(await self._store.fact(f"{BEGUN} {shard}") or "[]"))
        begun |= Counter(self._begun.get(shard, ()))  # some of this run may not have been stored
        self._begun[shard] = sorted(begun.elements())

    def free_at(self, shard: int, shards: int) -> int | None:
        """Return the time in ms at which one of `shards` shards may begin a session, None for now."""
        if self.most is None:
            return None
        begun = self._lately(shard)
        limits = (self.most, HOUR), (max(MOST_A_DAY // shards, 1), DAY)
        free = (begun[-most] + span for most, span in limits if len(begun) >= most)
        return max((each for each in free if each > self._now()), default=None)

    async def note(self, shard: int) -> None:
        """Count a session that a shard begins now, before it can end the bot."""
        self._begun[shard] = [*self._lately(shard), self._now()]
        try:
            await self._store.set_fact(f"{BEGUN} {shard}", json.dumps(self._begun[shard]))
        except StoreFailed as error:  # a full disk must not keep the bot from Discord
            log.warning("a new session could not be counted: %s", error)

    def _lately(self, shard: int) -> list[int]:
        return [each for each in self._begun.get(shard, ()) if each > self._now() - DAY]


def too_many_begun(shard: int, free_at: int) -> TooManySessions:
    """Return the refusal of a shard that has begun as many sessions as it may until `free_at` in ms."""
    return TooManySessions(
        f"Shard {shard} has begun many sessions with Discord lately, and Discord resets the token of a bot that begins "
        f"too many. It may begin the next one at {_clock_time(free_at)}. Find in the log why the ones before ended; "
        "every match goes on then."
    )


def too_few_left(left: int, shards: int, reset_at: int) -> TooManySessions:
    """Return the refusal of a bot that needs a session for each shard, while Discord allows fewer until `reset_at` in
    ms."""
    return TooManySessions(
        f"Discord allows {left} more sessions until {_clock_time(reset_at)}, and the bot needs {shards}: one for each "
        "shard. Start it again then; every match goes on."
    )


def _clock_time(ms: int) -> str:
    return f"{datetime.fromtimestamp(ms / 1000, UTC):%H:%M} UTC"
