"""The smallest discord.py bot: one button, answered by "ok". `python -m bench.baseline_bot URL` runs it."""

import asyncio
import contextlib
import sys
from typing import Any

import discord

from bot.cli.start import enter_sandbox

LABEL = "Press"
INTENTS = discord.Intents(guilds=True)


class Button(discord.ui.View):
    """A button with a callback, as discord.py provides it."""

    @discord.ui.button(label=LABEL)
    async def press(self, interaction: discord.Interaction[Any], _: discord.ui.Button["Button"]) -> None:
        """Answer a click."""
        await interaction.response.send_message("ok", ephemeral=True)


class BaselineBot(discord.Client):
    """A bot that only posts the button."""

    async def on_ready(self) -> None:
        """Post the button in the first channel."""
        await self.guilds[0].text_channels[0].send(view=Button(timeout=None))


async def main(url: str) -> None:
    """Run the bot until the process is killed."""
    async with contextlib.AsyncExitStack() as stack:
        token = await enter_sandbox(stack, url)
        bot = await stack.enter_async_context(BaselineBot(intents=INTENTS, guild_ready_timeout=0.5))
        await bot.start(token)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
