"""The files for Prometheus and Grafana in `ops`: alerts fire when they should, and every panel shows something."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bot.hosting.metrics import Metrics, Snapshot
from tests.bot.hosting.promtool import promtool

OPS = Path(__file__).parents[3] / "ops"
ALERTS = OPS / "alerts.yml"
DASHBOARD = OPS / "grafana.json"
MANUAL = OPS.parent / "docs" / "hosting.md"

UP = 'up{job="palmhouse"}'
GATEWAY = 'palmhouse_gateway_connected{shard="%s"}'
CLICKS = 'palmhouse_interactions_total{kind="%s",outcome="%s"}'
KEPT = 'palmhouse_commit_seconds_bucket{outcome="kept",le="%s"}'
FAILED = 'palmhouse_commit_seconds_count{outcome="failed"}'
OVERDUE, EDITS = "palmhouse_overdue_turns", "palmhouse_waiting_edits"
BACKUP = "palmhouse_last_backup_timestamp_seconds"

CASES: dict[str, tuple[Mapping[str, str], Mapping[int, set[str]]]] = {
    "all is well": (
        {
            GATEWAY % 0: "1x60",
            CLICKS % ("component", "answered"): "0+600x60",
            CLICKS % ("component", "late"): "0x20 1x40",
            CLICKS % ("autocomplete", "late"): "0+100x60",
            KEPT % "0.25": "0+600x60",
            KEPT % "+Inf": "0+600x60",
            FAILED: "0x20 1x40",
            OVERDUE: "0x20 3x5 0x35",
            EDITS: "20x60",
            BACKUP: "0x60",
        },
        {n: set() for n in (12, 22, 25, 35, 60)},
    ),
    "the bot does not run": ({UP: "1x10 0x50"}, {15: set(), 17: {"PalmhouseOffline"}}),
    "Prometheus does not ask the bot": ({UP: "_x60"}, {4: set(), 6: {"PalmhouseOffline"}}),
    "one gateway of two is lost": (
        {GATEWAY % 0: "1x60", GATEWAY % 1: "1x10 0x50"},
        {15: set(), 17: {"PalmhouseOffline"}},
    ),
    "a gateway is lost for a moment": ({GATEWAY % 0: "1x10 0x3 1x50"}, {14: set(), 17: set()}),
    "answers are late": (
        {CLICKS % ("component", "answered"): "0+60x60", CLICKS % ("component", "late"): "0x10 0+1x50"},
        {10: set(), 25: {"PalmhouseLateAnswers"}},
    ),
    "the only three clicks are late": ({CLICKS % ("command", "late"): "0x10 3x50"}, {12: set(), 20: set()}),
    "the disk is slow": (
        {KEPT % "0.25": "0+60x10 600x50", KEPT % "1.0": "0+60x60", KEPT % "+Inf": "0+60x60"},
        {10: set(), 20: {"PalmhouseCommits"}},
    ),
    "the disk is full": ({FAILED: "0x10 0+12x50"}, {10: set(), 13: {"PalmhouseCommits"}}),
    "deadlines are not handled": ({OVERDUE: "0x10 1+1x50"}, {20: set(), 22: {"PalmhouseStuck"}}),
    "edits are stuck": ({EDITS: "10x10 200x50"}, {20: set(), 22: {"PalmhouseStuck"}}),
    "there is no backup": ({BACKUP: "0x1800"}, {26 * 60: set(), 26 * 60 + 12: {"PalmhouseNoBackup"}}),
    "the last backup is old": ({BACKUP: "36000x3000"}, {36 * 60: set(), 36 * 60 + 12: {"PalmhouseNoBackup"}}),
}
"""By name: time series with a value a minute, and the alerts that fire at some minutes."""


def alert_test(name: str, series: Mapping[str, str], firing: Mapping[int, set[str]]) -> dict[str, Any]:
    """Return a test as `promtool test rules` reads it."""
    given = {UP: "1x3000", **series}
    return {
        "name": name,
        "interval": "1m",
        "input_series": [{"series": each, "values": values} for each, values in given.items()],
        "promql_expr_test": [
            {
                "expr": 'count by (alertname) (ALERTS{alertstate="firing"})',
                "eval_time": f"{minute}m",
                "exp_samples": [{"labels": f'{{alertname="{alert}"}}', "value": 1} for alert in alerts],
            }
            for minute, alerts in firing.items()
        ],
    }


def test_an_alert_fires_in_its_case_and_no_other_does(tmp_path: Path) -> None:
    file = tmp_path / "test.yml"
    tests = {
        "rule_files": [str(ALERTS)],
        "evaluation_interval": "1m",
        "tests": [alert_test(name, *case) for name, case in CASES.items()],
    }
    file.write_text(json.dumps(tests))  # JSON is YAML
    promtool("test", "rules", str(file))


def test_prometheus_takes_its_settings_and_five_alert_rules() -> None:
    assert "5 rules found" in promtool("check", "rules", str(ALERTS))
    promtool("check", "config", str(OPS / "prometheus.yml"))


def measured() -> list[str]:
    """Return the time series of a bot in which everything has happened once, as PromQL writes them."""
    metrics = Metrics("outcome")
    metrics.responded("POST", "/api/v10/channels/1/messages", 429)
    text = metrics.text(Snapshot({0: (True, 0.1)}, {"palace": 3}, overdue=1, edits=2, backup=1e9)).decode()
    return [line.rpartition(" ")[0] for line in text.splitlines() if not line.startswith("#")]


def panels() -> dict[str, list[str]]:
    """Return the expressions of the dashboard by the title of their panel."""
    board = json.loads(DASHBOARD.read_text(encoding="utf-8"))
    return {panel["title"]: [each["expr"] for each in panel["targets"]] for panel in board["panels"]}


def test_each_panel_shows_something(tmp_path: Path) -> None:
    """Grafana itself is too large to be installed for this."""
    file = tmp_path / "test.yml"
    shown = [
        f"count({each}) > bool 0".replace("$__rate_interval", "5m")
        for expressions in panels().values()
        for each in expressions
    ]
    case = {
        "interval": "1m",
        "input_series": [{"series": each, "values": "0+1x60"} for each in measured()],
        "promql_expr_test": [
            {"expr": each, "eval_time": "60m", "exp_samples": [{"labels": "{}", "value": 1}]}
            for each in shown
        ],
    }
    file.write_text(json.dumps({"rule_files": [], "tests": [case]}))
    promtool("test", "rules", str(file))


def test_the_dashboard_has_ten_panels_that_do_not_overlap() -> None:
    board = json.loads(DASHBOARD.read_text(encoding="utf-8"))
    cells = [
        (x, y)
        for at in (panel["gridPos"] for panel in board["panels"])
        for x in range(at["x"], at["x"] + at["w"])
        for y in range(at["y"], at["y"] + at["h"])
    ]
    assert len(board["panels"]) == 10
    assert len(cells) == len({*cells})
    assert max(x for x, _ in cells) < 24, "Grafana has 24 columns"


def test_the_manual_describes_every_metric() -> None:
    lines = [line for line in MANUAL.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    described = {*re.findall(r"`(palmhouse_\w+)`", "\n".join(lines))}
    families = {re.sub("_(bucket|count|sum)$", "", each.partition("{")[0]) for each in measured()}
    assert described == {each for each in families if each.startswith("palmhouse_")}


def test_alerts_name_only_metrics_that_exist() -> None:
    named = {*re.findall(r"palmhouse_\w+", ALERTS.read_text(encoding="utf-8"))}
    assert len(named) >= 6
    assert named <= {each.partition("{")[0] for each in measured()}
