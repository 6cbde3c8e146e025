"""Tables over a real file, of the toy game, with a clock that the test turns."""

from typing import Any

from bot.match.deadlines import DUE
from bot.match.state import Player
from bot.match.table import Table
from bot.match.tables import Tables
from bot.match.times import Pace, Times
from bot.store import Store
from games import GAMES, AnyGame
from tests.toy.rules import GAME as TOY

ALICE, BEN, CLEO, DANA, EVE = range(101, 106)
GUILD, CHANNEL = 1, 2


class House:
    """Tables over a real file, with a clock that the test turns."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.time = 1_000_000
        self.tables = Tables(
            store,
            lambda: self.time,
            times=Times(live=900, lobby=5000, computer=(10, 11)),
            seed=lambda: "seed",
        )

    async def open(
        self,
        *others: int,
        user: int = ALICE,
        computers: int = 0,
        pace: Pace = "live",
        game: AnyGame = TOY,
        **options: Any,
    ) -> Table:
        """A lobby with its host, computers and others."""
        robots = [Player(0, f"🤖 {n}", "steady") for n in range(computers)]
        table = await self.tables.open(
            game,
            game.Options(**options),
            guild=GUILD,
            channel=CHANNEL,
            players=[Player(user, f"P{user}"), *robots],
            at=self.time,
            pace=pace,
        )
        for other in others:
            await table.join(other, f"P{other}", self.time)
        return table

    async def reload(self, table: Table) -> Table:
        """The same table as the log alone tells it."""
        self.tables.forget(table)
        return await self.tables.get(table.id)


async def started(house: House, *others: int) -> Table:
    """A match in play."""
    table = await house.open(*(others or (BEN,)))
    await table.start(ALICE, house.time)
    return table


async def race(house: House) -> Table:
    """Two people before a spread of Twin It! that has just been uncovered."""
    table = await house.open(BEN, game=GAMES["twin-it"], mode="timed", seconds=60)
    await table.start(ALICE, house.time)
    for user in (ALICE, BEN):
        await table.move(user, "ready", house.time)
    house.time = table.clocks[DUE]
    await table.ring(DUE)
    return table


async def move(table: Table, user: int, prompt: int | None = None) -> None:
    """The first legal move."""
    seat = table.state.seat_of(user)
    assert seat is not None
    await table.move(user, table.state.game.text(table.state.legal(seat)[0]), 7, prompt)
