"""Permission to see a channel, and with it what is public of the matches there."""

import asyncio
from collections.abc import Sequence
from itertools import compress
from typing import Final

import discord
from discord.abc import GuildChannel

from bot.match.table import Table
from bot.messages.answers import Interaction, age, is_answered
from bot.messages.expected import EXPECTED
from bot.messages.venue import find_channel
from bot.store import Match
from cogs.common.managing import described_server

ASK_WAIT: Final = 1.5
"""Seconds after a person has acted until which the answer waits for what Discord is asked: it has three."""


def sees(who: discord.Member | discord.Role, place: GuildChannel | discord.Thread) -> bool:
    """Return whether somebody sees a channel."""
    return place.permissions_for(who).view_channel


def unseen(server: discord.Guild) -> int:
    """Return the number of channels of a server that the bot does not see. Discord does not tell it what roles
    open them."""
    # A category holds no more than its channels.
    return sum(
        not (isinstance(each, discord.CategoryChannel) or sees(server.me, each)) for each in server.channels
    )


def is_for_all(place: GuildChannel | discord.Thread | None, board: int = 0) -> bool:
    """Return whether everybody on the server, or who reads the board, may know of what is in a channel or thread: it is
    the board's, or is open to the whole server."""
    if isinstance(place, discord.Thread):
        place = None if place.is_private() else place.parent
    return place is not None and (place.id == board or sees(place.guild.default_role, place))


async def may_look(interaction: Interaction, match: Match) -> bool:
    """Return whether the caller may read the channel of the match. False when it is gone or a private thread, or there
    was none. Raises Refusal while Discord has not described the server."""
    user, client = interaction.user, interaction.client
    if not isinstance(user, discord.Member) or match.placeless:  # as imported matches are
        return False
    described_server(client, match.guild)  # else nobody would have a permission
    # The thread of a match is as public as its channel, which can be a thread itself.
    wait = ASK_WAIT if is_answered(interaction) else ASK_WAIT - age(interaction)
    try:
        async with asyncio.timeout(wait):
            known = find_channel(client, match.guild, match.channel)
            place = known or await client.fetch_channel(match.channel)
    except EXPECTED:
        return False
    if isinstance(place, discord.Thread):
        place = None if place.is_private() else place.parent
    return isinstance(place, GuildChannel) and sees(user, place)


async def readable(interaction: Interaction, tables: Sequence[Table]) -> list[Table]:
    """Return the tables in channels that the caller may read. Raises Refusal as `may_look` does."""
    may = await asyncio.gather(*(may_look(interaction, table.match) for table in tables))
    return [*compress(tables, may)]
