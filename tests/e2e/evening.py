"""One person who plays with computers."""

import asyncio

from bot.match.table import Table
from games.minds import choose
from sandbox import Channel, Person
from tests.e2e.house import House
from tests.e2e.players import too_late


class Evening:
    """One person at a table with computers."""

    def __init__(self, here: House, table: Table, person: Person) -> None:
        self.table = table
        self.person = person
        self._changed = asyncio.Event()
        here.bot.tables.on_change.append(lambda _: self._changed.set())

    @property
    def asked(self) -> bool:
        """Whether it is the person's turn."""
        return self.table.state.seat_of(self.person.id) in self.table.state.awaited()

    async def wait(self) -> None:
        """Until it is the person's turn, or all is over."""
        async with asyncio.timeout(20):
            while self.table.is_open and not self.asked:
                await self._changed.wait()
                self._changed.clear()

    def choice(self) -> str:
        """The text of a sensible move."""
        state = self.table.state
        seat = state.seat_of(self.person.id)
        return state.game.text(choose(state.game, state.game.view(state.game_state, seat), "steady", state.n))

    async def move(self, place: Channel) -> None:
        """The person's next turn, from the keyboard. In a game of speed a computer may have been quicker."""
        await self.wait()
        answer = await self.person.slash(place, "move", action=self.choice())
        assert "✅" in answer.text or self.table.state.game.real_time

    async def finish(self) -> None:
        """Play on to the end."""
        await self.wait()
        while self.table.is_open:
            move = self.choice()
            with too_late(self.table.state.game):
                await self.table.move(self.person.id, move, self.table.house.now())
            await self.wait()
