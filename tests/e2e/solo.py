"""One person who plays against computers."""

import asyncio
from dataclasses import replace

import pytest

from bot.match.table import Table
from bot.match.times import Times
from games.strategies import choose
from sandbox import Channel, Person
from tests.e2e.card_room import QUICK, CardRoom
from tests.e2e.players import too_late

AT_ONCE = replace(QUICK, computer=(0, 1))
"""Computers make requested moves at once."""


@pytest.fixture
def times() -> Times:
    return AT_ONCE


class SoloPlayer:
    """One person at a table with computers."""

    def __init__(self, here: CardRoom, table: Table, person: Person) -> None:
        self.table = table
        self.person = person
        self._changed = asyncio.Event()
        here.bot.tables.on_change.append(lambda _: self._changed.set())

    @property
    def is_their_turn(self) -> bool:
        return self.table.state.seat_of(self.person.id) in self.table.state.awaited()

    async def wait(self) -> None:
        """Wait until it is the person's turn or the match is over."""
        async with asyncio.timeout(20):
            while self.table.is_open and not self.is_their_turn:
                await self._changed.wait()
                self._changed.clear()

    def choice(self) -> str:
        state = self.table.state
        seat = state.seat_of(self.person.id)
        return state.game.text(choose(state.game, state.game.view(state.game_state, seat), "steady", state.n))

    async def move(self, place: Channel) -> None:
        """Make the person's next move with `/move`. In a real-time game a computer may have been faster."""
        await self.wait()
        answer = await self.person.slash(place, "move", action=self.choice())
        assert "✅" in answer.told or self.table.state.game.real_time

    async def finish(self) -> None:
        await self.wait()
        while self.table.is_open:
            move = self.choice()
            with too_late(self.table.state.game):
                await self.table.play(self.person.id, [move], self.table.clock.now())
            await self.wait()
