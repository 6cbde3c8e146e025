"""Real discord.py clients on the sandbox."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import discord
import pytest
import yarl
from discord import app_commands
from discord.gateway import DiscordWebSocket
from discord.http import Route

from sandbox import Sandbox

INTENTS = discord.Intents(guilds=True, guild_messages=True, dm_messages=True)


class Bot(discord.Client):
    """A client with a command tree, which notes the events it hears."""

    def __init__(self, intents: discord.Intents = INTENTS) -> None:
        super().__init__(intents=intents)
        self.tree = app_commands.CommandTree(self)
        self.heard: list[str] = []
        self.said: list[discord.Message] = []

    async def on_socket_event_type(self, event: str) -> None:
        self.heard.append(event)

    async def on_message(self, message: discord.Message) -> None:
        self.said.append(message)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Discord wants a pause between identifies; the sandbox does not."""


def point_at(box: Sandbox, patch: pytest.MonkeyPatch) -> None:
    """Let discord.py take the sandbox for Discord."""
    patch.setattr(Route, "BASE", f"{box.url}/api/v10")
    patch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(box.gateway.url))


@asynccontextmanager
async def running(box: Sandbox, bot: Bot) -> AsyncIterator[Bot]:
    """`bot`, connected and ready, its commands synced; `box` must be what discord.py is pointed at."""
    import asyncio

    async with bot:
        await bot.login(box.token)
        await bot.tree.sync()
        connection = asyncio.create_task(bot.connect())
        await bot.wait_until_ready()
        try:
            yield bot
        finally:
            await bot.close()
            await connection
