"""A real discord.py client for tests of the sandbox. Each test chooses its answers."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

import discord
import pytest
import yarl
from discord import app_commands
from discord.gateway import DiscordWebSocket
from discord.http import Route

from sandbox import Message, Person, Sandbox, TextChannel

Interaction: TypeAlias = discord.Interaction[Any]
Act: TypeAlias = Callable[[Interaction], Awaitable[Any]]

INTENTS = discord.Intents(guilds=True, guild_messages=True, dm_messages=True)


class Bot(discord.Client):
    """A client with the command /do, which calls `act`. By default that puts the interaction into `inbox` and does not
    answer. The client records the events and messages it receives."""

    def __init__(self, intents: discord.Intents = INTENTS) -> None:
        super().__init__(intents=intents, guild_ready_timeout=0.1)  # otherwise it waits 2 s for more guilds
        self.tree = app_commands.CommandTree(self)
        self.inbox: asyncio.Queue[Interaction] = asyncio.Queue()
        self.act: Act = self.inbox.put
        self.events: list[str] = []
        self.said: list[discord.Message] = []

        @self.tree.command(name="do", description="Do what the test says")
        async def _do(interaction: Interaction) -> None:
            await self.act(interaction)

    async def on_socket_event_type(self, event: str) -> None:
        self.events.append(event)

    async def on_message(self, message: discord.Message) -> None:
        self.said.append(message)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Do not pause between identifies: only Discord requires that."""


def point_at(box: Sandbox, patch: pytest.MonkeyPatch) -> None:
    """Make discord.py connect to the sandbox."""
    patch.setattr(Route, "BASE", f"{box.url}/api/v10")
    patch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(box.gateway.url))


@asynccontextmanager
async def running(box: Sandbox, bot: Bot) -> AsyncIterator[Bot]:
    """Run `bot` until it is ready, with its commands synced. discord.py must have been pointed at `box`."""
    async with bot:
        await bot.login(box.token)
        await bot.tree.sync()
        connection = asyncio.create_task(bot.connect())
        await bot.wait_until_ready()
        await box.until(lambda: not any(guild.unavailable for guild in bot.guilds))
        yield bot
    await connection


async def show(bot: Bot, person: Person, room: TextChannel, *content: str, **more: Any) -> Message:
    """Let the bot answer a command of that person with a message, and return it."""
    bot.act = lambda it: it.response.send_message(*content, **more)
    message = (await person.slash(room, "do")).message
    assert message
    return message


async def refusal(request: Awaitable[Any]) -> tuple[int, int]:
    """Return the status and code with which a request is refused."""
    with pytest.raises(discord.HTTPException) as refused:
        await request
    return refused.value.status, refused.value.code
