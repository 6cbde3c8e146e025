"""A minute of `make soak`, so that CI meets every kind of fault in every game, several matches at a time."""

import resource
from pathlib import Path

import pytest

from tests.soak.__main__ import Soak

SECONDS = 60


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="Only Linux can fill a disk for one process.")
async def test_a_card_room_loses_nothing_under_faults(tmp_path: Path) -> None:
    soak = Soak(tmp_path, seed=1, seconds=SECONDS)
    proof = await soak.run()
    assert [f"{check.title}: {each}" for check in proof.checks for each in check.violations] == []
    assert soak.room.counts["faults"]
    assert soak.room.counts["moves"]
