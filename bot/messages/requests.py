"""Requests to post a table again, and waiting for it."""

import asyncio


class Requests:
    """One future per table, shared by all callers of `wait`."""

    def __init__(self) -> None:
        self._futures: dict[int, asyncio.Future[None]] = {}
        self._pauses: dict[int, asyncio.Event] = {}
        """By table that is tried again later: set when somebody waits for it."""

    def __contains__(self, match: int) -> bool:
        return match in self._futures

    async def wait(self, match: int) -> None:
        """Wait until the table is posted again. Raises the error that is passed to `done`."""
        self.add(match)
        if (asked := self._pauses.get(match)) is not None:
            asked.set()
        await asyncio.shield(self._futures[match])  # others may wait for the same future

    async def pause(self, match: int, seconds: float) -> None:
        """Wait some seconds, or until somebody waits for the table."""
        self._pauses[match] = asked = asyncio.Event()
        try:
            async with asyncio.timeout(seconds):
                await asked.wait()
        except TimeoutError:
            pass
        finally:
            del self._pauses[match]

    def add(self, match: int) -> None:
        """Ask for a table to be posted again."""
        self._futures.setdefault(match, asyncio.get_running_loop().create_future())

    def done(self, match: int, error: Exception | None = None) -> None:
        """Let all callers of `wait` go on: the table is posted, or cannot be because of `error`."""
        future = self._futures.pop(match, None)
        if future is None or future.done():
            return
        if error is None:
            future.set_result(None)
        else:
            future.set_exception(error)
            future.exception()  # else asyncio would report it as unread when all callers have been cancelled
