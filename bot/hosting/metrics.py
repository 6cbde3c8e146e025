"""The bot's metrics for Prometheus, and their text.

Labels are game, kind, outcome, shard and route alone. None of them names a server or a person, so the number of time
series does not grow with either. This module imports `prometheus_client`; import it only where METRICS_PORT is set.
"""

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Final

from prometheus_client import (
    CONTENT_TYPE_PLAIN_0_0_4,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)

from games import GAMES

CONTENT_TYPE: Final = CONTENT_TYPE_PLAIN_0_0_4
"""Content type of the text of `Metrics`."""

KINDS: Final = ("command", "component", "modal", "autocomplete")
"""Kinds of interactions."""
OUTCOMES: Final = ("answered", "refused", "failed", "late")

SETTLED: Final = 5.0
"""Seconds after which an interaction is counted, answered or not. Discord takes a first answer within three seconds; an
error may follow a deferred one."""

MOST_ROUTES: Final = 30
"""Number of routes with a label of their own; further ones share the label "other"."""
WORD: Final = re.compile(r"@?[a-z-]{1,30}")
"""Part of a path that does not change within a route: ids and tokens have digits or capitals."""

VERSION: Final = re.compile(r"^/api/v\d+")
CALLBACK: Final = re.compile(r"/interactions/(\d+)/[^/]+/callback$")
"""Path of the first answer to an interaction."""

OVERDUE: Final = 10
"""Seconds after a deadline in which it should be handled: two heartbeats of the clock."""

ANSWER_BUCKETS: Final = (0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0)
COMMIT_BUCKETS: Final = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0)
LAG_BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Figures read at each request for the metrics."""

    shards: Mapping[int, tuple[bool, float]]
    """By shard: whether its gateway is connected, and the seconds between a heartbeat and its receipt, NaN if
    unknown."""
    tables: Mapping[str, int]
    """Number of open tables by slug of the game."""
    overdue: float
    """Number of deadlines that should have been handled by now; NaN if the store could not be read."""
    edits: int
    """Number of messages and tables that wait for an edit."""
    backup: float
    """Time of the last good backup in seconds since the Unix epoch; 0 without one."""


class Metrics:
    """All metrics of one process. Noting an event takes a few microseconds and never raises."""

    def __init__(self, outcome_key: str) -> None:
        """Create them. `outcome_key` is the key of an interaction's `extras` that holds "refused" or "failed"."""
        disable_created_metrics()  # type: ignore[no-untyped-call]
        self._registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self.answers = Answers(registry, outcome_key)
        self._rate_limits = RateLimits(registry)
        self._gauges = Gauges(registry)
        self._commits = Histogram(
            "palmhouse_commit_seconds",
            "Time from the request of a write until it was on the disk, or had failed.",
            ["outcome"],
            buckets=COMMIT_BUCKETS,
            registry=registry,
        )
        for outcome in ("kept", "failed"):
            self._commits.labels(outcome)
        self._lag = Histogram(
            "palmhouse_loop_lag_seconds",
            "Time by which the event loop was late, measured once a second.",
            buckets=LAG_BUCKETS,
            registry=registry,
        )

    def responded(self, method: str, path: str, status: int) -> None:
        """Note a response of Discord to a request of the bot."""
        if status == 429:
            self._rate_limits.limited(method, path)
        elif 200 <= status < 300 and (callback := CALLBACK.search(path)):
            self.answers.answered(int(callback[1]))

    def committed(self, seconds: float, kept: bool) -> None:
        """Note a write of the store."""
        self._commits.labels("kept" if kept else "failed").observe(seconds)

    def lagged(self, seconds: float) -> None:
        """Note by how many seconds the event loop was late."""
        self._lag.observe(seconds)

    def text(self, now: Snapshot) -> bytes:
        """Return all metrics in Prometheus' text format."""
        self.answers.count_settled(time.monotonic())
        self._gauges.set(now)
        return generate_latest(self._registry)


@dataclass(slots=True)
class Waiting:
    """An interaction that is not counted yet."""

    arrived: float
    """Time by the monotonic clock."""
    kind: str
    extras: Mapping[Any, Any]
    """The interaction's `extras`, in which its outcome is noted."""
    is_answered: bool = False
    """True once Discord has taken an answer."""


class Answers:
    """The interactions: how long their first answers take, and what becomes of them."""

    def __init__(self, registry: CollectorRegistry, outcome_key: str) -> None:
        self._outcome_key = outcome_key
        self._waiting: dict[int, Waiting] = {}
        """By id, in the order of arrival."""
        self._seconds = Histogram(
            "palmhouse_answer_seconds",
            "Time from the arrival of an interaction to its first answer.",
            ["kind"],
            buckets=ANSWER_BUCKETS,
            registry=registry,
        )
        self._interactions = Counter(
            "palmhouse_interactions_total",
            "Interactions by what became of them. Late: Discord took no answer within its 3 seconds.",
            ["kind", "outcome"],
            registry=registry,
        )
        for kind in KINDS:  # Prometheus sees an increase only in a series that was there before
            self._seconds.labels(kind)
            for outcome in OUTCOMES:
                self._interactions.labels(kind, outcome)

    def arrived(self, interaction: int, kind: str, extras: Mapping[Any, Any]) -> None:
        """Note an interaction before it is handled: its id, its kind and its `extras`. A second call with its id does
        nothing."""
        now = time.monotonic()
        self.count_settled(now)
        if interaction not in self._waiting:
            self._waiting[interaction] = Waiting(now, kind, extras)

    def answered(self, interaction: int) -> None:
        """Note that Discord took an answer to the interaction with this id."""
        waiting = self._waiting.get(interaction)
        if waiting is not None and not waiting.is_answered:
            waiting.is_answered = True
            self._seconds.labels(waiting.kind).observe(time.monotonic() - waiting.arrived)

    def count_settled(self, now: float) -> None:
        """Count the interactions that arrived SETTLED seconds before `now`, or earlier."""
        for number in [*takewhile(lambda each: now - self._waiting[each].arrived >= SETTLED, self._waiting)]:
            waiting = self._waiting.pop(number)
            outcome = waiting.extras.get(self._outcome_key, "answered") if waiting.is_answered else "late"
            self._interactions.labels(waiting.kind, outcome).inc()


class RateLimits:
    """The requests that Discord refused because there were too many."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._routes: set[str] = set()
        self._count = Counter(
            "palmhouse_rate_limits_total",
            "Requests that Discord refused with status 429.",
            ["route"],
            registry=registry,
        )

    def limited(self, method: str, path: str) -> None:
        """Note a refused request."""
        route = route_of(method, path)
        if route not in self._routes and len(self._routes) >= MOST_ROUTES:
            route = "other"
        self._routes.add(route)
        self._count.labels(route).inc()


class Gauges:
    """The metrics whose values are read at each request."""

    def __init__(self, registry: CollectorRegistry) -> None:
        def gauge(name: str, about: str, *labels: str) -> Gauge:
            return Gauge(f"palmhouse_{name}", about, labels, registry=registry)

        self._connected = gauge("gateway_connected", "1 while the gateway is connected, else 0.", "shard")
        self._latency = gauge(
            "gateway_latency_seconds", "Time from a heartbeat of the gateway to its receipt.", "shard"
        )
        self._tables = gauge("open_tables", "Tables in the lobby or in play.", "game")
        self._overdue = gauge(
            "overdue_turns", f"Deadlines that passed more than {OVERDUE} seconds ago and are not handled."
        )
        self._edits = gauge("waiting_edits", "Messages and tables that wait for an edit.")
        self._backup = gauge("last_backup_timestamp_seconds", "Time of the last good backup; 0 without one.")

    def set(self, now: Snapshot) -> None:
        for gauge in (self._connected, self._latency):
            gauge.clear()  # another process may have taken a shard
        for shard, (connected, latency) in now.shards.items():
            self._connected.labels(shard).set(connected)
            self._latency.labels(shard).set(latency)
        for game in GAMES:
            self._tables.labels(game).set(now.tables.get(game, 0))
        self._overdue.set(now.overdue)
        self._edits.set(now.edits)
        self._backup.set(now.backup)


def route_of(method: str, path: str) -> str:
    """Return a request's method and path, with `{}` for each id and token and without the API's version."""
    parts = VERSION.sub("", path).split("/")
    return f"{method} {'/'.join(part if not part or WORD.fullmatch(part) else '{}' for part in parts)}"
