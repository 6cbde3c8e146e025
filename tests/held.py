"""Methods of the store and of others that are held back, so that something else happens first, or that fail."""

import asyncio
import resource
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, TypeVar

import pytest

from bot.store import InDoubt, StoreFailed

T = TypeVar("T")
FULL = StoreFailed("The disk is full.")


@asynccontextmanager
async def held(
    owner: object, name: str, act: Coroutine[Any, Any, T] | None = None, *, after: bool = False
) -> AsyncIterator["asyncio.Future[T]"]:
    """Hold back the next call of an async method of `owner`, which `act` makes or something that is under way: before
    it acts, or with its result (`after`). The block runs meanwhile; at its end `act` is carried out."""
    method, begun, goes_on = getattr(owner, name), asyncio.Event(), asyncio.Event()

    async def call(*given: Any, **named: Any) -> Any:
        if begun.is_set():
            return await method(*given, **named)
        result = await method(*given, **named) if after else None
        begun.set()
        await goes_on.wait()
        return result if after else await method(*given, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(owner, name, call)
        acting = asyncio.ensure_future(act) if act else asyncio.Future[T]()
        await begun.wait()
    try:
        yield acting
    finally:
        goes_on.set()
    if act:
        await acting


def fail(
    monkeypatch: pytest.MonkeyPatch, owner: object, name: str, error: Exception = FULL, *, once: bool = False
) -> None:
    """Let an async method of `owner` fail, as on a full disk or with another error: each call, or `once` the next."""
    method = getattr(owner, name)

    async def failed(*_: object, **__: object) -> None:
        if once:
            monkeypatch.setattr(owner, name, method)
        raise error

    monkeypatch.setattr(owner, name, failed)


@contextmanager
def failing(owner: object, name: str, error: Exception = FULL) -> Iterator[None]:
    """Let an async method of `owner` fail, as on a full disk or with another error, until the end of the block."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        fail(monkeypatch, owner, name, error)
        yield


@contextmanager
def full_disk(size: int) -> Iterator[None]:
    """Let no file of this process grow beyond `size` bytes, as on a full disk."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@contextmanager
def losing_answers(owner: object, name: str) -> Iterator[None]:
    """Let an async method of `owner` do its work and lose its answer, as that of a server can be lost, until the end
    of the block."""
    method = getattr(owner, name)

    async def answer_lost(*given: Any, **named: Any) -> None:
        await method(*given, **named)
        raise InDoubt("The answer was lost.")

    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(owner, name, answer_lost)
        yield
