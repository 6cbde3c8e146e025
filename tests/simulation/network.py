"""Connections in memory. Chunks of bytes arrive in order, each after a delay that the world draws."""

import asyncio
from asyncio import AbstractEventLoop, AbstractServer, BaseProtocol, Protocol
from collections import deque
from collections.abc import Callable
from contextvars import Context, copy_context
from enum import Enum, auto
from typing import cast

from tests.simulation.process import PROCESS
from tests.simulation.world import World

HOST = "127.0.0.1"
Factory = Callable[[], BaseProtocol]


class End(Enum):
    """What may come after the bytes of a connection."""

    CLOSED = auto()
    RESET = auto()


class Listener:
    """A listening socket, as far as somebody asks for its address."""

    def __init__(self, port: int) -> None:
        self._port = port

    def getsockname(self) -> tuple[str, int]:
        return HOST, self._port

    def fileno(self) -> int:
        return -1


class Server(AbstractServer):
    """A server on a port of the world; 0 is any free one."""

    def __init__(self, world: World, loop: AbstractEventLoop, factory: Factory, port: int) -> None:
        if port in world.servers:
            raise OSError(98, "Address already in use")
        self.port = port or world.free_port()
        self.factory = factory
        self.context = copy_context()
        self.sockets = (Listener(self.port),)
        self._world = world
        self._loop = loop
        world.servers[self.port] = self

    def get_loop(self) -> AbstractEventLoop:
        return self._loop

    def is_serving(self) -> bool:
        return self._world.servers.get(self.port) is self

    def close(self) -> None:
        if self.is_serving():
            del self._world.servers[self.port]

    async def start_serving(self) -> None:
        pass

    async def serve_forever(self) -> None:
        await self._loop.create_future()

    async def wait_closed(self) -> None:
        await asyncio.sleep(0)


async def connected(
    world: World, loop: AbstractEventLoop, factory: Factory, server: Server
) -> tuple[asyncio.Transport, BaseProtocol]:
    """Connect a protocol with a new one of the server."""
    here, there = (HOST, world.free_port()), (HOST, server.port)
    ours, theirs = factory(), server.context.run(server.factory)
    a = Transport(world, loop, ours, copy_context(), here, there)
    b = Transport(world, loop, theirs, server.context.copy(), there, here)
    a.peer, b.peer = b, a
    b._extra["process"] = a.context.get(PROCESS)  # type: ignore[attr-defined]
    loop.call_soon(theirs.connection_made, b, context=b.context)
    loop.call_soon(ours.connection_made, a)
    begun = loop.create_future()
    loop.call_soon(begun.set_result, None)
    await begun
    return a, ours


class Transport(asyncio.Transport):
    """One end of a connection."""

    peer: "Transport"

    def __init__(
        self,
        world: World,
        loop: AbstractEventLoop,
        protocol: BaseProtocol,
        context: Context,
        here: tuple[str, int],
        there: tuple[str, int],
    ) -> None:
        super().__init__({"sockname": here, "peername": there})
        self.context = context
        self._world = world
        self._loop = loop
        self._protocol = protocol
        self._inbox = deque[tuple[float, bytes | End]]()
        self._last = 0.0
        """Time at which what was sent last arrives."""
        self._is_closing = self._is_lost = self._is_paused = self._has_ended = self._is_scheduled = False
        process = context.get(PROCESS)
        if process is not None:
            process.transports.append(self)

    # Sending

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if data and not self._is_closing and not self._has_ended:
            self._send(bytes(data))

    def write_eof(self) -> None:
        self._end(End.CLOSED)

    def can_write_eof(self) -> bool:
        return True

    def _end(self, end: End) -> None:
        if not self._has_ended:
            self._has_ended = True
            self._send(end)

    def _send(self, item: bytes | End) -> None:
        if not self.peer._is_lost:
            self._last = max(self._last, self._world.now + self._world.network())
            self.peer._inbox.append((self._last, item))
            self.peer._schedule()

    def get_write_buffer_size(self) -> int:
        return 0

    def get_write_buffer_limits(self) -> tuple[int, int]:
        return 0, 65536

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        pass

    # Receiving

    def _schedule(self) -> None:
        """Deliver the next item when it is due, in the context of the receiver."""
        if self._inbox and not self._is_scheduled and not self._is_lost:
            self._is_scheduled = True
            self._loop.call_at(self._inbox[0][0], self._deliver, context=self.context)

    def _deliver(self) -> None:
        self._is_scheduled = False
        if self._is_lost or self._is_paused or not self._inbox:
            return
        _, item = self._inbox.popleft()
        if item is End.RESET:
            self._lose(ConnectionResetError(104, "Connection reset by peer"))
        elif not self._is_closing:
            protocol = cast(Protocol, self._protocol)
            if isinstance(item, bytes):
                protocol.data_received(item)
            elif not protocol.eof_received():
                self.close()
        self._schedule()

    def pause_reading(self) -> None:
        self._is_paused = True

    def resume_reading(self) -> None:
        self._is_paused = False
        self._schedule()

    def is_reading(self) -> bool:
        return not self._is_paused and not self._is_closing

    # Ending

    def is_closing(self) -> bool:
        return self._is_closing

    def close(self) -> None:
        self._leave(End.CLOSED)

    def abort(self) -> None:
        self._leave(End.RESET)

    def _leave(self, end: End) -> None:
        if not self._is_closing:
            self._is_closing = True
            self._end(end)
            self._loop.call_soon(self._lose, None, context=self.context)

    def _lose(self, error: Exception | None) -> None:
        if not self._is_lost:
            self._is_lost = self._is_closing = True
            self._end(End.CLOSED)
            self._protocol.connection_lost(error)

    def vanish(self) -> None:
        """End the connection as the system does when its process is gone: nothing is called here."""
        if not self._is_lost:
            self._is_lost = self._is_closing = True
            self._end(End.RESET if self._inbox else End.CLOSED)

    def set_protocol(self, protocol: BaseProtocol) -> None:
        self._protocol = protocol

    def get_protocol(self) -> BaseProtocol:
        return self._protocol
