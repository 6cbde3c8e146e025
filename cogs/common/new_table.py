"""Opening a table: the options that every game's `start` has, the first players, and the card."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Annotated, Any

import discord
from pydantic import Field, ValidationError

from bot.client import Palmhouse
from bot.match.alone import against
from bot.match.entries import Close, CloseReason
from bot.match.refusal import Refusal
from bot.match.state import Player
from bot.match.table import Table
from bot.match.times import Pace
from bot.messages.answers import MISSING, defer, is_answered, may_stand, settle, with_doctor
from bot.messages.expected import EXPECTED
from bot.messages.late_pictures import files_in_time
from bot.messages.lobby_card import card, is_card
from bot.messages.venue import find_channel, or_timeout
from bot.store import StoreFailed
from cogs.common.lookup import Interaction
from cogs.common.managing import check_channel
from cogs.common.offering import offer_lesson
from games import AnyGame, Options
from games.advice import Strength
from games.options import DescribedOptions
from games.phrases import counted

log = logging.getLogger(__name__)

IN_DMS = (
    "Tables are opened in a channel of a server, so that others can join. Use this command there; `/practice` opens a "
    "table for you alone."
)
IN_WORDS = "in words"
"""Key of an interaction's `extras` that tells whether its card was posted without its picture, which was late."""

LOOKS = (0.0, 0.5, 2.0)
"""Seconds to wait before each search for a card, after Discord's answer was lost."""

NOT_IN_THREAD = "I am not in this private thread, so I cannot play here. Mention me in it, then try again."
NEEDED = discord.Permissions(view_channel=True, send_messages=True)
NEEDED_IN_THREAD = discord.Permissions(view_channel=True, send_messages_in_threads=True)

PACES = "Live: 90 seconds a move. Relaxed: an hour. Correspondence: a day"


class TableTerms(DescribedOptions):
    """Options of `start` in every game, beside its own."""

    computers: Annotated[int, Field(ge=0, le=7)] = Field(
        default=0, description="How many computers play along; more can be added until the start"
    )
    strength: Strength = Field(default="steady", description="How well they play (default: steady)")
    pace: Pace | None = Field(default=None, description=f"{PACES} (default: the server's pace)")


def party(
    game: AnyGame, options: Options, person: Player, computers: int, strength: Strength
) -> list[Player]:
    """Return a person and that number of computers. Raises Refusal when they are too many for the game."""
    most = game.seats(options).stop - 1
    if computers >= most:
        others = counted(most - 1, "computer")
        raise Refusal(f"{game.title} takes at most {most} with these options: you and {others}.")
    return against(person, computers, strength)


def chosen_options(game: AnyGame, given: Mapping[str, Any]) -> Options:
    """Return a game's options. An option that is missing or None has its usual value.

    Raises Refusal with a sentence for each option that is not allowed.
    """
    chosen = {name: value for name, value in given.items() if value is not None}
    try:
        options: Options = game.Options(**{**game.Options.usual(), **chosen})
    except ValidationError as error:
        sentences = [fault["msg"].removeprefix("Value error, ") for fault in error.errors()]
        raise Refusal(" ".join(f"{each[0].upper()}{each[1:]}." for each in sentences)) from None
    return options


async def open_lobby(interaction: Interaction, game: AnyGame, options: Options, terms: TableTerms) -> Table:
    """Answer with the card of a new table in this channel, and offer a lesson to a host who is new to the game."""
    players = party(game, options, caller(interaction), terms.computers, terms.strength)
    pace = terms.pace or (await interaction.client.store.guild_settings(interaction.guild_id or 0)).pace
    table = await open_table(interaction, game, options, players, pace=pace)
    await show_card(interaction, table)
    await offer_lesson(interaction, table.id)
    return table


async def open_table(
    interaction: Interaction,
    game: AnyGame,
    options: Options,
    players: Sequence[Player],
    *,
    pace: Pace = "live",
    practice: bool = False,
    rematch_of: int | None = None,
    reserved: Sequence[Player] = (),
    challenged: Player | None = None,
    guild: int | None = None,
    channel: int | None = None,
) -> Table:
    """Open a lobby in `channel` of `guild` (0: direct messages). By default these are the interaction's.

    Raises Refusal if the server's settings forbid tables there (practice is allowed everywhere), if the bot lacks
    permissions there, or if the person sits at too many tables.
    """
    guild = interaction.guild_id if guild is None else guild
    if guild is None:  # Discord can forbid direct messages for a whole group only, not for `start` alone
        raise Refusal(IN_DMS)
    place = interaction.channel_id if channel is None else channel
    assert place is not None
    if guild and not practice:  # practice is private
        await check_chosen(interaction, guild, place)
    if channel is None:
        check_place(interaction)
    else:
        _check_other_place(interaction, guild, channel)
    return await interaction.client.tables.open(
        game,
        options,
        guild=guild,
        channel=place,
        players=players,
        at=interaction.client.time.learn_from(interaction.id),
        pace=pace,
        practice=practice,
        rematch_of=rematch_of,
        reserved=reserved,
        challenged=challenged,
        interaction=interaction.id,
        # Somebody else may open one there at the same time.
        in_thread=channel is None and isinstance(interaction.channel, discord.Thread),
    )


async def show_card(interaction: Interaction, table: Table, *, elsewhere: bool = False) -> None:
    """Answer with the card of the new table. If it belongs `elsewhere`, or the answer is late, post it instead."""
    bot = interaction.client
    with bot.publisher.live.posts_card(table.id):
        async with _closed_unless_shown(bot, table):
            await settle(interaction)
            if elsewhere or is_answered(interaction):
                await _post_card(interaction, table)
                return
            message = await _answer_by_card(interaction, table)
        # Somebody may have asked for the table meanwhile: then its card is posted already, or on its way.
        is_second = bot.publisher.live.posting.count(table.id) > 1
        has_another = is_second or table.match.card not in (None, message)
        if message is None or has_another or not await _is_noted(bot, table, message):
            bot.publisher.look_again(table)
            return
    bot.publisher.live.get(table, "card")  # the card counts the messages below it
    if interaction.extras.get(IN_WORDS):
        bot.publisher.wake(table)


async def note_card(bot: Palmhouse, table: Table, card: int) -> None:
    """Note which message is the card of a table, and let it show what became of the table meanwhile. Raises
    StoreFailed."""
    await bot.publisher.live.note_card(table, card)
    if not table.is_open:  # it was closed when nobody knew its card
        bot.publisher.wake(table)


async def _is_noted(bot: Palmhouse, table: Table, card: int) -> bool:
    """Note which message is the card of a table. Return False if the store fails."""
    try:
        await note_card(bot, table, card)
    except StoreFailed as error:
        log.warning("table %s: its card is posted, but not noted: %s", table.id, error)
        bot.publisher.live.remember_card(table, card)
        return False
    return True


async def _post_card(interaction: Interaction, table: Table) -> None:
    """Post the card in the table's channel. The answer is deferred, as rate limits may hold the card up."""
    publisher = interaction.client.publisher
    await defer(interaction)
    try:
        await publisher.live.post_card(table)
    except EXPECTED as error:
        if not (may_stand(error) or isinstance(error, StoreFailed)):
            raise
        publisher.look_again(table)
    if not table.is_open:  # its people left while Discord held up the card, which must say so
        publisher.wake(table)


@contextlib.asynccontextmanager
async def _closed_unless_shown(bot: Palmhouse, table: Table) -> AsyncIterator[None]:
    """If the block raises, close a new table: without a card nobody could find it. One that somebody else has found, or
    that cannot be closed, is shown by another card."""
    try:
        yield
    except EXPECTED:
        with contextlib.suppress(StoreFailed):  # then it is shown
            async with table.changing(now := table.clock.now()):  # somebody may be sitting down
                if table.state.phase == "lobby" and len(table.state.people()) < 2:
                    await table.commit(now, Close(CloseReason.NOT_SHOWN))
        bot.publisher.look_again(table)
        raise


async def _answer_by_card(interaction: Interaction, table: Table, *, again: bool = True) -> int | None:
    """Answer with the card of a table, and return the message's id; None if Discord does not say whether it was posted.

    Raises the error if it was not posted.
    """
    try:
        return await _send_card(interaction, table)
    except EXPECTED as error:
        if not may_stand(error):
            raise
        log.warning("table %s: Discord did not say whether its card was posted: %s", table.id, error)
        try:
            return await _look_for_card(interaction, table)
        except LookupError:
            if not again:
                raise error from None
    # An interaction takes one answer only, so there cannot be two cards.
    return await _answer_by_card(interaction, table, again=False)


async def _send_card(interaction: Interaction, table: Table) -> int | None:
    ui, pictures = interaction.client.game_uis[table.match.game], interaction.app_permissions.attach_files
    panel = card(table, ui, pictures=pictures).with_mentions(interaction.client.command_ids)
    ready, files = await files_in_time(panel, interaction.client.rasterizer)
    interaction.extras[IN_WORDS] = ready.lacks_pictures
    return (await interaction.response.send_message(view=ready, files=files)).message_id


async def _look_for_card(interaction: Interaction, table: Table) -> int | None:
    """Return the id of the card with which an interaction was answered; None if Discord does not say.

    Raises LookupError if the answer is another message, or if there is none.
    """
    for wait in LOOKS:
        await asyncio.sleep(wait)
        try:
            message = await interaction.original_response()
        except discord.NotFound as error:
            raise LookupError from error
        except EXPECTED:
            continue
        if is_card(message, table.id):
            return message.id
        raise LookupError  # the interaction came twice and opened two tables; this is the card of the other
    return None


def caller(interaction: Interaction) -> Player:
    return Player(interaction.user.id, interaction.user.display_name)


async def check_chosen(interaction: Interaction, guild: int, channel: int) -> None:
    """Raise Refusal if the server's settings forbid tables in a channel or thread."""
    bot = interaction.client
    place = interaction.channel if channel == interaction.channel_id else find_channel(bot, guild, channel)
    parent = place.parent_id if isinstance(place, discord.Thread) else None
    await check_channel(bot, guild, channel, parent)


async def check_here(interaction: Interaction) -> None:
    """Raise Refusal unless a table may be opened, and can be played, in this channel of a server."""
    await check_chosen(interaction, interaction.guild_id or 0, interaction.channel_id or 0)
    check_place(interaction)


def check_place(interaction: Interaction) -> None:
    """Raise Refusal unless a table can be played here."""
    place = interaction.channel
    in_thread = isinstance(place, discord.Thread)
    needed = NEEDED_IN_THREAD if in_thread else NEEDED
    parent = place.parent if isinstance(place, discord.Thread) and place.is_private() else None
    is_granted_above = parent is not None and parent.permissions_for(parent.guild.me) >= needed
    if is_granted_above and needed & ~interaction.app_permissions:  # no setting of the channel would help
        raise Refusal(NOT_IN_THREAD)
    _check_granted(interaction, interaction.app_permissions, needed, "here")
    if in_thread:
        interaction.client.tables.check_thread(interaction.channel_id or 0)


def _check_other_place(interaction: Interaction, guild: int, channel: int) -> None:
    """Raise Refusal unless a table can be played in a channel. One that is not cached is not checked."""
    place = find_channel(interaction.client, guild, channel)
    if isinstance(place, discord.abc.GuildChannel):
        _check_granted(interaction, place.permissions_for(place.guild.me), NEEDED, f"in {place.mention}")


def _check_granted(
    interaction: Interaction,
    granted: discord.Permissions,
    needed: discord.Permissions,
    where: str,
) -> None:
    """Raise Refusal if permissions are missing, naming them and who can grant them."""
    if missing := needed & ~granted:
        # discord.py uses an older name for one permission. People read the new name in the channel's settings.
        wanted = (name.replace("read_messages", "view_channel") for name, lacks in missing if lacks)
        names = ", ".join(name.replace("_", " ").title() for name in wanted)
        reason = f"I cannot play {where}: I lack {names}. Somebody who manages the channel can give me that in its "
        reason = or_timeout(interaction.guild, f"{reason}settings.")
        raise Refusal(with_doctor(interaction, reason, MISSING))
