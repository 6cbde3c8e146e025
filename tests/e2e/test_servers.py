"""Servers that the bot joins, and outages of one: its tables wait there and go on afterwards."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.client import Palmhouse
from sandbox import Guild, Message, Person, Sandbox
from tests.e2e.house import playing
from tests.e2e.players import open_table, shown

pytestmark = pytest.mark.usefixtures("soon", "at_once", "in_order")


class Server:
    """A server with one channel and two people; `card` is the lobby of a table that one of them opens."""

    card: Message

    def __init__(self, box: Sandbox, name: str, host: str, guest: str) -> None:
        self.guild: Guild = box.guild(name)
        self.room = self.guild.channel("parlour")
        self.host: Person = box.person(host, self.guild)
        self.guest: Person = box.person(guest, self.guild)

    async def open(self) -> None:
        """Open a table."""
        self.card = await open_table(self.room, "twin-palms start", self.host)

    async def join(self) -> None:
        """Sit down at it."""
        assert self.guest.name in shown(await self.guest.click(self.card, "Join")).text


@asynccontextmanager
async def two_servers() -> AsyncIterator[tuple[Sandbox, Server, Server]]:
    """Two servers of which each opens a table, the first one table 1."""
    async with Sandbox(rate_limits=False) as box:
        yield box, Server(box, "Palm Beach", "Alice", "Ben"), Server(box, "Coral Bay", "Cleo", "Dana")
    assert box.complaints == []


async def closed(box: Sandbox, bot: Palmhouse, number: int) -> None:
    """Wait until that table is closed; those with smaller numbers were looked at before."""
    table = await bot.tables.get(number)
    await box.until(lambda: not table.is_open)


async def over(box: Sandbox, bot: Palmhouse, server: Server) -> None:
    """End the outage of a server, and wait until the bot knows."""
    back = bot.wait_for("guild_available", timeout=20)
    box.gateway.end_outage(server.guild)
    await back


async def test_in_a_server_that_the_bot_joins_a_table_is_opened_at_once(tmp_path: Path) -> None:
    async with Sandbox(rate_limits=False) as box, playing(box, tmp_path / "house.sqlite3"):
        joined = Server(box, "Coral Bay", "Cleo", "Dana")
        await joined.open()
        await joined.join()


async def test_an_outage_closes_no_table_not_even_when_the_bot_is_removed_elsewhere(tmp_path: Path) -> None:
    async with two_servers() as (box, out, left), playing(box, tmp_path / "house.sqlite3") as bot:
        await out.open()
        await left.open()
        box.gateway.begin_outage(out.guild)
        left.guild.remove(box.world.bot)
        await closed(box, bot, 2)
        assert (await bot.tables.get(1)).is_open
        await over(box, bot, out)
        await out.join()


async def test_a_start_in_an_outage_closes_no_table(tmp_path: Path) -> None:
    file = tmp_path / "house.sqlite3"
    async with two_servers() as (box, out, left):
        async with playing(box, file):
            await out.open()
            await left.open()
        box.gateway.begin_outage(out.guild)
        left.guild.remove(box.world.bot)
        async with playing(box, file) as bot:
            await closed(box, bot, 2)
            assert (await bot.tables.get(1)).is_open
            await over(box, bot, out)
            await out.join()
