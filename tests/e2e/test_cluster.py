"""Two processes that share the shards of a bot and a PostgreSQL database, all of them simulated."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, ExitStack, nullcontext
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.gateway.acting import act_for
from bot.match.entries import CloseReason
from bot.match.table import IS_DUE
from bot.match.times import Times
from bot.messages.open_hands import LONGEST_PAUSE
from bot.messages.publisher import ON_ITS_WAY
from bot.store.postgresql.connection import OPENING, Connection, Raw
from bot.store.postgresql.processes import PostgreSQLProcesses
from bot.store.processes import LEASE
from cogs.board.cog import AGAIN, BETWEEN
from games.twin_it.race import COUNTDOWN
from sandbox import Message, Permission, Person, Sandbox
from sandbox.faults import Fault
from tests.e2e.card_room import new_sandbox
from tests.e2e.players import labels, open_table, shown, some_move
from tests.e2e.test_board import boards, put_board
from tests.held import failing, held
from tests.rooms.cluster import Cluster, Member
from tests.rooms.inside import numbers_in
from tests.rooms.laws import EXPECTED_ERRORS
from tests.simulation.postgresql import URL, Written

SHARDS = 2
NOT_SHOWN = 999
"""Number of a table of another process that this one was about to show."""
HOUR = 3600.0
TAKEOVER = 30.0
"""Seconds within which another process serves the shards of one that has gone."""


class Room:
    """A sandbox with a server on each shard, and two processes that take any shard that is free."""

    def __init__(self, box: Sandbox, folder: Path) -> None:
        self.box = box
        box.gateway.shards = SHARDS
        self.cluster = Cluster(box, folder, "INFO", [f"any/{SHARDS}"] * 2)
        self.guilds = [box.guild(f"Server {n}", id_=(SHARDS + n) << 22 | 1) for n in range(SHARDS)]
        self.people = [box.person(name, *self.guilds) for name in ("Alice", "Ben")]

    async def play(self, shard: int, **options: Any) -> Message:
        """Begin a match on a server, and return its card."""
        channel = self.guilds[shard].channel("card-room")
        card = await open_table(channel, "palace start", *self.people, **options)
        await self.people[0].click(card, "Start")
        await self.box.until(lambda: card.thread is not None)
        return card

    def manager(self) -> Person:
        """Return a person who has the permission Manage Server on the first server."""
        self.guilds[0].grant(self.people[0].user, Permission.MANAGE_GUILD)
        return self.people[0]

    def holders(self) -> list[Member]:
        """Return the processes that serve the shards, one for each."""
        found = [each for each in map(self.holder, range(SHARDS)) if each]
        assert len({*found}) == SHARDS
        return found

    def holder(self, shard: int) -> Member | None:
        """Return the process that serves a shard."""
        there = [each for each in self.cluster.members if each.client.held and shard in [*each.client.held]]
        return there[0] if len(there) == 1 else None


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Room]:
    async with new_sandbox(rate_limits=False) as box:
        room = Room(box, tmp_path)
        with room.cluster.server:
            await room.cluster.start()
            yield room
            await room.cluster.stop()
        assert room.cluster.strayed == []
        assert [
            line for line in room.cluster.lines if " ERROR " in line and not EXPECTED_ERRORS.search(line)
        ] == []
        assert box.complaints == []


async def test_a_process_that_is_frozen_beyond_its_leases_has_lost_its_shards(room: Room) -> None:
    frozen, other = room.holders()
    await room.play(0)
    freezing = asyncio.create_task(frozen.freeze(2 * LEASE))
    await asyncio.sleep(1)
    await room.box.until(lambda: 0 in [*(other.client.held or ())], timeout=LEASE + 5)
    assert not freezing.done()
    await freezing
    # Both take any shard, so each has one again.
    await room.box.until(lambda: room.holder(0) and room.holder(1), timeout=TAKEOVER)
    await room.box.until(lambda: room.cluster.is_connected, timeout=TAKEOVER)


async def test_a_process_corrects_its_clock_before_it_serves_a_shard_if_others_know_the_time(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    late, other = room.holders()
    freezing = asyncio.create_task(late.freeze(3 * LEASE))
    await room.box.until(lambda: {*(other.client.held or ())} == {0, 1}, timeout=2 * LEASE)
    await room.box.until(lambda: room.cluster.is_connected, timeout=TAKEOVER)
    room.box.clock.advance(HOUR)  # both have slept
    await room.people[0].slash(room.guilds[1].channel("elsewhere"), "tables")
    await room.box.until(lambda: not other.client.time.jump)
    uncorrected, serve = list[int](), late.client.serve

    async def noting(shard: int) -> None:
        uncorrected.append(late.client.time.jump)
        await serve(shard)

    monkeypatch.setattr(late.client, "serve", noting)
    await other.stop_process()
    await freezing
    await room.box.until(lambda: uncorrected, timeout=TAKEOVER)
    assert not any(uncorrected)


async def test_hands_that_are_open_stay_with_the_process_that_runs_their_table(room: Room) -> None:
    alice, _ = room.people
    member, foreign = reversed(room.holders())
    card = await room.play(1)
    assert card.thread
    shown(await alice.slash(card.thread, "hand"))
    shown(await alice.slash(alice.dms, "hand"))
    assert [len(each.client.publisher.hands) for each in (member, foreign)] == [1, 0]
    await member.stop_process()
    assert len(member.client.publisher.hands) == 0


async def test_the_tables_of_a_shard_are_read_later_when_the_database_is_away(room: Room) -> None:
    _, member = room.holders()
    await room.box.gateway.drop(resumable=False, shard=1)
    await room.box.until(lambda: not room.cluster.is_connected)
    await room.box.until(lambda: room.cluster.is_connected, timeout=TAKEOVER)
    with room.cluster.server.unreachable(member.process_name):
        await asyncio.sleep(6)
    await asyncio.sleep(3)  # the connections are opened again
    # The lease may have run out meanwhile.
    await room.box.until(lambda: room.cluster.is_connected, timeout=TAKEOVER)
    assert any("the tables of shard 1 cannot be read yet" in line for line in room.cluster.lines)
    await room.play(1)


async def test_a_table_that_is_over_is_shown_though_another_shard_is_left_meanwhile(room: Room) -> None:
    keeps, other = room.holders()
    await other.stop_process()
    await room.box.until(lambda: room.holder(1) is keeps and room.cluster.is_connected, timeout=TAKEOVER)
    alice, _ = room.people
    channel = room.guilds[0].channel("card-room")
    card = await open_table(channel, "palace start", alice)
    await asyncio.sleep(1)
    fault = Fault("PATCH", r"^/channels/\d+/messages", 503, 1000)
    room.box.faults.add(fault)
    await alice.slash(channel, "table leave")
    await other.start(wait=False)
    await room.box.until(lambda: room.holder(1) is other and room.cluster.is_connected, timeout=TAKEOVER)
    assert room.holder(0) is keeps
    fault.times = 0
    await room.box.until(lambda: "Join" not in labels(card), timeout=90)


async def test_who_moves_when_the_database_is_lost_is_not_told_that_it_does_not_count(room: Room) -> None:
    member, _ = room.holders()
    card, server = await room.play(0), room.cluster.server
    table = await member.client.tables.get(1)
    n = table.state.n
    seat, action = some_move(table.state, Random(1))
    person = next(each for each in room.people if each.id == table.state.players[seat].user)

    def cut(_: object, entries: Sequence[Written]) -> None:
        if any(each.kind == "move" for each in entries):
            server.cut_off.add(member.process_name)

    server.on_commit = cut
    assert card.thread
    moving = asyncio.ensure_future(person.slash(card.thread, "move", action=table.state.game.text(action)))
    await room.box.until(lambda: server.cut_off)
    server.on_commit = lambda *_: None
    with server.unreachable(member.process_name):
        answer = await moving
        await room.box.until(lambda: "may have counted" in answer.told)
    await asyncio.sleep(8)  # the connections are opened again
    assert [row.kind for row in await member.client.store.log(1)][n] == "move"


async def test_a_computer_of_a_process_that_was_frozen_moves_at_no_table_of_another(room: Room) -> None:
    member, other = room.holders()
    await room.play(0, computers=1)
    table = await member.client.tables.get(1)
    async with table.lock:  # the computer has thought, and waits for it
        await asyncio.sleep(1)
        freezing = asyncio.create_task(member.freeze(2 * LEASE))
        await asyncio.sleep(0)
    await room.box.until(lambda: 0 in [*(other.client.held or ())], timeout=LEASE + 5)
    freezing.cancel()


async def test_what_a_process_finds_waiting_after_a_freeze_was_answered_by_another_one(room: Room) -> None:
    member, other = room.holders()
    card = await room.play(0)
    assert card.thread
    freezing = asyncio.create_task(member.freeze(2 * LEASE))
    await room.box.until(lambda: 0 in [*(other.client.held or ())], timeout=LEASE + 5)
    await room.box.until(lambda: 0 in other.client.shards_there, timeout=10)
    table = await other.client.tables.get(1)
    seat, action = some_move(table.state, Random(1))
    person = next(each for each in room.people if each.id == table.state.players[seat].user)
    shown(await person.slash(card.thread, "move", action=table.state.game.text(action)))
    await freezing
    await asyncio.sleep(1)
    answers = [each for each in room.box.requests if "/callback" in each.path]
    assert [each for each in answers if each.status >= 400] == []


async def test_a_process_that_has_lost_a_shard_keeps_nothing_of_its_tables(room: Room) -> None:
    member, _ = room.holders()
    thinker = member.client.computers.worker_client
    async with AsyncExitStack() as stack:
        await (await stack.enter_async_context(held(thinker, "ask", room.play(0, computers=1))))
        stack.enter_context(failing(PostgreSQLProcesses, "take"))  # else it may have the shard again at once
        table, publisher = await member.client.tables.get(1), member.client.publisher
        publisher.venue.note_trouble(table, 50001)
        publisher._recovery.doubt([NOT_SHOWN])
        publisher._picture_retries.next(table.id)
        assert member.client.computers._thoughts
        await member.freeze(2 * LEASE)
        await room.box.until(lambda: 0 not in member.client.shard_ids)
        await asyncio.sleep(2 * ON_ITS_WAY)  # what was under way is looked for until then
        await publisher.wait()
        assert publisher.live.get(table, "card")  # as at the end of a command that had opened it
        kept = [where for where, number in numbers_in(member.client, "bot") if number == table.id]
        kept += [where for where, number in numbers_in(member.client, "bot") if number == NOT_SHOWN]
    assert kept == ["bot.tables._open"], "each process knows all open tables"


async def test_a_hand_at_a_match_that_is_over_is_forgotten_with_its_shard(room: Room) -> None:
    member, _ = room.holders()
    card = await room.play(0)
    assert card.thread
    await room.people[0].slash(card.thread, "hand")
    await room.box.until(lambda: member.client.publisher.hands._hands)
    room.box.faults.add(Fault("PATCH", "/webhooks/", 500, times=1_000))

    async def closed() -> None:  # by a deadline
        act_for(room.guilds[0].id)
        await member.client.tables.close(1, CloseReason.VOTED)

    await member.ask(member.client, closed())
    await asyncio.sleep(5)
    with failing(PostgreSQLProcesses, "take"):  # else it may have the shard again at once
        await member.freeze(2 * LEASE)
        await room.box.until(lambda: 0 not in member.client.shard_ids)
        room.box.faults.clear()
        await asyncio.sleep(2 * LONGEST_PAUSE)
    assert member.client.publisher.hands._hands == {}


async def test_a_process_is_ready_when_another_takes_the_shard_that_was_still_to_come(room: Room) -> None:
    member, other = room.cluster.members
    await room.cluster.stop()
    await asyncio.sleep(2 * LEASE)  # until then each counts with the other
    await member.start()
    await room.box.until(lambda: bool(member.client.shards_there), timeout=TAKEOVER)
    assert len(member.client.shard_ids) == 2
    assert not member.client.is_ready()
    await other.start(wait=False)
    await room.box.until(lambda: len(member.client.shard_ids) == 1, timeout=TAKEOVER)
    await room.box.until(member.client.is_ready)


async def test_a_shard_that_becomes_ready_as_it_is_left_stays_away(room: Room) -> None:
    member, _ = room.holders()
    client = member.client
    freezing = await frozen(room, 0, member)
    freezing.cancel()
    async with held(client.store, "flush"):
        await member.ask(client, client.on_shard_ready(0))  # discord.py calls it up to seconds late
    await room.box.until(lambda: 0 not in client.shard_ids)
    assert 0 not in client.shards_there
    assert not client.clock.is_running(0)


@pytest.mark.parametrize("by", ["sharing", "a stop", "a kill", "a loss of the database"])
async def test_a_server_with_an_outage_of_its_own_gets_all_of_it_back_though_its_shard_is_handed_over(
    room: Room, by: str
) -> None:
    member, other = room.holders()
    await other.stop_process()
    await room.box.until(lambda: room.holder(1) is member and room.cluster.is_connected, timeout=TAKEOVER)
    out = room.guilds[1]
    await open_table(out.channel("card-room"), "palace start", room.people[0])
    (due,) = (await member.client.store.deadlines(1)).values()
    began = room.box.clock.now()
    room.box.gateway.begin_outage(out)
    await asyncio.sleep(100)
    await other.start(wait=False)
    if by == "a stop":
        await member.stop_process()
    elif by == "a kill":
        member.end_process()
    lost = by == "a loss of the database"
    with room.cluster.server.unreachable(member.process_name) if lost else nullcontext():
        await room.box.until(lambda: room.holder(1) is other, timeout=TAKEOVER)
        # Once the database is back, the first process may get a shard again, maybe this one.
        await room.box.until(lambda: 1 in other.client.shards_there, timeout=TAKEOVER)
    await asyncio.sleep(100)
    room.box.gateway.end_outage(out)
    await asyncio.sleep(1)
    (later,) = (await other.client.store.deadlines(1)).values()
    assert (later - due) / 1000 == pytest.approx(room.box.clock.now() - began, abs=5)


async def test_a_connection_that_is_cut_off_while_it_is_greeted_is_opened_again(room: Room) -> None:
    member, _ = room.holders()
    server, away = room.cluster.server, ExitStack()

    async def greet(raw: Raw) -> None:
        async with raw.transaction():
            if not greeted:
                away.enter_context(server.unreachable(member.process_name))
            greeted.append(raw)
            await raw.execute(b"SELECT 1")

    greeted, connection = list[Raw](), Connection(URL, greet)
    opening = asyncio.create_task(member.ask(member.client, connection.raw(6 * OPENING)))
    await asyncio.sleep(2 * OPENING)
    away.close()
    assert await opening is greeted[-1]
    assert len(greeted) == 2
    await connection.close()


@pytest.mark.parametrize("by", ["an outage", "a kill"])
async def test_a_click_elsewhere_ends_no_race_whose_people_cannot_act(room: Room, by: str) -> None:
    one, other = room.holders()
    (alice, _), guild = room.people, room.guilds[1]
    await room.box.until(lambda: other.client.clock.is_running(1))
    card = await open_table(
        guild.channel("card-room"), "twin-it start", *room.people, mode="timed", seconds=20
    )
    await alice.click(card, "Start")
    await room.box.until(lambda: card.thread is not None)
    assert card.thread
    for person in room.people:
        await person.slash(card.thread, "move", action="ready")
    await asyncio.sleep(COUNTDOWN / 1000 + 15)
    if by == "a kill":
        other.end_process()
    else:
        room.box.gateway.begin_outage(guild)
    await asyncio.sleep(6)
    assert (await alice.slash(alice.dms, "move", action="turn 1", table="1")).text == IS_DUE
    if by == "an outage":
        room.box.gateway.end_outage(guild)
    await asyncio.sleep(TAKEOVER)
    assert "resume" in [row.kind for row in await one.client.store.log(1)]


@pytest.mark.parametrize("by", ["a stop", "a kill"])
async def test_the_thread_of_a_match_that_is_over_is_archived_by_who_takes_its_shard(
    room: Room, by: str
) -> None:
    one, other = room.holders()
    await room.play(0)
    (thread,) = room.guilds[0].threads
    await asyncio.sleep(10)  # both were ready before it is over
    await one.ask(one.client, one.client.tables.close(1, CloseReason.VOTED))
    await asyncio.sleep(30)  # its messages are edited no more
    if by == "a stop":
        await one.stop_process()
    else:
        one.end_process()
    await room.box.until(lambda: room.holder(0) is other, timeout=TAKEOVER)
    await room.box.until(lambda: thread.archived, timeout=2 * Times().archive / 1000)


async def frozen(room: Room, shard: int, member: Member) -> "asyncio.Task[None]":
    """Freeze a process until another one serves its shard. Return the task whose end ends the freeze."""
    freezing = asyncio.create_task(member.freeze(HOUR))
    await room.box.until(lambda: room.holder(shard) not in (None, member), timeout=2 * LEASE)
    (other,) = [each for each in room.cluster.members if each is not member]
    await room.box.until(lambda: shard in other.client.shards_there, timeout=TAKEOVER)
    return freezing


async def test_a_process_that_was_frozen_posts_no_board_beside_that_of_another(room: Room) -> None:
    member, _ = room.holders()
    lobby = room.guilds[0].channel("lobby")
    searched = Fault("GET", rf"^/channels/{lobby.id}/messages", None, after=True, delay=1.0)
    room.box.faults.add(searched)
    await put_board(room.manager(), room.guilds[0].channel("card-room"), lobby)
    await room.box.until(lambda: not searched.times)
    freezing = await frozen(room, 0, member)
    await room.box.until(lambda: len(boards(lobby)) == 1, timeout=3 * AGAIN)
    freezing.cancel()
    await asyncio.sleep(TAKEOVER)
    assert len(boards(lobby)) == 1


async def test_an_edit_that_was_held_up_overwrites_no_board_of_another_process(room: Room) -> None:
    member, _ = room.holders()
    lobby, (alice, _) = room.guilds[0].channel("lobby"), room.people
    await put_board(room.manager(), room.guilds[0].channel("card-room"), lobby)
    await room.box.until(lambda: len(boards(lobby)) == 1, timeout=TAKEOVER)
    await asyncio.sleep(BETWEEN)
    limited = Fault("PATCH", rf"^/channels/{lobby.id}/messages", 429, retry_after=LEASE)
    room.box.faults.add(limited)
    await open_table(room.guilds[0].channel("card-room"), "palace start", alice)
    await room.box.until(lambda: not limited.times, timeout=2 * BETWEEN)
    freezing = await frozen(room, 0, member)
    await asyncio.sleep(3 * AGAIN)  # the table closes, as nobody begins
    assert "No table is open" in boards(lobby)[0].text
    freezing.cancel()
    await asyncio.sleep(1)
    assert "No table is open" in boards(lobby)[0].text


async def test_an_edit_that_was_held_up_overwrites_no_table_of_another_process(room: Room) -> None:
    member, other = room.holders()
    card = await room.play(0)
    assert card.thread
    limited = Fault("PATCH", rf"^/channels/{card.thread.id}/messages", 429, retry_after=LEASE)
    room.box.faults.add(limited)
    table = await member.client.tables.get(1)
    seat, action = some_move(table.state, Random(1))
    person = next(each for each in room.people if each.id == table.state.players[seat].user)
    shown(await person.slash(card.thread, "move", action=table.state.game.text(action)))
    await room.box.until(lambda: not limited.times)
    freezing = await frozen(room, 0, member)
    await room.box.until(lambda: not other.client.tables.runs(1), timeout=3 * AGAIN)  # all are away
    await asyncio.sleep(AGAIN)
    before = [each.text for each in card.thread.messages()]
    freezing.cancel()
    await asyncio.sleep(1)
    assert [each.text for each in card.thread.messages()] == before


async def first_post(room: Room, card: Message) -> Message:
    """Return the live table of a match that has just begun."""
    thread = card.thread
    assert thread
    await room.box.until(lambda: thread.messages()[1:])
    return thread.messages()[1]


async def test_a_table_of_another_process_is_posted_again_on_its_own_server_only(room: Room) -> None:
    alice, _ = room.people
    card = await room.play(0)
    board = await first_post(room, card)
    for shard, said in (1, "Nothing was posted"), (0, "is posted again"):
        room.holders()[shard].client.publisher.live.on_screen = 0
        assert not board.deleted
        answer = await alice.slash(room.guilds[shard].channel("elsewhere"), "table show", table="1")
        await room.box.until(lambda answer=answer: answer.told)  # type: ignore[misc]
        assert said in answer.told
    await room.box.until(lambda: board.deleted)


async def test_nobody_is_told_that_a_table_was_posted_whose_shard_was_left_meanwhile(room: Room) -> None:
    alice, _ = room.people
    member, _ = room.holders()
    await first_post(room, await room.play(0))
    await (publisher := member.client.publisher).wait()
    publisher.live.on_screen = 0
    showing = asyncio.ensure_future(alice.slash(room.guilds[0].channel("elsewhere"), "table show"))
    async with held(publisher._outbox, "send"):
        with room.cluster.server.unreachable(member.process_name):
            await room.box.until(lambda: 0 not in member.client.shard_ids, timeout=TAKEOVER)
    answer = await showing
    await room.box.until(lambda: answer.told)
    assert "Nothing was posted" in answer.told
