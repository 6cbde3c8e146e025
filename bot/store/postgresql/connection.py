"""A connection to PostgreSQL that opens itself again when it is lost, and never lets anybody wait for long."""

import asyncio
import logging
import os
import select
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain, repeat
from typing import Any, Final

import psycopg
from psycopg.types.numeric import Int8Dumper

from bot.store.postgresql.faults import GONE

log = logging.getLogger(__name__)

NAME: Final = "palmhouse"
"""Name of our connections in the server's list, unless the URL has another one."""
LONGEST: Final = 1.0
"""Seconds after which a connection without an answer is given up. Together with PATIENCE and OUTCOME it must be well
below the three seconds in which Discord wants an answer to a click."""
STATEMENT: Final = 900
"""Ms after which the server ends a statement."""
# A frozen process would keep its rows from the process that takes over.
IDLE: Final = 5000
"""Ms after which the server ends a connection that says nothing in a transaction."""
SETTINGS: Final = (
    f"SET statement_timeout = {STATEMENT}; SET idle_in_transaction_session_timeout = {IDLE};"
    # Within half a minute the server notices that a bot has vanished with its machine, and releases its lock.
    " SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3"
)
"""Statements for each new connection."""
PATIENCE: Final = 0.5
"""Seconds to wait for a connection that is being opened again."""
PAUSES: Final = 0.0, 0.1, 0.3, 1.0
"""Seconds before each try to open it again; the last one repeats."""
READ_ONLY: Final = "25006"
"""SQLSTATE of a write that the server refuses in a session that may only read."""
OPENING: Final = 5
"""Seconds after which a try to open it again is given up."""


class Raw(psycopg.AsyncConnection[tuple[Any, ...]]):
    """A connection of psycopg's that can tell whether it is lost, and be cut."""

    def has_ended(self) -> bool:
        """Return whether the server has ended a connection that waits for no answer."""
        try:
            while select.select([self.fileno()], [], [], 0)[0]:  # a word of the server, or the end
                self.pgconn.consume_input()
        except (psycopg.Error, OSError):
            return True
        return self.closed

    def cut(self) -> None:
        """End the traffic: a wait for an answer ends at once, while cancelling it would wait for the server."""
        with suppress(psycopg.Error, OSError), socket.socket(fileno=os.dup(self.fileno())) as duplicate:
            duplicate.shutdown(socket.SHUT_RDWR)


class Gone(psycopg.OperationalError):
    """There is no connection now."""


def with_our_types(raw: psycopg.AsyncConnection[Any] | psycopg.Connection[Any]) -> None:
    """Let a connection send each integer as a BIGINT, as all our columns are."""
    # By default the type follows from the value, and each combination of types would need a plan of its own.
    raw.adapters.register_dumper(int, Int8Dumper)


async def opened(url: str) -> Raw:
    """Open a connection. Raises psycopg.Error."""
    raw = await Raw.connect(
        url,
        autocommit=True,
        cursor_factory=psycopg.AsyncRawCursor,
        connect_timeout=OPENING,
        fallback_application_name=NAME,
    )
    with_our_types(raw)
    try:
        await raw.execute(SETTINGS)
    except BaseException:
        await raw.close()
        raise
    return raw


class Connection:
    """A connection for one user at a time. `greet` is called with each connection before it is used; if it raises a
    psycopg.Error, the connection is not used."""

    def __init__(self, url: str, greet: Callable[[Raw], Awaitable[None]] | None = None) -> None:
        self._url = url
        self._greet = greet
        self._raw: Raw | None = None
        self._ready = asyncio.Event()
        self._opening: asyncio.Task[None] | None = None
        self._closed = False
        self._lost = False
        """True from the loss of a connection until there is a new one."""
        self._refuses_writes = False
        """True when the server has refused to write over the connection."""

    async def use(self, raw: Raw) -> None:
        """Use an open connection from now on. If that raises (psycopg.Error, too), it is closed."""
        # A greeting that is cancelled rolls its transaction back, which waits for ever where nothing comes through.
        timer = asyncio.get_running_loop().call_later(OPENING, raw.cut)
        try:
            if self._greet is not None:
                await self._greet(raw)
        except BaseException:
            await raw.close()
            raise
        finally:
            timer.cancel()
        self._raw, self._refuses_writes = raw, False
        self._ready.set()

    async def close(self) -> None:
        """Close it for good."""
        self._closed = True
        if self._opening is not None:
            self._opening.cancel()
            await asyncio.gather(self._opening, return_exceptions=True)
        if self._raw is not None:
            await self._raw.close()

    async def raw(self, patience: float = PATIENCE) -> Raw:
        """Return the connection. Raises Gone when there is none, nor within `patience` seconds."""
        # A new connection may be allowed to write, or lead to another server.
        if self._raw is not None and self._refuses_writes:
            self._raw.cut()
        if self._raw is not None and self._raw.has_ended():
            self.lose()
        if self._raw is None:
            self._reopen()
            with suppress(TimeoutError):
                async with asyncio.timeout(patience):
                    await self._ready.wait()
        if self._raw is None:
            raise Gone(GONE)
        return self._raw

    @contextmanager
    def limited(self, raw: Raw, seconds: float = LONGEST) -> Iterator[None]:
        """Cut the connection when the block takes longer: it then ends with a psycopg.OperationalError. Forget a
        connection that is lost in the block."""
        timer = asyncio.get_running_loop().call_later(seconds, raw.cut)
        try:
            yield
        except psycopg.Error as error:
            self._refuses_writes |= error.sqlstate == READ_ONLY
            if raw.closed:
                self.lose()
            raise
        finally:
            timer.cancel()

    def lose(self) -> None:
        """Forget a connection that is lost, and begin to open it again."""
        self._raw = None
        self._ready.clear()
        if not self._lost:
            log.warning("a connection to the database is lost; it is opened again")
        self._lost = True
        self._reopen()

    def _reopen(self) -> None:
        if not self._closed and (self._opening is None or self._opening.done()):
            self._opening = asyncio.create_task(self._open_again(), name="connection to the database")

    async def _open(self) -> None:
        await self.use(await opened(self._url))

    async def _open_again(self) -> None:
        for pause in chain(PAUSES, repeat(PAUSES[-1])):
            await asyncio.sleep(pause)
            with suppress(psycopg.Error, OSError, TimeoutError):
                async with asyncio.timeout(OPENING):
                    await self._open()
                break
        if self._lost:
            log.warning("the connection to the database is open again")
        self._lost = False
