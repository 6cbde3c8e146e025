"""Tables with people who move by `/move`, for a measurement of load."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

from bench.players import open_match
from bench.rates import Act
from bench.report import say
from bot.match.log import read
from bot.match.state import TableState
from bot.store import LogRow, Store
from bot.store.errors import Unreadable
from games import GAMES
from sandbox import Answer, Channel, Guild, Message, Person, Sandbox

PACE = "correspondence"
"""Nobody is overdue while others play."""
PEOPLE = 2
"""Number of people at each table."""
PATIENCE = 60.0
"""Seconds that people wait for a deferred answer."""
AT_ONCE = 10
"""Number of tables that are opened at the same time."""
READS = 10
"""Number of times that a log is read before the measurement gives up."""


@dataclass
class LiveTable:
    """A table on which people play."""

    id: int
    place: Channel
    people: dict[int, Person]
    state: TableState
    busy: bool = False

    async def open_hand(self) -> AsyncIterator[Answer]:
        """Open the hand of a person."""
        person = next(iter(self.people.values()))
        async for answer in _complete(person, await person.slash(self.place, "hand")):
            yield answer

    async def move(self, store: Store, rng: Random) -> AsyncIterator[Answer]:
        """Make any legal move of an awaited person."""
        seat = rng.choice(self.state.awaited())
        text = self.state.game.text(rng.choice(self.state.legal(seat)))
        person = self.people[self.state.players[seat].user]
        async for answer in _complete(person, await person.slash(self.place, "move", action=text)):
            yield answer
        await self.follow(store)
        self.busy = False

    async def follow(self, store: Store) -> None:
        """Apply what is new in the log."""
        for row in await self._unread(store):
            self.state.apply(read(row))

    async def _unread(self, store: Store) -> list[LogRow]:
        """Return the entries that are new. The process that measures may be too busy to read them in time."""
        for _ in range(READS):
            with suppress(Unreadable):
                return await store.log(self.id, self.state.n)
        raise Unreadable(f"The log of match {self.id} could not be read {READS} times.")


async def opened(
    box: Sandbox, guilds: Sequence[Guild], tables: int, people: int, **options: Any
) -> list[tuple[Message, list[Person]]]:
    """Open tables on these servers in turn, and let the matches begin. Return their cards and people when their live
    messages and first calls are posted."""
    found: list[tuple[Message, list[Person]]] = []
    rooms = [guild.channel("card-room") for guild in guilds]
    for first in range(0, tables, AT_ONCE):
        chosen = [rooms[number % len(rooms)] for number in range(first, min(first + AT_ONCE, tables))]
        groups = [[box.person(f"P{n}", room.guild) for n in range(people)] for room in chosen]
        pairs = zip(chosen, groups, strict=True)
        cards = await asyncio.gather(*(open_match(room, *some, **options) for room, some in pairs))
        await box.until(partial(_are_posted, cards), timeout=60)
        found += zip(cards, groups, strict=True)
    return found


def _are_posted(cards: list[Message]) -> bool:
    return all(card.thread is not None and len(card.thread.log) >= 2 for card in cards)


async def live(box: Sandbox, guilds: Sequence[Guild], store: Store, tables: int) -> list[LiveTable]:
    """Open tables, and read their matches."""
    say(f"{tables} tables are opened and dealt.")
    found = await opened(box, guilds, tables, PEOPLE, pace=PACE)
    return [await _followed(card, people, store) for card, people in found]


async def _followed(card: Message, people: list[Person], store: Store) -> LiveTable:
    number = next(int(each.partition(":")[2]) for each in card.custom_ids if each.startswith("rules:"))
    match = await store.match(number)
    assert match is not None
    assert card.thread is not None
    game = GAMES[match.game]
    state = TableState.of(match, game)
    table = LiveTable(number, card.thread, {person.id: person for person in people}, state)
    await table.follow(store)
    return table


def mover(tables: list[LiveTable], store: Store, rng: Random) -> Act | None:
    """Return a move at any table where nobody moves at present; None when there is none."""
    free = [table for table in tables if not table.busy and table.state.phase == "play"]
    if not free:
        return None
    table = rng.choice(free)
    table.busy = True
    return partial(table.move, store, rng)


async def _complete(person: Person, answer: Answer) -> AsyncIterator[Answer]:
    """Yield the answer, then wait until it is more than that the bot thinks."""
    yield answer
    clock = person.world.clock
    await clock.until(lambda: not answer.is_loading, clock.now() + PATIENCE)
