"""A sandbox with a guild, a channel and two people, and a bot connected to it."""

from collections.abc import AsyncIterator

import aiohttp
import discord
import pytest

from sandbox import Guild, Person, Sandbox, TextChannel
from tests.sandbox.bots import Bot, point_at, running
from tests.sandbox.wire import Wire
from tests.simulation.testing import pytest_asyncio_loop_factories  # noqa: F401 - pytest-asyncio looks for it here


@pytest.fixture
async def box(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Sandbox]:
    async with Sandbox(rate_limits=False) as box:
        point_at(box, monkeypatch)
        yield box


@pytest.fixture
def guild(box: Sandbox) -> Guild:
    return box.guild("Palm Beach")


@pytest.fixture
def room(guild: Guild) -> TextChannel:
    return guild.channel("card-room")


@pytest.fixture
def alice(box: Sandbox, guild: Guild) -> Person:
    return box.person("Alice", guild)


@pytest.fixture
def ben(box: Sandbox, guild: Guild) -> Person:
    return box.person("Ben", guild)


@pytest.fixture
async def bot(box: Sandbox, room: TextChannel) -> AsyncIterator[Bot]:
    async with running(box, Bot()) as bot:
        yield bot


@pytest.fixture
def channel(bot: Bot, room: TextChannel) -> discord.TextChannel:
    """Return the room as the bot sees it."""
    found = bot.get_channel(room.id)
    assert isinstance(found, discord.TextChannel)
    return found


@pytest.fixture
async def http(box: Sandbox) -> AsyncIterator[aiohttp.ClientSession]:
    """Return an HTTP session whose requests go to the sandbox."""
    async with aiohttp.ClientSession(box.url) as session:
        yield session


@pytest.fixture
async def wire() -> AsyncIterator[Wire]:
    async with Wire.open() as wire:
        yield wire
