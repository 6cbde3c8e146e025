"""Computers at a game of speed act unasked, after people who were earlier, and never for nobody. It is Twin It! here;
moments are rung by the test, so nothing takes time."""

import asyncio
from collections.abc import AsyncIterator
from itertools import combinations
from typing import Any

import pytest

from bot.clock import Clock
from bot.computers.players import ComputerPlayers
from bot.computers.real_time import Place, RealTimePlayers
from bot.discord_time import DiscordTime
from bot.match import click_order as order
from bot.match import seats as seating
from bot.match.deadlines import DUE
from bot.match.refusal import Refusal
from bot.match.table import Table
from bot.store import StoreFailed
from games import GAMES, AnyGame
from games.twin_it.actions import FLIP, LIFT, on
from tests.bot.tables import ALICE, BEN, House, started

GAME: AnyGame = GAMES["twin-it"]


@pytest.fixture(autouse=True)
def in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clicks wait for no earlier ones, unless a test sees to that."""
    monkeypatch.setattr(order, "HOLD", 0.0)


@pytest.fixture
async def company(house: House) -> AsyncIterator[ComputerPlayers]:
    """The computers of the house, and Discord is there."""
    computers = ComputerPlayers(house.tables)
    await computers.real_time.wake()
    yield computers
    await computers.close()


@pytest.fixture
def lookout(company: ComputerPlayers) -> RealTimePlayers:
    """Those who look for themselves."""
    return company.real_time


async def dealt(house: House, *others: int, computers: int = 1, **options: Any) -> Table:
    """Alice, computers and others, before the first flip; hands lie long, so that nothing happens by itself."""
    table = await house.open(*others, computers=computers, game=GAME, hand_seconds=15, **options)
    await table.start(ALICE, house.time)
    return table


async def until_a_pair_shows(house: House, table: Table) -> tuple[int, int]:
    """Everybody flips in turn until two faces match: their numbers, the newer one first."""
    while not (pair := pair_of(table)):
        (seat,) = table.state.awaited()
        house.time += 10
        if table.state.mind(seat):
            await table.answer(seat, table.state.prompts[seat], None)
        else:
            await table.move(table.state.players[seat].user, "flip", house.time)
    return pair


def pair_of(table: Table) -> tuple[int, int] | None:
    """Two faces that match, if there are any."""
    faces = GAME.view(table.state.game_state, 0).faces[::-1]
    pairs = (pair for pair in combinations(faces, 2) if pair[0].design == pair[1].design)
    return next(((one.number, other.number) for one, other in pairs), None)


async def rings(house: House, lookout: RealTimePlayers, table: Table) -> None:
    """The moment comes of the computer that has seen something first, and it acts."""
    place, at = min(moments(house, lookout, table).items(), key=lambda each: each[1])
    house.time = max(house.time, at)
    lookout._timers[place].cancel()
    lookout._on_timer(place, at)
    await asyncio.gather(*lookout._acts.values())


def moments(house: House, lookout: RealTimePlayers, table: Table) -> dict[Place, int]:
    """When which computer will act."""
    views = {place: GAME.view(table.state.game_state, place.seat) for place in lookout._players}
    found = {place: lookout._players[place].observe(view, house.time) for place, view in views.items()}
    assert {place for place, at in found.items() if at is not None} == lookout._timers.keys()
    return {place: at for place, at in found.items() if at is not None}


async def kept(house: House, table: Table) -> list[tuple[int | None, int | None, str]]:
    """(seat, user, action) of every move in the log."""
    log = await house.store.log(table.id)
    return [(entry.seat, entry.user, entry.body) for entry in log if entry.kind == "move"]


async def hands(house: House, table: Table) -> list[str]:
    """The hands in the log that computers have laid."""
    return [body for _, user, body in await kept(house, table) if not user and body.startswith("hand")]


# What they do


async def test_out_of_turn_a_computer_sees_two_alike_and_takes_them(
    house: House, lookout: RealTimePlayers
) -> None:
    table = await dealt(house)
    one, other = await until_a_pair_shows(house, table)
    await rings(house, lookout, table)
    await rings(house, lookout, table)
    assert (await kept(house, table))[-2:] == [(1, None, f"hand {one}"), (1, None, f"hand {other}")]
    assert table.state.game_state.sets[1]


async def test_a_person_who_is_quicker_has_the_set_and_the_computer_does_nothing(
    house: House, lookout: RealTimePlayers
) -> None:
    table = await dealt(house)
    pair = await until_a_pair_shows(house, table)
    assert moments(house, lookout, table)
    await table.moves(ALICE, [f"hand {face}" for face in pair], house.time)
    assert table.state.game_state.sets[0]
    assert moments(house, lookout, table) == {}
    assert not await hands(house, table)


async def test_a_click_that_was_earlier_goes_first_though_it_comes_later(
    house: House, lookout: RealTimePlayers, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await dealt(house, tie_ms=0)
    pair = await until_a_pair_shows(house, table)
    monkeypatch.setattr(order, "HOLD", 0.3)
    acting = asyncio.create_task(rings(house, lookout, table))
    await asyncio.sleep(0)
    assert lookout._acts
    await table.moves(ALICE, [f"hand {face}" for face in pair], house.time - 1)
    await acting
    assert table.state.game_state.sets[0]
    assert not await hands(house, table)


async def test_what_it_is_asked_a_computer_does_in_its_moment_without_a_thought(
    house: House, company: ComputerPlayers
) -> None:
    table = await dealt(house)
    if table.state.awaited() == (0,):
        await table.move(ALICE, "flip", house.time)
    house.time = max(house.time, table.clocks[1])
    company.play(table, 1)
    await asyncio.gather(*company._answers.values())
    assert (await kept(house, table))[-1] == (1, None, "flip")
    assert company._thoughts == {}
    assert company.worker_client.worker.process is None


async def race(house: House, lookout: RealTimePlayers) -> Table:
    """Alice and a computer before a spread that has just been uncovered."""
    table = await dealt(house, mode="cooperative", seconds=60)
    await table.answer(1, 0, None)
    await table.move(ALICE, "ready", house.time)
    assert lookout._timers == {}
    house.time = table.state.due() or 0
    await table.ring(DUE)
    return table


async def test_a_computer_in_a_race_leafs_and_acts(house: House, lookout: RealTimePlayers) -> None:
    table = await race(house, lookout)
    for _ in range(4):
        await rings(house, lookout, table)
    assert {move[0] for move in (await kept(house, table))[2:]} == {1}


async def test_when_the_time_is_up_first_a_computer_does_nothing(
    house: House, lookout: RealTimePlayers, caplog: pytest.LogCaptureFixture
) -> None:
    table = await race(house, lookout)
    n, house.time = table.state.n, table.state.due() or 0
    await rings(house, lookout, table)
    assert [entry.kind for entry in (await house.store.log(table.id))[n:]] == ["tick"]
    assert caplog.messages == []


# When they look


async def test_where_nobody_is_there_nobody_looks(house: House, lookout: RealTimePlayers) -> None:
    table = await dealt(house, BEN)
    await until_a_pair_shows(house, table)
    assert lookout._timers
    await table.leave(BEN, house.time)
    assert {place.seat for place in lookout._timers} == {1, 2}
    await table.leave(ALICE, house.time)
    assert (lookout._players, lookout._timers) == ({}, {})


async def test_the_caretaker_of_an_absent_player_looks_until_they_are_back(
    house: House, lookout: RealTimePlayers
) -> None:
    table = await dealt(house, BEN, computers=0)
    await until_a_pair_shows(house, table)
    assert lookout._players == {}
    await table.leave(BEN, house.time)
    assert {*lookout._players} == {*lookout._timers} == {Place(table.id, 1, "steady")}
    await seating.take(table, 1, BEN, "Ben", house.time)
    assert (lookout._players, lookout._timers) == ({}, {})


async def test_while_discord_is_out_of_reach_nobody_looks(house: House, company: ComputerPlayers) -> None:
    clock, lookout = Clock(house.tables, company, DiscordTime()), company.real_time
    table = await dealt(house)
    await until_a_pair_shows(house, table)
    clock.pause()
    assert (lookout._players, lookout._timers) == ({}, {})
    house.time += 60_000
    await clock.go_on()
    assert moments(house, lookout, table)[Place(table.id, 1, "steady")] > house.time


async def test_after_a_restart_everybody_looks_afresh(house: House, lookout: RealTimePlayers) -> None:
    table = await dealt(house)
    await until_a_pair_shows(house, table)
    lookout.rest()
    table = await house.reload(table)
    house.time += 60_000
    again = RealTimePlayers(house.tables)
    await again.wake()
    assert moments(house, again, table)[Place(table.id, 1, "steady")] >= house.time + 450
    await rings(house, again, table)
    assert table.state.game_state.hands[1]
    await again.close()


async def test_no_timer_runs_where_nothing_is_alike_or_nobody_has_to_be_quick(
    house: House, lookout: RealTimePlayers
) -> None:
    table = await dealt(house)
    assert pair_of(table) is None
    assert lookout._timers == {}
    await started(house, BEN)
    other = await house.open(computers=2)
    await other.start(ALICE, house.time)
    assert {place.match for place in lookout._players} == {table.id}


async def test_a_hand_that_could_not_be_kept_is_laid_again(
    house: House, lookout: RealTimePlayers, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, append = await dealt(house), house.store.append
    await until_a_pair_shows(house, table)

    async def fail(*_: object, **__: object) -> None:
        monkeypatch.setattr(house.store, "append", append)
        raise StoreFailed("The disk is full.")

    monkeypatch.setattr(house.store, "append", fail)
    await rings(house, lookout, table)
    table = await house.tables.get(table.id)
    assert table.state.game_state.hands[1] == ()
    await rings(house, lookout, table)
    assert table.state.game_state.hands[1]


async def test_after_a_fault_of_its_own_a_computer_looks_afresh_though_nobody_moves(
    house: House, lookout: RealTimePlayers, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table, choice = await dealt(house), lookout._choice
    await until_a_pair_shows(house, table)

    def fail(*_: object) -> None:
        monkeypatch.setattr(lookout, "_choice", choice)
        raise RuntimeError("This computer has a fault.")

    monkeypatch.setattr(lookout, "_choice", fail)
    await rings(house, lookout, table)
    assert "This computer has a fault." in caplog.text
    assert moments(house, lookout, table)[Place(table.id, 1, "steady")] > house.time
    await rings(house, lookout, table)
    assert table.state.game_state.hands[1]


async def test_a_table_that_is_not_found_is_a_warning_and_no_fault(
    house: House, lookout: RealTimePlayers, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table = await dealt(house)
    await until_a_pair_shows(house, table)

    async def refuse(_: int) -> Table:
        raise Refusal("There is no such table.")

    monkeypatch.setattr(house.tables, "get", refuse)
    await rings(house, lookout, table)
    assert {record.levelname for record in caplog.records} == {"WARNING"}


async def test_when_the_houses_clock_is_put_back_a_computer_acts_by_the_new_time(
    house: House, lookout: RealTimePlayers
) -> None:
    table = await dealt(house)
    await until_a_pair_shows(house, table)
    ((place, at),) = moments(house, lookout, table).items()
    house.time -= 600_000
    lookout._timers[place].cancel()
    lookout._on_timer(place, at)
    await asyncio.gather(*lookout._acts.values())
    assert not table.state.game_state.hands[1]
    assert house.time < moments(house, lookout, table)[place] < house.time + 60_000


# Who is asked, and has gone


async def asked(house: House) -> Table:
    """Alice and a computer against another one and Ben, and she is to flip."""
    table = await dealt(house, BEN, computers=2, mode="teams")
    while table.state.awaited() != (0,):
        (seat,) = table.state.awaited()
        await react(house, table, seat, FLIP)
    return table


async def react(house: House, table: Table, seat: int, action: int) -> None:
    """Somebody acts for that seat, asked or not."""
    await table.react(seat, lambda: [GAME.text(action)], house.time)


async def late(house: House, table: Table) -> None:
    """Alice's next deadline comes."""
    house.time = table.clocks[0]
    await table.ring(0)


async def test_a_hand_of_somebody_else_gives_who_is_asked_no_more_time(house: House) -> None:
    table = await asked(house)
    due, may = table.clocks[0], table.state.legal(0)
    house.time += 100
    await react(house, table, 2, on(next(iter(table.state.game_state.showing))))
    assert table.state.legal(0) != may
    assert table.clocks[0] == due


async def test_who_is_reminded_or_overdue_remains_so_while_hands_of_others_come_and_go(house: House) -> None:
    table = await asked(house)
    await late(house, table)
    await react(house, table, 2, on(next(iter(table.state.game_state.showing))))
    assert table.state.stage(0) == "reminded"
    await late(house, table)
    await react(house, table, 2, LIFT)
    assert table.state.stage(0) == "overdue"


async def test_who_lays_a_hand_is_there_and_has_all_the_time_again(house: House) -> None:
    table = await asked(house)
    await late(house, table)
    await late(house, table)
    await table.move(ALICE, f"hand {next(iter(table.state.game_state.showing))}", house.time)
    assert table.state.stage(0) == "turn"
    assert table.state.polls == {}
    assert table.clocks[0] == house.time + 600
