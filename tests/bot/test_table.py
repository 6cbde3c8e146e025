"""A table is a lock over a log: what is acknowledged is committed, what is refused has changed nothing."""

import asyncio

import pytest

from bot.match import seats as seating
from bot.match.deadlines import TABLE
from bot.match.refusal import Refusal
from bot.match.table import Stale, Table
from bot.match.tables import MOST_OPEN
from bot.store import LogRow, StoreFailed
from games import Illegal
from tests.bot.tables import ALICE, BEN, CHANNEL, CLEO, DANA, EVE, GUILD, House, move, started
from tests.toy.rules import GAME as TOY


def snapshot(table: Table) -> object:
    """All that a table is, as plain data."""
    state = table.state
    views = state.game_state and [TOY.view(state.game_state, seat) for seat in range(len(state.players))]
    kept = ("n", "phase", "pace", "players", "prompts", "away", "gone", "reminded", "polls", "offers", "held")
    return [getattr(state, name) for name in kept], views, table.clocks


async def test_a_table_reloaded_from_its_log_is_the_same_table(house: House) -> None:
    table = await started(house, BEN, CLEO)
    while table.state.phase == "play":
        for seat in table.state.awaited():
            before = snapshot(table)
            table = await house.reload(table)
            assert snapshot(table) == before
            await move(table, table.state.players[seat].user)
    assert table.state.phase == "over"


async def test_the_host_starts_when_enough_sit_and_nobody_else_does(house: House) -> None:
    table = await house.open()
    with pytest.raises(Refusal, match="2 to 4 people"):
        await table.start(ALICE, 0)
    await table.join(BEN, "Ben", 0)
    with pytest.raises(Refusal, match="Only the host"):
        await table.start(BEN, 0)
    await table.start(ALICE, 0)
    assert table.state.phase == "play"
    with pytest.raises(Refusal, match="already"):
        await table.start(ALICE, 0)


async def test_nobody_sits_twice_or_where_no_seat_is_free(house: House) -> None:
    table = await house.open(BEN, CLEO, DANA)
    with pytest.raises(Refusal, match="already sit"):
        await table.join(BEN, "Ben", 0)
    with pytest.raises(Refusal, match="All 4 seats"):
        await table.join(EVE, "Eve", 0)


async def test_a_person_sits_at_a_few_open_tables_at_most(house: House) -> None:
    tables = [await house.open() for _ in range(MOST_OPEN)]
    with pytest.raises(Refusal, match="open tables already"):
        await house.open()
    await tables[0].cancel(ALICE, 0, manages=False)
    await house.open()


async def test_a_person_who_opens_many_tables_at_once_gets_as_many_as_one_may(house: House) -> None:
    opened = await asyncio.gather(*(house.open() for _ in range(8)), return_exceptions=True)
    assert [type(each) for each in opened] == [Table] * MOST_OPEN + [Refusal] * (8 - MOST_OPEN)
    assert len(house.tables.seated(ALICE)) == MOST_OPEN


async def test_a_person_who_joins_many_tables_at_once_sits_at_as_many_as_one_may(house: House) -> None:
    tables = [await house.open(user=host) for host in (BEN, CLEO, DANA, EVE)]
    joined = await asyncio.gather(
        *(table.join(ALICE, "Alice", 0) for table in tables), return_exceptions=True
    )
    assert [each and type(each) for each in joined] == [None] * MOST_OPEN + [Refusal]
    assert len(house.tables.seated(ALICE)) == MOST_OPEN


async def test_a_person_who_takes_many_seats_at_once_gets_as_many_as_one_may(house: House) -> None:
    tables = [await started(house, BEN), await started(house, BEN)]
    for host in (CLEO, DANA):
        tables.append(await house.open(EVE, user=host))
        await tables[-1].start(host, house.time)
    for table in tables:
        await table.leave(table.state.players[1].user, house.time)
    taken = await asyncio.gather(
        *(seating.take(table, 1, 999, "Fay", house.time) for table in tables), return_exceptions=True
    )
    assert [each and type(each) for each in taken] == [None] * MOST_OPEN + [Refusal]


async def test_a_seat_that_was_not_taken_counts_no_more(house: House) -> None:
    await house.open()
    await house.open()
    full = await house.open(CLEO, DANA, EVE, user=BEN)
    with pytest.raises(Refusal, match="seats are taken"):
        await full.join(ALICE, "Alice", 0)
    await house.open()


async def test_the_host_who_leaves_a_lobby_hands_it_to_the_next(house: House) -> None:
    table = await house.open(BEN)
    await table.leave(ALICE, 0)
    assert table.state.host.user == BEN
    await table.leave(BEN, 0)
    assert table.state.phase == "closed"
    with pytest.raises(Refusal, match="closed"):
        await table.join(CLEO, "Cleo", 0)


async def test_two_clicks_at_once_count_once(house: House) -> None:
    table = await started(house)
    prompt = table.state.prompts[0]
    clicks = [move(table, ALICE, prompt), move(table, ALICE, prompt)]
    results = await asyncio.gather(*clicks, return_exceptions=True)
    assert sorted(map(type, results), key=str) == sorted([type(None), Stale], key=str)


async def test_a_neighbours_choice_never_makes_my_form_stale(house: House) -> None:
    table = await started(house)
    prompt = table.state.prompts[1]
    await move(table, ALICE)
    assert table.state.prompts[1] == prompt
    await move(table, BEN, prompt)
    with pytest.raises(Stale):
        await move(table, BEN, prompt)


async def test_a_watcher_and_an_illegal_move_change_nothing(house: House) -> None:
    table = await started(house)
    before = snapshot(table)
    with pytest.raises(Refusal, match="watching"):
        await table.move(EVE, "pick 1", 0)
    others = set(TOY.legal(table.state.game_state, 1)) - set(TOY.legal(table.state.game_state, 0))
    with pytest.raises(Illegal):
        await table.move(ALICE, TOY.text(min(others)), 0)
    assert snapshot(table) == before
    assert snapshot(await house.reload(table)) == before


async def test_deadlines_are_kept_over_a_restart_and_rung_no_sooner(house: House) -> None:
    table = await started(house)
    assert table.clocks == {0: house.time + 600, 1: house.time + 600}
    house.time += 400
    await move(table, ALICE)
    table = await house.reload(table)
    assert table.clocks == {1: house.time + 200}
    await table.ring(1)
    assert (await house.store.log(table.id))[-1].kind == "move", "a bell before the time rings for nobody"
    house.time += 200
    await table.ring(1)
    assert (await house.store.log(table.id))[-1].kind == "remind"


async def test_a_log_from_before_computers_kept_seats_is_still_a_table(house: House) -> None:
    table = await started(house)
    late = LogRow(table.state.n + 1, "timeout", 1, None, TOY.text(table.state.legal(1)[0]), house.time)
    await house.store.append(table.id, [late])
    table = await house.reload(table)
    assert table.state.awaited() == (0,)
    await move(table, ALICE)


async def test_time_that_nobody_could_use_is_given_back_to_every_deadline(house: House) -> None:
    table = await started(house)
    other = await started(house, CLEO)
    house.tables.forget(other)
    house.time += 3_600_000
    await house.tables.put_off(3_600_000)
    assert table.clocks == {0: house.time + 600, 1: house.time + 600}
    assert (await house.tables.get(other.id)).clocks == table.clocks
    await move(table, ALICE)
    assert table.clocks == await house.store.clocks(table.id) == {1: house.time + 600}


async def test_a_lobby_that_nobody_starts_closes(house: House) -> None:
    table = await house.open()
    house.time += 5000
    await table.ring(TABLE)
    assert table.state.phase == "closed"
    assert house.tables.seated(ALICE) == []


async def test_who_leaves_a_match_is_played_for_and_the_last_to_leave_closes_it(house: House) -> None:
    table = await started(house)
    await table.leave(BEN, 0)
    assert table.clocks[1] == house.time + 10
    with pytest.raises(Refusal, match="You have left this match"):
        await move(table, BEN)
    with pytest.raises(Refusal, match="left this match already"):
        await table.leave(BEN, 0)
    await table.leave(ALICE, 0)
    assert table.state.phase == "closed"
    assert await house.store.leaderboard(GUILD) == []


async def test_only_who_manages_the_server_ends_a_match(house: House) -> None:
    table = await started(house)
    with pytest.raises(Refusal, match="manage this server"):
        await table.cancel(ALICE, 0, manages=False)
    await table.cancel(EVE, 0, manages=True)
    assert table.state.phase == "closed"


async def test_the_last_move_and_the_standings_come_together(house: House) -> None:
    table = await started(house)
    while table.state.phase == "play":
        for seat in table.state.awaited():
            await move(table, table.state.players[seat].user)
    outcome = TOY.outcome(table.state.game_state)
    assert outcome is not None
    standings = {row.user: row for row in await house.store.leaderboard(GUILD, TOY.slug)}
    placed = {player.user: place for player, place in zip(table.state.players, outcome.placings, strict=True)}
    assert {user: row.mean_placing for user, row in standings.items()} == placed
    with pytest.raises(Refusal, match="over"):
        await table.move(ALICE, "pick 1", 0)


async def test_a_move_that_another_process_forestalled_is_not_acknowledged(house: House) -> None:
    table = await started(house)
    rival = House(house.store)
    await rival.tables.load()
    theirs = await rival.tables.get(table.id)
    await move(theirs, BEN)
    with pytest.raises(StoreFailed):
        await move(table, ALICE)
    fresh = await house.tables.get(table.id)
    assert fresh is not table
    assert snapshot(fresh) == snapshot(theirs)
    await move(fresh, ALICE)


async def test_a_cancelled_move_is_either_kept_or_not_but_never_half(house: House) -> None:
    table = await started(house)
    task = asyncio.create_task(move(table, ALICE))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    fresh = await house.tables.get(table.id)
    entries = await house.store.log(table.id)
    assert fresh.state.n == entries[-1].n
    assert snapshot(await house.reload(fresh)) == snapshot(fresh)


async def test_who_waited_behind_a_failed_move_moves_no_table_that_has_been_given_up(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, append = await started(house), house.store.append

    async def fail(*_: object, **__: object) -> None:
        monkeypatch.setattr(house.store, "append", append)
        raise StoreFailed("The disk is full.")

    monkeypatch.setattr(house.store, "append", fail)
    results = await asyncio.gather(move(table, ALICE), move(table, BEN), return_exceptions=True)
    assert [type(result) for result in results] == [StoreFailed, StoreFailed]
    fresh = await house.tables.get(table.id)
    with pytest.raises(StoreFailed):
        await move(table, BEN)
    assert await house.tables.get(table.id) is fresh


async def test_choosing_again_does_not_put_off_the_bell_of_who_has_left(house: House) -> None:
    table = await started(house, BEN, CLEO)
    await table.leave(CLEO, 0)
    bell = table.clocks[2]
    house.time += 5
    await move(table, ALICE)
    assert table.clocks[2] == bell


async def test_rules_that_changed_since_are_refused_with_a_sentence(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await started(house)
    monkeypatch.setattr(type(TOY), "version", TOY.version + 1)
    with pytest.raises(Refusal, match="under older rules"):
        await house.reload(table)


async def test_a_match_of_older_rules_is_closed_at_the_next_start(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await started(house)
    monkeypatch.setattr(type(TOY), "version", TOY.version + 1)
    again = House(house.store)
    await again.tables.load()
    assert again.tables.seated(ALICE) == []
    assert await house.store.open_matches() == []
    assert await house.store.next_due(0) is None
    assert (await house.store.log(table.id))[-1].kind == "close"
    assert await house.store.untold() == []


async def test_open_tables_are_known_after_a_restart_without_reading_logs(house: House) -> None:
    table = await started(house, BEN, CLEO)
    await table.leave(CLEO, 0)
    await house.tables.settle(table, 77)
    again = House(house.store)
    await again.tables.load()
    assert again.tables.seated(ALICE) == again.tables.seated(BEN) == again.tables.here(77) == [table.id]
    assert again.tables.seated(CLEO) == again.tables.here(CHANNEL) == []


async def test_a_move_counts_and_all_hear_of_it_though_one_of_them_fails(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_: Table) -> None:
        raise RuntimeError("This game has a fault.")

    heard: list[int] = []
    house.tables.on_change += [fail, lambda table: heard.append(table.state.n)]
    table = await started(house)
    heard.clear()
    await move(table, ALICE)
    assert heard == [table.state.n]
    assert "This game has a fault." in caplog.text
