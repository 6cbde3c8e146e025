"""Measure the memory of the bot with one live table and with many. A live table is dealt and its messages posted."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

from bench.players import open_match
from bench.process import memory, palmhouse
from bench.report import say
from sandbox import Guild, Message, Sandbox, TextChannel

AT_ONCE = 20
"""Tables opened at the same time."""
PLAYERS = 3


@dataclass(frozen=True)
class Memory:
    """Memory of the bot's process (RSS) in MiB; null on systems without Linux's `/proc`."""

    tables: int
    idle_mib: float | None
    """Memory once connected, without a table."""
    one_table_mib: float | None
    all_tables_mib: float | None
    """Memory with all `tables`."""
    kib_per_table: float | None


async def measure(folder: Path, tables: int) -> Memory:
    """Open the tables, with three people at each."""
    async with Sandbox(rate_limits=False) as box:
        guild = box.guild("Palm Beach")
        room = guild.channel("card-room")
        async with palmhouse(box, folder / "memory.sqlite3") as pid:
            await box.ready(60)
            idle = memory(pid)
            await _live(box, guild, room, 1)
            one = memory(pid)
            say(f"{tables} tables are opened and dealt.")
            while (missing := tables - len(guild.threads)) > 0:
                await _live(box, guild, room, min(missing, AT_ONCE))
            return _figures(tables, idle, one, memory(pid))


def _figures(tables: int, idle: float | None, one: float | None, every: float | None) -> Memory:
    if idle is None or one is None or every is None:
        return Memory(tables, None, None, None, None)
    each = (every - one) / (tables - 1) * 1024
    return Memory(tables, round(idle, 1), round(one, 1), round(every, 1), round(each, 1))


async def _live(box: Sandbox, guild: Guild, room: TextChannel, tables: int) -> None:
    """Open more tables, and wait until their live messages and first calls are posted."""
    names = [("Alice", "Ben", "Cleo")] * tables
    cards = await asyncio.gather(
        *(open_match(room, *(box.person(name, guild) for name in trio)) for trio in names)
    )
    await box.until(lambda: all(_posted(card) for card in cards), timeout=60)


def _posted(card: Message) -> bool:
    return card.thread is not None and len(card.thread.log) >= 2
