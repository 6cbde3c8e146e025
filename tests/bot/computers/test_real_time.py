"""Computers in real time, here in Twin It!: they act without a turn, after people who were earlier, and never without
people. The tests call the timers themselves, so nothing takes time."""

import asyncio
from collections.abc import AsyncIterator
from itertools import combinations
from typing import Any

import pytest

from bot.computers.players import ComputerPlayers
from bot.computers.real_time import ComputerSeat, RealTimePlayers
from bot.gateway.discord_time import DiscordTime
from bot.match import seats as seating
from bot.match.deadlines import DUE
from bot.match.entries import CloseReason
from bot.match.refusal import Refusal
from bot.match.table import Table
from bot.upkeep.clock import Clock
from games import GAMES, AnyGame
from games.twin_it.actions import FLIP, LIFT, on
from games.types import Action, Seat
from tests.bot.tables import ALICE, BEN, Room, pass_deadline
from tests.held import fail, failing
from tests.seats import FIRST, SECOND, THIRD
from tests.simulation.testing import *  # noqa: F403

pytestmark = pytest.mark.usefixtures("calm")

GAME: AnyGame = GAMES["twin-it"]


@pytest.fixture
async def computers(room: Room) -> AsyncIterator[ComputerPlayers]:
    """Yield the computer players of the room, with Discord connected."""
    players = ComputerPlayers(room.tables)
    await players.real_time.wake()
    yield players
    await players.close()


@pytest.fixture
def real_time(computers: ComputerPlayers) -> RealTimePlayers:
    return computers.real_time


async def dealt(room: Room, *others: int, computers: int = 1, **options: Any) -> Table:
    """Start a match before the first flip. A hand stays for 15 seconds, so that nothing happens by itself."""
    table = await room.open(*others, computers=computers, game=GAME, hand_seconds=15, **options)
    await table.start(ALICE, room.time)
    return table


def computer_at(table: Table) -> ComputerSeat:
    """Return the place of the computer beside one person."""
    return ComputerSeat(table.id, SECOND, "steady", table.match.guild)


async def until_a_pair_shows(room: Room, table: Table) -> tuple[int, int]:
    """Flip in turn until two faces match. Return their numbers, the newer one first."""
    while not (pair := pair_of(table)):
        (seat,) = table.state.awaited()
        room.time += 10
        if table.state.strength_at(seat):
            await table.answer(seat, table.state.prompts[seat], None)
        else:
            await table.play(table.state.players[seat].user, ["flip"], room.time)
    return pair


def pair_of(table: Table) -> tuple[int, int] | None:
    """Return the numbers of two faces that match, or None."""
    faces = GAME.view(table.state.game_state, FIRST).faces[::-1]
    pairs = (pair for pair in combinations(faces, 2) if pair[0].design == pair[1].design)
    return next(((one.number, other.number) for one, other in pairs), None)


async def let_quickest_act(room: Room, real_time: RealTimePlayers, table: Table) -> None:
    """Let the time come at which the quickest computer acts, and wait until it has acted."""
    place, at = min(action_times(room, real_time, table).items(), key=lambda each: each[1])
    room.time = max(room.time, at)
    real_time._timers[place].cancel()
    real_time._on_timer(place, at)
    await asyncio.gather(*real_time._acts.values())


def action_times(room: Room, real_time: RealTimePlayers, table: Table) -> dict[ComputerSeat, int]:
    """Return the time in ms at which each computer will act."""
    views = {place: GAME.view(table.state.game_state, place.seat) for place in real_time._players}
    found = {place: real_time._players[place].observe(view, room.time) for place, view in views.items()}
    assert {place for place, at in found.items() if at is not None} == real_time._timers.keys()
    return {place: at for place, at in found.items() if at is not None}


async def logged_moves(room: Room, table: Table) -> list[tuple[int | None, int | None, str]]:
    """Return (seat, user, action) of every move in the log."""
    log = await room.store.log(table.id)
    return [(entry.seat, entry.user, entry.body) for entry in log if entry.kind == "move"]


async def hands(room: Room, table: Table) -> list[str]:
    """Return the hands in the log that computers have laid."""
    return [body for _, user, body in await logged_moves(room, table) if not user and body.startswith("hand")]


async def test_computers_watch_no_table_that_another_process_has_taken(
    room: Room, real_time: RealTimePlayers
) -> None:
    table = await dealt(room)
    assert real_time._players
    room.tables.owns = lambda _: False
    await real_time._visit(table.id)
    assert not real_time._players


# Their actions


async def test_a_computer_takes_a_pair_out_of_turn(room: Room, real_time: RealTimePlayers) -> None:
    table = await dealt(room)
    one, other = await until_a_pair_shows(room, table)
    await let_quickest_act(room, real_time, table)
    await let_quickest_act(room, real_time, table)
    assert (await logged_moves(room, table))[-2:] == [(1, None, f"hand {one}"), (1, None, f"hand {other}")]
    assert table.state.game_state.sets[1]


async def test_a_person_who_is_quicker_has_the_set_and_the_computer_does_nothing(
    room: Room, real_time: RealTimePlayers
) -> None:
    table = await dealt(room)
    pair = await until_a_pair_shows(room, table)
    assert action_times(room, real_time, table)
    await table.play(ALICE, [f"hand {face}" for face in pair], room.time)
    assert table.state.game_state.sets[0]
    assert action_times(room, real_time, table) == {}
    assert not await hands(room, table)


async def test_an_earlier_click_goes_first_though_it_arrives_later(
    room: Room, real_time: RealTimePlayers
) -> None:
    table = await dealt(room, tie_ms=0)
    pair = await until_a_pair_shows(room, table)
    acting = asyncio.create_task(let_quickest_act(room, real_time, table))
    await asyncio.sleep(0)
    assert real_time._acts
    await table.play(ALICE, [f"hand {face}" for face in pair], room.time - 1)
    await acting
    assert table.state.game_state.sets[0]
    assert not await hands(room, table)


async def test_a_computer_whose_turn_it_is_acts_without_the_worker(
    room: Room, computers: ComputerPlayers
) -> None:
    table = await dealt(room)
    if table.state.awaited() == (0,):
        await table.play(ALICE, ["flip"], room.time)
    room.time = max(room.time, table.deadlines[1])
    computers.play(table, SECOND)
    await asyncio.gather(*computers._answers.values())
    assert (await logged_moves(room, table))[-1] == (1, None, "flip")
    assert computers._thoughts == {}
    assert computers.worker_client.worker.process is None


async def race(room: Room, real_time: RealTimePlayers) -> Table:
    """Start a race of Alice and a computer, in which the spread has just been uncovered."""
    table = await dealt(room, mode="cooperative", seconds=60)
    await table.answer(SECOND, 0, None)
    await table.play(ALICE, ["ready"], room.time)
    assert real_time._timers == {}
    await pass_deadline(room, table, DUE)
    return table


async def test_a_computer_does_nothing_after_the_time_is_up(
    room: Room, real_time: RealTimePlayers, caplog: pytest.LogCaptureFixture
) -> None:
    table = await race(room, real_time)
    n, room.time = table.state.n, table.state.due() or 0
    await let_quickest_act(room, real_time, table)
    assert [entry.kind for entry in (await room.store.log(table.id))[n:]] == ["tick"]
    assert caplog.messages == []


# The time in which they watch


async def test_computers_do_not_watch_a_table_without_people(room: Room, real_time: RealTimePlayers) -> None:
    table = await dealt(room, BEN)
    await until_a_pair_shows(room, table)
    assert real_time._timers
    await table.leave(BEN, room.time)
    assert {place.seat for place in real_time._timers} == {1, 2}
    await table.leave(ALICE, room.time)
    assert (real_time._players, real_time._timers) == ({}, {})


async def test_the_caretaker_of_an_absent_player_watches_until_they_are_back(
    room: Room, real_time: RealTimePlayers
) -> None:
    table = await dealt(room, BEN, computers=0)
    await until_a_pair_shows(room, table)
    assert real_time._players == {}
    await table.leave(BEN, room.time)
    assert {*real_time._players} == {*real_time._timers} == {computer_at(table)}
    await seating.take(table, SECOND, BEN, "Ben", room.time)
    assert (real_time._players, real_time._timers) == ({}, {})


async def test_computers_do_not_watch_while_discord_is_out_of_reach(
    room: Room, computers: ComputerPlayers
) -> None:
    clock, real_time = Clock(room.tables, computers, DiscordTime()), computers.real_time
    table = await dealt(room)
    await until_a_pair_shows(room, table)
    clock.pause(0)
    assert (real_time._players, real_time._timers) == ({}, {})
    room.time += 60_000
    await clock.resume(0)
    assert action_times(room, real_time, table)[computer_at(table)] > room.time


async def test_a_hand_that_could_not_be_stored_is_laid_again(
    room: Room, real_time: RealTimePlayers, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await dealt(room)
    await until_a_pair_shows(room, table)
    fail(monkeypatch, room.store, "append", once=True)
    await let_quickest_act(room, real_time, table)
    table = await room.tables.get(table.id)
    assert table.state.game_state.hands[1] == ()
    await let_quickest_act(room, real_time, table)
    assert table.state.game_state.hands[1]


async def test_why_a_hand_could_not_be_stored_is_logged_once_each_time_that_it_begins(
    room: Room, real_time: RealTimePlayers, caplog: pytest.LogCaptureFixture
) -> None:
    table = await dealt(room)
    await until_a_pair_shows(room, table)
    for times in (1, 2):
        with failing(room.store, "append"):
            for _ in range(3):
                await let_quickest_act(room, real_time, await room.tables.get(table.id))
        assert caplog.text.count("could not be played by a computer: The disk is full.") == times
        await let_quickest_act(room, real_time, await room.tables.get(table.id))


async def test_after_an_error_a_computer_tries_again_though_nobody_moves(
    room: Room, real_time: RealTimePlayers, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table, choice = await dealt(room), real_time._choice
    await until_a_pair_shows(room, table)

    def fail(*_: object) -> None:
        monkeypatch.setattr(real_time, "_choice", choice)
        raise RuntimeError("This computer has a fault.")

    monkeypatch.setattr(real_time, "_choice", fail)
    await let_quickest_act(room, real_time, table)
    assert "This computer has a fault." in caplog.text
    assert action_times(room, real_time, table)[computer_at(table)] > room.time
    await let_quickest_act(room, real_time, table)
    assert table.state.game_state.hands[1]


async def test_a_table_that_is_not_found_is_logged_as_a_warning(
    room: Room, real_time: RealTimePlayers, caplog: pytest.LogCaptureFixture
) -> None:
    table = await dealt(room)
    await until_a_pair_shows(room, table)
    with failing(room.tables, "get", Refusal("There is no such table.")):
        await let_quickest_act(room, real_time, table)
    assert {record.levelname for record in caplog.records} == {"WARNING"}


async def test_when_the_clock_is_put_back_a_computer_acts_by_the_new_time(
    room: Room, real_time: RealTimePlayers
) -> None:
    table = await dealt(room)
    await until_a_pair_shows(room, table)
    ((place, at),) = action_times(room, real_time, table).items()
    room.time -= 600_000
    real_time._timers[place].cancel()
    real_time._on_timer(place, at)
    await asyncio.gather(*real_time._acts.values())
    assert not table.state.game_state.hands[1]
    assert room.time < action_times(room, real_time, table)[place] < room.time + 60_000


# Awaited players who are absent


async def before_alices_flip(room: Room) -> Table:
    """Start a match of Alice and a computer against Ben and a computer; it is Alice's turn to flip."""
    table = await dealt(room, BEN, computers=2, mode="teams")
    while table.state.awaited() != (0,):
        (seat,) = table.state.awaited()
        await react(room, table, seat, FLIP)
    return table


async def react(room: Room, table: Table, seat: Seat, action: Action) -> None:
    """Act for that seat, in turn or out of turn."""
    await table.react(seat, lambda: [GAME.text(action)], room.time)


async def test_another_players_hand_gives_the_awaited_player_no_more_time(room: Room) -> None:
    table = await before_alices_flip(room)
    due, may = table.deadlines[0], table.state.legal(FIRST)
    room.time += 100
    await react(room, table, THIRD, on(next(iter(table.state.game_state.showing))))
    assert table.state.legal(FIRST) != may
    assert table.deadlines[0] == due


async def test_hands_of_others_do_not_change_a_reminded_or_overdue_seat(room: Room) -> None:
    table = await before_alices_flip(room)
    await pass_deadline(room, table, FIRST)
    await react(room, table, THIRD, on(next(iter(table.state.game_state.showing))))
    assert table.state.stage(FIRST) == "reminded"
    await pass_deadline(room, table, FIRST)
    await react(room, table, THIRD, LIFT)
    assert table.state.stage(FIRST) == "overdue"


async def test_an_overdue_player_must_flip_as_a_hand_on_a_face_gives_no_more_time(room: Room) -> None:
    table = await before_alices_flip(room)
    await pass_deadline(room, table, FIRST)
    await pass_deadline(room, table, FIRST)
    due = table.deadlines[0]
    await table.play(ALICE, [f"hand {next(iter(table.state.game_state.showing))}"], room.time)
    assert (table.state.stage(FIRST), table.deadlines[0]) == ("overdue", due)
    await table.play(ALICE, ["flip"], room.time)
    assert table.state.polls == {}


async def test_nothing_is_remembered_of_a_match_that_is_over(
    room: Room, real_time: RealTimePlayers, caplog: pytest.LogCaptureFixture
) -> None:
    table = await dealt(room)
    await table.close(CloseReason.CHANNEL_GONE)
    room.tables.forget(table)
    with failing(room.store, "match"):
        await real_time._visit(table.id)
    assert "could not be played by a computer" in caplog.text
    assert real_time._failing == {}


async def test_nothing_is_remembered_of_a_match_that_another_process_may_end(
    room: Room, real_time: RealTimePlayers
) -> None:
    table = await dealt(room)
    with failing(room.store, "match"):
        room.tables.forget(table)
        await real_time._visit(table.id)
    assert [*real_time._failing] == [table.id]
    real_time.rest()
    assert real_time._failing == {}
