"""One person who plays against computers."""

import asyncio

from bot.table import Table
from games.minds import choose
from sandbox import Channel, Person
from tests.e2e.card_room import CardRoom
from tests.e2e.players import too_late


class SoloPlayer:
    """One person at a table with computers."""

    def __init__(self, here: CardRoom, table: Table, person: Person) -> None:
        self.table = table
        self.person = person
        self._changed = asyncio.Event()
        here.bot.tables.on_change.append(lambda _: self._changed.set())

    @property
    def is_their_turn(self) -> bool:
        """True when it is the person's turn."""
        return self.table.sitting.seat_of(self.person.id) in self.table.sitting.awaited()

    async def wait(self) -> None:
        """Wait until it is the person's turn or the match is over."""
        async with asyncio.timeout(20):
            while self.table.is_open and not self.is_their_turn:
                await self._changed.wait()
                self._changed.clear()

    def choice(self) -> str:
        """Return the text of a sensible move."""
        sitting = self.table.sitting
        seat = sitting.seat_of(self.person.id)
        return sitting.game.text(
            choose(sitting.game, sitting.game.view(sitting.state, seat), "steady", sitting.n)
        )

    async def move(self, place: Channel) -> None:
        """Make the person's next move with `/move`. In a real-time game a computer may have been faster."""
        await self.wait()
        answer = await self.person.slash(place, "move", action=self.choice())
        assert "✅" in answer.text or self.table.sitting.game.real_time

    async def finish(self) -> None:
        """Play the match to its end."""
        await self.wait()
        while self.table.is_open:
            move = self.table.sitting.game.parse(self.choice())
            with too_late(self.table.sitting.game):
                await self.table.move(self.person.id, move, self.table.house.now())
            await self.wait()
