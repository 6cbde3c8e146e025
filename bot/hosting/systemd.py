"""Reports to systemd: that the bot is ready, and then again and again that it is well.

systemd restarts a bot that reports too late. The bot reports only while its event loop is on time and the database
takes what it writes. Protocol: sd_notify(3) and sd_watchdog_enabled(3).
"""

import asyncio
import os
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from bot.store import StoreFailed

LATE: Final = 1.0
"""Seconds by which the event loop may be late."""
REPORTS: Final = 4
"""Number of reports within the time after which systemd restarts the bot."""


def is_listening() -> bool:
    """Return whether systemd started the bot and wants reports."""
    return "NOTIFY_SOCKET" in os.environ


async def report(ready: Awaitable[object], write: Callable[[], Awaitable[None]]) -> None:
    """Report until cancelled, first once `ready` is done. `write` changes the database; it raises StoreFailed."""
    await ready
    _send("READY=1")
    limit = _limit()
    while limit is not None:
        if await _is_well(limit / REPORTS, write):
            _send("WATCHDOG=1")


def ask_for_time(seconds: float) -> None:
    """Ask systemd, if it started the bot, to wait that many seconds more for the bot to be ready."""
    if is_listening():
        _send(f"EXTEND_TIMEOUT_USEC={int(seconds * 1e6)}")


async def _is_well(pause: float, write: Callable[[], Awaitable[None]]) -> bool:
    """Return, after a pause in seconds, whether the pause was not too long and a write is done as quickly."""
    loop = asyncio.get_running_loop()
    woken = loop.time() + pause
    await asyncio.sleep(pause)
    late = loop.time() - woken
    try:
        async with asyncio.timeout(pause):
            await write()
    except (StoreFailed, TimeoutError):
        return False
    return late < LATE


def _limit() -> float | None:
    """Return the seconds after which systemd restarts a bot that did not report; None if it never does."""
    microseconds = os.environ.get("WATCHDOG_USEC", "")
    is_ours = os.environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    return int(microseconds) / 1e6 if microseconds.isdigit() and is_ours else None


def _send(state: str) -> None:
    address = os.environ["NOTIFY_SOCKET"]
    if address.startswith("@"):  # a name without a file
        address = f"\0{address[1:]}"
    # Nobody may listen there, as in a container that only has the variable.
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        sender.sendto(state.encode(), address)
