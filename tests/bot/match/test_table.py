"""Table and log agree: an acknowledged action is in the log, and a refused one has changed nothing."""

import asyncio

import pytest

from bot.match import seats as seating
from bot.match.alone import against, open_practice
from bot.match.clock import Outage
from bot.match.deadlines import TABLE
from bot.match.entries import CloseReason
from bot.match.refusal import Refusal
from bot.match.state import Player
from bot.match.table import Stale, Table
from bot.match.tables import IDLE, MOST_OPEN
from bot.store import InDoubt, Post, StoreFailed
from games import GAMES, Illegal
from games.types import SEATS
from tests.bot.tables import ALICE, BEN, CHANNEL, CLEO, DANA, EVE, GUILD, Room, move, started
from tests.held import fail, held, losing_answers
from tests.seats import FIRST, SECOND
from tests.toy import GAME as TOY


def snapshot(table: Table) -> object:
    """Return the whole state of a table as plain data."""
    state = table.state
    views = state.game_state and [TOY.view(state.game_state, seat) for seat in SEATS[: len(state.players)]]
    kept = ("n", "phase", "pace", "players", "prompts", "away", "gone", "reminded", "polls", "offers", "held")
    return [getattr(state, name) for name in kept], views, table.deadlines


async def test_a_table_reloaded_from_its_log_is_the_same_table(room: Room) -> None:
    table = await started(room, BEN, CLEO)
    while table.state.phase == "play":
        for seat in table.state.awaited():
            before = snapshot(table)
            table = await room.reload(table)
            assert snapshot(table) == before
            await move(table, table.state.players[seat].user)
    assert table.state.phase == "over"


async def test_only_the_host_starts_and_only_with_enough_people(room: Room) -> None:
    table = await room.open()
    with pytest.raises(Refusal, match="2 to 4 people"):
        await table.start(ALICE, 0)
    await table.join(BEN, "Ben", 0)
    with pytest.raises(Refusal, match="Only the host"):
        await table.start(BEN, 0)
    await table.start(ALICE, 0)
    assert table.state.phase == "play"
    with pytest.raises(Refusal, match="already"):
        await table.start(ALICE, 0)


async def test_a_person_who_opens_many_tables_at_once_gets_the_allowed_number(room: Room) -> None:
    opened = await asyncio.gather(*(room.open() for _ in range(8)), return_exceptions=True)
    assert [type(each) for each in opened] == [Table] * MOST_OPEN + [Refusal] * (8 - MOST_OPEN)
    assert len(room.tables.seated(ALICE)) == MOST_OPEN


async def test_a_sleeping_table_counts_for_nobodys_open_tables_also_after_a_restart(room: Room) -> None:
    tables, times = [await started(room) for _ in range(MOST_OPEN)], room.tables.clock.times
    for table in tables:
        await table.leave(BEN, room.time)
        while {*table.deadlines} != {TABLE}:
            seat = next(seat for seat in table.state.awaited() if table.state.strength_at(seat))
            await table.answer(seat, table.state.prompts[seat], None)
    for _ in range(2):
        room.time = tables[0].deadlines[TABLE] - times.alone
        with pytest.raises(Refusal, match="3 open tables"):
            room.tables.check_room(ALICE)
        room.time += times.doze
        room.tables.check_room(ALICE)
        for table in tables:
            room.tables.forget(table)
        await room.tables.load()


async def test_a_person_who_joins_many_tables_at_once_sits_at_the_allowed_number(room: Room) -> None:
    tables = [await room.open(user=host) for host in (BEN, CLEO, DANA, EVE)]
    joined = await asyncio.gather(
        *(table.join(ALICE, "Alice", 0) for table in tables), return_exceptions=True
    )
    assert [each and type(each) for each in joined] == [None] * MOST_OPEN + [Refusal]
    assert len(room.tables.seated(ALICE)) == MOST_OPEN


async def test_a_person_who_takes_many_seats_at_once_gets_the_allowed_number(room: Room) -> None:
    tables = [await started(room, BEN), await started(room, BEN)]
    for host in (CLEO, DANA):
        tables.append(await room.open(EVE, user=host))
        await tables[-1].start(host, room.time)
    for table in tables:
        await table.leave(table.state.players[1].user, room.time)
    taken = await asyncio.gather(
        *(seating.take(table, SECOND, 999, "Fay", room.time) for table in tables), return_exceptions=True
    )
    assert [each and type(each) for each in taken] == [None] * MOST_OPEN + [Refusal]


async def test_two_clicks_at_once_count_once(room: Room) -> None:
    table = await started(room)
    prompt = table.state.prompts[0]
    clicks = [move(table, ALICE, prompt), move(table, ALICE, prompt)]
    results = await asyncio.gather(*clicks, return_exceptions=True)
    assert sorted(map(type, results), key=str) == sorted([type(None), Stale], key=str)


async def test_another_players_choice_makes_no_form_stale(room: Room) -> None:
    table = await started(room)
    prompt = table.state.prompts[1]
    await move(table, ALICE)
    assert table.state.prompts[1] == prompt
    await move(table, BEN, prompt)
    with pytest.raises(Stale):
        await move(table, BEN, prompt)


async def test_a_watcher_and_an_illegal_move_change_nothing(room: Room) -> None:
    table = await started(room)
    before = snapshot(table)
    with pytest.raises(Refusal, match="do not sit"):
        await table.play(EVE, ["pick 1"], 0)
    others = set(TOY.legal(table.state.game_state, SECOND)) - set(TOY.legal(table.state.game_state, FIRST))
    with pytest.raises(Illegal):
        await table.play(ALICE, [TOY.text(min(others))], 0)
    assert snapshot(table) == before
    assert snapshot(await room.reload(table)) == before


async def test_deadlines_survive_a_restart_and_are_not_handled_early(room: Room) -> None:
    table = await started(room)
    assert table.deadlines == {0: room.time + 600, 1: room.time + 600}
    room.time += 400
    await move(table, ALICE)
    table = await room.reload(table)
    assert table.deadlines == {1: room.time + 200}
    await table.apply_deadline(1)
    assert (await room.store.log(table.id))[-1].kind == "move", "nothing happens before the deadline"
    room.time += 200
    await table.apply_deadline(1)
    assert (await room.store.log(table.id))[-1].kind == "remind"


async def test_the_time_of_an_outage_is_added_to_every_deadline(room: Room) -> None:
    table = await started(room)
    other = await started(room, CLEO)
    room.tables.forget(other)
    room.time += 3_600_000
    await room.tables.postpone(3_600_000, lambda _: True, room.time)
    assert table.deadlines == {0: room.time + 600, 1: room.time + 600}
    assert (await room.tables.get(other.id)).deadlines == table.deadlines
    await move(table, ALICE)
    assert table.deadlines == await room.store.deadlines(table.id) == {1: room.time + 600}


async def test_a_lobby_that_nobody_starts_closes(room: Room) -> None:
    table = await room.open()
    room.time += 5000
    await table.apply_deadline(TABLE)
    assert table.state.phase == "closed"
    assert room.tables.seated(ALICE) == []


async def test_a_computer_plays_for_a_player_who_has_left_and_the_last_to_leave_closes_the_match(
    room: Room,
) -> None:
    table = await started(room)
    await table.leave(BEN, 0)
    assert table.deadlines[1] == room.time + 10
    with pytest.raises(Refusal, match="You have left this match"):
        await move(table, BEN)
    with pytest.raises(Refusal, match="left this match already"):
        await table.leave(BEN, 0)
    await table.leave(ALICE, 0)
    assert table.state.phase == "closed"
    assert await room.store.leaderboard(GUILD) == []


async def test_who_has_played_a_rated_match_does_not_end_it(room: Room) -> None:
    table = await started(room, BEN, CLEO)
    with pytest.raises(Refusal, match="you can leave it, but not end it"):
        await table.cancel(ALICE, 0, manages=True)
    await table.leave(ALICE, 0)
    await seating.take(table, FIRST, EVE, "Eve", 0)
    for erases in (False, True):
        if erases:
            assert await room.tables.erase(ALICE)
            table = await room.tables.get(table.id)
        with pytest.raises(Refusal, match="You have played in this match"):
            await table.cancel(ALICE, 0, manages=True)
        assert table.state.phase == "play"
    await table.cancel(DANA, 0, manages=True)


async def test_the_last_move_and_the_standings_are_stored_together(room: Room) -> None:
    table = await started(room)
    while table.state.phase == "play":
        for seat in table.state.awaited():
            await move(table, table.state.players[seat].user)
    outcome = TOY.outcome(table.state.game_state)
    assert outcome is not None
    standings = {row.user: row for row in await room.store.leaderboard(GUILD, TOY.slug)}
    placed = {player.user: place for player, place in zip(table.state.players, outcome.placings, strict=True)}
    assert {user: row.mean_placing for user, row in standings.items()} == placed
    with pytest.raises(Refusal, match="over"):
        await table.play(ALICE, ["pick 1"], 0)


async def test_a_move_is_not_acknowledged_if_another_process_has_moved_first(room: Room) -> None:
    table = await started(room)
    rival = Room(room.store)
    await rival.tables.load()
    theirs = await rival.tables.get(table.id)
    await move(theirs, BEN)
    with pytest.raises(StoreFailed):
        await move(table, ALICE)
    fresh = await room.tables.get(table.id)
    assert fresh is not table
    assert snapshot(fresh) == snapshot(theirs)
    await move(fresh, ALICE)


async def test_a_cancelled_move_is_stored_as_a_whole_or_not_at_all(room: Room) -> None:
    table = await started(room)
    task = asyncio.create_task(move(table, ALICE))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    fresh = await room.tables.get(table.id)
    entries = await room.store.log(table.id)
    assert fresh.state.n == entries[-1].n
    assert snapshot(await room.reload(fresh)) == snapshot(fresh)


async def test_moves_that_waited_behind_a_failed_one_fail_too(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await started(room)
    fail(monkeypatch, room.store, "append", once=True)
    results = await asyncio.gather(move(table, ALICE), move(table, BEN), return_exceptions=True)
    assert [type(result) for result in results] == [StoreFailed, StoreFailed]
    fresh = await room.tables.get(table.id)
    with pytest.raises(StoreFailed):
        await move(table, BEN)
    assert await room.tables.get(table.id) is fresh


async def test_a_table_that_is_read_anew_knows_the_messages_that_were_being_stored(room: Room) -> None:
    table, call = await started(room), Post(1, "call", 3, CHANNEL, 77)
    async with (
        held(room.store, "save_post", room.tables.save_post(table, call)),
        held(room.store, "update_match", room.tables.update_match(table, card=66, published=2)),
    ):
        table.outdate()
        fresh = await room.tables.get(table.id)
        assert fresh is not table
    assert fresh.posts == {call.key: call}
    assert (fresh.match.card, fresh.match.published) == (66, 2)


@pytest.mark.parametrize("closes", [False, True], ids=["open", "closed"])
async def test_a_table_that_is_read_anew_while_its_place_is_stored_is_listed_as_it_is(
    room: Room, closes: bool
) -> None:
    table = await started(room, BEN)
    async with held(room.store, "update_match", room.tables.set_place(table, 88)):
        table.outdate()
        fresh = await room.tables.get(table.id)
        if closes:
            await fresh.close(CloseReason.CHANNEL_GONE)
    assert room.tables.here(88) == room.tables.seated(BEN) == [table.id] * (not closes)


async def test_another_players_move_does_not_put_off_the_deadline_of_a_player_who_has_left(
    room: Room,
) -> None:
    table = await started(room, BEN, CLEO)
    await table.leave(CLEO, 0)
    deadline = table.deadlines[2]
    room.time += 5
    await move(table, ALICE)
    assert table.deadlines[2] == deadline


async def test_a_match_of_older_rules_is_closed_at_the_next_start(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await started(room)
    monkeypatch.setattr(type(TOY), "version", TOY.version + 1)
    again = Room(room.store)
    await again.tables.load()
    assert again.tables.seated(ALICE) == []
    assert await room.store.open_matches() == []
    assert await room.store.next_deadline(0) is None
    assert (await room.store.log(table.id))[-1].kind == "close"
    assert await again.tables.unpublished() == [table.id], "its players are not told yet"


async def test_a_move_counts_and_every_callback_runs_though_one_of_them_fails(
    room: Room, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_: Table) -> None:
        raise RuntimeError("This game has a fault.")

    called: list[int] = []
    room.tables.on_change += [fail, lambda table: called.append(table.state.n)]
    table = await started(room)
    called.clear()
    await move(table, ALICE)
    assert called == [table.state.n]
    assert "This game has a fault." in caplog.text


async def test_a_call_that_is_about_another_bid_by_now_is_stale_although_it_is_the_same_action(
    room: Room,
) -> None:
    """Dana's only action is the call of the last bid as exact, before and after Ben's bid."""
    table = await started(room, BEN, CLEO, DANA, game=GAMES["liars-dice"], calza=True)
    users = [player.user for player in table.state.players]
    (first,) = table.state.awaited()
    second, caller = (users[(first + step) % 4] for step in (1, 3))
    await table.play(users[first], ["bid 1x2"], room.time)
    seat = table.seat(caller)
    prompt, legal = table.state.prompts[seat], table.state.legal(seat)
    bid = asyncio.create_task(table.play(second, ["bid 1x3"], room.time))
    call = asyncio.create_task(table.play(caller, ["calza"], room.time, prompt))
    with pytest.raises(Stale):
        await asyncio.gather(bid, call)
    assert table.state.legal(seat) == legal
    assert [row.body for row in await room.store.log(table.id)][-1] == "bid 1x3"
    await table.play(caller, ["calza"], room.time, table.state.prompts[seat])


async def test_a_click_that_is_delivered_twice_moves_once_also_after_a_start(room: Room) -> None:
    table = await started(room, BEN)
    (seat, *_) = table.state.awaited()
    user, text = table.state.players[seat].user, TOY.text(table.state.legal(seat)[0])
    room.time += 10
    await table.play(user, [text], room.time, click=7)
    with pytest.raises(Stale):
        await table.play(user, [text], room.time, click=7)
    table.outdate()
    again = await room.tables.get(table.id)
    assert again is not table
    for each in (again, await room.reload(again)):
        with pytest.raises(Stale):
            await each.play(user, [text], room.time, click=7)


async def test_a_click_in_an_outage_that_is_delivered_again_moves_once_after_a_start(room: Room) -> None:
    table = await started(room, BEN, game=GAMES["twin-palms"])
    table.clock.outages.append(Outage(room.time, lambda _: True))
    at = room.time + 20_000  # no time runs for the table
    await table.play(ALICE, ["bid 0"], at, click=7)
    again = await room.reload(table)
    with pytest.raises(Stale):  # a bid may be changed, so it would be legal
        await again.play(ALICE, ["bid 0"], at, click=7)


async def test_the_same_move_may_be_made_again_soon_after_a_start(room: Room) -> None:
    table = await started(room, BEN, game=GAMES["twin-palms"])
    await table.play(ALICE, ["bid 0"], room.time + 1, click=7)
    again = await room.reload(table)
    await again.play(ALICE, ["bid 0"], room.time + 2, click=8)


async def test_a_click_that_is_delivered_again_after_a_later_one_moves_once(room: Room) -> None:
    table = await started(room, BEN, game=GAMES["twin-palms"])
    for click in (7, 8):
        await table.play(ALICE, ["bid 0"], room.time + click, click=click)
    with pytest.raises(Stale):
        await table.play(ALICE, ["bid 0"], room.time + 7, click=7)


async def test_a_click_that_is_delivered_again_moves_once_where_it_was_in_doubt_whether_it_counts(
    room: Room,
) -> None:
    table = await started(room, BEN, game=GAMES["twin-palms"])
    with losing_answers(room.store, "append"), pytest.raises(InDoubt):
        await table.play(ALICE, ["bid 0"], room.time, click=7)
    again = await room.tables.get(table.id)
    with pytest.raises(Stale):  # a bid may be changed, so it would be legal
        await again.play(ALICE, ["bid 0"], room.time + 10, click=7)


async def test_a_lobby_that_was_kept_without_an_answer_closes_in_time(room: Room) -> None:
    with losing_answers(room.store, "create"), pytest.raises(InDoubt):
        await room.open()
    room.time += 5_001
    assert await room.tables.due_deadlines(room.time) == [(1, TABLE)]


async def test_a_table_that_is_over_is_forgotten_though_it_was_read_anew_meanwhile(room: Room) -> None:
    table = await started(room, BEN)
    await table.close(CloseReason.EVERYBODY_LEFT)
    table.outdate()
    again = await room.tables.get(table.id)
    assert again is not table
    room.tables.forget(table)
    assert table.id not in room.tables._loaded


async def test_a_match_without_a_place_leaves_the_memory_when_its_person_leaves_it_alone(room: Room) -> None:
    async def practice(user: int) -> Table:
        players = against(Player(user, f"P{user}"), 1, "steady")
        return await open_practice(room.tables, TOY, TOY.Options(), players, at=room.time, interaction=0)

    table = await practice(ALICE)
    room.time += IDLE + 1
    other = await practice(BEN)
    assert [*room.tables._loaded] == [other.id]
    again = await room.tables.get(table.id)
    assert (again.state.n, [*room.tables._loaded]) == (table.state.n, [other.id, table.id])
