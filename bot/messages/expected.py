"""Errors that are no fault of the bot."""

from typing import Final

import aiohttp
import discord

from bot.store import StoreFailed

EXPECTED: Final = (discord.HTTPException, aiohttp.ClientError, OSError, StoreFailed)
"""Errors of Discord, the network and the disk (a timeout is an OSError)."""
