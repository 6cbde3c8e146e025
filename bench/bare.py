"""The least a discord.py bot can be: a button, answered by "ok". `python -m bench.bare URL` runs it."""

import asyncio
import contextlib
import sys
from typing import Any

import discord

from bot.start import enter_sandbox

LABEL = "Press"
INTENTS = discord.Intents(guilds=True)


class Button(discord.ui.View):
    """Answered by discord.py's own way from a click to a callback."""

    @discord.ui.button(label=LABEL)
    async def press(self, interaction: discord.Interaction[Any], _: discord.ui.Button["Button"]) -> None:
        """A click."""
        await interaction.response.send_message("ok", ephemeral=True)


class Bare(discord.Client):
    """It does nothing else."""

    async def on_ready(self) -> None:
        """Post the button in the first channel there is."""
        await self.guilds[0].text_channels[0].send(view=Button(timeout=None))


async def main(url: str) -> None:
    """Until killed."""
    async with contextlib.AsyncExitStack() as stack:
        token = await enter_sandbox(stack, url)
        bot = await stack.enter_async_context(Bare(intents=INTENTS, guild_ready_timeout=0.5))
        await bot.start(token)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
