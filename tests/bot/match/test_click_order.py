"""Clicks are processed in the order in which they were made, however late they arrive."""

import asyncio
from random import Random

import pytest

from bot.match.click_order import ClickOrder
from bot.match.times import Times
from tests.simulation.testing import *  # noqa: F403

HOLD = Times().hold / 1000
"""Seconds."""


async def click(order: ClickOrder, made: int, delay: int, processed: list[int]) -> None:
    """Make a click at `made` ms that reaches the bot `delay` ms later."""
    await asyncio.sleep((made + delay) / 1000)
    await order.turn(made)
    processed.append(made)


async def process(clicks: list[tuple[int, int]]) -> list[int]:
    """Return the times at which the clicks were made, in the order in which they were processed."""
    order, processed = ClickOrder(HOLD), list[int]()
    await asyncio.gather(*(click(order, made, delay, processed) for made, delay in clicks))
    return processed


@pytest.mark.parametrize("seed", range(20))
async def test_with_delays_up_to_60_ms_the_earlier_click_always_goes_first(seed: int) -> None:
    rng = Random(seed)
    clicks = [(rng.randrange(2_000), rng.randrange(61)) for _ in range(200)]
    assert [made for made, _ in sorted(clicks, key=lambda each: each[0] + each[1])] != sorted(
        made for made, _ in clicks
    )
    assert await process(clicks) == sorted(made for made, _ in clicks)


async def test_a_click_that_arrives_after_the_hold_is_processed_at_once() -> None:
    hold = int(HOLD * 1000)
    assert await process([(0, 2 * hold), (10, 0)]) == [10, 0]


async def test_a_single_click_waits_no_longer_than_the_hold() -> None:
    await ClickOrder(HOLD).turn(5)
    assert asyncio.get_running_loop().time() == pytest.approx(HOLD)


async def test_a_cancelled_click_delays_no_other() -> None:
    order, processed = ClickOrder(HOLD), list[int]()
    first = asyncio.create_task(click(order, 0, 0, processed))
    second = asyncio.create_task(click(order, 1, 0, processed))
    await asyncio.sleep(HOLD / 2)
    first.cancel()
    await second
    assert processed == [1]
