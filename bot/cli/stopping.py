"""Stopping the bot: SIGTERM and Ctrl+C (SIGINT) end it in order, and within seconds even if something hangs.

What was acknowledged is on the disk, so the process may end at any moment. An orderly end only keeps needless errors
out of the log.
"""

import os
import signal
import sys
from collections.abc import Callable, Coroutine
from contextlib import suppress
from threading import Timer
from typing import Any, Final

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)

GOES_ON: Final = "Every match goes on where it is at the next start."

ORDERLY: Final = 1.5
"""Seconds for an orderly end. Service managers wait ten and more; people at a terminal do not."""


class Stop:
    """Handler of both signals. While the event loop runs, the first signal cancels its work; a second one, or `ORDERLY`
    seconds, end the process. Before and after the loop, a signal ends the process at once."""

    def __init__(self, farewell: str) -> None:
        self.farewell = farewell
        """Sentence printed to stdout when the bot was stopped."""
        self.status = 0
        """Exit status then."""
        self.asked = False
        """True once a signal has come."""
        self._cancel: Callable[[], object] = self._end

    def listen(self) -> None:
        """Handle signals from now on, except those that the parent process wants ignored."""
        for each in SIGNALS:
            if signal.getsignal(each) is not signal.SIG_IGN:
                signal.signal(each, self._on_signal)

    def run(self, work: Coroutine[Any, Any, int | None]) -> int:
        """Run `work` in a new event loop until it is done, or cancelled by a signal. Return its result as the exit
        status: 0 for None."""
        import asyncio  # here, as its import takes long and no signal is handled meanwhile

        status: int | None
        try:
            # asyncio's debug mode would log arguments and results of tasks, and so hands.
            status = asyncio.run(self._cancellable(work), debug=False)
        except asyncio.CancelledError:
            if not self.asked:
                raise
            status = self.status
        finally:
            self._cancel = self._end
        if self.asked:
            self._say()
        return status or 0

    async def _cancellable(self, work: Coroutine[Any, Any, int | None]) -> int | None:
        import asyncio

        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None
        self._cancel = lambda: loop.call_soon_threadsafe(task.cancel)
        return await work

    def _on_signal(self, *_: object) -> None:
        if self.asked:
            self._end()
        self.asked = True
        timer = Timer(ORDERLY, self._end)
        timer.daemon = True
        timer.start()
        self._cancel()

    def _end(self) -> None:
        """End the process at once, though threads may hang. Worker processes end when their standard input closes."""
        self._say()
        os._exit(self.status)

    def _say(self) -> None:
        farewell, self.farewell = self.farewell, ""
        with suppress(OSError):  # the terminal may be closed
            os.write(sys.stdout.fileno(), f"Stopped. {farewell}\n".encode() if farewell else b"")
