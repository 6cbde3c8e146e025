"""The messages of a match that was closed at the start of the bot, as its rules have changed."""

import contextlib
from dataclasses import replace
from functools import partial

import discord

from bot.error_codes import ARCHIVED, TOO_MANY_THREADS
from bot.match.entries import Close, CloseReason
from bot.match.log import read
from bot.match.tables import Tables
from bot.messages.live_message import NO_MENTIONS, is_lost
from bot.messages.outbox import FAR_BACK
from bot.messages.panel import Panel, text
from bot.messages.venue import Venue
from bot.store import Match
from games import GAMES


async def show_outdated(client: discord.Client, tables: Tables, match: Match, *, hopes: bool) -> None:
    """Post why a match was closed where it was played, else in its channel, and mark its log as shown. Raises
    discord.Forbidden if neither is allowed, and it `hopes` that it soon is."""
    log = await tables.store.log(match.id)
    if match.published == log[-1].n:
        return  # below much chat, the sentence would not be found
    last = read(log[-1]).entry
    # The last messages of a match that ended in another way cannot be made any more.
    if isinstance(last, Close) and last.reason is CloseReason.OUTDATED:
        # First, as it may fail and be tried again: where the bot may not read, each try would post the sentence.
        await _take_buttons(client, tables, match)
        # Its thread may be deleted or locked.
        for number in dict.fromkeys([match.place or match.channel, match.channel]):
            place = client.get_partial_messageable(number, guild_id=match.guild)
            try:
                # Once, even after a kill.
                await _post_once(client, place, _sentence(match, last), f"{match.id}-outdated")
                break
            except discord.HTTPException as error:
                is_last = number == match.channel
                if not _takes_none(error) or (hopes and is_last and isinstance(error, discord.Forbidden)):
                    raise
    for post in await tables.store.posts(match.id):
        if post.old is not None:
            await tables.store.save_post(replace(post, old=None))
    await tables.store.update_match(match.id, published=log[-1].n)


def _sentence(match: Match, entry: Close) -> str:
    again = f" `/{match.game} start` opens a new table." if match.game in GAMES else ""
    return f"🚪 Table {match.id} closed: {entry.sentence} The match does not count.{again}"


async def _take_buttons(client: discord.Client, tables: Tables, match: Match) -> None:
    """Leave nothing to press on the card, the live table and the call of a match, which cannot be drawn any more."""
    posts = [each for each in await tables.store.posts(match.id) if not each.final]
    # One that was posted again may not have been deleted yet.
    standing = [(each.channel, message) for each in posts for message in {each.message, each.old}]
    for channel, message in [(match.channel, match.card), *standing]:
        if message:
            found = client.get_partial_messageable(channel).get_partial_message(message)
            try:
                await Venue(client, tables).edit_in_place(channel, partial(_close, found, match))
            except discord.HTTPException as error:
                if error.code == ARCHIVED or not (is_lost(error) or _takes_none(error)):
                    raise


def _takes_none(error: discord.HTTPException) -> bool:
    """Return whether a place takes no messages for long, as a thread that cannot leave the archive."""
    return isinstance(error, discord.NotFound | discord.Forbidden) or error.code == TOO_MANY_THREADS


async def _close(message: discord.PartialMessage, match: Match) -> None:
    closed = Panel(text(f"-# Table {match.id} is closed."))
    await message.edit(view=closed, attachments=[], allowed_mentions=NO_MENTIONS)


async def _post_once(
    client: discord.Client, place: discord.PartialMessageable, sentence: str, nonce: str
) -> None:
    with contextlib.suppress(discord.Forbidden):
        async for message in place.history(limit=FAR_BACK):
            if message.author == client.user and message.content == sentence:
                return
    await place.send(sentence, nonce=nonce, silent=True)
