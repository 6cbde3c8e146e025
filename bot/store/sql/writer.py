"""The only writer of a database. Requests that wait at the same time share one commit, and so one wait for the disk."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, TypeVar

from bot.store.errors import StoreFailed
from bot.store.sql.database import Database, Writing

T = TypeVar("T")


class Request(NamedTuple):
    """Statements to run in one transaction, and a future that is done after its commit."""

    work: Callable[[Database], Awaitable[Any]]
    done: asyncio.Future[Any]
    asked: float
    """Time of the request, by the monotonic clock."""
    alone: bool = False
    """True for statements that must not run in a transaction."""
    first: bool = False
    """True for one that must come before the others of its transaction."""


class Writer:
    """Owns the writing connection until `close`. Needs a running event loop."""

    def __init__(self, connection: Writing, check: Callable[[], None] = lambda: None) -> None:
        """`check` is called after each commit. If it raises, the callers get that error instead of their results."""
        self.on_write: list[Callable[[float, bool], None]] = []
        """Callbacks for each write in a transaction (see `Store.on_write`)."""
        self._connection = connection
        self._check = check
        self._requests: asyncio.Queue[Request | asyncio.Future[None] | None] = asyncio.Queue()
        """A bare future is done after all requests before it (see `flush`). None ends the writer."""
        self._task = asyncio.create_task(self._run(), name="store writer")
        self._closed = False
        self.fault: str | None = None
        """Reason why the database took no write at the last commit, such as a full disk; None when it did."""

    async def write(self, work: Callable[[Database], Awaitable[T]], *, first: bool = False) -> T:
        """Run `work` in a transaction, `first` of those that share it. Return its result once it is on the disk.

        Raises StoreFailed for an error of the database, and any other error that `work` raises; then nothing of it
        was kept. Cancelling the caller does not stop the write.
        """
        return await self._request(work, first=first)

    async def write_alone(self, work: Callable[[Database], Awaitable[T]]) -> T:
        """Run `work` outside of any transaction, such as VACUUM. Other writes wait. Raises as `write` does."""
        return await self._request(work, alone=True)

    async def _request(
        self, work: Callable[[Database], Awaitable[T]], *, alone: bool = False, first: bool = False
    ) -> T:
        if self._closed:
            raise StoreFailed("This was not saved: the bot is stopping. Try again once it runs.")
        request = Request(work, asyncio.get_running_loop().create_future(), time.monotonic(), alone, first)
        self._requests.put_nowait(request)
        result: T = await request.done
        return result

    async def flush(self) -> None:
        """Wait until every write requested before is done or has failed, including those of cancelled callers."""
        if not self._closed:
            done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._requests.put_nowait(done)
            await done

    async def close(self) -> None:
        """Run all waiting requests, then close the connection."""
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
            if sharing := [each for each in requests if not each.alone]:
                await self._share(sorted(sharing, key=lambda each: not each.first))
            for request in requests:
                if request.alone:
                    await self._run_alone(request)
            for each in waiting:
                if isinstance(each, asyncio.Future) and not each.done():
                    each.set_result(None)

    async def _share(self, requests: list[Request]) -> None:
        """Run all requests in one transaction. One that fails does not affect the others, unless all of it fails."""
        try:
            await self._connection.begin()
            if len(requests) == 1:
                answers = [await self._attempt_alone(requests[0])]
            else:
                answers = [await self._attempt(request) for request in requests]
            if self._connection.in_transaction:
                await self._connection.commit()
            self._check()
            self.fault = next((reason for answer in answers if (reason := self._fault_in(answer))), None)
        except Exception as error:  # the writer survives any error, and passes it to all callers
            self.fault = self._connection.reason(error) or type(error).__name__
            answers = [self._failed(error) for _ in requests]
            await self._roll_back()
        for request, answer in zip(requests, answers, strict=True):
            _give(request, answer)
            self._report(request, answer)

    async def _roll_back(self) -> None:
        try:
            if self._connection.in_transaction:
                await self._connection.roll_back()
        except Exception as error:  # then the next transaction cannot begin, and says why
            if self._connection.reason(error) is None:
                raise

    def _report(self, request: Request, answer: Any) -> None:
        seconds = time.monotonic() - request.asked
        for callback in self.on_write:
            callback(seconds, not isinstance(answer, StoreFailed))

    async def _run_alone(self, request: Request) -> None:
        try:
            answer = await request.work(self._connection)
        except Exception as error:
            answer = self._failed(error)
        _give(request, answer)

    async def _attempt_alone(self, request: Request) -> Any:
        """Return the result of the only request of a transaction, or its exception after rolling back."""
        try:
            answer = await request.work(self._connection)
            await self._connection.settle()
        except Exception as error:
            if not self._connection.in_transaction:
                raise
            await self._connection.roll_back()
            return self._failed(error)
        return answer

    async def _attempt(self, request: Request) -> Any:
        """Return the result of the request, or its exception. Raises when the whole transaction was rolled back."""
        await self._connection.execute("SAVEPOINT request")
        try:
            answer = await request.work(self._connection)
            await self._connection.settle()
        except Exception as error:
            if not self._connection.in_transaction:
                raise  # a full disk rolls the whole transaction back
            await self._connection.roll_back("request")
            answer = self._failed(error)
        await self._connection.execute("RELEASE request")
        return answer

    def _fault_in(self, answer: Any) -> str | None:
        """Return the fault of the database that made a request fail; None for other answers."""
        cause = answer.__cause__ if isinstance(answer, StoreFailed) else None
        if isinstance(cause, Exception) and self._connection.is_fault(cause):
            return self._connection.reason(cause)
        return None

    def _failed(self, error: Exception) -> Exception:
        """Return the error that the caller gets: StoreFailed for an error of the database."""
        reason = self._connection.reason(error)
        if reason is None:
            return error
        failed = StoreFailed(f"This was not saved: {reason}.")
        failed.__cause__ = error
        return failed


def _give(request: Request, answer: Any) -> None:
    """Give the caller the answer, or raise it there if it is an exception."""
    if request.done.done():
        return  # the caller was cancelled
    if isinstance(answer, Exception):
        request.done.set_exception(answer)
    else:
        request.done.set_result(answer)
