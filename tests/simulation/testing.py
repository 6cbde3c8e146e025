"""Tests in virtual time. A conftest that imports all names of this module puts the tests beside it into worlds.

A test marked with `real` needs processes, ports or a kernel, and keeps the loop, the clocks and the chance of this
machine; so does one that is no coroutine.
"""

import asyncio
from collections.abc import Callable, Iterator
from inspect import iscoroutinefunction

import pytest

from tests.simulation.loop import Loop
from tests.simulation.patches import simulated
from tests.simulation.world import World

__all__ = ["calm", "pytest_asyncio_loop_factories", "world"]

_worlds: list[World] = []
"""The world of the test that runs."""


def pytest_asyncio_loop_factories() -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Return what makes the loop of a test. Called by pytest-asyncio."""
    return {"loop": _new_loop}


def _new_loop() -> asyncio.AbstractEventLoop:
    return Loop(_worlds[-1]) if _worlds else asyncio.new_event_loop()


@pytest.fixture(autouse=True)
def world(request: pytest.FixtureRequest) -> Iterator[World | None]:
    """The world of the test, which follows from `--seed` and its name; None for one in real time."""
    if "real" in request.keywords or not iscoroutinefunction(request.function):
        yield None
        return
    world = World(f"{request.config.getoption('seed')} {request.node.nodeid}")
    with simulated(world):
        _worlds.append(world)
        try:
            yield world
        finally:
            _worlds.pop()


@pytest.fixture
def calm(world: World) -> None:
    """Leave nothing to chance but random numbers."""
    world.is_calm = True
