"""The place of a match: a thread of its own below its card, or the channel itself; and what may be done there."""

import contextlib
import logging

import discord

from bot.match.table import Table

log = logging.getLogger(__name__)

THREAD_EXISTS = 160004
LOCKED_THREAD = 160005


def place_of(table: Table) -> int:
    """Return the channel or thread where the match is played."""
    return table.match.place or table.match.channel


async def make_thread(client: discord.Client, table: Table) -> int | None:
    """Make a thread of the table's own below its card; return its id, or None where that is not allowed.

    Raises discord.HTTPException when Discord's answer says nothing about threads here.
    """
    card = table.match.card
    if card is None or not table.match.guild:  # direct messages have no threads
        return None
    channel = client.get_partial_messageable(table.match.channel, guild_id=table.match.guild)
    try:
        thread = await channel.get_partial_message(card).create_thread(
            name=f"{table.state.game.title} · table {table.id}", auto_archive_duration=1440
        )
    except discord.HTTPException as error:
        if error.status >= 500 or error.status == 401:
            raise
        if error.code == THREAD_EXISTS:
            return card  # it was made just before a kill; a message's thread has the message's number
        log.info("table %s stays in its channel (%s %s)", table.id, error.status, error.code)
        return None
    return thread.id


async def bring_in(client: discord.Client, place: int, users: list[int]) -> None:
    """Add people to a thread without calling them, as far as Discord allows."""
    for user in users:
        with contextlib.suppress(discord.HTTPException):
            thread = client.get_channel(place) or await client.fetch_channel(place)
            if isinstance(thread, discord.Thread):
                await thread.add_user(discord.Object(user))


def may_attach(client: discord.Client, table: Table) -> bool:
    """Return whether pictures may be posted where the table is played; True where that is not known."""
    place = client.get_channel(place_of(table))
    if not isinstance(place, discord.TextChannel | discord.VoiceChannel | discord.Thread):
        return True
    with contextlib.suppress(discord.ClientException):  # of a thread whose channel is not known
        return place.permissions_for(place.guild.me).attach_files
    return True


def trouble(place: int, code: int) -> str:
    """Return what is wrong with a place where nothing may be posted, and the person who can mend it."""
    if code == LOCKED_THREAD:
        return f"⚠️ <#{place}> is locked, so I cannot show the table there. A moderator can unlock it; play goes on."
    return (
        f"⚠️ I may not post in <#{place}>. Whoever manages it can let me view it and send messages there; the match "
        "goes on, and the table is shown there as soon as I may."
    )
