"""Asking the rasterizer for pictures. Each is drawn once, those for answers to clicks first.

The files of the last pictures are kept: a hand is often sent again without a change, and several people look at the
same table.
"""

import asyncio
import contextlib
import logging
import time
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from math import inf

from bot.pictures.picture import Picture
from bot.pictures.rasterizer import Draw, Prepare, Rehearse
from bot.worker_process import Asked, WorkerGone, WorkerProcess, WorkerQueue, command

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of the pictures that the client keeps."""

    kept_bytes: int = 4 * 2**20
    """Maximum size of all files kept: about a hundred pictures. The least recently used ones are dropped first."""
    waiting: int = 50
    """Number of waiting pictures for answers, and of others, from which further ones are refused at once."""
    forgotten_after: float = 30.0
    """Seconds after which a picture that nobody waits for is not drawn any more. Until then its message may ask again,
    and find it in its place in the queue."""


class DrawingFailed(Exception):
    """A picture cannot be drawn."""


class NotYet(DrawingFailed):
    """A picture cannot be drawn now: the rasterizer does not answer, even after a restart. Later it may."""


class Late(NotYet):
    """A picture is not ready in time. It is still drawn, and kept."""


@dataclass(slots=True, eq=False)
class _Request(Asked):
    """A request to the rasterizer, and the answer to it."""

    wanted_until: float = inf
    """Time by the monotonic clock after which nobody needs the answer."""
    waiting: int = 0
    """Number of messages that wait for it."""

    def __post_init__(self) -> None:
        self.answer.set_running_or_notify_cancel()  # several may wait, so none of them may cancel it

    def begin(self) -> bool:
        """Return whether a message needs the answer. Its table may have changed since, when the queue was long."""
        if self.wanted_until < time.monotonic():
            self.answer.set_exception(Late("nobody waits for it any more"))
            return False
        return True

    def end(self, answer: bytes | str) -> None:
        """Note the file, or raise DrawingFailed."""
        if isinstance(answer, str):
            log.error("a picture could not be drawn: %s", answer)
            raise DrawingFailed(answer)
        self.answer.set_result(answer)


class WorkerClient(WorkerQueue):
    """The rasterizer, the queue before it, and the files that it has made."""

    def __init__(self, worker: WorkerProcess | None = None, limits: Limits | None = None) -> None:
        super().__init__(
            worker or WorkerProcess(command("bot.pictures.rasterizer"), "the rasterizer"), "pictures"
        )
        self.limits = limits or Limits()
        self._wanted: dict[str, _Request] = {}
        """By file name: what is waiting or being drawn."""
        self._kept = OrderedDict[str, bytes]()
        self._kept_bytes = 0

    async def draw(
        self, pictures: Sequence[Picture], *, answer: bool = False, within: float | None = None
    ) -> list[bytes]:
        """Return the files of the pictures of one message.

        Pictures for the answer to a click (`answer`) come before others. Raises DrawingFailed when they cannot be
        drawn: NotYet when they may be drawn later, Late when they are not ready after `within` seconds, or too many
        wait; never without `within`."""
        until = inf if within is None else time.monotonic() + within + self.limits.forgotten_after
        found = list[_Request]()
        is_cancelled = False
        try:
            found.extend(self._request(each, until, answer=answer) for each in pictures)
            async with asyncio.timeout(within):
                return [await asyncio.wrap_future(each.answer) for each in found]
        except TimeoutError:
            raise Late("it is not drawn in time") from None
        except WorkerGone as reason:
            raise NotYet(str(reason)) from None
        except asyncio.CancelledError:
            is_cancelled = True
            raise
        finally:
            self._leave(found, for_good=is_cancelled)

    def _leave(self, requests: Sequence[_Request], *, for_good: bool) -> None:
        """Note that a message waits no longer. If it is `for_good`, what nobody else waits for is not drawn."""
        with self._lock:
            for request in requests:
                request.waiting -= 1
                if for_good and not request.waiting:
                    request.wanted_until = -inf

    def keeps(self, picture: Picture) -> bool:
        """Return whether the file of a picture is kept, and need not be drawn."""
        return picture.name in self._kept

    async def prepare(self, sprites: Iterable[Prepare | Rehearse]) -> None:
        """Let the rasterizer make sprites of later pictures, one at a time, so that pictures can be drawn between two
        of them. Stops without an error when that fails: the pictures that need the others make them."""
        with contextlib.suppress(DrawingFailed, WorkerGone):
            for sprite in sprites:
                with self._lock:
                    request = self._queue(sprite, answer=False)
                await asyncio.wrap_future(request.answer)

    def _request(self, picture: Picture, wanted_until: float, *, answer: bool) -> _Request:
        """Return the request for a picture, which may be answered already. Raises Late when too many wait,
        unless it is wanted without end."""
        with self._lock:
            if (file := self._kept.get(picture.name)) is not None:
                self._kept.move_to_end(picture.name)
                kept = _Request(Draw(picture.paint))
                kept.answer.set_result(file)
                return kept
            if (request := self._wanted.get(picture.name)) is None:
                # Whoever waits as long as it takes could not ask again.
                if (
                    wanted_until < inf
                    and len(self._urgent if answer else self._others) >= self.limits.waiting
                ):
                    raise Late("too many pictures are waiting")
                request = self._wanted[picture.name] = self._queue(Draw(picture.paint), answer=answer)
                request.wanted_until = wanted_until
                request.answer.add_done_callback(lambda done: self._keep(picture.name, done))
            elif answer and request in self._others:
                self._others.remove(request)
                self._urgent.append(request)
            request.wanted_until = max(request.wanted_until, wanted_until)
            request.waiting += 1
            return request

    def _queue(self, question: Draw | Prepare | Rehearse, *, answer: bool) -> _Request:
        self.worker.start()
        request = _Request(question)
        self.put(request, urgent=answer)
        return request

    def _keep(self, name: str, done: Future[bytes]) -> None:
        with self._lock:
            del self._wanted[name]
            if done.exception() is not None:
                return
            self._kept[name] = done.result()
            self._kept_bytes += len(done.result())
            while self._kept_bytes > self.limits.kept_bytes and len(self._kept) > 1:
                self._kept_bytes -= len(self._kept.popitem(last=False)[1])
