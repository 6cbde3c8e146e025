"""Kills and power cuts are counted by what they do."""

from collections import Counter
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from tests.rooms.faults import Faults


@pytest.mark.parametrize("may_lose_power", [True, False], ids=["simulated", "real or shared"])
async def test_only_a_machine_that_can_lose_its_power_counts_a_power_cut(may_lose_power: bool) -> None:
    async def kill(power: Random | None) -> None:
        pass

    bot = SimpleNamespace(may_lose_power=may_lose_power, kill=kill)
    room: Any = SimpleNamespace(bot=bot, counts=Counter(), lost_power=False)
    faults = Faults(room, {})
    await faults.kill()
    await faults.kill(Random(1))
    wanted = {"kills": 1, "power cuts": 1} if may_lose_power else {"kills": 2}
    assert (room.counts, room.lost_power) == (wanted, may_lose_power)
