"""Servers that the bot joins, and outages of a server: its tables wait and continue afterwards."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.client import Palmhouse
from bot.match.entries import CloseReason
from cogs.common.managing import NOT_DESCRIBED
from sandbox import Answer, Guild, Message, Permission, Person, Sandbox
from sandbox.gateway import PRIVILEGED
from tests.e2e.card_room import CardRoom, connected_bot, new_sandbox
from tests.e2e.match import refusal_of
from tests.e2e.players import deal, open_table, shown
from tests.e2e.test_privacy import settled
from tests.present import present


class Server:
    """A server with one channel and two people. `card` is the lobby of a table that one of them opens."""

    card: Message

    def __init__(self, box: Sandbox, name: str, host: str, guest: str) -> None:
        self.guild: Guild = box.guild(name)
        self.room = self.guild.channel("parlour")
        self.host: Person = box.person(host, self.guild)
        self.guest: Person = box.person(guest, self.guild)

    async def open(self) -> None:
        self.card = await open_table(self.room, "twin-palms start", self.host)

    async def join(self) -> None:
        assert self.guest.name in shown(await self.guest.click(self.card, "Join")).text


@asynccontextmanager
async def two_servers() -> AsyncIterator[tuple[Sandbox, Server, Server]]:
    """Two servers with a table each; the first one has table 1."""
    async with new_sandbox(rate_limits=False) as box:
        yield box, Server(box, "Palm Beach", "Alice", "Ben"), Server(box, "Coral Bay", "Cleo", "Dana")
    assert box.complaints == []


async def wait_until_closed(box: Sandbox, bot: Palmhouse, number: int) -> None:
    """Wait until that table is closed; tables with smaller numbers have been checked before it."""
    table = await bot.tables.get(number)
    await box.until(lambda: not table.is_open)


async def end_outage_of(box: Sandbox, bot: Palmhouse, server: Server) -> None:
    """End the outage of a server, and wait until the bot knows."""
    back = bot.wait_for("guild_available", timeout=20)
    box.gateway.end_outage(server.guild)
    await back


async def test_in_an_outage_no_table_closes_though_another_server_removes_the_bot(file: Path) -> None:
    async with two_servers() as (box, out, left), connected_bot(box, file) as bot:
        await out.open()
        await left.open()
        box.gateway.begin_outage(out.guild)
        left.guild.remove(box.world.bot)
        await wait_until_closed(box, bot, 2)
        assert (await bot.tables.get(1)).is_open
        await end_outage_of(box, bot, out)
        await out.join()


async def test_in_an_outage_of_a_server_nobodys_time_runs_there(file: Path) -> None:
    async with two_servers() as (box, out, other), connected_bot(box, file) as bot:
        await out.open()
        await other.open()
        clock = bot.tables.clock
        box.gateway.begin_outage(out.guild)
        await box.until(lambda: clock.has_outage(out.guild.id))
        assert not clock.has_outage(other.guild.id)
        await other.join()
        ready = bot.wait_for("shard_ready", timeout=20)
        await box.gateway.drop(resumable=False)
        await ready
        await box.until(lambda: not clock.has_outage(other.guild.id))
        assert clock.has_outage(out.guild.id)
        await end_outage_of(box, bot, out)
        await box.until(lambda: not clock.has_outage(out.guild.id))
        await out.join()


async def test_time_runs_where_the_bot_was_removed_in_an_outage_and_invited_again(file: Path) -> None:
    async with two_servers() as (box, out, _), connected_bot(box, file) as bot:
        await out.open()
        clock = bot.tables.clock
        box.gateway.begin_outage(out.guild)
        await box.until(lambda: clock.has_outage(out.guild.id))
        ready = bot.wait_for("shard_ready", timeout=20)
        del out.guild.members[box.world.bot.id]  # a new session is not told that
        await box.gateway.drop(resumable=False)
        await ready
        box.gateway.end_outage(out.guild)
        out.guild.invite_bot()
        await box.until(lambda: not clock.has_outage(out.guild.id))


async def test_an_outage_ends_where_the_bot_was_removed_while_its_connection_was_lost(file: Path) -> None:
    async with two_servers() as (box, out, _), connected_bot(box, file) as bot:
        await out.open()
        box.gateway.begin_outage(out.guild)
        await box.until(lambda: bot.tables.clock.has_outage(out.guild.id))
        del out.guild.members[box.world.bot.id]  # a new session is not told that
        await box.gateway.drop(resumable=False)
        await wait_until_closed(box, bot, 1)
        await box.until(lambda: not bot.tables.clock.has_outage(out.guild.id))


async def test_an_outage_ends_of_which_the_end_was_not_told(file: Path) -> None:
    """discord.py puts a server into a queue that nobody reads, if it comes just before a session is ready."""
    async with two_servers() as (box, out, _), connected_bot(box, file) as bot:
        await out.open()
        box.gateway.begin_outage(out.guild)
        await box.until(lambda: bot.tables.clock.has_outage(out.guild.id))
        connection: Any = bot._connection  # with many shards
        queues = connection._ready_states
        queues[0] = asyncio.Queue()
        box.gateway.end_outage(out.guild)
        await box.until(lambda: not queues[0].empty())
        del queues[0]
        assert bot.tables.clock.has_outage(out.guild.id)
        await box.gateway.drop()
        await box.until(lambda: not bot.tables.clock.has_outage(out.guild.id))


async def test_an_outage_that_is_over_before_it_is_told_stops_no_clock(file: Path) -> None:
    async with two_servers() as (box, here, _), connected_bot(box, file) as bot:
        await bot.on_guild_unavailable(present(bot.server(here.guild.id)))
        assert not bot.tables.clock.has_outage(here.guild.id)


async def test_a_start_during_an_outage_of_a_server_closes_no_table(file: Path) -> None:
    async with two_servers() as (box, out, left):
        async with connected_bot(box, file):
            await out.open()
            await left.open()
        box.gateway.begin_outage(out.guild)
        left.guild.remove(box.world.bot)
        async with connected_bot(box, file) as bot:
            await wait_until_closed(box, bot, 2)
            assert (await bot.tables.get(1)).is_open
            assert bot.tables.clock.has_outage(out.guild.id)
            await end_outage_of(box, bot, out)
            await out.join()


async def without_description(here: CardRoom) -> None:
    """Begin a new session, in which Discord has not described the server yet."""
    here.box.gateway.describes_after = 5.0
    await here.box.gateway.drop(resumable=False)
    await here.box.until(lambda: here.box.gateway.connected and here.bot.server(here.guild.id) is None)


@pytest.mark.parametrize(
    "command", ["settings show", "settings season role", "doctor", "palace start", "Challenge"]
)
async def test_what_needs_channels_and_roles_waits_until_discord_has_described_the_server(
    here: CardRoom, command: str
) -> None:
    alice, ben, *_ = here.people
    here.guild.grant(alice.user, Permission.MANAGE_GUILD)
    if command == "palace start":  # which is refused here
        await here.bot.store.set_table_channels(here.guild.id, [here.guild.channel("lounge").id])
    await without_description(here)

    async def called() -> Answer:
        if command == "Challenge":
            return await alice.choose(here.room, command, ben)
        return await alice.slash(here.room, command)

    assert refusal_of(await called()) == NOT_DESCRIBED
    await here.box.until(lambda: here.bot.server(here.guild.id) is not None)
    assert NOT_DESCRIBED not in (await called()).text


@pytest.mark.parametrize("command", ["play", "replay", "verify"])
async def test_tables_of_others_are_not_called_private_before_discord_has_described_the_server(
    here: CardRoom, command: str
) -> None:
    await deal(here, 2)
    if command != "play":
        await (await here.bot.tables.get(1)).close(CloseReason.VOTED)
    await without_description(here)
    given = {} if command == "play" else {"match": "1"}

    async def asked(person: Person) -> str:
        return (await settled(here, await person.slash(here.room, command, **given))).text

    assert await asked(here.people[2]) == NOT_DESCRIBED
    assert command == "play" or NOT_DESCRIBED not in await asked(here.people[0])
    await here.box.until(lambda: here.bot.server(here.guild.id) is not None)
    assert NOT_DESCRIBED not in await asked(here.people[2])


async def test_a_seat_is_offered_in_a_thread_whose_channel_is_not_described_yet(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    await without_description(here)
    alice.close_dms()  # so that it is a thread
    answer = await alice.slash(here.room, "practice", game="Palmer")
    await here.box.until(lambda: "Your practice table is ready" in answer.text)
    (thread,) = here.room.threads
    said = await alice.slash(thread, "table hand-over", member=ben)
    assert here.bot.server(here.guild.id) is None
    assert "You have offered your seat" in said.text


async def test_the_bot_asks_for_no_privileged_intent(here: CardRoom) -> None:
    (asked,) = {session.intents for session in here.box.gateway.sessions.values()}
    assert asked & PRIVILEGED == 0
