"""Rate limits as observed on Discord: fixed windows per route and channel, guild or webhook, and a global one."""

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass

from sandbox.clock import Clock

GLOBAL = (50, 1.0)
BUCKETS = {
    ("POST", "/channels/{channel_id}/messages"): (5, 5.0),
    ("PATCH", "/channels/{channel_id}/messages/{message_id}"): (5, 5.0),
    ("DELETE", "/channels/{channel_id}/messages/{message_id}"): (5, 1.0),
}
"""Requests and seconds by route."""
WEBHOOK = (5, 2.0)
"""Requests and seconds of a token, for all its routes together."""
UNANNOUNCED = {"old edits": (3, 6.0), "direct messages": (10, 60.0)}
"""Acts and seconds, for limits that no header announces. In one channel: edits of messages more than an hour old. For
all channels: opening direct messages."""
INVALID = (10_000, 600.0)
"""Refused requests and seconds. After that many, all requests are refused until the window ends."""
INVALID_STATUS = (401, 403, 429)
"""Statuses of the answers that count towards `INVALID`."""
_MAJOR = ("channel_id", "guild_id", "application_id", "token")


@dataclass
class Window:
    """Requests left in a window, which ends at `reset` (Unix time)."""

    left: int
    reset: float


@dataclass(frozen=True)
class Verdict:
    """Headers of the answer, and the seconds to wait if the request is refused, else None."""

    headers: Mapping[str, str]
    retry_after: float | None = None
    everywhere: bool = False


class RateLimits:
    """Counts requests. While `on` is false, only `UNANNOUNCED` and `INVALID` apply, and no headers are sent."""

    def __init__(self, clock: Clock, on: bool) -> None:
        self.on = on
        self._clock = clock
        self._windows: dict[str, Window] = {}

    def take(self, method: str, template: str, ids: Mapping[str, str]) -> Verdict:
        """Count one request and return whether it is refused."""
        if not self.on:
            return Verdict({})
        exempt = template.startswith(("/webhooks", "/interactions"))
        if not exempt and (wait := self._wait("global", *GLOBAL)):
            headers = {"X-RateLimit-Global": "true", "X-RateLimit-Scope": "global", **retry_headers(wait)}
            return Verdict(headers, wait, everywhere=True)
        if template.startswith("/webhooks"):
            return self._bucket("webhook", ids, *WEBHOOK)
        limit = BUCKETS.get((method, template))
        return self._bucket(f"{method} {template}", ids, *limit) if limit else Verdict({})

    def unannounced(self, act: str, channel: int = 0) -> float | None:
        """Count one of the acts in `UNANNOUNCED`. Return the seconds to wait if it is refused, else None."""
        # Applies even if `on` is false, because a bot has to handle these refusals: it cannot wait in advance.
        return self._wait(f"{act}:{channel}", *UNANNOUNCED[act])

    @property
    def banned(self) -> bool:
        """True while all requests are refused, as too many were refused before."""
        window = self._windows.get("invalid")
        return window is not None and window.left == 0 and window.reset > self._clock.now()

    def count_answer(self, status: int) -> None:
        """Count the status of an answer if it is in `INVALID_STATUS`."""
        if status in INVALID_STATUS:
            self._wait("invalid", *INVALID)

    def _bucket(self, route: str, ids: Mapping[str, str], most: int, seconds: float) -> Verdict:
        name = hashlib.sha256(route.encode()).hexdigest()[:32]
        key = ":".join([name, *(ids[each] for each in _MAJOR if each in ids)])
        wait = self._wait(key, most, seconds)
        window = self._windows[key]
        headers = {
            "X-RateLimit-Limit": str(most),
            "X-RateLimit-Remaining": str(window.left),
            "X-RateLimit-Reset": f"{window.reset:.3f}",
            "X-RateLimit-Reset-After": f"{max(window.reset - self._clock.now(), 0):.3f}",
            "X-RateLimit-Bucket": name,
        }
        if wait is None:
            return Verdict(headers)
        return Verdict({**headers, "X-RateLimit-Scope": "user", **retry_headers(wait)}, wait)

    def _wait(self, key: str, most: int, seconds: float) -> float | None:
        """Count one request in a window. Return the seconds to wait if none is left, else None."""
        now = self._clock.now()
        window = self._windows.get(key)
        if window is None or window.reset <= now:
            window = self._windows[key] = Window(most, now + seconds)
        if window.left == 0:
            return round(window.reset - now + 0.001, 3)
        window.left -= 1
        return None


def retry_headers(wait: float) -> dict[str, str]:
    """Return the headers that make a bot wait, in seconds."""
    # Discord answers through a proxy: without its "Via", discord.py takes a 429 for a ban.
    return {"Retry-After": str(math.ceil(wait)), "Via": "1.1 sandbox"}
