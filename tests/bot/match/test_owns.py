"""Two processes with one database: each handles the tables of its own guilds only."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bot.match import seats
from bot.match.deadlines import TABLE
from bot.match.refusal import Refusal
from bot.match.state import Player
from bot.match.table import Stale, Table
from bot.match.tables import HasRematch, Tables, Unloadable
from bot.match.times import Times
from bot.store import Hours, InDoubt, LogRow, Post, Store, StoreFailed, open_store
from games import GAMES
from tests.bot.match.test_nights import play
from tests.bot.store.stores import rows
from tests.held import held, losing_answers
from tests.toy import GAME as TOY

NOW = 1_000_000


class Half(Tables):
    """The tables of all even or of all odd guilds."""

    def __init__(self, store: Store, rest: int) -> None:
        super().__init__(store, lambda: NOW, times=Times(lobby=5000), owns=lambda guild: guild % 2 == rest)

    async def lobby(self, guild: int) -> Table:
        """Open a table with one person at it."""
        at_table = partial(self.open, TOY, TOY.Options(), channel=guild * 10, at=NOW)
        return await at_table(guild=guild, players=[Player(guild * 100, "Alice")])


@pytest.fixture
async def halves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[Half, Half]]:
    """Open a table in a guild of each process, then start both processes again."""
    monkeypatch.setitem(GAMES, TOY.slug, TOY)
    stores = [await open_store(tmp_path / "palmhouse.sqlite3") for _ in range(2)]
    await Half(stores[0], 0).lobby(2)
    await Half(stores[1], 1).lobby(3)
    even, odd = Half(stores[0], 0), Half(stores[1], 1)
    await even.load()
    await odd.load()
    yield even, odd
    for store in stores:
        await store.close()


@pytest.fixture
def even(halves: tuple[Half, Half]) -> Half:
    return halves[0]


@pytest.fixture
def odd(halves: tuple[Half, Half]) -> Half:
    return halves[1]


async def test_a_process_runs_the_open_tables_of_its_guilds_only_and_knows_all(even: Half, odd: Half) -> None:
    for tables, guild in ((even, 2), (odd, 3)):
        assert [match.guild for match in await tables.open_matches()] == [guild]
        assert tables.guilds() == {guild}
        assert [match for match in (1, 2) if tables.runs(match)] == [guild - 1]
        assert tables.seated(200) == tables.here(20) == [1]
        assert tables.seated(300) == tables.here(30) == [2]


async def test_a_process_that_has_slept_sets_no_deadline_that_has_passed_at_a_table_of_another_one(
    even: Half, odd: Half
) -> None:
    hour = 3_600_000
    await odd.store.heartbeat(NOW + hour)
    table = await even.get(2)
    await table.join(500, "Ben", NOW)
    await table.start(300, NOW)
    assert min((await odd.store.deadlines(2)).values()) > NOW + hour
    opened = await even.open(
        TOY, TOY.Options(), guild=5, channel=50, at=NOW + hour, players=[Player(700, "Dana")]
    )
    assert min(opened.deadlines.values()) > NOW + hour


async def test_a_process_that_knows_that_it_has_slept_sets_no_such_deadline_before_all_are_moved(
    even: Half, odd: Half
) -> None:
    hour = 3_600_000
    even.clock.corrected = lambda: NOW + hour
    table = await even.get(2)
    await table.join(500, "Ben", NOW)
    await table.start(300, NOW)
    opened = await even.lobby(5)
    assert min(table.deadlines.values()) > NOW + hour
    assert min(opened.deadlines.values()) > NOW + hour


@pytest.mark.parametrize("opens_last", [True, False])
async def test_a_table_in_direct_messages_that_another_process_opens_as_both_sleep_gets_that_time(
    even: Half, odd: Half, opens_last: bool
) -> None:
    hour = 3_600_000
    opening = odd.open(TOY, TOY.Options(), guild=0, channel=50, at=NOW, players=[Player(700, "Dana")])
    ways = opening, even.postpone(hour, lambda _: True, NOW + hour)
    late, soon = map(asyncio.ensure_future, ways if opens_last else reversed(ways))
    async with held(*((odd.store, "create") if opens_last else (even.store, "postpone"))):
        await soon
    await late
    assert await even.store.deadlines(3) == {TABLE: NOW + hour + 5000}


async def test_a_table_that_another_process_changes_while_it_is_read_has_the_deadlines_of_its_log(
    even: Half, odd: Half
) -> None:
    table = await odd.get(2)
    await table.join(500, "Ben", NOW)
    log = even.store.log

    async def log_before_the_start(match: int) -> list[LogRow]:
        rows = await log(match)
        if table.state.phase == "lobby":
            await table.start(300, NOW)
        return rows

    even.store.log = log_before_the_start  # type: ignore[method-assign, assignment]
    read = await even.get(2)
    assert read.state.phase == "play"
    assert read.deadlines == table.deadlines


async def test_whoever_leaves_a_table_that_cannot_be_loaded_has_left_it_in_every_process(
    even: Half, odd: Half
) -> None:
    table = await even.get(1)
    await table.join(500, "Ben", NOW)
    await even.store.append(1, [LogRow(table.state.n + 1, "nonsense", None, None, "", NOW)])
    await odd.load()
    await odd.leave_unloadable(1, 500)
    await even.follow([1])
    await even.load()
    for tables in (even, odd):
        assert (tables.seated(200), tables.seated(500)) == ([1], [])
        await tables.check_erasing(500)


async def test_a_table_that_cannot_be_loaded_closes_when_two_processes_let_its_last_people_leave_at_once(
    even: Half, odd: Half
) -> None:
    table = await even.get(1)
    await table.join(500, "Ben", NOW)
    await even.store.append(1, [LogRow(table.state.n + 1, "nonsense", None, None, "", NOW)])
    for tables in (even, odd):
        table.outdate()
        with pytest.raises(Unloadable):
            await tables.get(1)
    leaving = asyncio.create_task(odd.leave_unloadable(1, 500))
    async with held(odd.store, "open_matches", after=True):
        await even.leave_unloadable(1, 200)
    with pytest.raises(StoreFailed):
        await leaving
    await odd.leave_unloadable(1, 500)
    assert 1 not in {match.id for match in await even.store.open_matches()}


async def test_whoever_has_left_a_table_that_cannot_be_loaded_does_not_sit_there_if_the_answer_was_lost(
    even: Half, odd: Half
) -> None:
    told: list[int] = []
    odd.tell = told.append
    with losing_answers(odd.store, "append"), pytest.raises(InDoubt):
        await odd.leave_unloadable(1, 200)
    assert (odd.seated(200), told) == ([], [1])


async def test_a_log_with_a_gap_is_read_once(even: Half, tmp_path: Path) -> None:
    (table := await even.get(1)).outdate()
    await even.store.append(1, [LogRow(table.state.n + 1, "nonsense", None, None, "", NOW)])
    rows(tmp_path / "palmhouse.sqlite3", "DELETE FROM log WHERE match = 1 AND n = 1")
    async with asyncio.timeout(5):
        with pytest.raises(Unloadable):
            await even.get(1)


async def test_a_second_hand_is_refused_by_every_process(even: Half, odd: Half) -> None:
    table = await even.get(1)
    await left(table)
    await table.leave(600, NOW)
    known = await odd.get(1)
    assert await even.erase(500)
    seat = next(seat for seat in table.state.gone if table.state.players[seat].user == 600)
    for other in (known, await odd.get(1), await Half(odd.store, 1).get(1)):
        with pytest.raises(Refusal, match="You have played another seat"):
            await seats.take(other, seat, 500, "Ben", NOW)


async def test_a_person_acts_at_a_table_by_any_process_and_the_one_that_runs_it_follows(
    even: Half, odd: Half
) -> None:
    changed: list[int] = []
    told: list[int] = []
    even.on_change.append(lambda table: changed.append(table.state.n))
    odd.on_change.append(lambda table: changed.append(-table.state.n))
    odd.tell = told.append
    before = await even.get(1)
    await (await odd.get(1)).join(500, "Ben", NOW)
    assert (told, changed) == ([1], [])
    await even.follow(told)
    assert changed == [2]
    after = await even.get(1)
    assert after.state.seat_of(500) == 1
    assert before.is_behind
    assert even.seated(500) == [1]
    # Nobody has told of this one.
    await (await odd.get(1)).cancel(200, NOW, manages=False)
    await even.follow()
    assert changed == [2, 3]
    over = await even.get(1)
    assert not over.is_open
    assert even.seated(500) == []
    assert await even.get(1) is over, "kept until its last messages are posted"
    assert changed == [2, 3]


async def test_a_move_by_another_process_whose_notice_is_lost_is_known_at_the_next_click(
    even: Half, odd: Half
) -> None:
    changed: list[int] = []
    even.on_change.append(lambda table: changed.append(table.state.n))
    before = await even.get(1)
    assert await even.get(1) is before
    await (await odd.get(1)).join(500, "Ben", NOW)
    after = await even.get(1)
    assert (before.state.n, after.state.n) == (1, 2)
    assert changed == [2], "its messages show it, too"
    await even.follow([1])
    assert changed == [2]


async def bidding(tables: Tables) -> Table:
    """Return a match of two people who bid."""
    game, (alice, ben) = GAMES["twin-palms"], (Player(100, "Alice"), Player(500, "Ben"))
    table = await tables.open(game, game.Options(), guild=3, channel=31, players=[alice], at=NOW)
    await table.join(ben.user, ben.name, NOW)
    await table.start(alice.user, NOW)
    return table


async def test_a_move_may_soon_be_made_again_in_a_process_that_does_not_run_the_table(
    even: Half, odd: Half
) -> None:
    match = (await bidding(odd)).id
    for click in (7, 8):  # from its direct messages, say
        await (await even.get(match)).play(100, ["bid 0"], NOW + click, click=click)


async def test_a_click_that_is_delivered_to_two_processes_moves_once(even: Half, odd: Half) -> None:
    table = await bidding(odd)
    await table.play(100, ["bid 0"], NOW + 8, click=7)
    with pytest.raises(Stale):
        await (await even.get(table.id)).play(100, ["bid 0"], NOW + 8, click=7)


async def test_of_two_moves_at_the_same_place_of_the_log_one_is_refused(even: Half, odd: Half) -> None:
    here, there = await even.get(1), await odd.get(1)
    await there.join(500, "Ben", NOW)
    with pytest.raises(StoreFailed):
        await here.join(600, "Cleo", NOW)
    await (await even.get(1)).join(600, "Cleo", NOW)
    assert [each.user for each in (await odd.get(1)).state.players] == [200, 500, 600]


async def test_an_outage_puts_off_the_deadlines_of_the_process_that_had_it(even: Half, odd: Half) -> None:
    foreign = await even.get(2)
    await even.postpone(700, lambda _: True, NOW + 700)
    assert foreign.deadlines == {TABLE: NOW + 5000}
    assert await even.store.deadlines(1) == {TABLE: NOW + 5700}
    assert await odd.store.deadlines(2) == {TABLE: NOW + 5000}


async def test_a_process_that_has_slept_does_not_put_the_last_heartbeat_back(even: Half, odd: Half) -> None:
    await odd.store.heartbeat(NOW + 60_000)
    await even.heartbeat()
    await even.postpone(700, lambda _: True, NOW + 700)
    assert await odd.store.last_heartbeat() == NOW + 60_000


@pytest.mark.parametrize("kept", [True, False])
async def test_an_outage_in_doubt_is_given_back_once_though_another_process_writes_heartbeats(
    even: Half, odd: Half, monkeypatch: pytest.MonkeyPatch, kept: bool
) -> None:
    table, postpone = await even.get(1), even.store.postpone

    async def doubt(*given: Any) -> None:
        if kept:
            await postpone(*given)
            await odd.store.heartbeat(NOW + 65_000)
        raise InDoubt("nobody knows")

    await odd.store.heartbeat(NOW + 60_000)
    monkeypatch.setattr(even.store, "postpone", doubt)
    with nullcontext() if kept else pytest.raises(InDoubt):
        await even.postpone(700, lambda _: True, NOW + 700)
    assert await even.store.deadlines(1) == table.deadlines == {TABLE: NOW + 5000 + 700 * kept}


async def test_an_outage_puts_off_a_table_that_another_process_has_opened_without_a_word(
    even: Half, odd: Half
) -> None:
    opened = await even.lobby(5)
    await odd.postpone(60_000, lambda _: True, NOW + 60_000)
    assert {(match, due) for match, _, due in await odd.store.due_deadlines(NOW * 2)} >= {
        (opened.id, opened.deadlines[TABLE] + 60_000)
    }


async def test_messages_that_lag_behind_are_posted_by_the_process_that_owns_the_table(
    even: Half, odd: Half
) -> None:
    assert (await even.unpublished(), await odd.unpublished()) == ([1], [2])


async def test_a_process_that_has_slept_notes_no_messages_of_a_table_of_another_one(
    even: Half, odd: Half
) -> None:
    """Else a record that the other one shows in words would never get its pictures."""
    slept, post = await odd.get(1), Post(1, "page", 1, 20, 7, final=1)
    await even.save_post(await even.get(1), replace(post, final=0))
    for late in (odd.save_post(slept, post), odd.delete_post(slept, post), odd.note_shown(slept, 1)):
        with pytest.raises(StoreFailed, match="another process runs the table now"):
            await late
    assert await even.store.posts(1) == [replace(post, final=0)]
    assert await even.unpublished() == [1]


async def test_a_preference_chosen_at_another_process_changes_the_note_in_a_lobby(
    even: Half, odd: Half
) -> None:
    told: list[int] = []
    changed: list[int] = []
    odd.tell = told.append
    even.on_change.append(lambda table: changed.append(table.id))
    table = await even.get(1)
    await even.follow([1])
    assert changed == [], "nothing has changed"
    await odd.store.set_preference(200, "ratings", "after the match")
    await odd.note(200)
    await even.follow(told)
    assert changed == [1]
    assert table.lobby_notes[200].hides_ratings


async def test_hours_set_by_another_process_count_with_the_deadlines_that_follow(
    even: Half, odd: Half
) -> None:
    dana = Player(700, "Dana")
    table = await odd.open(
        TOY, TOY.Options(), guild=5, channel=50, at=NOW, players=[dana], pace="correspondence"
    )
    await table.join(500, "Ben", NOW)
    await table.start(700, NOW)
    told: list[int] = []
    even.tell = told.append
    await even.load()
    back = NOW + 5 * 86_400_000
    await even.set_hours(500, lambda _: Hours("Europe/Berlin", away_until=back))
    assert told == [table.id]
    assert not (await odd.get(table.id)).hours[500], "it is not known yet"
    await odd.follow(told)
    table = await odd.get(table.id)
    assert table.hours[500] == Hours("Europe/Berlin", away_until=back)
    ben, other = [table.state.seat_of(user) for user in (500, 700)]
    assert table.deadlines[ben or 0] > back
    assert table.deadlines[other or 0] < NOW + 86_400_000


async def test_somebody_may_leave_a_lobby_while_its_notes_are_read(
    even: Half, odd: Half, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await even.get(1)
    await table.join(500, "Ben", NOW)
    note = table.note

    async def leaving(user: int) -> None:
        if table.state.seat_of(500) is not None:
            await table.leave(500, NOW)
        await note(user)

    monkeypatch.setattr(table, "note", leaving)
    await even.follow([1])
    assert len(table.state.players) == 1


async def left(table: Table) -> None:
    """Begin a match of which 500 leaves, whose name stays at the seat."""
    for user, name in ((500, "Ben"), (600, "Cleo")):
        await table.join(user, name, NOW)
    await table.start(200, NOW)
    await table.leave(500, NOW)


async def test_an_erasure_by_another_process_is_known_though_its_notice_is_lost(
    even: Half, odd: Half
) -> None:
    await left(await even.get(1))
    assert await odd.erase(500)
    await even.follow()
    assert "Ben" not in {player.name for player in (await even.get(1)).state.players}


async def test_a_table_that_is_being_read_while_another_process_erases_is_read_again(
    even: Half, odd: Half
) -> None:
    await left(await even.get(1))
    again = Half(even.store, 0)
    async with held(again.store, "posts", again.get(1)):  # the log is read before
        assert await odd.erase(500)
        following = asyncio.create_task(again.follow([0]))
        await asyncio.sleep(0.2)
    await following
    assert "Ben" not in {player.name for player in (await again.get(1)).state.players}


async def test_no_result_names_somebody_whom_another_process_has_erased_meanwhile(
    even: Half, odd: Half
) -> None:
    table = await even.get(1)
    await left(table)
    playing = asyncio.create_task(play(table))
    async with held(even.store, "log", after=True):
        assert await odd.erase(500)
    with pytest.raises(StoreFailed, match="erased meanwhile"):
        await playing
    await play(await even.get(1))
    results = await even.store._read("SELECT user FROM results WHERE match = 1")
    assert len(results) == 3
    assert (500,) not in results


async def test_of_two_rematches_that_two_processes_open_at_once_the_second_finds_the_first(
    even: Half, odd: Half
) -> None:
    def rematch(tables: Half) -> Coroutine[Any, Any, Table]:
        players = [Player(500, "Ben")]
        return tables.open(TOY, TOY.Options(), guild=2, channel=20, players=players, at=NOW, rematch_of=1)

    second = asyncio.create_task(rematch(odd))
    async with held(odd.store, "create"):
        first = await rematch(even)
    with pytest.raises(HasRematch) as found:
        await second
    assert found.value.table == first.id
    assert odd.seated(500) == [first.id]


async def test_a_rematch_whose_answer_was_lost_is_found_at_once(even: Half) -> None:
    with losing_answers(even.store, "create"), pytest.raises(HasRematch) as found:
        await even.open(
            TOY, TOY.Options(), guild=2, channel=20, players=[Player(500, "Ben")], at=NOW, rematch_of=1
        )
    assert even.seated(500) == [found.value.table]
