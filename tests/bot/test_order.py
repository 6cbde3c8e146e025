"""Who acted first goes first, however long the ways to the bot were."""

import asyncio
import selectors
from random import Random

import pytest

from bot.match.click_order import HOLD, Order


class Skipping(selectors.DefaultSelector):
    """Nothing is waited for: the time that would pass is skipped."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        self.now += timeout or 0.0
        return super().select(0)


class SkippingLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock is turned by waiting, so that milliseconds are exact on any machine."""

    def __init__(self) -> None:
        self._skipping = Skipping()
        super().__init__(self._skipping)

    def time(self) -> float:
        return self._skipping.now


async def click(order: Order, made: int, under_way: int, gone: list[int]) -> None:
    """Someone acts at `made` ms, and the bot hears of it `under_way` ms later."""
    await asyncio.sleep((made + under_way) / 1000)
    await order.turn(made)
    gone.append(made)


async def race(clicks: list[tuple[int, int]]) -> list[int]:
    """The times at which clicks were made, in the order in which they were let through."""
    order, gone = Order(), list[int]()
    await asyncio.gather(*(click(order, made, under_way, gone) for made, under_way in clicks))
    return gone


def run(clicks: list[tuple[int, int]]) -> list[int]:
    with asyncio.Runner(loop_factory=SkippingLoop) as runner:
        return runner.run(race(clicks))


@pytest.mark.parametrize("seed", range(20))
def test_with_ways_that_differ_by_60_ms_the_earlier_always_goes_first(seed: int) -> None:
    rng = Random(seed)
    clicks = [(rng.randrange(2_000), rng.randrange(61)) for _ in range(200)]
    assert [made for made, _ in sorted(clicks, key=lambda each: each[0] + each[1])] != sorted(
        made for made, _ in clicks
    )
    assert run(clicks) == sorted(made for made, _ in clicks)


def test_whoever_comes_later_than_everybody_waits_for_goes_when_they_come() -> None:
    hold = int(HOLD * 1000)
    assert run([(0, 2 * hold), (10, 0)]) == [10, 0]


def test_who_acts_alone_waits_no_longer_than_the_hold() -> None:
    async def alone() -> float:
        before = asyncio.get_running_loop().time()
        await Order().turn(5)
        return asyncio.get_running_loop().time() - before

    with asyncio.Runner(loop_factory=SkippingLoop) as runner:
        assert runner.run(alone()) == pytest.approx(HOLD)


def test_who_gives_up_waiting_holds_up_nobody() -> None:
    async def given_up() -> list[int]:
        order, gone = Order(), list[int]()
        first = asyncio.create_task(click(order, 0, 0, gone))
        second = asyncio.create_task(click(order, 1, 0, gone))
        await asyncio.sleep(HOLD / 2)
        first.cancel()
        await second
        return gone

    with asyncio.Runner(loop_factory=SkippingLoop) as runner:
        assert runner.run(given_up()) == [1]
