"""The one writer: requests that wait at the same time share one commit, and with it one wait for the disk."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

import aiosqlite

from bot.store.errors import StoreFailed
from bot.store.sqlite.faults import fault

T = TypeVar("T")


class Request(NamedTuple):
    """Statements to run in a savepoint of their own, and the future of who waits for the commit."""

    work: Callable[[aiosqlite.Connection], Awaitable[Any]]
    done: asyncio.Future[Any]


class Writer:
    """Owns the writing connection, from now until `close`. Needs a running event loop."""

    def __init__(self, connection: aiosqlite.Connection) -> None:
        self._connection = connection
        self._requests: asyncio.Queue[Request | asyncio.Future[None] | None] = asyncio.Queue()
        """Futures are of who waits for the requests before; None ends it."""
        self._task = asyncio.create_task(self._run(), name="store writer")
        self._closed = False

    async def write(self, work: Callable[[aiosqlite.Connection], Awaitable[T]]) -> T:
        """Do `work` in a transaction and return what it returned, once it is on the disk.

        Raises StoreFailed for an error of the database, else what `work` raised; either way nothing of it was
        kept. A cancelled caller does not stop it: the write may happen or have happened.
        """
        if self._closed:
            raise StoreFailed("This was not kept: the bot is stopping. Try again once it runs.")
        request = Request(work, asyncio.get_running_loop().create_future())
        self._requests.put_nowait(request)
        result: T = await request.done
        return result

    async def settled(self) -> None:
        """Wait until every write that was asked for before has happened or failed, those of cancelled callers too."""
        if not self._closed:
            done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._requests.put_nowait(done)
            await done

    async def close(self) -> None:
        """Finish what waits, then close the connection."""
        self._closed = True
        self._requests.put_nowait(None)
        try:
            await self._task
        finally:
            await self._connection.close()

    async def _run(self) -> None:
        closing = False
        while not closing:
            waiting = [await self._requests.get()]
            while not self._requests.empty():
                waiting.append(self._requests.get_nowait())
            closing = None in waiting
            requests = [each for each in waiting if isinstance(each, Request)]
            if requests:
                await self._share(requests)
            for each in waiting:
                if isinstance(each, asyncio.Future) and not each.done():
                    each.set_result(None)

    async def _share(self, requests: list[Request]) -> None:
        """One transaction for all of them; whoever fails in it fails alone, unless it breaks as a whole."""
        try:
            await self._connection.execute("BEGIN IMMEDIATE")
            answers = [await self._attempt(request) for request in requests]
            await self._connection.execute("COMMIT")
        except (
            Exception
        ) as error:  # the writer outlives any error: who waits must hear of it, and so must the next
            answers = [_failed(error) for _ in requests]
            with suppress(sqlite3.Error):  # the next transaction would fail, and try again
                if self._connection.in_transaction:
                    await self._connection.execute("ROLLBACK")
        for request, answer in zip(requests, answers, strict=True):
            if request.done.done():
                continue  # who waited was cancelled
            if isinstance(answer, Exception):
                request.done.set_exception(answer)
            else:
                request.done.set_result(answer)

    async def _attempt(self, request: Request) -> Any:
        """What the work returned, or the exception it ended with. Raises if the whole transaction is gone."""
        await self._connection.execute("SAVEPOINT request")
        try:
            answer = await request.work(self._connection)
        except Exception as error:
            if not self._connection.in_transaction:
                raise  # a full disk takes the whole transaction back
            await self._connection.execute("ROLLBACK TO request")
            answer = _failed(error)
        await self._connection.execute("RELEASE request")
        return answer


def _failed(error: Exception) -> Exception:
    """The error as whoever waits shall see it."""
    if not isinstance(error, sqlite3.Error):
        return error
    failed = StoreFailed(f"This was not kept: {fault(error)}.")
    failed.__cause__ = error
    return failed
