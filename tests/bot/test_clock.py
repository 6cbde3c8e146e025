"""Time is Discord's, told by snowflakes and deaf to a machine's clock that is wrong or jumps; and every bell rings."""

import asyncio
import contextlib
import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from bot.clock import EPOCH, Clock, DiscordTime
from bot.company import Company
from bot.store import StoreFailed
from bot.timing import TABLE
from games import GAMES
from tests.bot.tables import ALICE, BEN, House, started


def snowflake(ms: int) -> int:
    return (ms - EPOCH) << 22 | 5


def wall() -> int:
    return time.time_ns() // 1_000_000


def test_a_snowflake_tells_its_time_in_ms_since_the_unix_epoch() -> None:
    assert DiscordTime().heard(175928847299117063) == 1_462_015_105_796


@pytest.mark.parametrize("wrong", [-3_600_000, 0, 3_600_000])
def test_a_machine_whose_clock_is_wrong_is_set_right_by_the_first_snowflake(wrong: int) -> None:
    clock = DiscordTime()
    at = wall() + wrong
    clock.heard(snowflake(at))
    assert 0 <= clock.now() - at < 1_000


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
async def ringing(house: House) -> AsyncIterator[None]:
    """The clock runs, with Discord there, until the end of the block."""
    company = Company(house.tables)
    clock = Clock(house.tables, company)
    await clock.go_on()
    task = asyncio.create_task(clock.run())
    yield
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
        await table.answer(1, table.sitting.prompts[1], None)
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
    ("step", "fault"), [("wake", FULL), ("timed", UNREADABLE), ("open_matches", UNREADABLE)]
)
async def test_whatever_the_store_cannot_do_when_discord_is_there_the_clock_begins_to_ring(
    house: House, monkeypatch: pytest.MonkeyPatch, step: str, fault: Exception
) -> None:
    table = await started(house)

    async def fail(*_: object) -> None:
        raise fault

    monkeypatch.setattr(house.store, step, fail)
    house.time += 1000
    async with ringing(house):
        await rung(house, table.id)


async def test_when_discord_goes_again_before_all_is_told_the_clock_stands_and_nobody_looks(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    company = Company(house.tables)
    clock, wake, beaten = Clock(house.tables, company), house.store.wake, asyncio.Event()

    async def goes(now: int) -> int:
        clock.pause()
        return await wake(now)

    async def beat(_: int) -> None:
        beaten.set()

    monkeypatch.setattr(house.store, "wake", goes)
    monkeypatch.setattr(house.store, "beat", beat)
    await clock.go_on()
    table = await house.open(computers=1, game=GAMES["twin-it"])
    await table.start(ALICE, house.time)
    running = asyncio.create_task(clock.run())
    for _ in range(100):
        await asyncio.sleep(0)
    assert not beaten.is_set()
    assert not company.lookout._players
    monkeypatch.setattr(house.store, "wake", wake)
    await clock.go_on()
    await asyncio.wait_for(beaten.wait(), 20)
    assert company.lookout._players
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    await company.close()
