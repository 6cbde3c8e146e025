"""A test that hangs fails, and says where it stands."""

import asyncio
import subprocess
import threading
from contextlib import suppress

import pytest

from tests.limit import limited


async def waits_for_ever() -> None:
    await asyncio.Event().wait()


@pytest.mark.parametrize(
    "hang",
    [
        lambda: asyncio.run(waits_for_ever()),
        lambda: threading.Lock().acquire() and threading.Event().wait(),
        lambda: subprocess.run(("sleep", "60"), check=True),
    ],
    ids=["task", "lock", "process"],
)
def test_what_waits_for_ever_is_stopped(hang: object) -> None:
    assert callable(hang)
    with pytest.raises(pytest.fail.Exception, match=r"not over after 0\.1 s"), limited(0.1):
        hang()


def test_it_is_said_where_a_task_waits() -> None:
    with pytest.raises(pytest.fail.Exception, match=r"await asyncio\.Event\(\)"), limited(0.1):
        asyncio.run(waits_for_ever())


def test_who_catches_the_stop_is_stopped_again() -> None:
    def stubborn() -> None:
        with suppress(pytest.fail.Exception):
            threading.Event().wait()
        threading.Event().wait()

    with pytest.raises(pytest.fail.Exception), limited(0.1, again=0.1):
        stubborn()
