"""The time comes from Discord's snowflakes, even if the machine's clock is wrong or jumps; no deadline is missed."""

import asyncio
import contextlib
import gc
import logging
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from discord.utils import DISCORD_EPOCH

from bot.computers.players import ComputerPlayers
from bot.gateway.discord_time import JUMP, DiscordTime
from bot.match.deadlines import DUE, TABLE
from bot.match.entries import CloseReason
from bot.match.state import Player
from bot.match.table import Table
from bot.match.waking import EVER
from bot.store import Hours, InDoubt, StoreFailed, Unreadable
from bot.upkeep.clock import HEARTBEAT, Clock
from games import GAMES, Illegal
from tests.bot.store.stores import rows
from tests.bot.tables import ALICE, BEN, CHANNEL, CLEO, DANA, GUILD, Room, move, race, started
from tests.held import fail, failing, held
from tests.seats import FIRST, SECOND
from tests.simulation.testing import *  # noqa: F403
from tests.toy import GAME as TOY

DAY = 86_400_000


def snowflake(ms: int) -> int:
    return (ms - DISCORD_EPOCH) << 22 | 5


def wall() -> int:
    return time.time_ns() // 1_000_000


def test_a_snowflake_holds_its_time_in_ms_since_the_unix_epoch() -> None:
    assert DiscordTime().learn_from(175928847299117063) == 1_462_015_105_796


@pytest.mark.parametrize("wrong", [-DAY, 0, 200, DAY])
def test_the_first_snowflake_corrects_a_machines_wrong_clock(wrong: int) -> None:
    clock = DiscordTime()
    at = wall() + wrong
    clock.learn_from(snowflake(at))
    clock.set_forward(clock.jump)
    assert 0 <= clock.now() - at < 1_000


@pytest.mark.parametrize("ahead", [0, 2_900])
def test_a_sleep_of_which_the_clicks_in_it_tell_one_by_one_is_corrected_like_any_other(ahead: int) -> None:
    clock = DiscordTime(wall=lambda: time.time_ns() + ahead * 1_000_000)
    began = clock.now() - ahead
    for late in (300, 0) * bool(ahead):  # its first request takes longer than its second
        clock.learn(began - late)
    for step in range(21):  # they all arrive when the machine wakes
        clock.learn(began + 500 * step)
    assert clock.jump >= 10_000 - JUMP - 500
    assert clock.now() + clock.jump == pytest.approx(began + 10_000, abs=100)


def test_after_a_sleep_the_time_is_corrected_only_when_the_deadlines_have_moved() -> None:
    clock, jumps = DiscordTime(), []
    clock.on_jump.append(lambda: jumps.append(clock.jump))
    now = clock.now()
    clock.learn_from(snowflake(now))
    clock.learn_from(snowflake(now + DAY))
    assert clock.now() - now < 1_000
    clock.learn_from(snowflake(now + DAY - 5_000))
    assert (len(jumps), 0 <= DAY - clock.jump < 1_000) == (1, True)
    clock.set_forward(clock.jump)
    assert 0 <= clock.now() - now - DAY < 1_000
    assert clock.jump == 0


@pytest.mark.parametrize("gained", [-0.0001, 0.0001])
def test_on_a_machine_whose_clock_gains_or_loses_time_it_stays_discords_for_weeks(gained: float) -> None:
    passed = 0
    clock, began = DiscordTime(steady=lambda: int(passed * (1 + gained) * 1_000_000)), wall()
    for _ in range(21 * 24 * 60):
        passed += 60_000
        clock.learn_from(snowflake(began + passed - 100))
        assert abs(clock.now() - began - passed) < 1_000


# The loop that handles deadlines


@asynccontextmanager
async def running_clock(room: Room, time: DiscordTime | None = None, away: int = 0) -> AsyncIterator[Clock]:
    """Run the clock until the end of the block, after an outage of Discord of `away` ms."""
    computers = ComputerPlayers(room.tables)
    clock = Clock(room.tables, computers, time or DiscordTime())
    clock.pause(0)
    room.time += away
    await clock.resume(0)
    task = asyncio.create_task(clock.run())
    yield clock
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
    await computers.close()


async def test_a_sleep_is_known_to_tables_before_deadlines_are_moved_by_it(room: Room) -> None:
    time = DiscordTime()
    computers = ComputerPlayers(room.tables)
    Clock(room.tables, computers, time)
    time.learn_from(snowflake(time.now()))
    assert room.tables.clock.corrected() - time.now() < 1_000
    time.learn_from(snowflake(time.now() + DAY))
    assert 0 <= room.tables.clock.corrected() - time.now() - DAY < 1_000
    await computers.close()


async def wait_for_entry(room: Room, match: int, kind: str = "remind") -> None:
    """Wait until the last entry of the match's log is of this kind."""
    async with asyncio.timeout(20):
        while (await room.store.log(match))[-1].kind != kind:
            pass


async def test_a_deadline_is_tried_again_after_its_entry_could_not_be_stored(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await started(room)
    fail(monkeypatch, room.store, "append", once=True)
    room.time += 1000
    async with running_clock(room):
        await wait_for_entry(room, table.id)


@pytest.mark.parametrize("dealt", [False, True], ids=["lobby", "match"])
async def test_the_tables_own_deadline_is_met_where_the_last_seat_is_a_computers(
    room: Room, dealt: bool
) -> None:
    table = await room.open(computers=1)
    if dealt:
        await table.start(ALICE, room.time)
        await table.answer(SECOND, table.state.prompts[1], None)
    room.time = table.deadlines[TABLE]
    async with running_clock(room) as clock:
        await wait_for_entry(room, table.id, "close")
        await asyncio.sleep(HEARTBEAT / 2)
        assert table.id not in clock._tried


async def test_a_clock_that_cannot_write_waits_for_its_next_beat(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = 0

    async def fail(*_: object) -> None:
        nonlocal tries
        tries += 1
        raise StoreFailed("The disk is full.")

    monkeypatch.setattr(room.store, "heartbeat", fail)
    async with running_clock(room):
        for _ in range(100):
            await asyncio.sleep(0)
    assert tries == 1


@pytest.mark.parametrize("hours", [{}, {BEN: Hours("UTC", 12, 20)}], ids=["one deadline", "a later one, too"])
async def test_a_deadline_whose_entry_cannot_be_stored_is_not_tried_again_and_again(
    room: Room, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, hours: dict[int, Hours]
) -> None:
    for user, each in hours.items():
        await room.set_hours(user, each)
    table = await started(room, pace="relaxed")
    room.time = min(table.deadlines.values())
    fail(monkeypatch, room.store, "append")
    async with running_clock(room):
        await asyncio.sleep(1.5 * HEARTBEAT)
    assert 2 <= caplog.messages.count("the clock failed at table 1: The disk is full.") < 10


async def test_the_clock_does_not_repeat_that_the_disk_is_full(
    room: Room, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    fail(monkeypatch, room.store, "heartbeat")
    async with running_clock(room):
        await asyncio.sleep(3.5 * HEARTBEAT)
    assert [each.rpartition(": ")[2] for each in caplog.messages] == ["The disk is full."]


async def test_the_clock_does_not_repeat_that_a_table_cannot_be_loaded(
    room: Room, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    broken, sound = await started(room), await started(room, BEN)
    rows(tmp_path / "palmhouse.sqlite3", f"UPDATE log SET kind = 'nonsense' WHERE match = {broken.id}")
    room.tables.forget(broken)
    room.time += 1000
    async with running_clock(room):
        await wait_for_entry(room, sound.id)
        await asyncio.sleep(3 * HEARTBEAT)
    assert [each.partition(":")[0] for each in caplog.messages] == [f"table {broken.id} cannot be loaded"]


async def test_an_error_at_one_tables_deadline_delays_no_other_table(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, sound = await started(room), await started(room, BEN)
    fail(monkeypatch, broken, "apply_deadline", RuntimeError("This game has a fault."))
    room.time += 1000
    async with running_clock(room):
        await wait_for_entry(room, sound.id)


@pytest.mark.parametrize("step", ["postpone", "with_game_deadlines", "open_matches"])
async def test_the_clock_runs_after_an_outage_although_a_step_of_the_store_fails(
    room: Room, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    table = await started(room)
    fail(monkeypatch, room.store, step, sqlite3.OperationalError("disk I/O error"))
    room.time += 1000
    async with running_clock(room, away=5000):
        await wait_for_entry(room, table.id)


async def test_short_outages_do_not_move_the_end_of_a_race(room: Room) -> None:
    table = await race(room)
    away = await race(room)
    room.tables.forget(away)
    due = table.deadlines[DUE]
    for _ in range(3):
        room.time += 4_900
        async with running_clock(room, away=200):
            pass
    away = await room.tables.get(away.id)
    assert table.deadlines == {DUE: due}
    assert away.deadlines == {DUE: away.state.due()}


async def test_a_race_that_was_over_before_discord_went_out_of_reach_counts(room: Room) -> None:
    table = await race(room)
    room.time = table.deadlines[DUE]
    async with running_clock(room, away=60_000):
        pass
    assert table.state.phase == "over"
    assert [each.matches for each in await room.store.leaderboard(GUILD)] == [1, 1]


async def test_a_race_with_a_long_outage_is_offered_again(room: Room) -> None:
    table = await race(room)
    async with running_clock(room, away=120_000):
        pass
    assert table.state.phase == "play"
    assert (await room.store.log(table.id))[-1].kind == "resume"


async def test_a_game_learns_of_an_outage_before_anybody_can_act(room: Room) -> None:
    """A click waits for its turn, and then for the tables, which are locked until deadlines are moved."""
    table, shown = await race(room), list[dict[int, int]]()
    clock = Clock(room.tables, ComputerPlayers(room.tables), DiscordTime())
    clock.pause(0)
    room.time += 120_000
    room.tables.on_change.append(lambda changed: shown.append({**changed.deadlines}))
    async with held(room.store, "postpone", clock.resume(0), after=True):
        click = asyncio.create_task(table.play(ALICE, ["turn 1"], room.time))
        await asyncio.sleep(1)
        assert (await room.store.log(table.id))[-1].kind == "resume", "a kill here would come too early"
    with contextlib.suppress(Illegal):
        await click
    assert ((await room.store.log(table.id))[-1].kind, table.state.phase) == ("resume", "play")
    live = room.time + room.tables.clock.times.live
    assert all(room.time < due <= live for due in table.deadlines.values())
    assert shown[-1] == table.deadlines == await room.store.deadlines(table.id)


async def test_a_game_that_could_not_learn_of_an_outage_learns_of_it_at_the_next_beat(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await race(room)
    fail(monkeypatch, room.store, "append", once=True)
    async with running_clock(room, away=120_000):
        await asyncio.sleep(2 * HEARTBEAT)
    assert [row.kind for row in await room.store.log(table.id)][-2:] == ["tick", "resume"]
    assert (await room.tables.get(table.id)).state.phase == "play"


@pytest.mark.parametrize("broken", ["its log", "its game"])
async def test_a_game_that_never_learns_of_an_outage_takes_no_time_from_other_tables(
    room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    table, other = await race(room), await room.open(user=CLEO)
    due = other.deadlines[TABLE]
    if broken == "its game":
        fail(monkeypatch, table, "resume", RuntimeError("This game has a fault."))
    else:
        room.tables.forget(table)
        rows(tmp_path / "palmhouse.sqlite3", f"UPDATE log SET kind = 'nonsense' WHERE match = {table.id}")
    clock = Clock(room.tables, ComputerPlayers(room.tables), DiscordTime())
    clock.pause(0)
    room.time += 120_000
    await clock.resume(0)
    assert other.deadlines[TABLE] == due + 120_000


async def test_an_outage_takes_no_time_from_people_for_whom_seats_are_kept(room: Room) -> None:
    host, guests = [Player(ALICE, "Alice")], [Player(BEN, "Ben")]
    lobby = await room.tables.open(
        TOY, TOY.Options(), guild=GUILD, channel=CHANNEL, players=host, reserved=guests, at=room.time
    )
    due = lobby.deadlines[DUE]
    async with running_clock(room, away=2 * room.tables.clock.times.reserved):
        await asyncio.sleep(HEARTBEAT)
    assert lobby.state.reserved
    assert lobby.deadlines[DUE] == due + 2 * room.tables.clock.times.reserved
    assert await room.store.deadlines(lobby.id) == lobby.deadlines


async def test_deadlines_of_a_table_that_changes_are_moved_after_the_change(room: Room) -> None:
    table = await started(room)
    async with held(room.store, "append", move(table, ALICE)):
        moving = asyncio.create_task(room.tables.postpone(60_000, lambda _: True, room.time))
        await asyncio.sleep(1)
        assert not moving.done()
    await moving
    moved = {seat: due for _, seat, due in await room.store.due_deadlines(EVER)}
    assert table.deadlines == moved
    assert min(moved.values()) > room.time + 60_000


async def test_a_table_that_ends_meanwhile_keeps_nobody_else_from_getting_their_time_back(room: Room) -> None:
    table, other = await started(room), await started(room)
    due = other.deadlines[0]
    moving = room.tables.postpone(60_000, lambda _: True, room.time)
    async with held(room.store, "with_game_deadlines", moving):
        await table.close(CloseReason.CHANNEL_GONE)
        room.tables.forget(table)
    assert other.deadlines[0] == due + 60_000


async def test_an_outage_that_could_not_be_stored_is_given_back_at_the_next_beat(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await started(room)
    due = table.deadlines[0]
    fail(monkeypatch, room.store, "postpone", once=True)
    async with running_clock(room, away=60_000), asyncio.timeout(20):
        while table.deadlines[0] != due + 60_000:
            await room.store.flush()
    assert (await room.store.log(table.id))[-1].kind == "start"


@pytest.mark.parametrize("kept", ["at once", "late", "never"])
async def test_an_outage_of_which_nobody_knows_whether_it_was_stored_is_given_back_once(
    room: Room, monkeypatch: pytest.MonkeyPatch, kept: str
) -> None:
    table, postpone, late = await started(room), room.store.postpone, set[asyncio.Task[None]]()
    due = table.deadlines[0]

    async def doubt(*given: Any) -> None:
        monkeypatch.setattr(room.store, "postpone", postpone)
        unanswered = Unreadable("the database does not answer")
        fail(monkeypatch, room.store, "due_deadlines", unanswered, once=True)
        if kept == "at once":
            await postpone(*given)
        elif kept == "late":
            late.add(asyncio.create_task(keep_late(*given)))
        raise InDoubt("nobody knows")

    async def keep_late(*given: Any) -> None:
        with failing(room.store, "flush", Unreadable("the commit still waits for the disk")):
            await asyncio.sleep(3)
            await postpone(*given)

    monkeypatch.setattr(room.store, "postpone", doubt)
    async with running_clock(room, away=60_000):
        await asyncio.sleep(20)
    assert await room.store.deadlines(table.id) == table.deadlines
    assert table.deadlines[0] == due + 60_000


async def test_nobody_asks_a_store_that_is_closed_again_and_again_whether_an_outage_was_stored(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    await started(room)

    async def doubt(*_: Any) -> None:
        await room.store.close()
        raise InDoubt("nobody knows")

    monkeypatch.setattr(room.store, "postpone", doubt)
    async with asyncio.timeout(20):
        with pytest.raises(StoreFailed, match="the bot is stopping"):
            await room.tables.postpone(60_000, lambda _: True, room.time)


async def test_a_table_that_was_loaded_before_a_commit_in_doubt_came_to_be_seen_goes_on_at_its_deadline(
    room: Room,
) -> None:
    table = await started(room, BEN, game=GAMES["liars-dice"])
    (first,) = table.state.awaited()
    seen_late = await Room(room.store).tables.get(table.id)
    await seen_late.play(table.state.players[first].user, ["bid 1x2"], room.time)
    assert [*table.deadlines] == [first]
    assert [*await room.store.deadlines(table.id)] == [1 - first]
    async with running_clock(room):
        room.time = seen_late.deadlines[1 - first]
        await asyncio.sleep(2 * HEARTBEAT)
    assert [row.kind for row in await room.store.log(table.id)][-2:] == ["move", "remind"]


async def test_a_table_is_not_loaded_again_for_a_deadline_that_was_met_just_now(room: Room) -> None:
    table = await started(room, BEN, game=GAMES["liars-dice"])
    (first,) = table.state.awaited()
    await table.play(table.state.players[first].user, ["bid 1x2"], room.time)
    room.time += 1_000
    await table.apply_deadline(first)
    assert not table.is_behind


async def test_the_time_that_a_start_takes_to_load_tables_is_given_back(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, hours = await started(room), room.store.hours
    due = table.deadlines[0]
    room.tables.forget(table)
    await room.store.heartbeat(room.time)
    room.time += 60_000

    async def slowly(*users: Any) -> Any:
        room.time += 5_000
        return await hours(*users)

    with monkeypatch.context() as slow:
        slow.setattr(room.store, "hours", slowly)
        clock = await started_again(room, DiscordTime())
    await clock.resume(0)
    assert (await room.store.deadlines(table.id))[0] == due + 65_000


# Clocks that jump


async def started_again(room: Room, time: DiscordTime) -> Clock:
    """Start the bot again with the same database, on a machine whose clock may be wrong."""
    clock = Clock(room.tables, ComputerPlayers(room.tables), time)
    await clock.start()
    return clock


@pytest.mark.parametrize("wrong", [-DAY, -3_600_000, 3_600_000, DAY])
async def test_a_start_on_a_machine_whose_clock_is_wrong_puts_no_deadline_off(room: Room, wrong: int) -> None:
    """Discord's time is known only after the start, from the first click."""
    room.time = wall() - 60_000
    table, lobby = await started(room), await room.open(CLEO, user=BEN)
    clocks = table.deadlines[0] - room.time, lobby.deadlines[TABLE] - room.time
    await room.store.heartbeat(room.time)
    time = DiscordTime()
    time.set_forward(wrong)
    room.tables.clock.now = time.now

    def are_whole() -> bool:
        left = table.deadlines[0] - time.now(), lobby.deadlines[TABLE] - time.now()
        return all(abs(now - before) < 5_000 for now, before in zip(left, clocks, strict=True))

    clock = await started_again(room, time)
    assert are_whole()
    time.learn_from(snowflake(wall()))
    assert time.jump
    await clock.correct()
    assert abs(time.now() - wall()) < 5_000
    assert are_whole()


async def test_a_start_before_the_last_beat_moves_no_deadline(room: Room) -> None:
    """The clock of the machine was right when the bot was killed, and has been set back since."""
    table = await started(room)
    due, time = table.deadlines[0], DiscordTime()
    await room.store.heartbeat(room.time)
    time.learn(wall())
    room.time -= DAY
    await started_again(room, time)
    assert table.deadlines[0] == due
    assert await room.store.last_heartbeat() == room.time


async def test_the_time_that_a_start_takes_is_given_back_after_a_kill(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await started(room)
    due, postpone = table.deadlines[0], room.store.postpone

    async def slowly(*args: Any) -> None:
        await postpone(*args)
        room.time += 2_000

    await room.store.heartbeat(room.time)
    with monkeypatch.context() as patch:
        patch.setattr(room.store, "postpone", slowly)
        await started_again(room, DiscordTime())
    room.tables.clock.outages.clear()  # as after a kill
    room.time += 1_000
    await started_again(room, DiscordTime())
    assert table.deadlines[0] == due + 3_000


async def test_a_sleep_of_the_machine_costs_nobody_time_and_closes_no_lobby(room: Room) -> None:
    """After the sleep Discord is still connected, and the first click shows the right time."""
    time = await use_discord_time(room)
    table, lobby = await started(room), await room.open(CLEO, user=BEN)
    clocks = dict(table.deadlines), dict(lobby.deadlines)
    async with running_clock(room, time), asyncio.timeout(20):
        at = time.learn_from(snowflake(time.now() + DAY))
        await table.play(ALICE, [table.state.game.text(table.state.legal(FIRST)[0])], at)
        while time.jump:
            await room.store.flush()
        moved = table.deadlines[1] - clocks[0][1], lobby.deadlines[TABLE] - clocks[1][TABLE]
        assert all(abs(each - DAY) < 1_000 for each in moved), moved
    assert (await room.store.log(table.id))[-1].kind == "move"
    assert lobby.is_open


async def use_discord_time(room: Room) -> DiscordTime:
    """Make the tables use Discord's time, so that the test can let it jump ahead by a day."""
    time = DiscordTime()
    room.time = time.now()
    time.learn_from(snowflake(room.time))
    room.tables.clock.now = time.now
    return time


async def test_a_table_that_is_opened_during_a_correction_of_the_time_has_its_whole_time(room: Room) -> None:
    time = await use_discord_time(room)
    clock = Clock(room.tables, ComputerPlayers(room.tables), time)
    await room.open(user=BEN)
    time.learn_from(snowflake(time.now() + DAY))
    async with held(room.store, "postpone", clock.correct(), after=True):
        opening = asyncio.create_task(room.open())
        await asyncio.sleep(0.05)
    table = await opening
    assert 4_000 < table.deadlines[TABLE] - time.now() <= 5_000


async def test_a_sleep_is_given_back_once_though_discord_disconnects_meanwhile(room: Room) -> None:
    time = await use_discord_time(room)
    table = await room.open()
    clock = Clock(room.tables, ComputerPlayers(room.tables), time)
    time.learn_from(snowflake(time.now() + DAY))
    async with held(room.store, "postpone", clock.correct(), after=True):
        clock.pause(0)
        back = asyncio.create_task(clock.resume(0))
        await asyncio.sleep(0.05)
    await back
    assert 4_000 < table.deadlines[TABLE] - time.now() <= 5_000


@pytest.mark.parametrize("of", ["shard", "guild", "freeze"])
async def test_after_a_kill_an_outage_is_given_back_though_the_time_was_corrected_in_it(
    room: Room, of: str
) -> None:
    time = await use_discord_time(room)
    table = await room.open()
    clock = Clock(room.tables, ComputerPlayers(room.tables), time)
    match of:
        case "shard":
            clock.pause(0)
        case "guild":
            clock.pause_guild(table.match.guild)
        case "freeze":
            clock._ran = asyncio.get_running_loop().time()  # as the pulse would have left it
    await asyncio.sleep(60)
    time.learn_from(snowflake(time.now() + DAY))
    await clock.correct()
    room.tables.clock.outages.clear()  # as after a kill
    await started_again(room, time)
    assert 4_000 < table.deadlines[TABLE] - time.now() <= 5_000


async def test_deadlines_are_moved_wholly_and_once_though_the_clock_is_stopped_meanwhile(room: Room) -> None:
    """As the bot stops: what is written goes on, and answers under way set deadlines after it."""
    time = await use_discord_time(room)
    table = await started(room)
    clock = Clock(room.tables, ComputerPlayers(room.tables), time)
    began = time.now()
    time.learn(began + DAY)
    stopped = asyncio.create_task(clock.correct())
    async with held(room.store, "postpone", after=True):
        stopped.cancel()
        time.learn(began + 2 * DAY)
        going_on = asyncio.create_task(clock.resume(0))
        await asyncio.sleep(0.05)
    opening = asyncio.create_task(room.open(user=CLEO))
    await going_on
    opened = await opening
    assert DAY <= time.now() - began <= 2 * DAY + 5_000
    assert table.deadlines == await room.store.deadlines(table.id)
    assert 4_000 < opened.deadlines[TABLE] - time.now() <= 5_000


@pytest.mark.parametrize(
    "act", [lambda clock: clock.correct(), lambda clock: clock.resume(0), lambda clock: clock.hand_over({0})]
)
async def test_a_write_that_fails_after_the_clock_is_stopped_leaves_no_traceback(
    room: Room, act: Callable[[Clock], Coroutine[Any, Any, None]], caplog: pytest.LogCaptureFixture
) -> None:
    """As a database that does not answer while the bot stops."""
    time = await use_discord_time(room)
    await room.open()
    clock = Clock(room.tables, ComputerPlayers(room.tables), time)
    time.learn_from(snowflake(time.now() + DAY))
    with failing(room.store, "postpone"):
        stopped = asyncio.create_task(act(clock))
        async with held(room.store, "postpone"):
            stopped.cancel()
        await asyncio.sleep(1)
    gc.collect()
    assert stopped.cancelled()
    assert [record.message for record in caplog.records if record.name == "asyncio"] == []


async def test_a_move_during_a_correction_of_the_time_keeps_its_deadlines(room: Room) -> None:
    time = await use_discord_time(room)
    table = await started(room)
    clock = Clock(room.tables, ComputerPlayers(room.tables), time)
    time.learn_from(snowflake(time.now() + DAY))
    async with held(room.store, "postpone", clock.correct(), after=True):
        moving = asyncio.create_task(
            table.play(ALICE, [table.state.game.text(table.state.legal(FIRST)[0])], time.now())
        )
        await asyncio.sleep(0.05)
    await moving
    assert 0 < table.deadlines[1] - time.now() <= 600
    assert await room.store.deadlines(table.id) == table.deadlines


async def test_a_process_whose_clock_is_late_moves_no_deadline_that_another_one_has_set(room: Room) -> None:
    time = await use_discord_time(room)
    table = await started(room)
    right = time.now() + DAY
    await room.tables.postpone(DAY, lambda _: True, right)
    due = table.deadlines[0]
    clock = Clock(room.tables, ComputerPlayers(room.tables), time)
    clock.take(0, right, {})
    await clock.resume(0)
    time.learn(right + 1_000)
    await clock.correct()
    assert 0 <= table.deadlines[0] - due <= 2_000


async def test_a_sleep_in_an_outage_that_another_process_has_noticed_is_given_back_once(room: Room) -> None:
    time = await use_discord_time(room)
    table = await started(room)
    due = table.deadlines[0]
    clock, began = Clock(room.tables, ComputerPlayers(room.tables), time), time.now()
    clock.take(0, began, {GUILD: began - 60_000})
    await clock.resume(0)
    time.learn(began + DAY)
    await clock.correct()
    await clock.resume_guild(GUILD)
    assert 0 <= table.deadlines[0] - due - DAY - 60_000 <= 2_000


async def test_a_click_that_arrives_during_an_outage_does_not_end_the_race(room: Room) -> None:
    table = await race(room)
    clock, due = Clock(room.tables, ComputerPlayers(room.tables), DiscordTime()), table.deadlines[DUE]
    room.time = due - 20_000
    clock.pause(0)
    room.time = due + 5_000
    with contextlib.suppress(Illegal):
        await table.play(ALICE, ["turn 1"], due + 1_000)
    await clock.resume(0)
    assert (await room.store.log(table.id))[-1].kind == "resume"
    assert table.is_open


async def test_what_is_due_is_written_by_no_process_that_has_lost_the_table(room: Room) -> None:
    table = await race(room)
    room.time = table.deadlines[DUE]
    with pytest.raises(StoreFailed, match="another process"):
        async with held(room.store, "append", table.apply_deadline(DUE)):
            room.tables.owns = lambda _: False  # as after a freeze


async def test_what_is_done_during_an_outage_does_not_get_its_length_twice(room: Room) -> None:
    table = await started(room)
    clock = Clock(room.tables, ComputerPlayers(room.tables), DiscordTime())
    clock.pause(0)
    room.time += DAY
    await table.play(ALICE, [table.state.game.text(table.state.legal(FIRST)[0])], room.time)
    lobby = await room.open(user=CLEO)
    await clock.resume(0)
    assert 0 < table.deadlines[1] - room.time <= room.tables.clock.times.live
    assert lobby.deadlines[TABLE] - room.time == room.tables.clock.times.lobby


async def test_a_race_that_the_machine_slept_through_does_not_count(room: Room) -> None:
    time = DiscordTime()
    room.time = time.now()
    table = await race(room)
    time.learn_from(snowflake(room.time))
    room.tables.clock.now = time.now
    async with running_clock(room, time), asyncio.timeout(20):
        time.learn_from(snowflake(time.now() + DAY))
        while (await room.store.log(table.id))[-1].kind != "resume":
            await room.store.flush()
    assert table.is_open


async def test_when_discord_disconnects_while_deadlines_are_put_off_clock_and_computers_stay_stopped(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    computers = ComputerPlayers(room.tables)
    clock, beaten = Clock(room.tables, computers, DiscordTime()), asyncio.Event()
    clock.pause(0)
    postpone = room.store.postpone

    async def goes(*given: Any) -> None:
        clock.pause(0)
        await postpone(*given)

    async def heartbeat(*_: object) -> None:
        beaten.set()

    monkeypatch.setattr(room.store, "postpone", goes)
    monkeypatch.setattr(room.store, "heartbeat", heartbeat)
    table = await room.open(computers=1, game=GAMES["twin-it"])
    await clock.resume(0)
    await table.start(ALICE, room.time)
    running = asyncio.create_task(clock.run())
    for _ in range(100):
        await asyncio.sleep(0)
    assert not beaten.is_set()
    assert not computers.real_time._players
    monkeypatch.setattr(room.store, "postpone", postpone)
    await clock.resume(0)
    await beaten.wait()
    assert computers.real_time._players
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    await computers.close()


# Freezes of the process


async def test_a_freeze_is_given_back_before_any_deadline_is_handled(room: Room) -> None:
    discord_time = await use_discord_time(room)
    lobby = await room.open()
    due = lobby.deadlines[TABLE]
    async with running_clock(room, discord_time), asyncio.timeout(20):
        await asyncio.sleep(0.01)  # the first pulse
        time.sleep(LOBBY / 1000 + 1)  # noqa: ASYNC251 - the process is frozen
        while lobby.deadlines.get(TABLE) == due:
            await room.store.flush()
        assert lobby.is_open
        assert lobby.deadlines[TABLE] - due >= LOBBY + 1_000


async def test_time_in_which_nothing_can_be_stored_is_given_back_once(room: Room) -> None:
    """A full disk, or a database that is away: every click is refused."""
    discord_time = await use_discord_time(room)
    table, lobby = await race(room), await room.open(user=CLEO)
    due = lobby.deadlines[TABLE]
    clock = await started_again(room, discord_time)
    await clock.resume(0)
    running = asyncio.create_task(clock.run())
    await asyncio.sleep(1)
    with contextlib.ExitStack() as full:
        for write in ("heartbeat", "append", "postpone", "add_outage"):
            full.enter_context(failing(room.store, write))
        await asyncio.sleep(2_400)
    await wait_for_entry(room, table.id, "resume")
    await asyncio.sleep(1)
    running.cancel()
    assert lobby.is_open
    assert 2_395_000 <= lobby.deadlines[TABLE] - due <= 2_410_000
    ((since, until),) = await room.store.outages(0)
    assert 2_395_000 <= until - since <= 2_410_000


async def test_an_outage_of_discord_is_given_back_once_though_nothing_can_be_stored_at_its_end(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    discord_time = await use_discord_time(room)
    lobby = await room.open(user=CLEO)
    due = lobby.deadlines[TABLE]
    clock = await started_again(room, discord_time)
    await clock.resume(0)
    running = asyncio.create_task(clock.run())
    await asyncio.sleep(1)
    clock.pause(0)
    await asyncio.sleep(600)
    await clock.resume(0)
    fail(monkeypatch, room.store, "heartbeat", once=True)
    await asyncio.sleep(3)
    running.cancel()
    assert 600_000 <= lobby.deadlines[TABLE] - due <= 603_000


async def test_load_is_no_freeze(room: Room) -> None:
    """The process works without a pause for longer than a freeze takes, but it still answers."""
    table = await started(room)
    due = table.deadlines[0]
    async with running_clock(room):
        ends = time.monotonic() + 5
        while time.monotonic() < ends:
            time.sleep(0.05)  # noqa: ASYNC251 - the process works
            await room.store.flush()
    assert table.deadlines[0] == due


# Outages of a shard, or of a server


class Halves:
    """A clock with two shards, and a lobby on each of four servers. The shard of a server is its number modulo 2."""

    def __init__(self, room: Room, lobbies: list[Table]) -> None:
        self.room = room
        self.lobbies = lobbies
        self.clock = Clock(room.tables, ComputerPlayers(room.tables), DiscordTime(), lambda guild: guild % 2)

    @classmethod
    async def opened(cls, room: Room) -> "Halves":
        """Open the lobbies, and let both shards come."""
        halves = cls(room, [await room.open(user=user, guild=guild) for guild, user in enumerate(PEOPLE)])
        await halves.clock.start()
        for shard in range(2):
            await halves.clock.resume(shard)
        return halves

    async def gained(self) -> list[int]:
        """Return the ms by which the deadline of each lobby was moved, in memory and in the store alike."""
        gained = [lobby.deadlines[TABLE] - OPENED - LOBBY for lobby in self.lobbies]
        stored = [await self.room.store.deadlines(lobby.id) for lobby in self.lobbies]
        assert stored == [lobby.deadlines for lobby in self.lobbies]
        return gained


PEOPLE = (ALICE, BEN, CLEO, DANA)
OPENED, LOBBY = 1_000_000, 5_000
"""Time in ms at which lobbies are opened, and after which they close."""


async def test_only_the_tables_of_a_shard_that_was_away_get_time_back(room: Room) -> None:
    halves = await Halves.opened(room)
    halves.clock.pause(1)
    room.time += 700
    await halves.clock.resume(1)
    assert await halves.gained() == [0, 700, 0, 700]
    assert room.tables.clock.outages == [halves.clock._starting]


@pytest.mark.parametrize("of", ["freeze", "shard"])
async def test_a_server_lost_while_time_is_given_back_gets_it_once(room: Room, of: str) -> None:
    halves = await Halves.opened(room)
    clock, lost = halves.clock, 7_000
    if of == "freeze":
        clock._ran = asyncio.get_running_loop().time() - lost / 1000  # as the pulse would have left it
    else:
        clock.pause(1)
    room.time += lost
    async with held(
        room.store, "postpone", clock._give_back() if of == "freeze" else clock.resume(1), after=True
    ):
        clock.pause_guild(3)
    room.time += 10
    await clock.resume_guild(3)
    assert (await halves.gained())[3] == lost + 10


@pytest.mark.parametrize("lost_again", [False, True])
async def test_a_table_that_is_opened_as_an_outage_ends_has_its_whole_time(
    room: Room, lost_again: bool
) -> None:
    """The write took long, and the clock still looks for games that do things by themselves."""
    halves = await Halves.opened(room)
    halves.clock.pause_guild(3)
    room.time += 10_000
    back = asyncio.create_task(halves.clock.resume_guild(3))
    async with held(room.store, "postpone", after=True):
        room.time += 4_000
        if lost_again:
            halves.clock.pause_guild(3)
        opened = asyncio.create_task(room.open(user=CLEO, guild=3))
    assert (await opened).deadlines == {TABLE: room.time + LOBBY}
    await back
    await halves.clock.resume_guild(3)
    assert (await opened).deadlines == {TABLE: room.time + LOBBY}


async def test_a_deadline_does_not_pass_in_an_outage_that_begins_before_it_is_handled(room: Room) -> None:
    halves = await Halves.opened(room)
    away, there = halves.lobbies[1], halves.lobbies[2]
    halves.clock.pause(1)
    room.time += LOBBY
    for lobby in (away, there):
        await lobby.apply_deadline(TABLE)
    assert (away.is_open, there.is_open) == (True, False)


async def test_a_deadline_does_not_pass_in_a_freeze_that_begins_before_it_is_handled(room: Room) -> None:
    halves = await Halves.opened(room)
    room.time += LOBBY
    halves.clock._ran = asyncio.get_running_loop().time() - LOBBY / 1000  # as the pulse would have left it
    await halves.lobbies[0].apply_deadline(TABLE)
    assert halves.lobbies[0].is_open
    await halves.clock._give_back()
    await halves.lobbies[0].apply_deadline(TABLE)
    assert halves.lobbies[0].is_open
    assert await halves.gained() == [LOBBY] * 4


async def test_the_tables_of_a_shard_that_is_away_wait_while_others_go_on(room: Room) -> None:
    halves = await Halves.opened(room)
    running = asyncio.create_task(halves.clock.run())
    halves.clock.pause(1)
    room.time += LOBBY
    async with asyncio.timeout(20):
        while halves.lobbies[0].is_open or halves.lobbies[2].is_open:
            halves.clock._woken.set()
            await room.store.flush()
    assert [lobby.is_open for lobby in halves.lobbies] == [False, True, False, True]
    await halves.clock.resume(1)
    assert [lobby.deadlines[TABLE] for lobby in halves.lobbies[1::2]] == [room.time + LOBBY] * 2
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


@pytest.mark.parametrize("first", ["shard", "guild"])
async def test_an_outage_of_a_server_whose_shard_is_away_counts_once(room: Room, first: str) -> None:
    halves = await Halves.opened(room)
    clock = halves.clock
    for _ in range(2):
        (clock.pause if first == "shard" else clock.pause_guild)(3 if first == "guild" else 1)
        first = "guild" if first == "shard" else "shard"
        room.time += 10
    await clock.resume(1)
    assert (await halves.gained())[3] == 20, "at once, as another process may run it from now on"
    room.time += 100
    await clock.resume_guild(3)
    moved = await halves.gained()
    assert (moved[0], moved[1] in (10, 20), moved[3]) == (0, True, 120)


async def test_a_shard_is_back_when_its_servers_with_an_outage_of_their_own_got_their_time(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the lease of its process would say after a kill that everybody there could act until then."""
    halves = await Halves.opened(room)
    clock, postpone, ran = halves.clock, room.store.postpone, list[bool]()

    async def noted(*args: Any) -> None:
        ran.append(clock.is_running(1))
        await postpone(*args)

    monkeypatch.setattr(room.store, "postpone", noted)
    clock.pause(1)
    clock.pause_guild(3)
    room.time += 10
    await clock.resume(1)
    assert (ran, clock.is_running(1)) == ([False, False], True)


async def test_an_outage_of_a_server_that_ends_while_its_shard_is_away_counts_once(room: Room) -> None:
    halves = await Halves.opened(room)
    halves.clock.pause_guild(3)
    room.time += 10
    halves.clock.pause(1)
    room.time += 100
    await halves.clock.resume_guild(3)
    assert await halves.gained() == [0, 0, 0, 0]
    await halves.clock.resume(1)
    assert await halves.gained() == [0, 100, 0, 110]


async def test_an_outage_of_a_server_is_handed_over_whole_though_its_shard_is_away(room: Room) -> None:
    halves = await Halves.opened(room)
    clock = halves.clock
    clock.pause_guild(3)
    room.time += 100
    clock.pause(1)  # from here on it is known by the lease
    room.time += 20
    for _ in range(2):
        await clock.hand_over([1])
        assert await halves.gained() == [0, 0, 0, 100]
    await clock.resume(1)  # the lease could not be released
    assert await halves.gained() == [0, 20, 0, 120]


def moved(room: Room, monkeypatch: pytest.MonkeyPatch) -> list[set[int]]:
    """Return a list to which each write that moves deadlines from here on adds its matches."""
    postpone, written = room.store.postpone, list[set[int]]()

    async def noted(ms: int, matches: set[int], *args: Any) -> None:
        written.append(matches)
        await postpone(ms, matches, *args)

    monkeypatch.setattr(room.store, "postpone", noted)
    return written


async def test_servers_without_tables_that_come_back_cost_no_write_and_are_not_logged(
    room: Room, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    halves, written = await Halves.opened(room), moved(room, monkeypatch)
    for guild in range(99, 0, -2):
        halves.clock.pause_guild(guild)
    room.time += 60_000
    for guild in range(99, 0, -2):
        await halves.clock.resume_guild(guild)
    assert await halves.gained() == [0, 60_000, 0, 60_000]
    assert len(written) == 2
    assert caplog.text.count("every deadline got that back") == 2
    assert room.tables.clock.outages == [halves.clock._starting]


async def test_a_handover_writes_nothing_for_servers_without_tables(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    halves, written = await Halves.opened(room), moved(room, monkeypatch)
    for guild in range(99, 0, -2):
        halves.clock.pause_guild(guild)
    room.time += 100
    await halves.clock.hand_over([1])
    assert await halves.gained() == [0, 100, 0, 100]
    assert len(written) == 2, "the leases of all shards wait for it, and a process that stops has little time"
    halves.clock.pause(1)
    await halves.clock.hand_over([1])
    assert len(written) == 2, "others give back what is lost from here on"


async def test_an_outage_of_a_server_is_given_back_whole_though_its_shard_is_lost_again_meanwhile(
    room: Room,
) -> None:
    halves = await Halves.opened(room)
    halves.clock.pause(1)
    halves.clock.pause_guild(3)
    room.time += 100
    async with held(room.store, "postpone", halves.clock.resume(1), after=True):
        halves.clock.pause(1)
    room.time += 10
    await halves.clock.resume_guild(3)
    await halves.clock.resume(1)
    assert await halves.gained() == [0, 110, 0, 110]


async def test_a_shard_that_is_lost_while_its_time_is_given_back_stays_away(room: Room) -> None:
    halves = await Halves.opened(room)
    halves.clock.pause(1)
    room.time += 10
    async with held(room.store, "postpone", halves.clock.resume(1), after=True):
        room.time += 100
        halves.clock.pause(1)
        room.time += 1_000
    assert room.tables.clock.has_outage(1)
    await halves.clock.resume(1)
    assert await halves.gained() == [0, 1_010, 0, 1_010]


@pytest.mark.parametrize("first", ["freeze", "outage"])
async def test_a_freeze_counts_once_where_a_shard_is_away(room: Room, first: str) -> None:
    halves = await Halves.opened(room)
    clock, loop = halves.clock, asyncio.get_running_loop()
    if first == "outage":
        clock.pause(1)
    room.time += DAY
    clock._ran = loop.time() - DAY / 1000  # as the pulse would have left it
    clock.pause(1)
    await clock._give_back()
    room.time += 10
    await clock.resume(1)
    gained = [each - DAY for each in await halves.gained()]
    assert all(0 <= each < 1_000 for each in gained), gained
    assert gained[1::2] > gained[::2]
    assert not clock._frozen()


async def test_a_freeze_counts_until_another_process_serves_a_shard(room: Room) -> None:
    """It could not be given back before, as the database was away."""
    halves = await Halves.opened(room)
    clock, lost = halves.clock, 7_000
    clock._ran = asyncio.get_running_loop().time() - lost / 1000  # as the pulse would have left it
    room.time += lost
    clock.pause(1)
    clock._shards[1].since, clock._shards[1].told = room.time - 10, True  # as `take` would have left it
    clock.pause_guild(3)
    await clock.resume(1)
    await clock.resume_guild(3)
    gained = await halves.gained()
    assert gained[1::2] == [10, 10]
    assert min(gained[::2]) >= lost


async def test_a_freeze_while_another_one_is_given_back_is_given_back_next(room: Room) -> None:
    halves = await Halves.opened(room)
    clock = halves.clock
    clock._ran = asyncio.get_running_loop().time() - 7  # as the pulse would have left it
    room.time += 7_000
    async with held(room.store, "postpone", clock._give_back(), after=True):
        await asyncio.sleep(8)  # without a pulse
        room.time += 8_000
        assert clock._frozen()
    assert clock._frozen()
    await clock._give_back()
    assert not clock._frozen()
    assert all(14_900 < each < 15_500 for each in await halves.gained())


async def test_nobody_can_act_after_a_freeze_until_its_time_is_given_back(room: Room) -> None:
    clock = (await Halves.opened(room)).clock
    assert clock.is_running(1)
    clock._ran = asyncio.get_running_loop().time() - DAY / 1000  # as the pulse would have left it
    assert not clock.is_running(1)
    told: list[bool] = []
    clock.on_given_back = lambda: told.append(True)
    await clock._give_back()
    assert clock.is_running(1)
    assert told


@pytest.mark.parametrize("of", ["shard", "guild"])
async def test_a_kill_after_an_outage_of_a_part_moves_no_deadline_back(room: Room, of: str) -> None:
    halves = await Halves.opened(room)
    halves.clock.pause(1) if of == "shard" else halves.clock.pause_guild(3)
    room.time += DAY
    await room.store.heartbeat(room.time)  # the loop goes on for the others
    await (halves.clock.resume(1) if of == "shard" else halves.clock.resume_guild(3))
    assert await room.store.last_heartbeat() == room.time
    before = await halves.gained()
    room.time += 10
    await started_again(room, DiscordTime())
    assert [after - each for after, each in zip(await halves.gained(), before, strict=True)] == [10] * 4


@pytest.mark.parametrize(("of", "gained"), [("shard", [10, 710, 10, 710]), ("guild", [10, 10, 10, 710])])
async def test_a_kill_in_an_outage_of_a_part_takes_no_time(room: Room, of: str, gained: list[int]) -> None:
    halves = await Halves.opened(room)
    halves.clock.pause(1) if of == "shard" else halves.clock.pause_guild(3)
    room.time += 700
    await halves.clock._handle_deadlines()  # the loop goes on for the others
    room.tables.clock.outages.clear()  # as a new process has none
    room.time += 10
    await started_again(room, DiscordTime())
    assert await halves.gained() == gained


async def test_a_kill_before_a_freeze_is_given_back_takes_no_time(room: Room) -> None:
    halves = await Halves.opened(room)
    halves.clock._ran = asyncio.get_running_loop().time() - 7  # as the pulse would have left it
    room.time += 7_000
    halves.clock.pause(1)  # what Discord said meanwhile
    await room.tables.heartbeat()
    room.tables.clock.outages.clear()  # as a new process has none
    room.tables.clock.frozen = lambda: 0
    room.time += 10
    await started_again(room, DiscordTime())
    assert all(7_010 <= each < 7_500 for each in await halves.gained())


# Outages that make days longer (`bot.standings.daily`)


@pytest.mark.parametrize(("away", "stored"), [(30 * 60_000, False), (30 * 60_000 + 1, True)])
async def test_an_outage_of_discord_of_more_than_30_minutes_is_stored(
    room: Room, away: int, stored: bool
) -> None:
    began = room.time
    async with running_clock(room, away=away):
        assert await room.store.outages(0) == [(began, began + away)] * stored


async def test_a_sleep_of_the_machine_is_an_outage(room: Room) -> None:
    time = await use_discord_time(room)
    clock, began = Clock(room.tables, ComputerPlayers(room.tables), time), time.now()
    time.learn_from(snowflake(time.now() + DAY))
    await clock.correct()
    ((since, until),) = await room.store.outages(0)
    assert 0 <= since - began < 1_000
    assert abs(until - since - DAY) < 1_000


async def test_a_start_that_gives_back_a_part_of_an_outage_loses_no_time_of_the_day(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One server had an outage of its own when the bot was killed, and gets its longer time first."""
    await room.open()
    await room.open(user=CLEO, guild=99)
    killed = room.time
    await room.store.heartbeat(killed, {99: killed - 60_000})
    room.time += DAY
    starting = asyncio.create_task(started_again(room, DiscordTime()))
    async with held(room.store, "postpone"):
        for write in ("add_outage", "postpone"):  # all after the first one, as after a kill
            fail(monkeypatch, room.store, write)
    with pytest.raises(StoreFailed):
        await starting
    monkeypatch.undo()
    room.time += 5_000
    await started_again(room, DiscordTime())
    assert await room.store.outages(0) == [(killed, room.time - 5_000)]


async def test_an_outage_whose_deadlines_could_not_be_moved_is_stored_once(room: Room) -> None:
    await room.open()
    await room.store.heartbeat(room.time)
    killed, room.time = room.time, room.time + DAY
    with failing(room.store, "postpone"), pytest.raises(StoreFailed):
        await started_again(room, DiscordTime())
    room.time += 60_000
    await started_again(room, DiscordTime())
    assert await room.store.outages(0) == [(killed, room.time)]
