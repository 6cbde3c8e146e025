"""Time jumps, what hangs is an error at once, chance follows from the seed, and nothing of it stays."""

import asyncio
import logging
import os
import random
import secrets
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any, TypeVar

import pytest

from tests.simulation.loop import Hanging, Loop
from tests.simulation.patches import simulated
from tests.simulation.testing import *  # noqa: F403
from tests.simulation.world import EPOCH, LIFE, World

T = TypeVar("T")


def run(main: Callable[[], Coroutine[Any, Any, T]], seed: object = 1, world: World | None = None) -> T:
    """Run a coroutine in a world."""
    world = world or World(seed)
    with simulated(world), asyncio.Runner(loop_factory=lambda: Loop(world)) as runner:
        return runner.run(main())


# Time


def test_a_day_of_waiting_takes_no_time() -> None:
    async def main() -> tuple[float, float]:
        await asyncio.sleep(LIFE - 1)
        return time.monotonic(), time.time()

    began = time.monotonic()
    assert run(main) == (LIFE - 1, EPOCH + LIFE - 1)
    assert time.monotonic() - began < 5


async def test_timers_run_in_their_order() -> None:
    woken: list[float] = []

    async def sleep(seconds: float) -> None:
        await asyncio.sleep(seconds)
        woken.append(seconds)

    await asyncio.gather(*map(sleep, (3, 1, 2)))
    assert woken == [1, 2, 3]


async def test_time_goes_on_while_a_task_looks_again_and_again() -> None:
    event = asyncio.Event()
    asyncio.get_running_loop().call_later(5, event.set)
    while not event.is_set():  # noqa: ASYNC110
        await asyncio.sleep(0)


async def test_many_cancelled_timers_are_forgotten() -> None:
    for _ in range(5_000):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0):
                await asyncio.sleep(1_000)
    loop = asyncio.get_running_loop()
    assert isinstance(loop, Loop)
    assert len(loop._scheduled) < 2_000


# What hangs


def test_a_program_that_nothing_will_wake_is_an_error_at_once_that_says_where_it_stands() -> None:
    async def wait_for_ever() -> None:
        await asyncio.Event().wait()

    async def main() -> None:
        await asyncio.create_task(wait_for_ever(), name="the one that hangs")

    with pytest.raises(
        Hanging, match=r"(?s)nothing is ready.*the one that hangs: .*locks.py:\d+ in Event.wait"
    ):
        run(main)


def test_a_program_that_waits_while_something_else_goes_on_for_ever_is_an_error_after_a_day() -> None:
    async def beat() -> None:
        while True:  # noqa: ASYNC110
            await asyncio.sleep(60)

    async def main() -> None:
        beating = asyncio.create_task(beat())
        await asyncio.Event().wait()
        await beating

    with pytest.raises(Hanging, match="takes too long"):
        run(main)


# Threads


async def test_work_of_a_thread_is_done_later_and_its_errors_are_raised() -> None:
    done: list[int] = []
    working = asyncio.create_task(asyncio.to_thread(done.append, 1))
    await asyncio.sleep(0)
    assert done == []
    await working
    assert done == [1]
    with pytest.raises(ZeroDivisionError):
        await asyncio.to_thread(divmod, 1, 0)


# Chance


async def draws() -> list[object]:
    """Return what is drawn in a world, and the order in which twenty tasks run."""
    order: list[int] = []

    async def note(number: int) -> None:
        order.append(number)

    await asyncio.gather(*map(note, range(20)))
    return [order, secrets.token_hex(8), os.urandom(8), random.random(), secrets.randbelow(10**9)]


def test_the_order_of_ready_tasks_and_all_chance_follow_from_the_seed() -> None:
    assert run(draws, 1) == run(draws, 1)
    assert all(one != other for one, other in zip(run(draws, 1), run(draws, 2), strict=True))


def test_in_a_calm_world_tasks_run_in_the_order_in_which_they_became_ready() -> None:
    world = World(1)
    world.is_calm = True
    assert run(draws, world=world)[0] == [*range(20)]


async def test_callbacks_keep_their_order() -> None:
    called: list[int] = []
    for number in range(20):
        asyncio.get_running_loop().call_soon(called.append, number)
    await asyncio.sleep(1)
    assert called == [*range(20)]


def test_nothing_stays_replaced() -> None:
    def replaced() -> list[object]:
        return [time.time, time.monotonic, time.sleep, vars(secrets)["_sysrand"], os.urandom]

    async def quiet() -> None:
        logging.getLogger("bot").setLevel("ERROR")

    before, state, level = replaced(), random.getstate(), logging.getLogger("bot").level
    run(draws)
    run(quiet)
    assert replaced() == before
    assert logging.getLogger("bot").level == level
    assert random.getstate() == state
    assert abs(time.time() - EPOCH) > 3600


async def test_what_sleeps_on_a_thread_delays_only_that_thread() -> None:
    said: list[tuple[float, str]] = []
    loop = asyncio.get_running_loop()
    threads = ThreadPoolExecutor(1), ThreadPoolExecutor(1)

    def work(name: str, seconds: float) -> str:
        time.sleep(seconds)
        return name

    def note(thread: ThreadPoolExecutor, name: str, seconds: float = 0.0) -> "asyncio.Future[str]":
        done = loop.run_in_executor(thread, work, name, seconds)
        done.add_done_callback(lambda done: said.append((round(loop.time()), done.result())))
        return done

    await asyncio.gather(note(threads[0], "sleeps", 10), note(threads[0], "waits"), note(threads[1], "works"))
    assert sorted(said) == [(0, "works"), (10, "sleeps"), (10, "waits")]


def test_a_thread_may_run_a_loop_of_its_own_which_takes_time() -> None:
    async def main() -> float:
        await asyncio.to_thread(asyncio.run, asyncio.sleep(3))
        return asyncio.get_running_loop().time()

    world = World(1)
    with simulated(world), closing(Loop(world)) as loop:
        assert 3 <= loop.run_until_complete(main()) < 3.1
