"""Game nights at the tables: rounds, points, who comes late and who leaves, and a night with many people and kills."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from itertools import combinations, count
from pathlib import Path

import pytest

from bot.match.clock import Outage
from bot.match.deadlines import alone
from bot.match.log import read
from bot.match.night_rows import present, seed
from bot.match.nights import DAY, FARTHEST, HOUR, LATE, MOST, WEEK, Nights
from bot.match.refusal import Refusal
from bot.match.results import compared
from bot.match.seats import come_back, offer, take
from bot.match.table import Table
from bot.match.tables import MOST_OPEN
from bot.match.times import Times
from bot.match.votes import propose
from bot.standings.night import NightTable, standings
from bot.standings.ratings import RatedMatch
from bot.standings.seating import tables_for
from bot.store import Hours, NewMatch, NewNight, Night, NightTableRow, StoreFailed
from games import GAMES
from games.strategies import choose
from games.types import Seat
from tests.bot.store.stores import opened, rows
from tests.bot.tables import ALICE, BEN, CHANNEL, CLEO, DANA, EVE, GUILD, Room, pass_deadline
from tests.held import failing, held
from tests.simulation.testing import *  # noqa: F403

PALMER = GAMES["palmer"]
QUICK = PALMER.Options(limit=10)
STARTS = 2_000_000
MEANWHILE = 0.5
"""Seconds in which a step is taken as far as it can be while something else is under way."""


class NightRoom(Room):
    """Tables with game nights."""

    def __init__(self, *args: object) -> None:
        super().__init__(*args)  # type: ignore[arg-type]
        self.nights = Nights(self.tables)

    async def plan(self, *people: int, rounds: int = 2, weekly: bool = False) -> Night:
        night = await self.nights.plan(
            GUILD, CHANNEL, ALICE, STARTS, [(PALMER, QUICK)], rounds=rounds, weekly=weekly
        )
        for user in people:
            await self.come(night, user)
        return night

    async def come(self, night: Night, user: int) -> None:
        await self.nights.come(await self.now(night), user, f"P{user}")

    async def now(self, night: Night) -> Night:
        found = await self.store.night(night.id)
        assert found is not None
        return found

    async def step(self, night: Night, at: int | None = None) -> Night:
        """Take a night further, at a time or now. Return it as it is then."""
        self.time = self.time if at is None else at
        await self.nights.step(await self.now(night))
        return await self.now(night)

    async def tables_of(self, night: Night) -> list[NightTableRow]:
        """Return the tables of the round that is played."""
        now = await self.now(night)
        return [each for each in await self.store.night_tables(night.id) if each.round == now.round]

    async def open_tables(self, night: Night) -> list[Table]:
        rows = [each for each in await self.tables_of(night) if not each.closed]
        return [await self.tables.get(each.match) for each in rows if each.match is not None]

    async def begin(self, night: Night) -> list[Table]:
        """Begin the next round, and open its tables."""
        await self.step(night, max(self.time, (await self.now(night)).due))
        return await self.open_all(night)

    async def open_all(self, night: Night) -> list[Table]:
        """Open all tables of the round. Return those that are not over."""
        while any(row.match is None for row in await self.tables_of(night)):
            await self.step(night)
        return await self.open_tables(night)

    async def finish(self, night: Night) -> Night:
        """Play all tables of the round to their ends."""
        for table in await self.open_tables(night):
            await play(table)
        return await self.step(night)


async def play(table: Table, moves: int = 10_000) -> None:
    """Make moves as a computer would, in all seats."""
    while table.is_open and (moves := moves - 1) >= 0:
        state = table.state
        (seat, *_) = state.awaited()
        action = choose(state.game, state.game.view(state.game_state, seat), "casual", state.n)
        text = state.game.text(action)
        if state.strength_at(seat):
            await table.answer(seat, state.prompts[seat], text)
        else:
            await table.play(state.players[seat].user, [text], table.clock.now())


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[NightRoom]:
    async with opened(tmp_path / "palmhouse.sqlite3") as store:
        yield NightRoom(store)


async def test_a_night_goes_from_round_to_round_to_its_end(room: NightRoom) -> None:
    night = await room.plan(ALICE, BEN, CLEO, DANA, EVE, 106)
    assert (await room.step(night, STARTS - 1)).phase == "planned"
    first, second = await room.begin(night)
    assert {len(first.state.players), len(second.state.players)} == {3}
    assert first.state.phase == "play"
    assert (await room.finish(night)).phase == "pause"
    assert (await room.step(night, room.time + Times().between_rounds - 1)).phase == "pause"
    assert sorted(row.points for row in await room.nights.standings(night))[-1] > 0
    await room.begin(night)
    night = await room.finish(night)
    assert (night.phase, night.reason) == ("over", "")
    assert {row.user for row in await room.nights.standings(night)} == {ALICE, BEN, CLEO, DANA, EVE, 106}


async def test_all_tables_of_a_round_have_the_same_deal_and_no_two_rounds(room: NightRoom) -> None:
    night = await room.plan(*range(101, 107))
    first, second = await room.begin(night)
    assert first.match.seed == second.match.seed == seed(night, 1, PALMER)
    views = [PALMER.view(table.state.game_state, None) for table in (first, second)]
    assert str(views[0]) == str(views[1])
    await room.finish(night)
    (third, *_) = await room.begin(night)
    assert third.match.seed != first.match.seed


async def test_tables_are_opened_no_faster_than_they_can_be_posted(room: NightRoom) -> None:
    night = await room.plan(*range(101, 121), rounds=1)
    found = []
    for _ in range(3):
        await room.step(night, STARTS)
        found.append(len(await room.open_tables(night)))
    assert found == [0, 3, 5]


async def test_people_sit_where_the_seating_says(room: NightRoom) -> None:
    night = await room.plan(*range(101, 107))
    await room.begin(night)
    for row in await room.tables_of(night):
        table = await room.tables.get(row.match or 0)
        assert [player.user or None for player in table.state.players] == [each.user for each in row.seats]
        assert row.why == "Drawn by lot, as this is the first round."


async def test_two_people_play_with_computers(room: NightRoom) -> None:
    night = await room.plan(ALICE, BEN, rounds=1)
    (table,) = await room.begin(night)
    assert sorted(player.user for player in table.state.players) == [0, ALICE, BEN]
    assert (await room.finish(night)).phase == "over"
    assert len(await room.nights.standings(night)) == 2


async def test_a_night_is_off_with_one_person_or_when_the_bot_was_away_too_long(room: NightRoom) -> None:
    night = await room.plan(ALICE, weekly=True)
    night = await room.step(night, STARTS)
    assert (night.phase, night.reason, len(await room.store.nights_to_do())) == ("off", "few", 1)
    room.time = 1_000_000
    night = await room.plan(ALICE, BEN, weekly=True)
    night = await room.step(night, STARTS + LATE + 1)
    assert (night.phase, night.reason) == ("off", "late")
    (_, _, after) = await room.store.nights_to_do()
    assert (after.starts, after.phase, after.weekly) == (STARTS + WEEK, "planned", 1)


@pytest.mark.parametrize(("zone", "hour"), [("Europe/Berlin", 19), (None, 18)])
async def test_a_night_each_week_keeps_its_time_by_the_clock_of_whoever_planned_it(
    room: NightRoom, zone: str | None, hour: int
) -> None:
    if zone is not None:
        await room.store.set_hours(ALICE, Hours(zone), {})
    starts = datetime(2026, 10, 21, 18, tzinfo=UTC)  # clocks there are put back on the 25th
    room.time = int(starts.timestamp()) * 1000 - HOUR
    night = await room.nights.plan(
        GUILD, CHANNEL, ALICE, room.time + HOUR, [(PALMER, QUICK)], rounds=1, weekly=True
    )
    await room.step(night, night.starts + LATE + 1)
    (_, after) = await room.store.nights_to_do()
    assert datetime.fromtimestamp(after.starts / 1000, UTC) == datetime(2026, 10, 28, hour, tzinfo=UTC)


async def test_a_night_ends_when_the_bot_was_away_for_too_long_between_two_rounds(room: NightRoom) -> None:
    night = await room.plan(ALICE, BEN, CLEO)
    await room.begin(night)
    night = await room.finish(night)
    night = await room.step(night, night.due + LATE + 1)
    assert (night.phase, night.reason) == ("over", "late")
    assert len(await room.nights.standings(night)) == 3


async def test_who_leaves_the_night_is_replaced_and_not_seated_again(room: NightRoom) -> None:
    night = await room.plan(ALICE, BEN, CLEO, DANA, rounds=2)
    (table,) = await room.begin(night)
    assert await room.nights.go(await room.now(night), DANA)
    assert DANA in table.state.left
    await room.step(night)
    await room.finish(night)
    (table,) = await room.begin(night)
    assert {player.user for player in table.state.players} == {ALICE, BEN, CLEO}
    assert {row.user: row.points for row in await room.nights.standings(night)}[DANA] == 0


async def test_who_leaves_a_match_has_left_the_night_and_may_come_back(room: NightRoom) -> None:
    night = await room.plan(ALICE, BEN, CLEO)
    (table,) = await room.begin(night)
    await table.leave(CLEO, room.time)
    await room.finish(night)
    assert present(await room.store.night_people(night.id)).keys() == {ALICE, BEN}
    await room.come(night, CLEO)
    (table,) = await room.begin(night)
    assert CLEO in {player.user for player in table.state.players}


async def test_who_comes_back_has_their_seat_back_and_keeps_it(room: NightRoom) -> None:
    night = await room.plan(ALICE, BEN, CLEO, DANA, rounds=1)
    (table,) = await room.begin(night)
    await room.nights.go(night, DANA)
    for _ in range(MOST_OPEN):  # at no more open tables may anybody sit down
        await room.open(user=DANA, game=PALMER)
    await room.come(night, DANA)
    await room.step(night)
    assert DANA not in table.state.left
    with pytest.raises(Refusal, match="last round has begun"):
        await room.come(night, EVE)
    await table.leave(DANA, room.time)
    await come_back(table, DANA, room.time)
    await room.step(night)
    assert DANA not in table.state.left


@pytest.mark.parametrize("turns", range(4))
async def test_who_comes_while_a_round_is_drawn_hears_of_which_round(room: NightRoom, turns: int) -> None:
    night = await room.plan(ALICE, BEN, CLEO)
    room.time = STARTS
    step = asyncio.create_task(room.nights.step(night))
    for _ in range(turns):
        await asyncio.sleep(0)
    now, row = await room.nights.come(night, DANA, "P")
    await step
    seated = {each.user for row in await room.tables_of(night) for each in row.seats}
    assert row is None
    assert (now.round == 0) == (DANA in seated)


async def test_a_round_is_not_drawn_with_somebody_who_is_erased_meanwhile(room: NightRoom) -> None:
    night = await room.plan(ALICE, BEN, CLEO)
    assert not await room.store.begin_round(night, [((ALICE, BEN, CLEO, DANA), "why")])
    assert await room.store.begin_round(night, [((ALICE, BEN, CLEO), "why")])
    (row,) = await room.tables_of(night)
    await room.tables.erase(CLEO)
    new = NewMatch("palmer", 1, "{}", "seed", GUILD, CHANNEL, CLEO, 5)
    with pytest.raises(StoreFailed, match="erased"):
        await room.store.open_night_table(row, new, [], {}, 9)
    (table,) = await room.open_all(night)
    assert sorted(player.user for player in table.state.players) == [0, ALICE, BEN]


async def test_who_comes_when_their_match_has_just_ended_has_a_seat_in_the_next_round(
    room: NightRoom,
) -> None:
    night = await room.plan(ALICE, BEN, CLEO, DANA)
    (table,) = await room.begin(night)
    await table.leave(DANA, room.time)
    await play(table)
    await room.come(night, DANA)
    await room.step(night)
    (table,) = await room.begin(night)
    assert DANA in {player.user for player in table.state.players}


async def test_who_comes_back_as_their_match_ends_has_a_seat_in_the_next_round(
    room: NightRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    night = await room.plan(ALICE, BEN, CLEO, DANA)
    (table,) = await room.begin(night)
    await table.leave(DANA, room.time)

    async def too_late(table: Table, user: int, at: int) -> None:
        await play(table)
        await come_back(table, user, at)

    monkeypatch.setattr("bot.match.nights.come_back", too_late)
    await room.come(night, DANA)
    await room.step(night)
    (table,) = await room.begin(night)
    assert DANA in {player.user for player in table.state.players}


async def test_who_comes_again_and_again_in_their_turn_is_refused(room: NightRoom) -> None:
    night = await room.plan(ALICE, BEN, CLEO, DANA)
    (table,) = await room.begin(night)
    user = table.state.players[table.state.awaited()[0]].user
    await room.nights.go(night, user)
    await room.come(night, user)
    await room.nights.go(night, user)
    with pytest.raises(Refusal, match="come back in this turn already"):
        await room.come(night, user)


async def test_who_leaves_before_their_table_is_open_is_replaced_at_once(room: NightRoom) -> None:
    night = await room.plan(ALICE, BEN, CLEO)
    await room.step(night, STARTS)
    assert await room.nights.go(await room.now(night), CLEO)
    (table,) = await room.open_all(night)
    assert sorted(player.user for player in table.state.players) == [0, ALICE, BEN]


async def test_an_outage_before_the_first_table_does_not_shorten_the_round(room: NightRoom) -> None:
    night = await room.plan(ALICE, BEN, CLEO, rounds=1)
    await room.step(night, STARTS)
    room.time += 3 * Times().round
    (table,) = await room.open_all(night)
    assert (await room.step(night)).due == room.time + Times().round
    assert table.is_open


async def test_nobody_takes_a_seat_at_another_table_with_the_same_deal_or_slows_a_table(
    room: NightRoom,
) -> None:
    night = await room.plan(*range(101, 107))
    first, second = await room.begin(night)
    await play(first)
    leaver, giver, *_ = [player.user for player in second.state.players]
    await second.leave(leaver, room.time)
    seat = second.state.held[leaver]
    with pytest.raises(Refusal, match="game night"):
        await take(second, seat, first.state.players[0].user, "P", room.time)
    with pytest.raises(Refusal, match="game night"):
        await offer(second, giver, first.state.players[0].user, "P", room.time)
    with pytest.raises(Refusal, match="game night"):
        await propose(second, giver, "relaxed", room.time)
    await come_back(second, leaver, room.time)
    assert leaver not in second.state.left


async def test_a_round_ends_after_a_time_and_counts_what_is_over(room: NightRoom) -> None:
    night = await room.plan(*range(101, 107), rounds=1)
    first, second = await room.begin(night)
    await play(first)
    await play(second, 3)
    assert (await room.step(night)).phase == "round"
    night = await room.step(night, room.time + Times().round)
    assert (night.phase, second.state.reason) == (
        "over",
        "this round of the game night has ended; the match does not count.",
    )
    points = {row.user: row.points for row in await room.nights.standings(night)}
    assert [points[player.user] for player in second.state.players] == [0, 0, 0]
    assert max(points[player.user] for player in first.state.players) > 0


async def test_a_freeze_ends_no_round_before_its_time_is_given_back(room: NightRoom) -> None:
    night = await room.plan(ALICE, BEN, CLEO, rounds=1)
    (table,) = await room.begin(night)
    room.tables.clock.frozen = lambda: Times().round
    await room.step(night, room.time + Times().round)
    assert table.is_open


async def test_a_round_has_the_time_that_is_given_back_while_its_tables_are_looked_at(
    room: NightRoom,
) -> None:
    night = await room.plan(ALICE, BEN, CLEO, rounds=1)
    (table,) = await room.begin(night)
    room.time = (await room.now(night)).due - 1
    outages = room.tables.clock.outages
    outages.append(Outage(room.time, lambda _: True))

    def set_right() -> None:
        room.time += HOUR
        outages.clear()

    async with held(
        room.store, "postpone", room.tables.postpone(HOUR, lambda _: True, room.time + HOUR, set_right)
    ):
        stepping = asyncio.create_task(room.step(night))
        await asyncio.wait([stepping], timeout=MEANWHILE)
    await stepping
    assert table.is_open


async def test_only_the_process_that_runs_a_table_ends_it_when_its_round_is_over(room: NightRoom) -> None:
    night = await room.plan(ALICE, BEN, CLEO, rounds=1)
    (table,) = await room.begin(night)
    table.is_run = lambda: False  # as after a freeze in which another process took it
    with pytest.raises(StoreFailed, match="another process"):
        await room.step(night, room.time + Times().round)
    table = await room.tables.get(table.id)
    assert table.is_open
    await room.step(night)
    assert not table.is_open


async def test_a_process_that_has_lost_a_race_does_not_call_it_without_a_result(room: NightRoom) -> None:
    game = GAMES["twin-it"]
    night = await room.nights.plan(
        GUILD, CHANNEL, ALICE, STARTS, [(game, game.Options(mode="timed"))], rounds=1
    )
    for user in (ALICE, BEN):
        await room.come(night, user)
    (table,) = await room.begin(night)
    for user in (ALICE, BEN):
        await table.play(user, ["ready"], room.time)
    room.tables.owns = lambda _: False  # as after a freeze in which another process took it
    await room.step(night, room.time + Times().round)
    assert [row.closed for row in await room.tables_of(night)] == [False]


async def test_a_person_alone_with_computers_does_not_hold_up_the_night(room: NightRoom) -> None:
    night = await room.plan(ALICE, BEN, rounds=1)
    (table,) = await room.begin(night)
    await table.leave(BEN, room.time)
    assert (await room.step(night, room.time + 3 * 900)).phase == "round"
    assert (await room.step(night, room.time + 1)).phase == "over"


async def test_a_table_to_which_nobody_has_come_does_not_hold_up_the_night(room: NightRoom) -> None:
    night = await room.plan(ALICE, BEN, CLEO, rounds=1)
    (table,) = await room.begin(night)
    while not alone(table.state) and table.state.present():
        seat = min(table.deadlines, key=lambda seat: table.deadlines[seat])
        if table.state.strength_at(Seat(seat)):
            await play(table, 1)
        else:
            await pass_deadline(room, table, seat)
    assert (await room.step(night, room.time + 3 * 900)).phase == "round"
    assert (await room.step(night, room.time + 1)).phase == "over"
    assert present(await room.store.night_people(night.id)) == {}


async def alone_and_asleep(room: NightRoom, night: Night) -> Table:
    """Begin a night of two. Let one leave, and the other one sleep until the table waits for nobody."""
    (table,) = await room.begin(night)
    await table.leave(BEN, room.time)
    while table.state.strength_at(table.state.awaited()[0]):
        await play(table, 1)
    room.time += 3 * 900 + 1
    return table


async def test_who_moves_while_a_table_is_found_asleep_plays_on(room: NightRoom) -> None:
    night = await room.plan(ALICE, BEN)
    table = await alone_and_asleep(room, night)
    async with table.lock:
        stepping = asyncio.create_task(room.step(night))
        await asyncio.sleep(0.1)
        moving = asyncio.create_task(play(table, 1))
        await asyncio.sleep(0.1)
    await moving
    await stepping
    assert table.is_open
    assert ALICE in present(await room.store.night_people(night.id))


async def test_who_was_asleep_is_away_though_a_kill_comes_before_that_is_kept(room: NightRoom) -> None:
    night = await room.plan(ALICE, BEN)
    table = await alone_and_asleep(room, night)
    with failing(room.store, "close_night_table"), pytest.raises(StoreFailed):  # as by a kill
        await room.step(night)
    assert not table.is_open
    assert ALICE in present(await room.store.night_people(night.id))
    await room.step(night)
    assert present(await room.store.night_people(night.id)) == {}


async def test_who_was_alone_in_an_outage_is_not_away_when_their_table_closes(room: NightRoom) -> None:
    night = await room.plan(ALICE, BEN)
    (table,) = await room.begin(night)
    await table.leave(BEN, room.time)
    room.time = (await room.now(night)).due - 1
    await play(table, 1)
    room.time += HOUR
    await room.tables.postpone(HOUR, lambda _: True, room.time)
    await room.step(night, room.time + 1)
    assert not table.is_open
    assert present(await room.store.night_people(night.id)).keys() == {ALICE}


async def test_who_leaves_a_night_loses_a_match_of_two_that_falls_asleep(room: NightRoom) -> None:
    night = await room.plan(ALICE, BEN, rounds=1)
    (table,) = await room.begin(night)
    while not all(user in table.state.moved for user in (ALICE, BEN)):
        await play(table, 1)
    await table.leave(BEN, room.time)
    await room.step(night, room.time + 3 * 900 + 1)
    assert table.state.winner == ALICE
    assert {row.user: row.place for row in await room.nights.standings(night)} == {ALICE: 1, BEN: 2}


async def test_a_cancelled_night_ends_without_its_round(room: NightRoom) -> None:
    night = await room.plan(ALICE, BEN, CLEO, rounds=3)
    await room.begin(night)
    await room.finish(night)
    before = await room.nights.standings(night)
    (table,) = await room.begin(night)
    assert await room.nights.cancel(await room.now(night))
    assert (await room.now(night)).phase == "over"
    assert table.state.phase == "play"  # whoever cancels may be losing
    assert await room.nights.standings(night) == before
    with pytest.raises(Refusal, match="Other tables"):
        await room.nights.check_revealed(table.id)
    await play(table)
    await room.nights.check_revealed(table.id)
    with pytest.raises(Refusal, match="over, or was cancelled"):
        await room.nights.get(night.id, GUILD)


async def test_a_table_that_cannot_be_loaded_does_not_hold_up_the_night(
    room: NightRoom, tmp_path: Path
) -> None:
    night = await room.plan(*range(1, 13))
    broken, *others = await room.begin(night)
    rows(tmp_path / "palmhouse.sqlite3", f"UPDATE log SET kind = 'nonsense' WHERE match = {broken.id}")
    room.tables.forget(broken)
    for table in others:
        await play(table)
    assert (await room.step(night)).phase == "pause"


async def test_a_cancelled_night_leaves_no_lobby_that_nobody_can_leave(room: NightRoom) -> None:
    night = await room.plan(ALICE, BEN, CLEO)
    await room.step(night, STARTS)
    with failing(Table, "begin"), pytest.raises(StoreFailed):
        await room.step(night)
    (table,) = await room.open_tables(night)
    assert table.state.phase == "lobby"
    await room.nights.cancel(await room.now(night))
    await room.step(night)
    assert table.state.phase == "closed"
    assert not room.tables.seated(ALICE)


async def test_nothing_of_a_deal_is_shown_before_its_round_is_over(room: NightRoom) -> None:
    night = await room.plan(*range(101, 107), rounds=1)
    first, _ = await room.begin(night)
    await play(first)
    await room.step(night)
    with pytest.raises(Refusal, match="Other tables"):
        await room.nights.check_revealed(first.id)
    await room.finish(night)
    await room.nights.check_revealed(first.id)


async def test_bad_times_and_games_are_refused(room: NightRoom) -> None:
    async def plan(starts: int, mode: str = "timed") -> None:
        game = GAMES["twin-it"]
        await room.nights.plan(GUILD, CHANNEL, ALICE, starts, [(game, game.Options(mode=mode))], rounds=1)

    with pytest.raises(Refusal, match="past"):
        await plan(room.time)
    with pytest.raises(Refusal, match="a year ahead"):
        await plan(room.time + FARTHEST + 1)
    with pytest.raises(Refusal, match="together"):
        await plan(room.time + DAY, "cooperative")
    await plan(room.time + DAY)
    with pytest.raises(Refusal, match="less than 4 hours"):
        await plan(room.time + DAY + HOUR)


async def test_of_two_nights_at_once_the_second_waits_or_is_off(room: NightRoom) -> None:
    first = await room.plan(ALICE, BEN, rounds=1)
    second = await room.store.plan_night(NewNight(*first[1:9])._replace(starts=STARTS + 1), 1)
    third = await room.store.plan_night(NewNight(*first[1:9])._replace(starts=STARTS + 2), 1)
    assert second is not None
    assert third is not None
    for user in (CLEO, DANA):
        await room.come(second, user)
    room.time = STARTS + 2
    await asyncio.gather(*map(room.nights.step, (second, first)))
    phases = {(await room.now(night)).phase for night in (first, second)}
    assert phases == {"planned", "round"}
    waits, is_on = sorted([await room.now(first), await room.now(second)], key=lambda night: night.round)
    await room.open_all(is_on)
    third = await room.step(third, STARTS + LATE + 3)
    assert (third.phase, third.reason) == ("off", "busy")
    room.time = STARTS + 3
    await room.finish(is_on)
    assert (await room.step(waits)).phase == "round"


async def test_a_night_has_room_for_two_hundred(room: NightRoom) -> None:
    night = await room.plan(*range(1000, 1000 + MOST))
    with pytest.raises(Refusal, match="200 people"):
        await room.come(night, ALICE)
    await room.come(night, 1000)


async def test_a_person_may_erase_themselves_between_rounds(room: NightRoom) -> None:
    night = await room.plan(ALICE, BEN, CLEO, DANA)
    await room.begin(night)
    with pytest.raises(Refusal, match="open table"):
        await room.tables.erase(ALICE)
    await room.finish(night)
    before = sorted(row.points for row in await room.nights.standings(night))
    assert await room.tables.erase(ALICE)
    rows = await room.nights.standings(night)
    assert sorted(row.points for row in rows) == before
    assert ALICE not in {row.user for row in rows}
    (table,) = await room.begin(night)
    assert {player.user for player in table.state.players} == {BEN, CLEO, DANA}
    night = await room.finish(night)
    assert night.phase == "over"
    assert len(await room.nights.standings(night)) == 4
    assert night.host < 0


async def test_who_erases_themselves_as_a_round_ends_keeps_their_points(room: NightRoom) -> None:
    night = await room.plan(ALICE, BEN, CLEO, DANA)
    (table,) = await room.begin(night)
    await play(table)
    async with held(room.store, "erase_person", room.tables.erase(ALICE)) as erased:
        stepping = asyncio.create_task(room.step(night))
        await asyncio.wait([stepping], timeout=MEANWHILE)
    with pytest.raises(StoreFailed, match="erased"):
        await stepping
    await erased
    await room.step(night)
    (row,) = await room.tables_of(night)
    assert all(each.part is not None for each in row.seats if each.user is not None)


async def test_who_erases_themselves_as_their_night_ends_plans_no_next_one(room: NightRoom) -> None:
    night = await room.plan(BEN, CLEO, rounds=1, weekly=True)
    await room.begin(night)
    async with held(room.store, "end_night", room.finish(night)):
        assert await room.tables.erase(ALICE)
    following = await room.store.next_night(GUILD)
    assert following is not None
    assert following.host == (await room.now(night)).host < 0


# The measurement


async def recount(room: NightRoom, night: Night) -> list[tuple[int, int]]:
    """Return the standings of a night, computed from the logs of its matches alone."""
    rounds: dict[int, list[NightTable]] = {}
    for row in await room.store.night_tables(night.id):
        table = await room.tables.get(row.match or 0)
        found = compared(table.match, PALMER, map(read, await room.store.log(table.id)))
        rated = found.rated
        assert isinstance(rated, RatedMatch)
        people: list[int | None] = [None] * len(rated.people)
        for user, number in found.users.items():
            people[number] = user
        merits = tuple((-score, -seat.placing) for score, seat in zip(found.scores, rated.seats, strict=True))
        rounds.setdefault(row.round, []).append(NightTable(tuple(people), rated, merits, "deal"))
    return [(row.user, row.points) for row in standings(rounds.values())]


class Killed(BaseException):
    """The process ends in the midst of a step."""


def killing_after(tables: int) -> Callable[[Table], None]:
    """Return a listener that ends the process when one table more is opened."""
    opened = count(1)

    def listen(_: Table) -> None:
        if next(opened) > tables:
            raise Killed

    return listen


async def live(room: NightRoom, night: Night, dies_in: int | None = None) -> Night:
    """Let a night go on to its end, or into the midst of a round in which the process dies."""
    while night.phase != "over":
        night = await room.step(night, max(room.time, night.due if night.phase != "round" else 0))
        tables = await room.open_all(night)
        if night.round == dies_in and tables:
            for table in tables[:5]:
                await play(table)
            await play(tables[5], 5)
            break
        if night.round == 2 and tables:
            await room.come(night, 2000)
            await room.nights.go(night, 1001)
            await tables[3].leave(
                next(each.user for each in tables[3].state.players if each.user > 1001), room.time
            )
        for table in tables:
            await play(table)
    return night


async def test_a_night_of_64_people_and_five_rounds_with_three_kills(tmp_path: Path) -> None:
    path, time = tmp_path / "palmhouse.sqlite3", 1_000_000
    night: Night | None = None
    for dies_in in (1, 3, None, None):
        async with opened(path) as store:
            room = NightRoom(store)
            room.time = time
            await room.tables.load()
            if dies_in is None and night and night.round == 3:  # in a step that opens the tables of a round
                room.nights.on_open = killing_after(6)
                with pytest.raises(Killed):
                    await live(room, night)
                night = await room.now(night)
            else:
                night = await live(room, night or await room.plan(*range(1001, 1065), rounds=5), dies_in)
            time = room.time
    assert night is not None
    assert night.phase == "over"
    async with opened(path) as store:
        room = NightRoom(store)
        rows = await room.nights.standings(night)
        assert [(row.user, row.points) for row in rows] == await recount(room, night)
        assert len(rows) == 65
        tables = await store.night_tables(night.id)
        met = Counter(
            frozenset(pair)
            for table in tables
            for pair in combinations([each.user for each in table.seats if each.user], 2)
        )
        assert max(met.values()) == 1  # of 63 others, each meets 15 at most
        for number, people in enumerate((64, 64, 63, 63, 63), start=1):
            here = [each for each in tables if each.round == number]
            users = [each.user for table in here for each in table.seats if each.user]
            assert (len(users), len({*users})) == (people, people)
            assert len(here) == len(tables_for(people, [3, 4, 5, 6]))
