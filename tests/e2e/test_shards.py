"""A bot with several shards: each receives the events of its servers, and loses and finds Discord by itself."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
import yarl

from bot.cli.start import enter_sandbox
from bot.client import Palmhouse
from bot.gateway.private import fetch_application
from bot.gateway.shards import IDENTIFY_PAUSE
from bot.store import Unreadable, open_store
from bot.store.sqlite.store import SQLiteStore
from cogs.doctor.application import application_findings
from sandbox import Message, Person, Sandbox
from tests.e2e.card_room import connected_bot, new_sandbox
from tests.e2e.players import open_table
from tests.held import failing, held
from tests.simulation.world import World

SHARDS = 3


class Server:
    """A server on a shard, with two people."""

    card: Message

    def __init__(self, box: Sandbox, shard: int) -> None:
        self.shard = shard
        self.guild = box.guild(f"Server {shard}", id_=(SHARDS + shard) << 22 | 1)
        self.room = self.guild.channel("card-room")
        self.people: list[Person] = [box.person(f"{name} {shard}", self.guild) for name in ("Alice", "Ben")]

    async def open(self) -> None:
        self.card = await open_table(self.room, "palace start", *self.people)

    async def is_served(self) -> bool:
        """Return whether a click is answered."""
        return not (await self.people[0].click(self.card, "Rules")).failed


class Room:
    """A sandbox with a server on each shard, and a bot that may be connected."""

    def __init__(self, box: Sandbox, file: Path) -> None:
        self.box = box
        self.file = file
        self.servers = [Server(box, shard) for shard in range(SHARDS)]

    def bot(self) -> AbstractAsyncContextManager[Palmhouse]:
        return connected_bot(self.box, self.file)


@pytest.fixture
async def room(file: Path) -> AsyncIterator[Room]:
    async with new_sandbox(rate_limits=False) as box:
        box.gateway.shards = SHARDS
        yield Room(box, file)
        assert box.complaints == []


async def test_a_bot_has_the_shards_that_discord_recommends(room: Room) -> None:
    async with room.bot() as bot:
        sessions = room.box.gateway.sessions.values()
        assert sorted((each.shard, each.shards) for each in sessions) == [(n, SHARDS) for n in range(SHARDS)]
        assert len(bot.guild_ids) == SHARDS
        for server in room.servers:
            await server.open()
            assert await server.is_served()


async def test_a_process_can_serve_some_of_the_shards(room: Room) -> None:
    async with AsyncExitStack() as stack:
        token = await enter_sandbox(stack, room.box.url)
        bot = await stack.enter_async_context(Palmhouse(await open_store(room.file)))
        bot.shard_ids = (0, 2)
        await bot.login(token)
        playing = asyncio.create_task(bot.connect())
        await bot.wait_until_ready()
        assert {each.shard for each in room.box.gateway.sessions.values()} == {0, 2}
        assert bot.guild_ids == {room.servers[0].guild.id, room.servers[2].guild.id}
        findings = await application_findings(bot, await fetch_application(bot))
        assert findings[0].what.startswith(f"The bot is on {SHARDS} servers.")
        await bot.close()
        await playing


@pytest.mark.parametrize("resumable", [True, False])
async def test_the_loss_of_a_shard_does_not_concern_the_others(room: Room, resumable: bool) -> None:
    async with room.bot() as bot:
        for server in room.servers:
            await server.open()
        back = bot.wait_for("shard_resumed" if resumable else "shard_ready", timeout=20)
        lost = bot.wait_for("shard_disconnect", timeout=20)
        await room.box.gateway.drop(resumable, shard=1)
        assert await lost == 1
        assert [bot.tables.clock.has_outage(each.guild.id) for each in room.servers] == [False, True, False]
        assert await room.servers[2].is_served()
        assert await back == 1
        await room.box.until(lambda: not bot.tables.clock.has_outage(room.servers[1].guild.id))
        assert await room.servers[1].is_served()
        assert room.box.gateway.identifies == SHARDS + (not resumable)
        assert len(bot.guild_ids) == SHARDS


async def test_a_shard_is_tried_again_in_a_minute_however_often_it_failed(room: Room, world: World) -> None:
    async with room.bot() as bot:
        (port,) = world.servers
        discord = world.servers.pop(port)
        await room.box.gateway.drop(resumable=False, shard=1)
        await asyncio.sleep(3600)  # discord.py would wait for a quarter of an hour by now
        world.servers[port] = discord
        assert await bot.wait_for("shard_ready", timeout=62 + IDENTIFY_PAUSE) == 1


async def test_a_session_goes_on_elsewhere_when_its_own_gateway_is_gone(room: Room) -> None:
    """Discord names one for each session."""
    async with room.bot() as bot:
        bot.sockets[1].gateway = yarl.URL("ws://127.0.0.1:1/gateway")
        await room.box.gateway.drop(shard=1)
        assert await bot.wait_for("shard_resumed", timeout=20) == 1


async def test_a_shard_begins_anew_when_discord_has_lost_events_of_its_session(room: Room) -> None:
    """The gateway then closes each connection that would continue it."""
    async with room.bot() as bot:
        bot.sockets[1].sequence = 1_000
        await room.box.gateway.drop(shard=1)
        assert await bot.wait_for("shard_ready", timeout=20) == 1


async def test_a_shard_that_was_lost_before_it_is_ready_stays_away(room: Room) -> None:
    async with room.bot() as bot:
        guild = room.servers[1].guild.id
        await room.servers[1].open()
        lost = bot.wait_for("shard_disconnect", timeout=20)
        await room.box.gateway.drop(shard=1)
        await lost
        # discord.py waits for servers, and calls it up to seconds late.
        await asyncio.create_task(bot.on_shard_ready(1))
        assert bot.tables.clock.has_outage(guild)
        await room.box.until(lambda: not bot.tables.clock.has_outage(guild))
        assert await room.servers[1].is_served()


async def test_a_shard_that_was_left_and_taken_again_before_it_is_ready_waits(room: Room) -> None:
    async with room.bot() as bot:
        socket = bot.sockets.pop(1)
        bot.clock.pause(1)
        await asyncio.create_task(bot.on_shard_ready(1))
        assert not bot.clock.is_running(1)
        bot.sockets[1] = socket


async def test_no_table_closes_where_a_shard_is_left_and_taken_again_as_it_becomes_ready(room: Room) -> None:
    async with room.bot() as bot:
        await room.servers[1].open()
        async with held(bot.store, "open_matches", bot.on_shard_ready(1)):
            await bot._end_shard(1)
            bot._begin_shard(1, 0, {})
        assert (await bot.tables.get(1)).is_open


async def test_no_table_closes_where_a_shard_is_taken_again_before_it_was_ready(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    gateway, slow = room.box.gateway, 2 * IDENTIFY_PAUSE
    identify = gateway._identify

    async def slowly(*asked: Any) -> Any:
        await asyncio.sleep(slow)
        return await identify(*asked)

    async with room.bot() as bot:
        await room.servers[1].open()
        monkeypatch.setattr(gateway, "_identify", slowly)
        known = bot.wait_for("shard_connect", timeout=2 * slow)
        await gateway.drop(resumable=False, shard=1)
        assert await known == 1  # discord.py waits for more servers now
        await bot._end_shard(1)
        bot._begin_shard(1, 0, {})
        await asyncio.sleep(slow / 2)
        assert 1 not in bot.shards_there
        assert (await bot.tables.get(1)).is_open
        await room.box.until(lambda: 1 in bot.shards_there, timeout=slow)


async def test_a_shard_is_left_when_what_is_being_written_is_stored(room: Room) -> None:
    async with room.bot() as bot:
        assert isinstance(bot.store, SQLiteStore)
        stored = asyncio.Event()
        writing = asyncio.create_task(bot.store._writer.write(lambda _: stored.wait()))
        await asyncio.sleep(0.1)
        leaving = asyncio.create_task(bot._end_shard(1))
        await asyncio.sleep(1)
        assert not leaving.done()
        stored.set()
        await asyncio.gather(writing, leaving)


async def test_a_shard_is_left_though_nobody_knows_whether_a_write_was_kept(room: Room) -> None:
    async with room.bot() as bot:
        assert bot.clock.is_running(1)
        with failing(bot.store, "flush", Unreadable("the database does not answer")):
            await bot._end_shard(1)
        assert not bot.clock.is_running(1)


async def test_a_shard_whose_session_is_refused_begins_a_new_one(room: Room) -> None:
    async with room.bot():
        await room.servers[1].open()
    sessions = room.box.gateway.sessions
    (lost,) = [id_ for id_, each in sessions.items() if each.shard == 1]
    del sessions[lost]
    async with room.bot() as bot:
        assert await room.servers[1].is_served()
        assert len(bot.guild_ids) == SHARDS
    assert room.box.gateway.identifies == SHARDS + 1


async def test_a_server_that_removed_the_bot_while_its_shard_was_away_is_gone(room: Room) -> None:
    async with room.bot() as bot:
        for server in room.servers:
            await server.open()
        ready = bot.wait_for("shard_ready", timeout=62)
        await room.box.gateway.drop(resumable=False, shard=1)
        room.servers[1].guild.remove(room.box.world.bot)
        await ready
        table = await bot.tables.get(2)
        await room.box.until(lambda: not table.is_open)
        assert bot.guild_ids == {room.servers[0].guild.id, room.servers[2].guild.id}
        assert (await bot.tables.get(1)).is_open
        assert (await bot.tables.get(3)).is_open


async def test_sessions_begin_no_faster_than_discord_allows(file: Path) -> None:
    async with new_sandbox() as box:
        box.gateway.shards, box.gateway.max_concurrency = 4, 2
        async with connected_bot(box, file):
            assert box.gateway.identifies == 4
            assert box.gateway.refused == 0
