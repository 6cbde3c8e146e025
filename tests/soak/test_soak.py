"""A short `make soak`, so that CI meets every kind of fault in real processes."""

import resource
from pathlib import Path

import pytest

from tests.rooms.plan import Plan
from tests.soak.__main__ import soaked

SECONDS = 10


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="Only Linux can fill a disk for one process.")
async def test_a_card_room_loses_nothing_under_faults(tmp_path: Path) -> None:
    life = await soaked(tmp_path, Plan(1, SECONDS, tables=4, between=(0.1, 1.0), age=3.0))
    assert [f"{check.title}: {each}" for check in life.proof.checks for each in check.violations] == []
    assert life.room.counts["faults"]
    assert life.room.counts["moves"]
