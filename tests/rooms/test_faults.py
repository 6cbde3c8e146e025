"""Kills and power cuts are counted by what they do."""

import asyncio
from collections import Counter
from contextlib import nullcontext
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from tests.rooms.faults import LONGEST_DELAY, OUTAGES, Faults, kill


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


@pytest.mark.parametrize(("outage", "passed"), [(0, [0]), (5, [5]), (60, [LONGEST_DELAY, 60])])
async def test_what_was_on_its_way_arrives_before_a_long_outage(
    monkeypatch: pytest.MonkeyPatch, outage: int, passed: list[float]
) -> None:
    async def done(*_: object) -> None:
        pass

    async def sleep(seconds: float) -> None:
        gone_on.append(seconds)

    gone_on = list[float]()
    monkeypatch.setattr(asyncio, "sleep", sleep)
    bot = SimpleNamespace(may_lose_power=False, lock=asyncio.Lock(), kill=done, start=done)
    box = SimpleNamespace(clock=SimpleNamespace(advance=gone_on.append))
    room: Any = SimpleNamespace(
        bot=bot, box=box, counts=Counter(), lost_power=False, trouble=lambda _: nullcontext()
    )
    rng: Any = SimpleNamespace(randrange=lambda _: 0, choice=lambda of: outage if of is OUTAGES else 0)
    await kill(Faults(room, {}), rng)
    assert gone_on == passed
