"""Labels of the metrics have few values, whatever is asked of Discord."""

import re
from dataclasses import replace

import pytest

from bot.hosting.metrics import MOST_ROUTES, Metrics, Snapshot, route_of

ID = "1180000000000000001"
TOKEN = "aW50ZXJhY3Rpb246MTE4MDAwMDAwMDAwMDAwMDAwMTpmSE"
NOTHING = Snapshot({}, {}, overdue=float("nan"), edits=0, backup=0)


@pytest.mark.parametrize(
    ("path", "route"),
    [
        (f"/channels/{ID}/messages/{ID}", "/channels/{}/messages/{}"),
        (f"/interactions/{ID}/{TOKEN}/callback", "/interactions/{}/{}/callback"),
        (f"/webhooks/{ID}/{TOKEN}/messages/@original", "/webhooks/{}/{}/messages/@original"),
        ("/users/@me/channels", "/users/@me/channels"),
        (
            f"/channels/{ID}/messages/{ID}/reactions/palm:{ID}/@me",
            "/channels/{}/messages/{}/reactions/{}/@me",
        ),
    ],
)
def test_a_route_has_no_ids_and_tokens(path: str, route: str) -> None:
    assert route_of("GET", f"/api/v10{path}") == f"GET {route}"


def test_the_number_of_routes_is_limited() -> None:
    metrics = Metrics("outcome")
    for n in range(1000):
        metrics.responded("GET", f"/api/v10/{'a' * (1 + n % 20)}/{'b' * (1 + n // 20 % 20)}", 429)
    counted = [line for line in metrics.text(NOTHING).decode().splitlines() if "rate_limits_total{" in line]
    assert len(counted) == MOST_ROUTES + 1
    assert sum(float(line.split()[-1]) for line in counted) == 1000


def test_an_answer_to_an_unknown_interaction_is_not_counted() -> None:
    metrics = Metrics("outcome")
    metrics.responded("POST", f"/api/v10/interactions/{ID}/{TOKEN}/callback", 204)
    assert b'palmhouse_answer_seconds_count{kind="command"} 0.0' in metrics.text(NOTHING)


def test_a_shard_that_another_process_has_taken_has_no_figures() -> None:
    """Else it would count as away, and raise an alarm, until the end of this process."""
    metrics = Metrics("outcome")
    metrics.text(replace(NOTHING, shards={0: (True, 0.1), 1: (False, 0.1)}))
    shards = re.findall(r'shard="(\d)"', metrics.text(replace(NOTHING, shards={0: (True, 0.1)})).decode())
    assert {*shards} == {"0"}
