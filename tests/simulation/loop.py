"""An event loop in virtual time."""

import asyncio
import heapq
from asyncio import AbstractServer, Future, Handle, Task, TimerHandle, base_events, events
from collections import deque
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from contextvars import Context
from itertools import count
from random import Random
from socket import AF_INET, SOCK_STREAM, socket
from typing import Any, Never
from weakref import WeakKeyDictionary

from tests.simulation.network import Server, connected
from tests.simulation.process import PROCESS
from tests.simulation.world import World

MOST_TURNS = 2_000
"""Turns without a jump after which the next timer is due although something is ready: a task that lets the others run
again and again (`sleep(0)`) until something has happened."""
MANY_TIMERS = 500
NUMBERS = count()
GRACE = 60.0
"""Seconds of virtual time in which a world that is taken to hang can be tidied up."""


class Lone:
    """A queue of one."""


class Numbered:
    """Something whose place in a set follows from when it was first put into one, not from where it lies in memory."""

    number: int | None = None
    """Drawn when it is asked for: most futures are in no set ever."""

    def __hash__(self) -> int:
        if self.number is None:
            self.number = next(NUMBERS)
        return self.number


class NumberedTask(Numbered, Task[Any]):
    pass


class NumberedFuture(Numbered, Future[Any]):
    pass


class Hanging(RuntimeError):
    """Nothing will ever happen, or not what the program waits for. `str()` says where each task stands."""


class Loop(base_events.BaseEventLoop):
    """An event loop on the time of `world`. It has no sockets, no signals and no threads."""

    _scheduled: list[tuple[float, int, TimerHandle]]
    """Timers with their time and number, by which C puts them into order, and not a method of theirs in Python."""
    _ready: deque[Handle]
    _timer_cancelled_count: int
    _clock_resolution: float
    _stopping: bool

    def __init__(self, world: World) -> None:
        super().__init__()
        self.world = world
        self.jumps = 0
        self._timers = count()
        self._turns = 0
        """Since the last jump."""
        self._last: WeakKeyDictionary[object, float] = WeakKeyDictionary()
        """By executor: the time at which its last work begins."""
        self._busy: WeakKeyDictionary[object, float] = WeakKeyDictionary()
        """By thread that sleeps: the time at which it goes on."""
        self._is_on_thread = False
        self._ports: WeakKeyDictionary[socket, int] = WeakKeyDictionary()
        """By socket: the port to which it is connected."""
        self.set_task_factory(_new_task)  # type: ignore[arg-type]

    def time(self) -> float:
        return self.world.now

    def create_future(self) -> "Future[Any]":
        return NumberedFuture(loop=self)

    def call_soon_threadsafe(  # type: ignore[override]
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> Handle:
        if self._is_on_thread:
            return self.call_at(self.world.now, callback, *args, context=context)
        return self.call_soon(callback, *args, context=context)

    def _write_to_self(self) -> None:
        pass

    def _process_events(self, _: object) -> None:
        pass

    def _asyncgen_firstiter_hook(self, generator: Any) -> None:
        """Note an asynchronous generator, to close it at the end; not one of a process, which may be killed."""
        if PROCESS.get() is None:
            super()._asyncgen_firstiter_hook(generator)  # type: ignore[misc]

    # Time

    def call_at(  # type: ignore[override]
        self, when: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> TimerHandle:
        self._check_closed()  # type: ignore[attr-defined]
        timer = TimerHandle(when, callback, args, self, context)
        heapq.heappush(self._scheduled, (when, next(self._timers), timer))
        timer._scheduled = True  # type: ignore[attr-defined]
        return timer

    def _run_once(self) -> None:
        """Run all that is ready, once. Called again and again: a million times in a day of virtual time."""
        timers, ready, world = self._scheduled, self._ready, self.world
        if self._timer_cancelled_count:
            self._drop_cancelled()
        self._turns += 1
        if not ready or self._turns > MOST_TURNS:
            self._jump()
        while timers and timers[0][0] <= world.now:
            timer = heapq.heappop(timers)[2]
            timer._scheduled = False  # type: ignore[attr-defined]
            ready.append(timer)
        if len(ready) > 1 and not world.is_calm:
            shuffle_tasks(ready, world.order)
        for _ in range(len(ready)):
            handle = ready.popleft()
            if not handle._cancelled:
                process = handle._context.get(PROCESS)  # type: ignore[attr-defined]
                if process is None or not process.keeps(handle):
                    handle._run()

    def _jump(self) -> None:
        """Move the time to the next timer."""
        if self._stopping:
            return
        if self._scheduled:
            self.world.now = max(self.world.now, self._scheduled[0][0])
            self._turns = 0
            self.jumps += 1
            if self.world.now > self.world.ends:
                self.world.ends = self.world.now + GRACE
                self._hang("this takes too long")
        elif not self._ready:
            self._hang("nothing is ready, and no timer runs")

    def _drop_cancelled(self) -> None:
        timers = self._scheduled
        while timers and timers[0][2]._cancelled:
            self._timer_cancelled_count -= 1
            heapq.heappop(timers)[2]._scheduled = False  # type: ignore[attr-defined]
        if len(timers) > MANY_TIMERS and self._timer_cancelled_count > len(timers) // 2:
            for *_, each in timers:
                each._scheduled = not each._cancelled  # type: ignore[attr-defined]
            timers[:] = [each for each in timers if each[2]._scheduled]  # type: ignore[attr-defined]
            heapq.heapify(timers)
            self._timer_cancelled_count = 0

    def _hang(self, why: str) -> Never:
        tasks = [f"{each.get_name()}: {place(each)}" for each in asyncio.all_tasks(self)]
        raise Hanging("\n  ".join([f"{why}; the tasks stand here:", *sorted(tasks)]))

    # Threads

    def run_in_executor(  # type: ignore[override]
        self, executor: Executor | None, function: Callable[..., Any], *args: Any
    ) -> "Future[Any]":
        """Call a function after a while, and give its result. An executor does one thing after the other."""
        future = self.create_future()
        thread = executor or Lone()
        due = self._last[thread] = max(self._last.get(thread, 0.0), self.world.now + self.world.work())
        self.call_at(due, self._run_on_thread, thread, future, function, args)
        return future

    def _run_on_thread(
        self, thread: object, future: "Future[Any]", function: Callable[..., Any], args: tuple[Any, ...]
    ) -> None:
        """Call a function, and give its result once the time for which it has slept is over. Others go on meanwhile,
        but for what is done on the same thread."""
        began = self.world.now
        if self._busy.get(thread, 0.0) > began:
            self.call_at(self._busy[thread], self._run_on_thread, thread, future, function, args)
            return
        self._is_on_thread = True
        events._set_running_loop(None)  # a thread may run a loop of its own
        result, error = outcome(function, *args)
        events._set_running_loop(self)
        self._is_on_thread = False
        ended, self.world.now = self.world.now, began
        if ended > began:
            self._busy[thread] = ended
            self.call_at(ended, settle, future, result, error)
        else:
            settle(future, result, error)

    # Connections

    async def getaddrinfo(  # type: ignore[override]
        self, host: str | None, port: int, **_: Any
    ) -> list[tuple[Any, ...]]:
        return [(AF_INET, SOCK_STREAM, 6, "", (host, port))]

    async def sock_connect(self, sock: socket, address: Any) -> None:
        """Connect a socket. Only its port counts, as every server is here."""
        await asyncio.sleep(self.world.network())
        if address[1] not in self.world.servers:
            raise ConnectionRefusedError(111, f"Connect call failed {address}")
        self._ports[sock] = address[1]

    async def create_connection(  # type: ignore[override]
        self,
        factory: Callable[[], asyncio.BaseProtocol],
        host: str | None = None,
        port: int | None = None,
        *,
        sock: socket | None = None,
        **_: Any,
    ) -> tuple[asyncio.Transport, asyncio.BaseProtocol]:
        if sock is not None:
            port = self._ports[sock]
            sock.close()
        server = self.world.servers.get(port or 0)
        if not isinstance(server, Server):
            raise ConnectionRefusedError(111, f"Connect call failed ({host!r}, {port})")
        return await connected(self.world, self, factory, server)

    async def create_server(  # type: ignore[override]
        self, factory: Callable[[], asyncio.BaseProtocol], host: str | None = None, port: int = 0, **_: Any
    ) -> AbstractServer:
        return Server(self.world, self, factory, port)

    def remove_reader(self, _: object) -> bool:
        return False

    def remove_signal_handler(self, _: int) -> bool:
        return False


def shuffle_tasks(ready: deque[Handle], chance: Random) -> None:
    """Put the steps of tasks among the handles into another order. Callbacks stay where they are: asyncio promises
    their order, and libraries count on it."""
    places = [n for n, each in enumerate(ready) if _is_step(each)]
    if len(places) > 1:
        handles = [*ready]
        drawn = chance.sample(places, len(places))
        for to, of in zip(places, drawn, strict=True):
            ready[to] = handles[of]


def _is_step(handle: Handle) -> bool:
    return isinstance(getattr(handle._callback, "__self__", None), Task)  # type: ignore[attr-defined]


def outcome(function: Callable[..., Any], *args: Any) -> tuple[Any, Exception | None]:
    """Call a function, and return its result or its error."""
    try:
        return function(*args), None
    except Exception as error:
        return None, error


def settle(future: "Future[Any]", result: object, error: Exception | None) -> None:
    """Give a future its result or error, unless it was cancelled."""
    if future.done():
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)


def place(task: "Task[Any]") -> str:
    """Return the file and line at which a task waits."""
    at: Any = task.get_coro()
    frame = None
    while at is not None:
        frame = getattr(at, "cr_frame", None) or getattr(at, "gi_frame", None) or frame
        at = getattr(at, "cr_await", None) or getattr(at, "gi_yieldfrom", None)
    where = (
        "" if frame is None else f"{frame.f_code.co_filename}:{frame.f_lineno} in {frame.f_code.co_qualname}"
    )
    return where or repr(task.get_coro())


def _new_task(
    loop: asyncio.AbstractEventLoop, coro: Coroutine[Any, Any, Any], context: Context | None = None
) -> "Task[Any]":
    task = NumberedTask(coro, loop=loop, context=context)
    process = PROCESS.get() if context is None else context.get(PROCESS)
    if process is not None:
        process.note(task)
    return task
