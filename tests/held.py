"""Methods of the store and of others that are held back, so that something else happens first, or that fail."""

import asyncio
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from bot.store import InDoubt, StoreFailed


class Held:
    """The next call of an async method of `owner`: it waits for `goes_on` before it acts, or with its result (`after`).
    `begun` is set as soon as it waits."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, owner: object, name: str, *, after: bool = False
    ) -> None:
        self.begun, self.goes_on = asyncio.Event(), asyncio.Event()
        self._method, self._after = getattr(owner, name), after
        monkeypatch.setattr(owner, name, self._call)

    async def _call(self, *given: Any, **named: Any) -> Any:
        if self.begun.is_set():
            return await self._method(*given, **named)
        result = await self._method(*given, **named) if self._after else None
        self.begun.set()
        await self.goes_on.wait()
        return result if self._after else await self._method(*given, **named)


def fill_disk(monkeypatch: pytest.MonkeyPatch, owner: object, name: str, *, once: bool = False) -> None:
    """Let an async method of `owner` fail as on a full disk: each call, or `once` the next one."""
    method = getattr(owner, name)

    async def fail(*_: object, **__: object) -> None:
        if once:
            monkeypatch.setattr(owner, name, method)
        raise StoreFailed("The disk is full.")

    monkeypatch.setattr(owner, name, fail)


@contextmanager
def full_disk(size: int) -> Iterator[None]:
    """Let no file of this process grow beyond `size` bytes, as on a full disk."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def lose_answer(monkeypatch: pytest.MonkeyPatch, owner: object, name: str) -> None:
    """Let an async method of `owner` do its work and lose its answer, as that of a server can be lost."""
    method = getattr(owner, name)

    async def answer_lost(*given: Any, **named: Any) -> None:
        await method(*given, **named)
        raise InDoubt("The answer was lost.")

    monkeypatch.setattr(owner, name, answer_lost)
