"""Daily deals at the tables: the only attempt, the computers' answers, and the end of a day."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.computers.players import ComputerPlayers
from bot.gateway.discord_time import DiscordTime
from bot.match.dailies import SWEPT_AT_ONCE, Dailies
from bot.match.entries import CloseReason
from bot.match.refusal import Refusal
from bot.match.state import Player
from bot.match.table import Table
from bot.match.tables import Tables
from bot.standings import daily
from bot.standings.daily import DAY, ROTATION
from bot.store import LogRow, StoreFailed
from bot.upkeep.clock import Clock
from games import GAMES
from games.strategies import choose
from tests.bot.store.stores import opened
from tests.bot.tables import ALICE, BEN, CLEO, GUILD, Room
from tests.held import failing
from tests.seats import FIRST
from tests.simulation.testing import *  # noqa: F403

NOON = 20_000 * DAY + DAY // 2


class DailyRoom(Room):
    """Tables with daily deals, at noon of a day."""

    def begin_at(self, time: int) -> None:
        self.time = time
        self.dailies = Dailies(self.tables)

    async def play(self, user: int = ALICE, day: int | None = None, guild: int = GUILD) -> Table:
        day = self.dailies.today() if day is None else day
        return await self.dailies.play(Player(user, f"P{user}"), day, guild, self.time)


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[DailyRoom]:
    async with opened(tmp_path / "palmhouse.sqlite3") as store:
        # Always the same deals: one in some hundred is over before anybody can act.
        await store.add_fact(f"daily secret {daily.year_of(NOON // DAY)}", "5e" * 32)
        room = DailyRoom(store)
        room.begin_at(NOON)
        yield room


async def step(table: Table, user: int = ALICE) -> None:
    """Make the move that a computer would make in the person's seat."""
    state = table.state
    action = choose(state.game, state.game.view(state.game_state, FIRST), "steady", state.n)
    await table.play(user, [state.game.text(action)], table.clock.now())


async def finish(table: Table, user: int = ALICE) -> None:
    while table.is_open:
        assert 0 in table.state.awaited()
        await step(table, user)


def rows(table: Table) -> list[str]:
    """Return the moves of all seats in public, for comparison between people."""
    return [str(item.event) for page in table.pages.kept for item in page.items]


@pytest.mark.parametrize("day", range(20_000, 20_005), ids=lambda day: daily.terms_of(day).slug)
async def test_two_people_with_the_same_moves_get_the_same_deal_and_the_same_answers(
    room: DailyRoom, day: int
) -> None:
    room.begin_at(day * DAY + DAY // 2)
    first, second = await room.play(ALICE), await room.play(BEN)
    assert first.id != second.id
    while first.is_open:
        await step(first)
        await step(second, BEN)
        assert rows(first) == rows(second)
    assert first.state.game_state.outcome == second.state.game_state.outcome
    results = await room.dailies.results(await room.store.attempt_of(first.id))  # type: ignore[arg-type]
    assert results.compared == "level with the only other player"


async def test_every_day_of_a_rotation_has_another_deal(room: DailyRoom) -> None:
    seeds = set()
    for day in range(20_000, 20_000 + 2 * len(ROTATION)):
        room.begin_at(day * DAY)
        seeds.add((await room.play()).match.seed)
    assert len(seeds) == 2 * len(ROTATION)


async def test_two_begins_at_the_same_moment_lead_to_one_table(room: DailyRoom) -> None:
    tables = await asyncio.gather(*(room.play(guild=guild) for guild in (1, 2, 3)))
    assert len({id(table) for table in tables}) == 1
    assert len(await room.store.open_matches()) == 1


async def test_a_daily_is_started_by_the_next_click_when_a_kill_left_it_in_the_lobby(room: DailyRoom) -> None:
    with failing(room.store, "append"), pytest.raises(StoreFailed):
        await room.play()
    table = await room.play()
    assert table.state.phase == "play"
    assert 0 in table.state.awaited()


async def test_a_move_and_the_answers_of_the_computers_are_kept_together_or_not_at_all(
    room: DailyRoom,
) -> None:
    table = await room.play()
    before = await room.store.log(table.id)
    with failing(room.store, "append"), pytest.raises(StoreFailed):
        await step(table)
    assert await room.store.log(table.id) == before
    table = await room.play()
    await step(table)
    assert 0 in table.state.awaited()


async def test_an_attempt_can_be_finished_until_the_next_day_ends(room: DailyRoom) -> None:
    table = await room.play()
    room.time = 20_002 * DAY - 1
    assert await room.play(day=20_000) is table
    await room.dailies.check_open(table)
    room.time = 20_002 * DAY
    with pytest.raises(Refusal, match="stays unfinished"):
        await room.dailies.check_open(table)
    assert table.state.phase == "closed"
    assert await room.store.finished_days(ALICE) == []


async def test_the_cards_of_a_deal_are_not_revealed_while_anybody_can_play_it(room: DailyRoom) -> None:
    table = await room.play()
    await finish(table)
    for now in (NOON, 20_002 * DAY - 1):
        room.time = now
        with pytest.raises(Refusal, match="Others can still play"):
            await room.dailies.check_revealed(table.id)
    room.time = 20_002 * DAY
    await room.dailies.check_revealed(table.id)
    await room.dailies.check_revealed((await room.open(game=GAMES["palmer"])).id)


@pytest.mark.parametrize("by", ["revealing", "forgetting"])
async def test_a_deal_that_was_closed_is_not_opened_by_an_outage_that_becomes_known_later(
    room: DailyRoom, by: str
) -> None:
    done, begun = await room.play(), await room.play(BEN)
    await finish(done)
    room.time = 20_002 * DAY
    await (room.dailies.check_revealed(done.id) if by == "revealing" else room.dailies.forget())
    room.time += 3_600_000
    await room.store.add_outage(20_001 * DAY - 3_600_000, room.time)
    assert await room.dailies.end(20_000) > room.time
    there = Dailies(Tables(room.store, lambda: room.time))  # of another process
    assert 20_000 not in await there.unclosed_days()
    with pytest.raises(Refusal, match="is closed"):
        await there.play(Player(CLEO, "Cleo"), 20_000, GUILD, room.time)
    with pytest.raises(Refusal, match="stays unfinished"):
        await there.check_open(begun)


async def test_unfinished_attempts_are_closed_once_their_deal_is_closed(room: DailyRoom) -> None:
    room.begin_at(NOON + DAY + DAY)  # no deal of Thirty-One, which is over when somebody is dealt 31
    table = await room.play()
    await room.dailies.sweep()
    assert table.is_open
    room.time += DAY
    later = await room.play()
    room.time += DAY
    await room.dailies.sweep()
    assert (await room.store.unfinished_attempts(30_000, 0, 1))[0].match == later.id
    assert not (await room.tables.get(table.id)).is_open


async def test_attempts_that_cannot_be_closed_are_in_nobodys_way(room: DailyRoom) -> None:
    room.begin_at(NOON + DAY + DAY)
    *broken, whole = [await room.play(user) for user in range(1, SWEPT_AT_ONCE + 2)]
    for table in broken:
        room.tables.forget(table)
        await room.store._change("DELETE FROM log WHERE match = ?", table.id)
    room.time += 2 * DAY
    for _ in range(2):
        await room.dailies.sweep()
    left = await room.store.unfinished_attempts(30_000, 0, SWEPT_AT_ONCE + 1)
    assert [each.match for each in left] == [table.id for table in broken]
    assert not whole.is_open


async def test_an_attempt_that_cannot_be_loaded_is_closed_with_its_deal(room: DailyRoom) -> None:
    table = await room.play()
    await room.store.append(table.id, [LogRow(table.state.n + 1, "nonsense", None, None, "", NOON)])
    table.outdate()
    room.time += 2 * DAY
    await room.dailies.sweep()
    assert await room.store.unfinished_attempts(30_000, 0, 1) == []


async def test_attempts_that_an_outage_keeps_open_are_closed_later_on_the_same_day(room: DailyRoom) -> None:
    room.begin_at(NOON + DAY + DAY)
    table = await room.play()
    await room.store.add_outage(room.time + DAY, room.time + DAY + 2 * 3_600_000)
    for hour, is_open in ((1, True), (3, False)):
        room.time = 20_004 * DAY + hour * 3_600_000
        await room.dailies.sweep()
        assert (await room.tables.get(table.id)).is_open == is_open


async def test_a_deal_stays_open_and_secret_while_a_shard_is_away_as_its_day_ends(room: DailyRoom) -> None:
    room.begin_at(NOON + DAY + DAY)
    clock = Clock(room.tables, ComputerPlayers(room.tables), DiscordTime(), lambda guild: guild % 2)
    for shard in range(2):
        await clock.resume(shard)
    table, done = await room.play(), await room.play(BEN)
    await finish(done, BEN)
    room.time = 20_004 * DAY - 3_600_000
    clock.pause(1)
    room.time += 2 * 3_600_000
    await room.dailies.sweep()
    assert table.is_open
    with pytest.raises(Refusal, match="Others can still play"):
        await room.dailies.check_revealed(done.id)
    await clock.resume(1)
    assert await room.dailies.closing(20_002) == 20_004 * DAY + 2 * 3_600_000


async def test_a_streak_survives_an_unfinished_day_while_it_can_be_finished(room: DailyRoom) -> None:
    await finish(await room.play())
    assert await room.dailies.streak(ALICE) == 1
    room.time += DAY
    table = await room.play()
    room.time += DAY
    assert await room.dailies.streak(ALICE) == 1
    await finish(table)
    await finish(await room.play())
    assert await room.dailies.streak(ALICE) == 3


async def test_a_streak_ends_at_the_second_deal_that_is_missed_or_left(room: DailyRoom) -> None:
    await finish(await room.play())
    room.time += 2 * DAY
    table = await room.play()
    assert await room.dailies.streak(ALICE) == 1
    await table.leave(ALICE, room.time)
    for _ in range(2):
        assert await room.dailies.streak(ALICE) == 0
        room.time += DAY


async def test_a_streak_survives_a_deal_that_an_outage_keeps_open(room: DailyRoom) -> None:
    await finish(await room.play())
    room.time += 2 * DAY
    await room.play()
    await room.store.add_outage(20_003 * DAY, 20_003 * DAY + DAY // 2)
    room.time = 20_004 * DAY
    assert await room.dailies.streak(ALICE) == 1


async def test_whoever_was_erased_is_refused_until_the_deal_has_closed_and_then_forgotten(
    room: DailyRoom,
) -> None:
    table = await room.play()
    await room.store.add_outage(NOON, NOON + 2 * 3_600_000)
    assert await room.tables.erase(ALICE)
    assert (await room.tables.get(table.id)).state.reason == CloseReason.EVERYBODY_LEFT.sentence
    for room.time in (NOON, 20_001 * DAY + 3_600_000):
        with pytest.raises(
            Refusal, match=f"The next deal opens <t:{(room.dailies.today() + 1) * DAY // 1000}:f>"
        ):
            await room.play(day=20_000)
    await room.play()
    room.time = 20_002 * DAY - 1
    await room.dailies.forget()
    assert [*await room.store.former_ids(ALICE)] == [table.id]
    room.time += 1
    await room.dailies.forget()
    assert await room.store.former_ids(ALICE) == {}


async def test_a_deal_that_an_outage_keeps_open_is_not_forgotten(room: DailyRoom) -> None:
    table = await room.play()
    await room.tables.erase(ALICE)
    await room.store.add_outage(20_001 * DAY, 20_003 * DAY)
    room.time = 20_003 * DAY
    await room.dailies.forget()
    assert [*await room.store.former_ids(ALICE)] == [table.id]
    room.time = 20_004 * DAY
    await room.dailies.forget()
    assert await room.store.former_ids(ALICE) == {}


async def test_the_secret_of_a_year_is_drawn_once(room: DailyRoom) -> None:
    secrets = await asyncio.gather(room.dailies.secret(2026), room.dailies.secret(2026))
    assert secrets[0] == secrets[1] == await Dailies(room.tables).secret(2026)
    assert len(bytes.fromhex(secrets[0])) == 32
    assert await room.dailies.secret(2027) != secrets[0]
