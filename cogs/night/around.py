"""The parts of a game night beside its messages: an event in the server's calendar, and the winners' role.

Neither is needed: without a permission, or after an error, the night goes on.
"""

import contextlib
import logging
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final

import discord

from bot.client import Palmhouse
from bot.error_codes import REFUSED
from bot.gateway.acting import act_for
from bot.match.night_rows import ends
from bot.match.nights import WEEK
from bot.match.refusal import Refusal
from bot.messages.expected import EXPECTED
from bot.messages.venue import find_channel
from bot.store import Night, NightRole
from cogs.common.audience import is_for_all
from cogs.common.managing import allows_more, may_give
from cogs.night.page import Evening, games_in_words
from games.phrases import counted

log = logging.getLogger(__name__)

EVENT: Final = -1
"""Number under which an event is kept among the messages of a night."""
NAME: Final = "Game night"
REASON: Final = "winner of a game night, for a week"


async def keep_event(bot: Palmhouse, night: Night, posts: dict[int, int]) -> bool:
    """Create the event of a planned night where that is allowed, once, if everybody sees its channel; delete one that
    still stands when the night is over, or not everybody sees it any more. Log errors, and return False if it may work
    later."""
    server = bot.server(night.guild)
    if server is None:
        return False
    if not server.me.guild_permissions.create_events:
        # It may be allowed again before the time at which the calendar promises a night that is off.
        promised = night.phase == "off" and bot.time.now() < ends(night, bot.tables.clock.times)
        return not (promised and posts.get(EVENT))
    event, is_over = posts.get(EVENT), night.phase in ("over", "off")
    # Everybody on the server reads its calendar.
    is_hidden = not is_for_all(find_channel(bot, night.guild, night.channel))
    try:
        if night.phase == "planned" and event is None and not is_hidden:
            kept = next(iter(await _own_events(server, night)), None) or await _create(bot, server, night)
            # An event has no nonce: discord.py makes another one when an answer is lost.
            await _delete(each for each in await _own_events(server, night) if each.id != kept.id)
            await bot.store.add_night_post(night.id, EVENT, kept.id)
        elif (is_over and event != 0) or (is_hidden and event):
            await _delete(await _own_events(server, night, event))
            await bot.store.delete_night_post(night.id, EVENT)
    except EXPECTED as error:
        log.warning("game night %d: its event: %s", night.id, error)
        if not isinstance(error, discord.HTTPException) or error.status not in REFUSED:
            return False
        await bot.store.add_night_post(night.id, EVENT, 0)  # not again and again
    return True


async def delete_copies_of_event(bot: Palmhouse, night: Night, event: int) -> None:
    """Delete the other events of a night where that is allowed. Discord may have got one of before a kill later."""
    server = bot.server(night.guild)
    if server is not None and server.me.guild_permissions.create_events:
        await _delete(each for each in await _own_events(server, night) if each.id != event)


async def _own_events(
    server: discord.Guild, night: Night, known: int | None = None
) -> list[discord.ScheduledEvent]:
    """Return the events of a night: the `known` one and those that a kill or a lost answer has left unstored."""
    return [
        event
        for event in await server.fetch_scheduled_events(with_counts=False)
        if event.id == known
        or (event.creator_id == server.me.id and (event.description or "").endswith(_mark(night)))
    ]


async def _delete(events: Iterable[discord.ScheduledEvent]) -> None:
    for each in events:
        with contextlib.suppress(discord.NotFound):  # the answer was lost, and discord.py has asked again
            await each.delete()


def _mark(night: Night) -> str:
    """Return the end of the description by which an event is known as that of a night, and of no other one."""
    return f"\nGame night {night.id}"


async def _create(bot: Palmhouse, server: discord.Guild, night: Night) -> discord.ScheduledEvent:
    return await server.create_scheduled_event(
        name=NAME,
        description=(
            f"{counted(night.rounds, 'round')} of {games_in_words(night)}. Press I'm coming in the channel."
        )[:900]
        + _mark(night),
        start_time=_at(night.starts),
        end_time=_at(ends(night, bot.tables.clock.times)),
        entity_type=discord.EntityType.external,
        privacy_level=discord.PrivacyLevel.guild_only,
        location=f"<#{night.channel}>",
    )


def _at(ms: int) -> datetime:
    return datetime.fromtimestamp(ms / 1000, UTC)


async def reward(bot: Palmhouse, evening: Evening) -> bool:
    """Give the winners of a night the role of the server for that, for a week. Log errors, and return False if it may
    work later."""
    night, is_done = evening.night, True
    role = (await bot.store.guild_settings(night.guild)).night_role
    winners = [each for each in evening.winners if each.user > 0]
    for each in winners if role is not None else ():
        given = NightRole(night.guild, each.user, role or 0, bot.time.now() + WEEK)
        async with bot.role_lock:
            if not await _change(bot, given, gives=True):
                is_done = False
    return is_done


async def take_back(bot: Palmhouse) -> None:
    """Take away the roles whose week is over."""
    for role in await bot.store.night_roles(bot.time.now()):
        server = bot.server(role.guild) if bot.tables.owns(role.guild) else None
        given = None if server is None else server.get_role(role.role)
        # Where that is not allowed now, as during a timeout, it may be later.
        if server is None or (given is not None and not may_give(server, given)):
            continue
        act_for(role.guild)
        async with bot.role_lock:
            # Read again: they may have won anew meanwhile.
            is_over = role in await bot.store.night_roles_of(role.user)
            if is_over and await _change(bot, role, gives=False):
                await bot.store.delete_night_role(role)


async def take_all_back(bot: Palmhouse, user: int) -> None:
    """Take away all roles that a person has won, before the bot forgets whose they are. Call it with the lock of roles
    held. Raises Refusal if that may be possible later."""
    for role in await bot.store.night_roles_of(user):
        if not await _change(bot, role, gives=False):
            raise Refusal(
                "You have the role of a game night's winner, and Discord did not let me take it back just now, so "
                "nothing was erased. Try again in a minute."
            )
        await bot.store.delete_night_role(role)


async def _change(bot: Palmhouse, role: NightRole, *, gives: bool) -> bool:
    """Give a role, or take it away. Return False if that may be possible later."""
    try:
        # Another process may serve it.
        server = bot.server(role.guild) or await bot.fetch_guild(role.guild, with_counts=False)
        found = server.get_role(role.role)
        # It may allow more since it was chosen.
        if found is None or (gives and allows_more(found)):
            return True
        member = await server.fetch_member(role.user)
        # Kept first: what could not be given is taken away in the end, which does nothing.
        is_given = gives and await _keep(bot, role, member)
        if is_given:
            await member.add_roles(found, reason=REASON)
        # Another process may have erased the winner meanwhile, who had no role yet that it could take back.
        if not gives or (is_given and not await _is_kept(bot, role)):
            await member.remove_roles(found, reason=REASON)
    except EXPECTED as error:
        log.warning("server %d: role %d of a winner: %s", role.guild, role.role, error)
        return isinstance(error, discord.HTTPException) and error.status in REFUSED
    return True


async def _keep(bot: Palmhouse, role: NightRole, member: discord.Member) -> bool:
    """Keep that a role is given for a week. Return False if somebody else has given it, or its winner was erased."""
    may_give_it = member.get_role(role.role) is None or await _is_kept(bot, role)
    return may_give_it and await bot.store.add_night_role(role)


async def _is_kept(bot: Palmhouse, role: NightRole) -> bool:
    """Return whether a person is known to have a role for some time."""
    return any(each[:3] == role[:3] for each in await bot.store.night_roles_of(role.user))
