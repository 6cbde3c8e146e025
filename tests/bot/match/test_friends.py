"""Three friends in three time zones finish a match of Hand and Foot by correspondence in four days, without one call at
night."""

from collections import Counter
from datetime import UTC, datetime

from bot.match.call import Call, call
from bot.match.table import Table
from bot.match.waking import DAY, is_awake, later
from bot.store import Hours
from games import GAMES
from games.strategies import choose
from games.types import Seat
from tests.bot.tables import ALICE, BEN, CLEO, Room, started

FRIENDS = {
    ALICE: Hours("Europe/Berlin", 8, 23),
    BEN: Hours("America/New_York", 8, 23),
    CLEO: Hours("America/Los_Angeles", 8, 23),
}
SOON = 4 * 60_000
"""Ms after which a friend who is awake has played."""


class Phones:
    """The phones of the friends: they ring for mentions, as `bot.messages.calls` makes them."""

    def __init__(self, room: Room, table: Table) -> None:
        self.room, self.table = room, table
        self.known, self.slept = 0, list[int]()
        self.rung = Counter[int]()

    def now(self) -> Call:
        table = self.table
        wanted = call(table.state, table.clock.times, table.hours, table.deadlines)
        return wanted.at(self.room.time, self.known, self.slept)

    def ring(self) -> None:
        """Mention those whom a new call mentions. Nobody of them sleeps."""
        shown, at = self.now(), self.room.time
        for user in shown.calls:
            assert is_awake(FRIENDS[user], at), f"{user} is called in their night"
            self.rung[user] += 1
        if shown.number > self.known or shown.calls:
            self.known, self.slept = max(self.known, shown.number), [*shown.asleep]

    def pass_to(self, time: int) -> None:
        """Let time pass, and call who wakes meanwhile."""
        while 0 < (wakes := self.now().wakes) < time:
            self.room.time = wakes
            self.ring()
        self.room.time = time


async def act(table: Table, seat: Seat, room: Room) -> None:
    state = table.state
    action = choose(state.game, state.game.view(state.game_state, seat), "casual", f"{state.n}")
    await table.play(state.players[seat].user, [state.game.text(action)], room.time)


async def test_three_friends_finish_in_four_days_without_one_call_at_night(room: Room) -> None:
    room.time = began = int(datetime(2026, 6, 1, 15, tzinfo=UTC).timestamp() * 1000)
    for user, hours in FRIENDS.items():
        await room.set_hours(user, hours)
    table = await started(room, BEN, CLEO, game=GAMES["hand-and-foot"], pace="correspondence")
    phones = Phones(room, table)
    while table.state.phase == "play":
        phones.ring()
        (seat, *_) = table.state.awaited()
        phones.pass_to(later(table.hours[table.state.players[seat].user], room.time, SOON))
        while table.state.phase == "play" and seat in table.state.awaited():
            await act(table, seat, room)
    assert room.time - began < 4 * DAY
    assert table.state.away == set()
    assert min(phones.rung.values()) > 50
