"""Time is Discord's, told by snowflakes and deaf to a machine's clock that is wrong or jumps; and every bell rings."""

import asyncio
import contextlib
import sqlite3
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

import pytest
from discord.utils import DISCORD_EPOCH

from bot.clock import Clock
from bot.computers.players import ComputerPlayers
from bot.discord_time import DiscordTime
from bot.match.deadlines import DUE, TABLE
from bot.store import StoreFailed
from games import GAMES, Illegal
from tests.bot.tables import ALICE, BEN, CLEO, GUILD, House, race, started

DAY = 86_400_000


def snowflake(ms: int) -> int:
    return (ms - DISCORD_EPOCH) << 22 | 5


def wall() -> int:
    return time.time_ns() // 1_000_000


def test_a_snowflake_tells_its_time_in_ms_since_the_unix_epoch() -> None:
    assert DiscordTime().heard(175928847299117063) == 1_462_015_105_796


@pytest.mark.parametrize("wrong", [-DAY, 0, 200, DAY])
def test_a_machine_whose_clock_is_wrong_is_set_right_by_the_first_snowflake(wrong: int) -> None:
    clock = DiscordTime()
    at = wall() + wrong
    clock.heard(snowflake(at))
    clock.arrive(clock.jump)
    assert 0 <= clock.now() - at < 1_000


def test_a_machine_that_slept_goes_on_at_discords_time_only_when_the_deadlines_have_moved() -> None:
    clock, jumps = DiscordTime(), []
    clock.on_jump.append(lambda: jumps.append(clock.jump))
    now = clock.now()
    clock.heard(snowflake(now))
    clock.heard(snowflake(now + DAY))
    assert clock.now() - now < 1_000
    clock.heard(snowflake(now + DAY - 5_000))
    assert (len(jumps), 0 <= DAY - clock.jump < 1_000) == (1, True)
    clock.arrive(clock.jump)
    assert 0 <= clock.now() - now - DAY < 1_000
    assert clock.jump == 0


def test_a_snowflake_that_was_long_under_way_puts_no_clock_back() -> None:
    clock = DiscordTime()
    now = wall()
    clock.heard(snowflake(now))
    clock.heard(snowflake(now - 60_000))
    assert clock.now() >= now


def test_a_jump_of_the_machines_clock_moves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = DiscordTime()
    before = clock.now()
    monkeypatch.setattr(time, "time_ns", lambda: 0)
    monkeypatch.setattr(time, "time", lambda: 0.0)
    assert 0 <= clock.now() - before < 1_000


# The loop that rings


@asynccontextmanager
async def ringing(house: House, time: DiscordTime | None = None, away: int = 0) -> AsyncIterator[Clock]:
    """The clock runs, with Discord there again after so many ms, until the end of the block."""
    company = ComputerPlayers(house.tables)
    clock = Clock(house.tables, company, time or DiscordTime())
    clock.pause()
    house.time += away
    await clock.go_on()
    task = asyncio.create_task(clock.run())
    yield clock
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
    await company.close()


async def rung(house: House, match: int, kind: str = "remind") -> None:
    """Wait until a bell has made the last entry of a table's log one of this kind."""
    async with asyncio.timeout(20):
        while (await house.store.log(match))[-1].kind != kind:
            pass


async def test_a_bell_whose_move_could_not_be_kept_rings_again_though_nobody_moves(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.clock.BEAT", 0.01)
    table, append = await started(house), house.store.append

    async def fail(*_: object, **__: object) -> None:
        monkeypatch.setattr(house.store, "append", append)
        raise StoreFailed("The disk is full.")

    monkeypatch.setattr(house.store, "append", fail)
    house.time += 1000
    async with ringing(house):
        await rung(house, table.id)


@pytest.mark.parametrize("dealt", [False, True], ids=["lobby", "match"])
async def test_the_tables_own_bell_rings_where_the_last_seat_is_a_computers(
    house: House, dealt: bool
) -> None:
    table = await house.open(computers=1)
    if dealt:
        await table.start(ALICE, house.time)
        await table.answer(1, table.state.prompts[1], None)
    house.time = table.clocks[TABLE]
    async with ringing(house):
        await rung(house, table.id, "close")


async def test_a_clock_that_cannot_write_waits_for_its_next_beat(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = 0

    async def fail(_: int) -> None:
        nonlocal tries
        tries += 1
        raise StoreFailed("The disk is full.")

    monkeypatch.setattr(house.store, "beat", fail)
    async with ringing(house):
        for _ in range(100):
            await asyncio.sleep(0)
    assert tries == 1


async def test_a_table_that_cannot_be_rung_holds_up_no_other(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, sound = await started(house), await started(house, BEN)

    async def fail(_: int) -> None:
        raise RuntimeError("This game has a fault.")

    monkeypatch.setattr(broken, "ring", fail)
    house.time += 1000
    async with ringing(house):
        await rung(house, sound.id)


FULL = StoreFailed("The disk is full.")
UNREADABLE = sqlite3.OperationalError("disk I/O error")


@pytest.mark.parametrize(
    ("step", "fault"), [("put_off", UNREADABLE), ("timed", UNREADABLE), ("open_matches", UNREADABLE)]
)
async def test_whatever_the_store_cannot_do_when_discord_is_there_the_clock_begins_to_ring(
    house: House, monkeypatch: pytest.MonkeyPatch, step: str, fault: Exception
) -> None:
    table = await started(house)

    async def fail(*_: object) -> None:
        raise fault

    monkeypatch.setattr("bot.clock.BEAT", 0.01)
    monkeypatch.setattr(house.store, step, fail)
    house.time += 1000
    async with ringing(house, away=5000):
        await rung(house, table.id)


async def test_a_race_ends_when_it_is_due_though_discord_was_out_of_reach_for_moments(house: House) -> None:
    table = await race(house)
    away = await race(house)
    house.tables.forget(away)
    due = table.clocks[DUE]
    for _ in range(3):
        house.time += 4_900
        async with ringing(house, away=200):
            pass
    away = await house.tables.get(away.id)
    assert table.clocks == {DUE: due}
    assert away.clocks == {DUE: away.state.due()}


async def test_a_race_that_was_over_before_discord_went_out_of_reach_counts(house: House) -> None:
    table = await race(house)
    house.time = table.clocks[DUE]
    async with ringing(house, away=60_000):
        pass
    assert table.state.phase == "over"
    assert [each.matches for each in await house.store.leaderboard(GUILD)] == [1, 1]


async def test_a_race_during_which_discord_was_long_out_of_reach_is_offered_again(house: House) -> None:
    table = await race(house)
    async with ringing(house, away=120_000):
        pass
    assert table.state.phase == "play"
    assert (await house.store.log(table.id))[-1].kind == "resume"


async def test_an_absence_of_a_moment_gives_back_that_moment_and_no_more(house: House) -> None:
    table = await started(house)
    await house.store.beat(house.time)
    due = table.clocks[0]
    house.time += 500
    async with ringing(house, away=50):
        assert table.clocks[0] == due + 50


async def test_what_could_not_be_given_back_at_first_is_given_back_at_the_next_beat(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.clock.BEAT", 0.01)
    table, put_off = await started(house), house.store.put_off
    due = table.clocks[0]

    async def fail(*_: object) -> None:
        monkeypatch.setattr(house.store, "put_off", put_off)
        raise FULL

    monkeypatch.setattr(house.store, "put_off", fail)
    async with ringing(house, away=60_000), asyncio.timeout(20):
        while table.clocks[0] != due + 60_000:
            await house.store.settled()
    assert (await house.store.log(table.id))[-1].kind == "start"


# Clocks that jump


async def started_again(house: House, time: DiscordTime) -> Clock:
    """The bot is started on the same file, on a machine whose clock may be wrong."""
    clock = Clock(house.tables, ComputerPlayers(house.tables), time)
    await clock.start()
    return clock


@pytest.mark.parametrize("wrong", [-DAY, -3_600_000, 3_600_000, DAY])
async def test_a_start_on_a_machine_whose_clock_is_wrong_puts_no_deadline_off(
    house: House, wrong: int
) -> None:
    """Discord's time is known only after the start, by the first click."""
    table, lobby = await started(house), await house.open(CLEO, user=BEN)
    left = table.clocks[0] - house.time, lobby.clocks[TABLE] - house.time
    await house.store.beat(house.time)
    time = DiscordTime()
    true = time.now()
    house.time = true + 10_000 + wrong
    clock = await started_again(house, time)
    assert (table.clocks[0] - house.time, lobby.clocks[TABLE] - house.time) == left
    time.jump = -wrong

    def arrive(ms: int) -> None:
        house.time += ms
        time.jump = 0

    time.arrive = arrive  # type: ignore[method-assign]
    await clock._correct_clock()
    assert house.time == true + 10_000
    assert (table.clocks[0] - house.time, lobby.clocks[TABLE] - house.time) == left


async def test_while_the_machine_sleeps_nobodys_time_runs_and_no_lobby_closes(house: House) -> None:
    """It wakes with Discord connected, and the first click tells how late it is."""
    time = DiscordTime()
    house.tables.clock.now = time.now
    house.time = time.now()
    time.heard(snowflake(house.time))
    table, lobby = await started(house), await house.open(CLEO, user=BEN)
    clocks = dict(table.clocks), dict(lobby.clocks)
    async with ringing(house, time), asyncio.timeout(20):
        at = time.heard(snowflake(time.now() + DAY))
        await table.move(ALICE, table.state.game.text(table.state.legal(0)[0]), at)
        while time.jump:
            await house.store.settled()
        moved = table.clocks[1] - clocks[0][1], lobby.clocks[TABLE] - clocks[1][TABLE]
        assert all(DAY - 1_000 < each <= DAY for each in moved), moved
    assert (await house.store.log(table.id))[-1].kind == "move"
    assert lobby.is_open


async def asleep(house: House) -> DiscordTime:
    """The house goes by Discord's time, which then leaps ahead by a day."""
    time = DiscordTime()
    house.time = time.now()
    time.heard(snowflake(house.time))
    house.tables.clock.now = time.now
    return time


async def held_up(house: House, monkeypatch: pytest.MonkeyPatch) -> tuple[asyncio.Event, asyncio.Event]:
    """The disk takes its time when deadlines are put off: set when it has begun, and when it may go on."""
    began, goes_on, put_off = asyncio.Event(), asyncio.Event(), house.store.put_off

    async def slowly(ms: int, matches: Iterable[int]) -> None:
        await put_off(ms, matches)
        began.set()
        await goes_on.wait()

    monkeypatch.setattr(house.store, "put_off", slowly)
    return began, goes_on


async def test_a_table_that_is_opened_while_the_time_is_set_right_has_its_whole_time(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    time = await asleep(house)
    clock = Clock(house.tables, ComputerPlayers(house.tables), time)
    began, goes_on = await held_up(house, monkeypatch)
    time.heard(snowflake(time.now() + DAY))
    setting = asyncio.create_task(clock._correct_clock())
    await began.wait()
    opening = asyncio.create_task(house.open())
    await asyncio.sleep(0.05)
    goes_on.set()
    await setting
    table = await opening
    assert 4_000 < table.clocks[TABLE] - time.now() <= 5_000


async def test_a_sleep_is_given_back_once_though_discord_goes_in_the_middle_of_it(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    time = await asleep(house)
    table = await house.open()
    clock = Clock(house.tables, ComputerPlayers(house.tables), time)
    began, goes_on = await held_up(house, monkeypatch)
    time.heard(snowflake(time.now() + DAY))
    setting = asyncio.create_task(clock._correct_clock())
    await began.wait()
    clock.pause()
    back = asyncio.create_task(clock.go_on())
    await asyncio.sleep(0.05)
    goes_on.set()
    await asyncio.gather(setting, back)
    assert 4_000 < table.clocks[TABLE] - time.now() <= 5_000


async def test_a_move_that_is_made_while_the_time_is_set_right_keeps_its_deadlines(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    time = await asleep(house)
    table = await started(house)
    clock = Clock(house.tables, ComputerPlayers(house.tables), time)
    began, goes_on = await held_up(house, monkeypatch)
    time.heard(snowflake(time.now() + DAY))
    setting = asyncio.create_task(clock._correct_clock())
    await began.wait()
    moving = asyncio.create_task(
        table.move(ALICE, table.state.game.text(table.state.legal(0)[0]), time.now())
    )
    await asyncio.sleep(0.05)
    goes_on.set()
    await asyncio.gather(setting, moving)
    assert 0 < table.clocks[1] - time.now() <= 600
    assert await house.store.clocks(table.id) == table.clocks


async def test_a_click_that_is_delivered_late_does_not_end_a_race_that_everybody_was_away_from(
    house: House,
) -> None:
    table = await race(house)
    clock, due = Clock(house.tables, ComputerPlayers(house.tables), DiscordTime()), table.clocks[DUE]
    house.time = due - 20_000
    clock.pause()
    house.time = due + 5_000
    with contextlib.suppress(Illegal):
        await table.move(ALICE, "turn 1", due + 1_000)
    await clock.go_on()
    assert (await house.store.log(table.id))[-1].kind == "resume"
    assert table.is_open


async def test_a_race_that_the_machine_slept_through_does_not_count(house: House) -> None:
    time = DiscordTime()
    house.time = time.now()
    table = await race(house)
    time.heard(snowflake(house.time))
    house.tables.clock.now = time.now
    async with ringing(house, time), asyncio.timeout(20):
        time.heard(snowflake(time.now() + DAY))
        while (await house.store.log(table.id))[-1].kind != "resume":
            await house.store.settled()
    assert table.is_open


async def test_when_discord_goes_again_before_all_is_told_the_clock_stands_and_nobody_looks(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    company = ComputerPlayers(house.tables)
    clock, beaten = Clock(house.tables, company, DiscordTime()), asyncio.Event()
    clock.pause()
    put_off = house.store.put_off

    async def goes(ms: int, matches: Iterable[int]) -> None:
        clock.pause()
        await put_off(ms, matches)

    async def beat(_: int) -> None:
        beaten.set()

    monkeypatch.setattr(house.store, "put_off", goes)
    monkeypatch.setattr(house.store, "beat", beat)
    await clock.go_on()
    table = await house.open(computers=1, game=GAMES["twin-it"])
    await table.start(ALICE, house.time)
    running = asyncio.create_task(clock.run())
    for _ in range(100):
        await asyncio.sleep(0)
    assert not beaten.is_set()
    assert not company.real_time._players
    monkeypatch.setattr(house.store, "put_off", put_off)
    await clock.go_on()
    await asyncio.wait_for(beaten.wait(), 20)
    assert company.real_time._players
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    await company.close()
