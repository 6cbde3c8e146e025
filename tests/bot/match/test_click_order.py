"""Clicks are processed in the order in which they were made, however late they arrive."""

import asyncio
import selectors
from random import Random

import pytest

from bot.match.click_order import HOLD, ClickOrder


class Skipping(selectors.DefaultSelector):
    """A selector that does not wait: it adds the waiting time to its clock."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        self.now += timeout or 0.0
        return super().select(0)


class SkippingLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock moves only when it waits, so that milliseconds are exact on any machine."""

    def __init__(self) -> None:
        self._skipping = Skipping()
        super().__init__(self._skipping)

    def time(self) -> float:
        return self._skipping.now


async def click(order: ClickOrder, made: int, delay: int, processed: list[int]) -> None:
    """Make a click at `made` ms that reaches the bot `delay` ms later."""
    await asyncio.sleep((made + delay) / 1000)
    await order.turn(made)
    processed.append(made)


async def process(clicks: list[tuple[int, int]]) -> list[int]:
    """Return the times at which the clicks were made, in the order in which they were processed."""
    order, processed = ClickOrder(), list[int]()
    await asyncio.gather(*(click(order, made, delay, processed) for made, delay in clicks))
    return processed


def run(clicks: list[tuple[int, int]]) -> list[int]:
    with asyncio.Runner(loop_factory=SkippingLoop) as runner:
        return runner.run(process(clicks))


@pytest.mark.parametrize("seed", range(20))
def test_with_delays_up_to_60_ms_the_earlier_click_always_goes_first(seed: int) -> None:
    rng = Random(seed)
    clicks = [(rng.randrange(2_000), rng.randrange(61)) for _ in range(200)]
    assert [made for made, _ in sorted(clicks, key=lambda each: each[0] + each[1])] != sorted(
        made for made, _ in clicks
    )
    assert run(clicks) == sorted(made for made, _ in clicks)


def test_a_click_that_arrives_after_the_hold_is_processed_at_once() -> None:
    hold = int(HOLD * 1000)
    assert run([(0, 2 * hold), (10, 0)]) == [10, 0]


def test_a_single_click_waits_no_longer_than_the_hold() -> None:
    async def alone() -> float:
        before = asyncio.get_running_loop().time()
        await ClickOrder().turn(5)
        return asyncio.get_running_loop().time() - before

    with asyncio.Runner(loop_factory=SkippingLoop) as runner:
        assert runner.run(alone()) == pytest.approx(HOLD)


def test_a_cancelled_click_delays_no_other() -> None:
    async def cancelled() -> list[int]:
        order, processed = ClickOrder(), list[int]()
        first = asyncio.create_task(click(order, 0, 0, processed))
        second = asyncio.create_task(click(order, 1, 0, processed))
        await asyncio.sleep(HOLD / 2)
        first.cancel()
        await second
        return processed

    with asyncio.Runner(loop_factory=SkippingLoop) as runner:
        assert runner.run(cancelled()) == [1]
