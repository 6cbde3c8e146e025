"""Requests to post a table again, and waiting for it."""

import asyncio


class Requests:
    """One future per table, shared by all callers of `wait`."""

    def __init__(self) -> None:
        self._futures: dict[int, asyncio.Future[None]] = {}

    def __contains__(self, match: int) -> bool:
        return match in self._futures

    async def wait(self, match: int) -> None:
        """Wait until the table is posted again. Raises the error that is passed to `done`."""
        self.add(match)
        await asyncio.shield(self._futures[match])  # others may wait for the same future

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
