"""People who wait until a table is posted anew."""

import asyncio


class Requests:
    """One future a table, for everybody who waits for it."""

    def __init__(self) -> None:
        self._futures: dict[int, asyncio.Future[None]] = {}

    def __contains__(self, match: int) -> bool:
        return match in self._futures

    async def wait(self, match: int) -> None:
        """Wait until the table is posted anew. Raises what `done` is given."""
        future = self._futures.setdefault(match, asyncio.get_running_loop().create_future())
        await asyncio.shield(future)  # several may wait for the same

    def done(self, match: int, error: Exception | None = None) -> None:
        """Tell everybody who waits for the table that it is posted, or why it cannot be."""
        future = self._futures.pop(match, None)
        if future is None or future.done():
            return
        if error is None:
            future.set_result(None)
        else:
            future.set_exception(error)
