"""Kills and power cuts are counted by what they do."""

import asyncio
from collections import Counter
from contextlib import nullcontext
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from sandbox import Sandbox
from sandbox.faults import Fault
from tests.rooms.faults import LONGEST_DELAY, OUTAGES, Faults, _kill_after, kill
from tests.simulation.loop import Loop
from tests.simulation.world import World


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


@pytest.mark.parametrize(("outage", "waited"), [(0, 0), (5, 0), (60, LONGEST_DELAY)])
def test_what_was_on_its_way_arrives_before_a_long_outage(outage: int, waited: float) -> None:
    async def done(*_: object) -> None:
        pass

    loop, begun = Loop(world := World("a kill")), list[float]()
    bot = SimpleNamespace(may_lose_power=False, lock=asyncio.Lock(), kill=done, start=done)
    clock = SimpleNamespace(advance=lambda _: begun.append(round(world.now, 1)))
    box, trouble = SimpleNamespace(clock=clock), lambda _: nullcontext()
    room: Any = SimpleNamespace(bot=bot, box=box, counts=Counter(), lost_power=False, trouble=trouble)
    rng: Any = SimpleNamespace(randrange=lambda _: 0, choice=lambda of: outage if of is OUTAGES else 0)
    loop.run_until_complete(kill(Faults(room, {}), rng))
    loop.close()
    assert begun == [waited]


async def test_what_is_killed_after_a_request_has_no_request_that_waits_when_it_runs_again() -> None:
    fault, box = Fault("POST", "/messages", None, delay=60.0), Sandbox()

    async def until(*_: object, **__: object) -> None:
        raise TimeoutError

    async def killed(_: Random | None = None) -> None:
        assert box.faults.next("POST", "/messages") is None

    bot = SimpleNamespace(may_lose_power=False, lock=asyncio.Lock(), kill=killed, start=killed)
    room: Any = SimpleNamespace(bot=bot, counts=Counter(), lost_power=False, holding_up=nullcontext)
    room.box, room.trouble = (
        SimpleNamespace(faults=box.faults, clock=box.clock, until=until),
        lambda _: nullcontext(),
    )
    rng: Any = SimpleNamespace(randrange=lambda _: 0, choice=lambda _: 0)
    await _kill_after(Faults(room, {}), rng, fault)
    assert room.counts == {"kills": 1}
