"""Measure the memory of the bot with one live table and with many, then with the hands of all players open.

A live table is dealt and its messages posted.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.players import open_match
from bench.process import memory, palmhouse
from bench.report import say
from bench.usage import until_idle
from sandbox import Channel, Message, Person, Sandbox, TextChannel

AT_ONCE = 20
"""Tables opened at the same time."""


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
    hands: int
    """Hands that are opened then."""
    kib_per_hand: float | None


async def measure(folder: Path, tables: int) -> Memory:
    """Open the tables, with three people at each."""
    async with Sandbox(rate_limits=False) as box:
        room = box.guild("Palm Beach").channel("card-room")
        async with palmhouse(box, folder / "memory.sqlite3") as pid:
            await box.ready(60)
            idle = memory(pid)
            players = await _live(box, room, 1)
            one = memory(pid)
            say(f"{tables} tables are opened and dealt.")
            while (missing := tables - len(room.threads)) > 0:
                players += await _live(box, room, min(missing, AT_ONCE))
            every = memory(pid)
            await _open_hands(players)
            await until_idle([pid])
            return _figures(tables, len(players), idle, one, every, memory(pid))


def _figures(tables: int, hands: int, *mib: float | None) -> Memory:
    known = [each for each in mib if each is not None]
    if len(known) < len(mib):
        return Memory(tables, None, None, None, None, hands, None)
    idle, one, every, with_hands = known
    table, hand = (every - one) / (tables - 1) * 1024, (with_hands - every) / hands * 1024
    return Memory(
        tables, round(idle, 1), round(one, 1), round(every, 1), round(table, 1), hands, round(hand, 1)
    )


async def _open_hands(players: Sequence[tuple[Person, Channel]]) -> None:
    for first in range(0, len(players), AT_ONCE):
        await asyncio.gather(
            *(person.slash(place, "hand") for person, place in players[first : first + AT_ONCE])
        )


async def _live(box: Sandbox, room: TextChannel, tables: int) -> list[tuple[Person, Channel]]:
    """Open more tables, and wait until their live messages and first calls are posted. Return the players, each with
    the thread of their match."""
    groups = [[box.person(name, room.guild) for name in ("Alice", "Ben", "Cleo")] for _ in range(tables)]
    cards = await asyncio.gather(*(open_match(room, *people) for people in groups))
    await box.until(lambda: all(_posted(card) for card in cards), timeout=60)
    seated = [(person, card.thread) for card, people in zip(cards, groups, strict=True) for person in people]
    return [(person, thread) for person, thread in seated if thread is not None]


def _posted(card: Message) -> bool:
    return card.thread is not None and len(card.thread.log) >= 2
