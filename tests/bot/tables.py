"""Tables of the toy game in a real database, with a clock that the test sets."""

from typing import Any

from bot.match.deadlines import DUE
from bot.match.openings import Openings
from bot.match.state import Player
from bot.match.table import Table
from bot.match.tables import Tables
from bot.match.times import Pace, Times
from bot.store import Hours, Store
from games import GAMES, AnyGame
from tests.seats import SECOND
from tests.toy import GAME as TOY

ALICE, BEN, CLEO, DANA, EVE = range(101, 106)
GUILD, CHANNEL = 1, 2


class Room:
    """Tables in a real database, with a clock that the test sets."""

    def __init__(self, store: Store, seed: str = "seed", openings: Openings | None = None) -> None:
        self.store = store
        self.time = 1_000_000
        self.tables = Tables(
            store,
            lambda: self.time,
            times=Times(live=900, lobby=5000, computer=(10, 11)),
            seed=lambda: seed,
            openings=openings or Openings(most=100),
        )

    async def open(
        self,
        *others: int,
        user: int = ALICE,
        computers: int = 0,
        pace: Pace = "live",
        game: AnyGame = TOY,
        guild: int = GUILD,
        **options: Any,
    ) -> Table:
        """Open a lobby with its host, computers and other people."""
        robots = [Player(0, f"🤖 {n}", "steady") for n in range(computers)]
        table = await self.tables.open(
            game,
            game.Options(**options),
            guild=guild,
            channel=CHANNEL,
            players=[Player(user, f"P{user}"), *robots],
            at=self.time,
            pace=pace,
        )
        for other in others:
            await table.join(other, f"P{other}", self.time)
        return table

    async def set_hours(self, user: int, hours: Hours | None) -> None:
        await self.tables.set_hours(user, lambda _: hours)

    async def reload(self, table: Table) -> Table:
        """Forget the table and load it again from its log."""
        self.tables.forget(table)
        return await self.tables.get(table.id)


async def started(room: Room, *others: int, **how: Any) -> Table:
    """Start a match of Alice and others, opened as `how` says."""
    table = await room.open(*(others or (BEN,)), **how)
    await table.start(ALICE, room.time)
    return table


async def race(room: Room) -> Table:
    """Start a race of two people in Twin It!, in which the spread has just been uncovered."""
    table = await started(room, BEN, game=GAMES["twin-it"], mode="timed", seconds=60)
    for user in (ALICE, BEN):
        await table.play(user, ["ready"], room.time)
    await pass_deadline(room, table, DUE)
    return table


async def move(table: Table, user: int, prompt: int | None = None) -> None:
    """Make the first legal move."""
    seat = table.state.seat_of(user)
    assert seat is not None
    await table.play(user, [table.state.game.text(table.state.legal(seat)[0])], 7, prompt)


async def pass_deadline(room: Room, table: Table, seat: int) -> str:
    """Let the next deadline of that seat pass. Return the kind of the log entry that follows."""
    room.time = max(room.time, table.deadlines[seat])
    await table.apply_deadline(seat)
    return (await room.store.log(table.id))[-1].kind


async def overdue(room: Room, *others: int) -> Table:
    """Start a match in which all but Ben, in seat 1, have picked, and his time is up."""
    table = await started(room, *(others or (BEN, CLEO)))
    for player in table.state.players:
        if player.user != BEN:
            await move(table, player.user)
    assert [await pass_deadline(room, table, SECOND) for _ in range(2)] == ["remind", "overdue"]
    return table
