"""What libraries and the bot take from the machine instead of from their caller, put into a world's hands.

| what | why it is replaced here |
|---|---|
| `time`'s clocks, `discord.utils.utcnow`, aiohttp's own `monotonic` | discord.py and aiohttp read them anywhere |
| `secrets`, `os.urandom`, `random`, discord.py's backoff | tokens, ids and boundaries of forms are drawn from them |
| SQLite's own waiting for a lock | what holds the lock goes on only when the one thread does |
| SQLite's waiting for the disk | no real power is cut, and the disk's time is virtual |
| the thread of an aiosqlite connection | aiosqlite makes it in its constructor |
| discord.py's thread for heartbeats | it is created by name in the middle of a method |
| a loop that is made for `asyncio.run` | a thread may run one for a while, which takes virtual time, too |
"""

import asyncio
import logging
import os
import random
import secrets
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from types import SimpleNamespace
from typing import Any

import aiohttp.connector
import aiosqlite
import discord.backoff
import discord.gateway
import discord.utils
import pytest

from tests.simulation.database import Queue, Thread
from tests.simulation.heartbeat import Heartbeat
from tests.simulation.loop import Loop
from tests.simulation.power import Connection
from tests.simulation.world import World

LOGGERS = (None, "bot", "cogs", "games")
"""Names of the loggers whose levels a simulated bot sets; it also takes the handlers of the first one."""


@contextmanager
def simulated(world: World) -> Iterator[World]:
    """Put the clocks, chance, threads and processes of this program into the world's hands during the block."""
    state, loggers = random.getstate(), {each: each.level for each in map(logging.getLogger, LOGGERS)}
    handlers = [*logging.getLogger().handlers]
    with pytest.MonkeyPatch.context() as patch:
        _patch_time(patch, world)
        _patch_chance(patch, world)
        _patch_threads(patch, world)
        try:
            yield world
        finally:
            random.setstate(state)
            logging.getLogger().handlers[:] = handlers
            for logger, level in loggers.items():
                logger.setLevel(level)


def _patch_time(patch: pytest.MonkeyPatch, world: World) -> None:
    def sleep(seconds: float) -> None:
        world.now += seconds

    for clock in (time.monotonic, time.perf_counter):
        patch.setattr(time, clock.__name__, lambda: world.now)
        patch.setattr(time, f"{clock.__name__}_ns", lambda: round(world.now * 1e9))
    patch.setattr(time, "clock_gettime", lambda _: world.now)
    patch.setattr(time, "time", lambda: world.unix_time)
    patch.setattr(time, "time_ns", lambda: round(world.unix_time * 1e9))
    patch.setattr(time, "sleep", sleep)
    patch.setattr(aiohttp.connector, "monotonic", lambda: world.now)
    patch.setattr(discord.utils, "utcnow", lambda: datetime.fromtimestamp(world.unix_time, UTC))


def _patch_chance(patch: pytest.MonkeyPatch, world: World) -> None:
    secret = world.chance("secrets")
    patch.setattr(secrets, "_sysrand", secret)
    patch.setattr(secrets, "randbits", secret.getrandbits)
    patch.setattr(secrets, "choice", secret.choice)
    patch.setattr(os, "urandom", world.chance("urandom").randbytes)
    patch.setattr(
        discord.backoff, "random", SimpleNamespace(Random=partial(_Seeded, world.chance("backoff")))
    )
    random.seed(f"random {world.seed}")


class _Seeded(random.Random):
    """A generator that takes its seed from another one, where it would take it from the system."""

    def __new__(cls, source: random.Random) -> "_Seeded":
        return super().__new__(cls)

    def __init__(self, source: random.Random) -> None:
        self._source = source
        super().__init__()

    def seed(self, a: Any = None, version: int = 2) -> None:
        super().seed(self._source.random() if a is None else a, version)


def _patch_threads(patch: pytest.MonkeyPatch, world: World) -> None:
    make = aiosqlite.Connection.__init__

    def make_without_thread(connection: aiosqlite.Connection, *args: Any, **options: Any) -> None:
        make(connection, *args, **options)
        vars(connection).update(_tx=Queue(), _thread=Thread())

    patch.setattr(aiosqlite.Connection, "__init__", make_without_thread)
    connect = sqlite3.connect
    options = {"timeout": 0, "factory": Connection}
    patch.setattr(sqlite3, "connect", lambda *args, **given: connect(*args, **(given | options)))
    patch.setattr(discord.gateway, "KeepAliveHandler", Heartbeat)
    # Of `asyncio.run` on a thread.
    patch.setattr(asyncio.events, "new_event_loop", lambda: Loop(world))
