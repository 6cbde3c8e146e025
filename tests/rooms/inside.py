"""Laws about what a simulated bot has in its memory."""

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping, Set
from itertools import pairwise
from types import ModuleType
from typing import Any

import discord

from bot.client import Palmhouse
from bot.gateway.shards import shard_of
from bot.match.refusal import Refusal
from bot.messages.live_message import LiveMessage
from bot.messages.open_hands import OpenHand, menus_of
from bot.messages.panel import Panel, text
from bot.store import Unreadable
from cogs.board.page import board
from cogs.bulletins.cog import MAKING
from sandbox import Channel
from sandbox.bodies import texts
from sandbox.guilds import guild_of
from sandbox.snowflakes import time_of
from tests.rooms import nights
from tests.rooms.cluster import Cluster
from tests.rooms.laws import Law, difference, faults_of_messages
from tests.rooms.room import REVOKED, TIMES, WITHOUT_DATABASE, FollowedTable, Room
from tests.rooms.simulated_bot import SimulatedBot

OURS = ("bot.", "cogs.")
"""Beginnings of the names of modules whose objects are looked through."""
LEARNT = 3.0
"""Seconds within which the bot has learnt of a permission, and has drawn a table by it."""
SHRUNK = 5.0
"""Seconds after the opening of a hand in which an older one is edited."""
CLEARED = 5.0
"""Seconds after a start or a fault within which a board that was posted twice is deleted."""
RAISED = (
    "SELECT 1 FROM posts AS p JOIN posts AS c ON c.match = p.match AND c.kind = 'call'"
    " WHERE p.match = ? AND p.kind = 'page' AND p.final = 0 AND c.message BETWEEN 1 AND p.message"
)
"""Query for a call that stands above its table."""
OTHER_NUMBERS = (
    *("_shards", "_there", "_seen", "shards_there", "_guilds", "_serving", "sockets", "_sure_until"),
    *("_begun", "_ready_tasks", "_ready_states", "_turns", "_rests"),
)
"""Names of attributes that hold small numbers other than those of matches."""


async def memory_of_tables_that_are_over_is_given_back(room: Room) -> list[str]:
    over = {table.id for table in room.tables.values() if not table.is_open}
    return [
        f"{where} keeps match {number}"
        for client in _clients(room)
        for where, number in numbers_in(client, "bot")
        if number in over
    ]


async def each_open_hand_shows_its_table(room: Room) -> list[str]:
    found = list[str]()
    shown = {each.id: each for channel in room.box.world.channels.values() for each in channel.log.values()}
    hands = [each for client in _clients(room) for each in client.publisher.hands._hands.items()]
    for (match, user), hand in hands:
        message = shown.get(hand.opening.message.id)
        if message is None or message.deleted or room.goes_on(room.tables.get(match)):
            continue
        panels = [await _drawn(hand, with_note) for with_note in (True, False)]
        wanted = [*map(_text, panels)]
        # An edit would take away what its person has ticked.
        if message.text not in wanted and not menus_of(hand.panel) & menus_of(panels[0]):
            found.append(
                f"the hand of {user} at table {match} shows {message.text!r:.600}, not {wanted[0]!r:.600}"
            )
    return found


async def each_card_and_table_shows_its_match(room: Room) -> list[str]:
    return [
        said
        for client in _clients(room)
        for match in client.publisher.live.matches()
        if match in room.tables and room.tables[match].is_open and not room.goes_on(room.tables[match])
        for said in await _undrawn(room, client, match, "card", "table")
    ]


async def each_board_stands_once_and_shows_what_is_on(room: Room) -> list[str]:
    return [
        said
        for client in _clients(room)
        for guild in client.guilds
        if client.tables.owns(guild.id)
        for said in await _faults_of_board(room, client, guild)
    ]


async def no_board_stands_beside_another_one(room: Room) -> list[str]:
    # At the end one of them may have been moved, or deleted by somebody.
    now = room.box.clock.now()
    if room.is_restored or room.bot.uptime < CLEARED or room.excuse(now - CLEARED, now) is not None:
        return []
    return [
        f"two boards stand in {one.channel.id}"
        for one, other in pairwise(room.boards())
        if one.channel is other.channel and now - time_of(other.id) > CLEARED
        # What was refused is tried again a minute later.
        if not _was_refused(room, one.channel, time_of(other.id))
    ]


def _was_refused(room: Room, channel: Channel, since: float) -> bool:
    """Return whether a request for a channel has failed since a time in seconds."""
    failed = (each for each in room.box.requests if each.time >= since and not 0 < each.status < 400)
    return any(str(channel.id) in each.path for each in failed)


async def each_bulletin_that_is_wanted_is_there(room: Room) -> list[str]:
    return [
        f"the {kind} bulletin of {due.guild} is not posted"
        for client in _clients(room)
        for kind, making in MAKING.items()
        for due in await client.store.due_bulletins(kind, making.due(client))
        if client.tables.owns(due.guild) and not client.time.jump
    ]


async def _faults_of_board(room: Room, client: Palmhouse, guild: discord.Guild) -> list[str]:
    wanted = (await client.store.guild_settings(guild.id)).board
    ours = [each for each in room.channels if each.guild.id == guild.id]
    standing = [each for each in room.boards() if each.channel in ours]
    if [each.channel.id for each in standing] != [wanted] * (wanted is not None):
        # What was posted after a backup was made is not in it.
        where = [each.channel.id for each in standing]
        return [] if room.is_restored else [f"boards of {guild.id} stand in {where}, not in {wanted}"]
    drawn = [_text(await board(client, guild, each.channel.id)) for each in standing]
    return [
        f"the board of {guild.id} shows {each.text!r:.900}, not {text!r:.900}"
        for each, text in zip(standing, drawn, strict=True)
        if each.text != text
    ]


async def each_call_stands_once_and_only_while_its_table_waits(room: Room) -> list[str]:
    (client, *_), found = _clients(room), list[str]()
    standing = Counter(
        (channel.id, int(id_.split(":")[1]))
        for channel in room.channels
        for each in channel.messages()
        for id_ in each.custom_ids
        if id_.endswith(":call")
    )
    for (channel, match), number in standing.items() if not room.is_restored else ():
        table = await client.tables.get(match)
        is_full = len(table.state.players) >= table.seats().stop - 1
        called = [user for (user,) in room.read("SELECT user FROM summons WHERE match = ?", match)]
        state = table.state
        is_there = any(
            user in state.declined or (user and state.seat_of(user) is not None) for user in called
        )
        if number != 1 or table.state.phase != "lobby" or is_full or is_there or len(called) != 1:
            found.append(f"{number} calls to match {match} ({table.state.phase}) stand in {channel}")
    return found


async def people_of_a_server_are_called_so_often_at_most(room: Room) -> list[str]:
    query = "SELECT guild, at FROM summons WHERE user IS NULL ORDER BY guild, at"
    return [
        f"people of {guild} were called at {at} and at {later}"
        for (guild, at), (other, later) in pairwise(room.read(query))
        if guild == other and later - at < TIMES.calls
    ]


async def each_night_goes_on_and_shows_what_is_stored(room: Room) -> list[str]:
    found = await nights.nobody_sits_at_two_tables_of_a_night_at_once(room)
    for client in _clients(room):
        for night in await client.store.nights_to_do():
            if client.tables.owns(night.guild):
                found += await nights.the_points_of_a_night_are_those_of_its_logs(client, night)
                if not room.is_restored:  # what was posted after a backup was made is not in it
                    found += await nights.the_messages_of_a_night_stand_once_and_show_it(
                        client, night, room.channels
                    )
    return found


async def _undrawn(room: Room, client: Palmhouse, match: int, *wheres: str) -> list[str]:
    """Return a sentence for each live message of a match that does not look as it would be drawn now."""
    found = list[str]()
    for where, live in _live(client, match):
        channel = room.channel(live.message.channel.id)
        message = channel.log.get(live.message.id) if channel else None
        if where not in wheres or message is None or message.deleted or live._finished:
            continue
        if client not in _clients(room):  # killed meanwhile
            break
        # To draw it may load its table, and then the bot begins to edit messages.
        try:
            panel = await _bot(room).ask(client, live._draw())
        except Unreadable:  # the database can be lost in the midst of it
            break
        if panel is None:
            break
        wanted = [_text(each) for each in (panel, panel.in_words())]
        if message.text not in wanted:
            found.append(f"the {where} of match {match} {difference(message.text, wanted[0])}")
    return found


def _live(client: Palmhouse, match: int) -> list[tuple[str, LiveMessage]]:
    shown = client.publisher.live._shown.items()
    return [(where, live) for (of, where), lives in shown if of == match for live in lives.values()]


async def what_the_bot_has_done_with_is_as_the_log_says(room: Room) -> list[str]:
    if _is_troubled(room) or not room.poll():
        return []
    found = list[str]()
    running = [
        (table, client)
        for client in _clients(room)
        for table in room.open_tables()
        if client.tables.runs(table.id)
    ]
    for table, client in running:
        place = room.channel(table.place)
        now = table.state.n, next(reversed(place.log), 0) if place else 0
        if table.state.phase == "play" and now != table.shown and _is_done_with(client, table):
            wrong = [] if table.tampered else faults_of_messages(room, table, at_rest=True)
            wrong += _raised_call(room, table)
            wrong += await _undrawn(room, client, table.id, "table")
            # To draw it takes a moment.
            if _is_done_with(client, table) and not _is_troubled(room):
                found += wrong
                table.shown = now
    return found


async def a_table_in_doubt_is_looked_at(room: Room) -> list[str]:
    before, room.in_doubt = room.in_doubt, set()
    if _is_troubled(room):
        return []
    room.in_doubt = {
        match
        for client in _clients(room)
        if client.publisher._resumed and not client.publisher._closing
        for match in client.publisher._recovery.doubted()
        if match in room.tables and client._shard_of(room.tables[match].match.guild) in client.shards_there
        if not _is_worked_on(client, match) and match not in client.publisher.venue.troubles
        if match not in client.tables.unloadable and client.tables.runs(match)
    }
    # Else people would wait for it for a minute after a start, or until somebody clicks. Twice in a row: a process that
    # takes over a shard looks only after its deadlines are moved.
    return [f"match {match} is in doubt, and nobody looks at it" for match in sorted(before & room.in_doubt)]


def _is_troubled(room: Room) -> bool:
    """Return whether tables may look otherwise now: without a permission they are drawn in words."""
    if not room.is_connected or any(map(room.is_troubled_by, (REVOKED, "frozen", *WITHOUT_DATABASE))):
        return True
    now = room.box.clock.now()
    return any(each == REVOKED and now < ended + LEARNT for _, ended, each in room.troubled)


def _raised_call(room: Room, table: FollowedTable) -> Iterator[str]:
    if room.read(RAISED, table.id):
        yield f"match {table.id} has its call above its table"


def _is_worked_on(client: Palmhouse, match: int) -> bool:
    """Return whether a worker shows a match, or will."""
    publisher, now = client.publisher, asyncio.get_running_loop().time()
    timer = publisher._timers.get(match)
    return match in publisher._workers or (timer is not None and timer.when() > now)


def _is_done_with(client: Palmhouse, table: FollowedTable) -> bool:
    """Return whether the bot shows all of a match as far as it knows."""
    publisher, own = client.publisher, client.tables._loaded.get(table.id)
    busy = _is_worked_on(client, table.id) or table.id in publisher.not_shown()
    busy |= table.id in publisher._recovery.doubted()
    busy |= table.id in publisher.venue.troubles  # as where a person takes no direct messages
    busy |= (
        not client.shards_there or publisher._closing or (own is not None and own.state.n != table.state.n)
    )
    lives = [each for _, each in _live(client, table.id)]
    edits = [each.work for each in lives if each.work is not None and not each.work.done()]
    return not (busy or edits or any(each._lock.locked() for each in lives))


async def no_older_hand_has_a_form(room: Room) -> list[str]:
    found = list[str]()
    for client in _clients(room):
        for (match, user), hand in client.publisher.hands._hands.items():
            opened, started = time_of(hand.opening.message.id), _served_since(room, client, match)
            if not room.excuse_private_edit(opened - 1, opened + SHRUNK):
                found += [
                    f"an older hand of {user} at table {match} has a form: {each.text:.300}"
                    for channel in room.box.world.channels.values()
                    if _is_known(room, channel, match)
                    for each in channel.log.values()
                    if each.only_for == user and not each.deleted
                    if each.id < hand.opening.message.id and time_of(each.id) > started
                    if any(custom_id.startswith(f"form:{match}:") for custom_id in each.custom_ids)
                    if not _may_be_left(room, channel, user, each.id)
                ]
    return found


def _may_be_left(room: Room, channel: Channel, user: int, hand: int) -> bool:
    """Return whether the edit of an older hand may have failed: as it was opened, or any private message after it."""
    shown = [time_of(each.id) for each in channel.log.values() if each.only_for == user and each.id >= hand]
    return any(room.excuse_private_edit(time - SHRUNK, time + SHRUNK) for time in shown)


def _served_since(room: Room, client: Palmhouse, match: int) -> float:
    """Return since when a process has run a match. It does not know the hands that were opened before."""
    if isinstance(room.bot, Cluster) and match in room.tables:
        (member,) = (each for each in room.bot.members if client in each.clients)
        return member.since.get(client._shard_of(room.tables[match].match.guild), 0.0)
    return room.box.clock.now() - room.bot.uptime


def _is_known(room: Room, channel: Channel, match: int) -> bool:
    """Return whether the process that runs a match answers the clicks in a channel. Hands that another one has shown,
    as in direct messages, are not kept."""
    if room.plan.processes == 1 or match not in room.tables:
        return True
    shards, guild = room.plan.shards, guild_of(channel)
    return shard_of(guild.id if guild else 0, shards) == shard_of(room.tables[match].match.guild, shards)


def _clients(room: Room) -> tuple[Palmhouse, ...]:
    return _bot(room).clients


def _bot(room: Room) -> SimulatedBot | Cluster:
    assert isinstance(room.bot, SimulatedBot | Cluster)
    return room.bot


async def _drawn(hand: OpenHand, with_note: bool) -> Panel:
    """Return a hand as it is now."""
    try:
        return (await hand.opening.draw(with_note))[0]
    except Refusal as reason:
        return Panel(text(str(reason)))


def _text(panel: Panel) -> str:
    return "\n".join(texts({"components": panel.payload()}))


async def each_process_ends_only_with_an_error_that_says_what_to_do(room: Room) -> list[str]:
    return _bot(room).unforeseen


async def no_process_acts_for_a_server_of_another_one(room: Room) -> list[str]:
    assert isinstance(room.bot, Cluster)
    return room.bot.strayed


OF_CLUSTERS: tuple[Law, ...] = (no_process_acts_for_a_server_of_another_one,)
"""Laws of several processes."""
AT_REST: tuple[Law, ...] = (
    what_the_bot_has_done_with_is_as_the_log_says,
    a_table_in_doubt_is_looked_at,
    no_board_stands_beside_another_one,
)
"""Laws about what is at rest, while people play elsewhere."""
INSIDE: tuple[Law, ...] = (
    memory_of_tables_that_are_over_is_given_back,
    each_card_and_table_shows_its_match,
    each_open_hand_shows_its_table,
    no_older_hand_has_a_form,
    each_board_stands_once_and_shows_what_is_on,
    each_bulletin_that_is_wanted_is_there,
    each_call_stands_once_and_only_while_its_table_waits,
    people_of_a_server_are_called_so_often_at_most,
    each_night_goes_on_and_shows_what_is_stored,
    nights.the_calendar_has_each_night_that_is_to_come_once,
    each_process_ends_only_with_an_error_that_says_what_to_do,
)


def numbers_in(thing: Any, where: str, seen: set[int] | None = None) -> Iterator[tuple[str, int]]:
    """Yield each number that is a key or an item of a collection in an object of ours, with the way to it."""
    seen = set() if seen is None else seen
    if id(thing) in seen or isinstance(thing, ModuleType | type):
        return
    seen.add(id(thing))
    for name, value in _attributes(thing):
        if name in OTHER_NUMBERS:
            continue
        if isinstance(value, Mapping | Set):
            yield from ((f"{where}.{name}", number) for key in value for number in _of_key(key))
        elif type(value).__module__.startswith(OURS):
            yield from numbers_in(value, f"{where}.{name}", seen)


def _attributes(thing: Any) -> list[tuple[str, Any]]:
    slots = [name for kind in type(thing).__mro__ for name in getattr(kind, "__slots__", ())]
    return [
        *getattr(thing, "__dict__", {}).items(),
        *((n, getattr(thing, n)) for n in slots if hasattr(thing, n)),
    ]


def _of_key(key: Any) -> Iterator[int]:
    first = key[0] if isinstance(key, tuple) and key else key
    if isinstance(first, int):
        yield first
