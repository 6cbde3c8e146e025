"""Tasks that go on when those who wait for them are cancelled."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


def in_background(work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
    """Start a task. When it fails after everybody has ceased to wait for it, asyncio logs nothing."""
    task = asyncio.create_task(work)
    task.add_done_callback(_retrieve_exception)
    return task


def _retrieve_exception(task: asyncio.Task[Any]) -> None:
    if not task.cancelled():
        task.exception()
