"""Several processes on one PostgreSQL database: leases, turns for sessions, notices."""

import asyncio
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import psycopg
import pytest

from bot.cli.tasks import _open_alone
from bot.hosting.doctor.finding import Level
from bot.hosting.doctor.postgresql import of_postgresql
from bot.match.dailies import Dailies
from bot.match.state import Player
from bot.match.table import Table
from bot.match.tables import Tables
from bot.standings.daily import DAY, year_of
from bot.standings.ratings import RatedMatch, RatedSeat
from bot.standings.season import tabulate
from bot.store import Finished, LogRow, StoreFailed, StoreRefused, open_store
from bot.store.postgresql.processes import PostgreSQLProcesses
from bot.store.postgresql.store import PostgreSQLStore
from bot.store.processes import LEASE, QUEUED
from bot.store.sql import own_state
from games import GAMES
from tests.bot.store.stores import lobby, move, opened
from tests.bot.store.test_contract import NIGHT, POOL, by_placing, rated, rated_match, result
from tests.bot.tables import ALICE, BEN, GUILD, Room
from tests.held import held
from tests.postgresql import frozen
from tests.present import present

T = TypeVar("T")


@pytest.fixture
async def pair(database_url: str) -> AsyncIterator[list[PostgreSQLProcesses]]:
    """Two processes on an empty database."""
    with psycopg.connect(database_url) as db:
        db.execute("DROP TABLE IF EXISTS leases, session_turns")
    pair = [PostgreSQLProcesses(database_url) for _ in range(2)]
    yield pair
    for each in pair:
        await each.close()


@pytest.fixture
async def stores(database_url: str) -> AsyncIterator[tuple[PostgreSQLStore, PostgreSQLStore]]:
    """The stores of two processes on an empty database."""
    async with (
        opened(database_url, is_shared=True) as store,
        opened(database_url, is_shared=True) as other,
    ):
        assert isinstance(store, PostgreSQLStore)
        assert isinstance(other, PostgreSQLStore)
        yield store, other


def end_all(url: str) -> None:
    """End all leases, as their time does."""
    with psycopg.connect(url) as db:
        db.execute("UPDATE leases SET until = now() - interval '1 second'")


async def test_a_shard_is_leased_to_one_process(pair: list[PostgreSQLProcesses], database_url: str) -> None:
    one, other = pair
    assert await one.take(3, 16) == 0
    assert await other.take(3, 16) is None
    (lease,) = await other.leases()
    assert (lease.shard, lease.out_of, lease.holder) == (3, 16, one.holder)
    assert abs(lease.until / 1000 - time.time() - LEASE) < 5
    assert await other.renew([3], [3], 9) == set()
    assert await one.renew([3], [3], 9) == {3}
    end_all(database_url)
    assert await other.leases() == []
    assert await one.renew([3], [3], 10) == set(), "a lease that has ended must be taken anew"
    assert await other.take(3, 16) == 9
    assert await one.take(3, 16) is None


async def test_the_doctor_names_the_shards_that_no_process_serves(
    pair: list[PostgreSQLProcesses], database_url: str
) -> None:
    async def said() -> tuple[Level, str] | None:
        findings = await asyncio.to_thread(of_postgresql, database_url)
        return next(((each.state, each.what) for each in findings if each.name == "shards"), None)

    assert await said() is None
    one, other = pair
    for shard, process in enumerate([one, one, other]):
        await process.take(shard, 3)
    assert await said() == (Level.OK, "All 3 are served.")
    await one.close()
    assert await said() == (
        Level.WARNING,
        "No process serves shards 0 and 1 of 3, so nobody can play on their servers.",
    )


async def test_the_doctor_says_so_when_a_database_cannot_be_read_again(database_url: str) -> None:
    def rename(one: str, other: str) -> None:
        with psycopg.connect(database_url) as db:
            db.execute(f"ALTER TABLE {one} RENAME TO {other}".encode())

    async with opened(database_url) as store:
        await store.heartbeat(1_000)
        findings = await asyncio.to_thread(
            of_postgresql, database_url, lambda _: rename("alive", "unreadable")
        )
        rename("unreadable", "alive")
        found = next(each for each in findings if each.name == "bot")
        assert found.state is Level.FAULT
        assert "no bot is at work" in found.what


async def test_a_shard_gets_no_time_back_in_which_there_were_fewer_shards(
    pair: list[PostgreSQLProcesses], database_url: str
) -> None:
    one, other = pair
    await one.take(9, 16)
    await one.renew([9], [9], 100)
    end_all(database_url)
    assert await other.take(QUEUED, 8) == 0
    assert await one.take(9, 16) == 100, "a process that only waits has served nothing"
    end_all(database_url)
    assert await one.take(1, 8) == 0
    async with opened(database_url, is_shared=True) as store:
        await store.heartbeat(5_000)
    end_all(database_url)
    assert await one.take(9, 16) == 5_000


async def test_a_single_bot_knows_where_nobody_could_act_by_the_processes_before_it(
    pair: list[PostgreSQLProcesses], database_url: str
) -> None:
    one, other = pair
    here, out, there, out_there = 2 << 22, 4 << 22, 3 << 22, 5 << 22
    async with opened(database_url, is_shared=True) as store:
        for guild in (here, out, there, out_there):
            await lobby(store, guild=guild)
        for shard, process in enumerate(pair):
            await process.take(shard, 2)
        await one.take(8, 16)  # of an earlier number of shards
        await one.renew([8], [8], 50)
        await other.renew([1], [1], 100, {out_there: 90, here: 80})  # it had shard 0, too; then it dies
        await one.renew([0], [0], 400, {})
        await store.heartbeat(400, {out: 390})
    for _ in range(2):
        async with opened(database_url) as store:
            assert await store.away() == {here: 400, out: 390, there: 100, out_there: 90}


async def test_a_task_forgets_no_time_in_which_nobody_could_act(
    pair: list[PostgreSQLProcesses], database_url: str
) -> None:
    one, other = pair
    await other.take(1, 2)
    await other.renew([1], [1], 100)  # then it dies
    async with opened(database_url, is_shared=True) as store:
        await store.heartbeat(400)
    end_all(database_url)
    async with AsyncExitStack() as stack:
        await _open_alone(stack, database_url)
    assert await one.take(1, 2) == 100


async def test_of_many_who_want_a_shard_at_once_one_gets_it(
    pair: list[PostgreSQLProcesses], database_url: str
) -> None:
    many = [*pair, *(PostgreSQLProcesses(database_url) for _ in range(4))]
    taken = await asyncio.gather(*(each.take(0, 1) for each in many))
    assert sum(each is not None for each in taken) == 1
    for each in many[2:]:
        await each.close()


async def test_the_time_of_a_shard_where_nobody_can_act_stands_still(pair: list[PostgreSQLProcesses]) -> None:
    one, other = pair
    await one.take(0, 2)
    await one.take(1, 2)
    await one.renew([0, 1], [0, 1], 100)
    await one.renew([0, 1], [1], 200)
    await one.release([0, 1], [1], 300)
    assert [await other.take(shard, 2) for shard in range(2)] == [100, 300]


async def test_a_lease_tells_which_servers_had_an_outage_of_their_own(
    pair: list[PostgreSQLProcesses], database_url: str
) -> None:
    one, other = pair
    await one.leases()  # the table as an earlier version has made it
    with psycopg.connect(database_url) as db:
        db.execute("ALTER TABLE leases DROP COLUMN away")
    await other.take(0, 1)
    await other.renew([0], [0], 100, {GUILD: 70})
    await other.renew([0], [0], 200)
    end_all(database_url)
    assert (await one.take(0, 1), await one.away(0)) == (200, {GUILD: 70})
    await one.release([0], [0], 300)
    assert await other.away(0) == {}


async def test_a_backup_that_is_being_made_keeps_no_process_from_its_leases(
    pair: list[PostgreSQLProcesses], database_url: str
) -> None:
    one, other = pair
    await one.take(0, 1)
    with psycopg.connect(database_url) as db:
        db.execute("LOCK TABLE leases IN ACCESS SHARE MODE")  # as pg_dump does
        assert [each.shard for each in await other.leases()] == [0]
        assert await one.renew([0], [0], 100) == {0}


async def test_the_first_lease_knows_when_the_bot_last_ran(
    pair: list[PostgreSQLProcesses], database_url: str
) -> None:
    async with opened(database_url) as store:
        await store.heartbeat(77)
    assert await pair[0].take(0, 1) == 77


async def test_a_process_that_closes_leaves_all_its_shards(
    pair: list[PostgreSQLProcesses], database_url: str
) -> None:
    leaving = PostgreSQLProcesses(database_url)
    for shard in (0, 1, QUEUED):
        await leaving.take(shard, 2)
    await leaving.close()
    assert await pair[0].leases() == []
    assert await pair[0].take(1, 2) is not None


async def test_sessions_of_all_processes_begin_one_after_another(pair: list[PostgreSQLProcesses]) -> None:
    one, other = pair
    assert await one.begin_session(0, 30)
    assert not await other.begin_session(0, 30)
    assert await other.begin_session(1, 30)
    await one.end_turn(0, 0.3)
    await asyncio.sleep(0.4)
    assert await other.begin_session(0, 30)


async def test_sessions_begin_though_the_clock_of_the_database_was_set_back(
    pair: list[PostgreSQLProcesses], database_url: str
) -> None:
    assert await pair[0].begin_session(0, 30)
    with psycopg.connect(database_url) as db:  # by the clock as it is now, the last one began in the future
        db.execute("UPDATE session_turns SET free = free + interval '3 hours'")
    assert await pair[1].begin_session(0, 30)
    assert not await pair[0].begin_session(0, 30)


async def test_a_notice_reaches_the_others_and_a_lost_connection_is_noticed(
    pair: list[PostgreSQLProcesses], database_url: str
) -> None:
    one, other = pair
    heard = other.notices()
    async with asyncio.timeout(20):
        assert await anext(heard) == ()
        waiting = asyncio.ensure_future(anext(heard))
        await asyncio.sleep(0.3)
        await other.notice(6)
        await one.notice(7)
        await one.notice(8)
        matches = {*await waiting}
        while 8 not in matches:
            matches.update(await anext(heard))
        assert matches == {7, 8}, "its own notices are left out"
        waiting = asyncio.ensure_future(anext(heard))
        with psycopg.connect(database_url, autocommit=True) as db:
            db.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'SELECT 1%'")
        assert await waiting == ()


async def test_without_an_answer_everything_is_refused_soon(
    pair: list[PostgreSQLProcesses], database_url: str
) -> None:
    await pair[0].take(0, 1)
    with frozen(database_url):
        begun = time.monotonic()
        with pytest.raises(StoreFailed, match="does not answer"):
            await pair[0].renew([0], [], 0)
        assert time.monotonic() - begun < 2.5


async def test_processes_that_share_a_database_keep_a_single_bot_out(database_url: str) -> None:
    stores = [await open_store(database_url, is_shared=True) for _ in range(2)]
    with pytest.raises(StoreRefused, match="Another bot or task uses the database"):
        await open_store(database_url)
    for each in stores:
        await each.close()
    async with opened(database_url):
        with pytest.raises(StoreRefused, match="Another bot or task uses the database"):
            await open_store(database_url, is_shared=True)


async def test_nobody_is_erased_who_has_sat_down_by_another_process_meanwhile(database_url: str) -> None:
    async with opened(database_url) as store:
        room = Room(store)
        table = await room.open(BEN, game=GAMES["palmer"])
        with pytest.raises(StoreFailed, match="sat down"):
            await store.erase_person(BEN, room.time)
        assert await store.members() == [(table.id, ALICE), (table.id, BEN)]
        await table.leave(BEN, room.time)
        assert await store.erase_person(BEN, room.time) == [table.id]


async def test_matches_that_end_at_the_same_time_in_two_processes_are_both_counted(
    stores: tuple[PostgreSQLStore, PostgreSQLStore],
) -> None:
    store, other = stores
    before = await rated_match(store, 1, 2)
    match = await lobby(store)
    results = [replace(each, match=match.id) for each in before]
    async with held(store._database, "commit", store.append(match.id, [move(2)], finished=rated(results))):
        ending_too = asyncio.create_task(rated_match(other, 2, 1))
        await asyncio.wait({ending_too}, timeout=0.2)
    last, *_ = await ending_too
    found = [await store.match(each) for each in (before[0].match, match.id, last.match)]
    assert [each.counted for each in found if each] == [1, 2, 3]
    rated_now = await store.ratings(POOL, {each.user for each in before})
    assert [each.n for each in rated_now.values()] == [3, 3]


async def test_the_last_move_of_a_match_is_kept_though_both_processes_also_write_that_they_are_alive(
    stores: tuple[PostgreSQLStore, PostgreSQLStore],
) -> None:
    store, other = stores
    results = await rated_match(store, 1, 2)
    matches = [await lobby(each) for each in (store, other)]
    first, second = [
        partial(
            each.append,
            match.id,
            [move(2)],
            finished=rated([replace(n, match=match.id) for n in results]),
        )
        for each, match in zip((store, other), matches, strict=True)
    ]
    ending = asyncio.gather(first(), store.heartbeat(1))
    async with held(own_state, "keep_heartbeat"):
        ending_too = asyncio.gather(other.heartbeat(2), second())
        await asyncio.wait({ending_too}, timeout=0.2)
    await asyncio.gather(ending, ending_too)


async def test_nobody_stays_in_a_log_that_another_process_packs_while_they_are_erased(
    stores: tuple[PostgreSQLStore, PostgreSQLStore],
) -> None:
    store, other = stores
    match = await lobby(store, host=ALICE)
    await store.append(match.id, [move(2)], deadlines={}, phase="over", ended=50)
    await store.update_match(match.id, published=2)
    async with held(other._database, "fetch", other.pack_logs(50), after=True) as packing:
        erasing = asyncio.create_task(store.erase_person(ALICE, 60))
        await asyncio.wait({erasing}, timeout=1)
    assert await packing == match.id
    assert await erasing == [match.id]
    assert ALICE not in {row.user for row in await store.log(match.id)}


async def erased_meanwhile(
    store: PostgreSQLStore,
    other: PostgreSQLStore,
    user: int,
    writing: Coroutine[Any, Any, T],
) -> tuple[T, list[int] | None]:
    """Let a store erase a person just before the other one commits what it is writing. Return what both return."""
    async with held(other._database, "commit", writing) as written:
        erasing = asyncio.create_task(store.erase_person(user, 100_000))
        await asyncio.wait({erasing}, timeout=0.2)
    return await written, await erasing


async def test_nobody_stays_in_a_match_that_ends_in_another_process_while_they_are_erased(
    stores: tuple[PostgreSQLStore, PostgreSQLStore],
) -> None:
    store, other = stores
    match = await lobby(store)
    await store.append(
        match.id, [LogRow(2, "sit", None, BEN, "0 Ben", 2), LogRow(3, "leave", None, BEN, "", 3)]
    )
    results = [result(match, seat, user, seat + 1) for seat, user in enumerate((ALICE, BEN))]
    ending = other.append(match.id, [move(4)], phase="over", ended=50, finished=rated(results))
    _, erased = await erased_meanwhile(store, other, BEN, ending)
    assert erased == [match.id]
    assert await store.erase_person(BEN, 61) is None, "nothing is left of them"


async def test_a_night_that_ends_in_another_process_plans_no_next_one_for_who_is_erased(
    stores: tuple[PostgreSQLStore, PostgreSQLStore],
) -> None:
    store, other = stores
    night = present(await store.plan_night(NIGHT._replace(weekly=1), 1))
    after = NIGHT._replace(weekly=1, starts=NIGHT.starts + 7 * DAY)
    ending = other.end_night(night, "off", "few", after)
    done, erased = await erased_meanwhile(store, other, NIGHT.host, ending)
    assert done
    assert erased is not None
    assert present(await store.next_night(NIGHT.guild)).host < 0


async def test_a_deal_of_the_day_that_is_begun_by_two_processes_at_once_is_one_attempt(
    stores: tuple[PostgreSQLStore, PostgreSQLStore],
) -> None:
    store, other = stores
    person, day = Player(ALICE, "Alice"), 20_000
    one, two = [Dailies(Tables(each, lambda: day * DAY, owns=bool)) for each in (store, other)]
    await one.secret(year_of(day))

    async def begin(dailies: Dailies) -> Table:
        return await dailies.play(person, day, 0, day * DAY)

    async with held(store._database, "commit", begin(one)) as first:
        second = asyncio.create_task(begin(two))
        await asyncio.wait({second}, timeout=0.2)
    tables = await asyncio.gather(first, second)
    assert {(table.id, table.state.phase) for table in tables} == {(1, "play")}


async def test_a_deal_of_the_day_that_is_started_by_two_processes_at_once_is_played_by_both(
    stores: tuple[PostgreSQLStore, PostgreSQLStore],
) -> None:
    store, other = stores
    day = 20_000
    one, two = [Dailies(Tables(each, lambda: day * DAY, owns=bool)) for each in (store, other)]

    async def begin(dailies: Dailies) -> Table:
        return await dailies.play(Player(ALICE, "Alice"), day, 0, day * DAY)

    async with held(store, "append", begin(one)) as first:
        second = await begin(two)
    table = await first
    assert (table.id, table.state.n, table.state.phase) == (second.id, second.state.n, "play")


async def test_nobody_stays_in_the_final_table_that_another_process_stores_while_they_are_erased(
    stores: tuple[PostgreSQLStore, PostgreSQLStore],
) -> None:
    store, other = stores
    match = await lobby(store)
    season = present(await store.add_season(match.guild, match.channel, "Autumn", 1_000, 2_000))
    seats = tuple(RatedSeat(seat, seat + 1, None, replaced=False) for seat in range(2))
    results = [
        result(match, seat, user, seat + 1, name=name, ended=1_600)
        for seat, (user, name) in enumerate([(ALICE, "Alice"), (BEN, "Ben")])
    ]
    await store.append(
        match.id,
        [move(2)],
        phase="over",
        started=1_500,
        ended=1_600,
        finished=Finished(results, POOL, RatedMatch(POOL, seats, ()).to_json(), by_placing(results)),
    )
    closing = other.close_season(season.id, 100_000, tabulate)
    done, erased = await erased_meanwhile(store, other, BEN, closing)
    assert done
    assert erased is not None
    names = [(row.user > 0, row.name) for row in await store.final_table(season.id)]
    assert names == [(True, "Alice"), (False, "former player")]
    assert (await store.export_person(BEN)).is_unknown


async def test_nobody_is_seated_at_a_night_whose_round_another_process_begins_while_they_are_erased(
    stores: tuple[PostgreSQLStore, PostgreSQLStore],
) -> None:
    store, other = stores
    night = present(await store.plan_night(NIGHT, 1))
    for user, name in ((ALICE, "Alice"), (BEN, "Ben")):
        assert await store.come(night.id, user, name, 40)
    beginning = other.begin_round(night, [((ALICE, BEN), "")])
    done, erased = await erased_meanwhile(store, other, BEN, beginning)
    assert done
    assert erased is not None
    assert (await store.export_person(BEN)).is_unknown
