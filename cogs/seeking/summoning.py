"""Calling people to a table before it begins: those who look for such a game, or somebody who is challenged.

What is decided here is stored. `cog` posts the message that follows from it, and takes it away.
"""

import asyncio
import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, Self

import discord
from discord.abc import GuildChannel

from bot.client import Palmhouse
from bot.match.announcements import names
from bot.match.deadlines import DUE
from bot.match.entries import DeclineKept, Join
from bot.match.names import safe
from bot.match.refusal import Refusal
from bot.match.table import Table
from bot.match.times import Pace, spelled
from bot.match.waking import is_awake, shared, wakes
from bot.messages.answers import send
from bot.messages.custom_ids import CustomId
from bot.messages.expected import EXPECTED
from bot.messages.lobby_card import unusual_pace
from bot.messages.panel import SUCCESS, Item, Panel, button, row, text
from bot.messages.venue import find_channel, or_timeout
from bot.store import Summons
from cogs.common.audience import sees
from cogs.common.lookup import Interaction
from cogs.common.managing import described_server
from cogs.common.new_table import NEEDED, NEEDED_IN_THREAD
from cogs.seeking.form import ANY, seek_button
from games import AnyGame

log = logging.getLogger(__name__)

MOST_CALLED: Final = 10
"""Maximum number of people whom one message mentions."""
MOST_ASKED: Final = 30
"""Maximum number of people who look for a game that are considered for a call."""

# They are never edited, so they leave the options, which the host may change, to the card.
CALL: Final = "📣 {who}: **{host}** opened **{game}** · table {table}{pace}"
CHALLENGE: Final = "⚔️ {who}: **{host}** challenges you to **{game}** · table {table}{pace}"
ASKED: Final = "-# You asked to be told. `Tell me when …` changes or stops that."
CHALLENGED: Final = "-# Want no challenges? `/preferences` switches them off."
ACCEPTED: Final = "✅ <@{}>: **{}** accepts the challenge and sits at table {}."
BEGUN: Final = "This table has begun or is full, so nobody can join it."
RESTING: Final = (
    "{number} more look{s} for {game}, but cannot be called now: asleep, away, at other tables, or called often enough "
    "today."
)
SEE_IT: Final = "They see this table in `/play`."
NOBODY: Final = (
    "Nobody can be called now: who looks for such a game was called as often today as they want, sleeps, sits "
    "elsewhere, or does not see this channel. They see the table in `/play`."
)
NOBODY_YET: Final = (
    "None of the {} people whose turn it is can be called now: they do not see this channel. Press the button again, "
    "and the next ones are tried."
)
CALLED: Final = "People were called to this table already. It is done once for each table."
LATELY: Final = "People of this server were called less than {} ago. `Call players` in `More` works <t:{}:R>."
PRIVATE: Final = "This thread is private, so nobody is called into it. Open a table in a channel."
NO_PLACE: Final = (
    "I may not post in <#{}>, so nobody can be called there. Somebody who manages the channel can let me view it and "
    "send messages."
)


def wants(table: Table, challenged: int | None = None) -> bool:
    """Return whether people are to be called to a table: those who look for a game, or somebody who is challenged."""
    state = table.state
    # Below 0: erased. Who made the challenge may have left to others.
    is_settled = challenged is not None and (
        challenged < 0
        or challenged in state.declined
        or state.seat_of(challenged) is not None
        or state.seat_of(table.match.host) is None
    )
    is_free = state.phase == "lobby" and table.has_free(challenged or 0)
    return is_free and not is_settled and not state.practice


def call_id(match: int) -> CustomId:
    """Return the custom id of `Join` on the message that calls people to a match, and on no other."""
    return CustomId("sit", match, "call")


def message(table: Table, users: Sequence[int], *, challenged: bool) -> Panel:
    """Build the message that calls these people to a table."""
    said = (CHALLENGE if challenged else CALL).format(
        who=" ".join(f"<@{user}>" for user in users),
        host=names(table.state)[table.state.players.index(table.state.host)],
        game=table.state.game.title,
        table=table.id,
        pace=unusual_pace(table),
    )
    join = button("Join", call_id(table.id), style=SUCCESS)
    other = button("Decline", CustomId("decline-challenge", table.id)) if challenged else seek_button()
    return Panel(text(f"{said}\n{CHALLENGED if challenged else ASKED}"), row(join, other))


async def call_buttons(bot: Palmhouse, table: Table, user: int) -> list[Item]:
    """Return the button by which the host of a lobby calls people; none if there is nobody to call, but a line if some
    look for the game. Where people were called lately, it is grey, with the time from which it works."""
    if not table.state.is_host(user) or not wants(table):
        return []
    if any(each.match == table.id for each in await bot.store.summons(table.match.guild)):
        return []
    number = min(MOST_CALLED, len(await lookers(bot, table)))
    if not number:
        game, demand = table.state.game, await Demand.read(bot, table.match.guild, _seated(table))
        _, resting = demand.of(game, table.state.pace)
        return [text(f"-# {resting_line(game, resting)} {SEE_IT}")] if resting else []
    said = ""
    try:
        await check_lately(bot, table.match.guild)
    except Refusal as reason:
        said = f"-# {reason}"
    own = row(button(f"Call players ({number})", CustomId("call", table.id), disabled=said != ""))
    return [text(said), own] if said else [own]


async def lookers(bot: Palmhouse, table: Table) -> list[int]:
    """Return the people who want to be called to a table and can sit down there, in the order in which they are asked.

    At a slow pace these are first those who are awake when its people are: others would wait for each of their moves.
    """
    state = table.state
    seated = _seated(table) | await _not_free(bot, table.match.guild)
    now = bot.time.now()
    found = await bot.store.callable(
        table.match.guild, state.game.slug, state.pace, now, without=seated, limit=MOST_ASKED
    )
    if state.pace == "live":
        return found
    hours = await bot.store.hours([*found, *(player.user for player in state.players)])
    together = {
        user: sum(shared(hours.get(user), hours.get(player.user), now) for player in state.players)
        for user in found
    }
    return sorted(found, key=lambda user: -together[user])


def _seated(table: Table) -> set[int]:
    """Return the people who have a seat at a lobby, or for whom one is kept."""
    return {*(player.user for player in table.state.players), *table.state.reserved}


@dataclass(frozen=True, slots=True)
class Demand:
    """Games and paces that people of a server look for now."""

    rows: Sequence[tuple[Sequence[str], str, int, int]]
    """For games and a pace: how many people can be called, and how many cannot."""

    @classmethod
    async def read(cls, bot: Palmhouse, guild: int, besides: Collection[int]) -> Self:
        """Return it without the people in `besides`."""
        without = await _not_free(bot, guild)
        return cls(await bot.store.wanted(guild, bot.time.now(), besides=besides, without=without))

    def of(self, game: AnyGame, pace: Pace) -> tuple[int, int]:
        """Return how many people who look for such a table can be called, and how many cannot."""
        found = [row for row in self.rows if game.slug in row[0] and row[1] in (ANY, pace)]
        return sum(free for *_, free, _ in found), sum(resting for *_, resting in found)


def resting_line(game: AnyGame, number: int) -> str:
    """Return the sentence on people who look for a game, but cannot be called."""
    return RESTING.format(number=number, s="s" * (number == 1), game=game.title)


async def _not_free(bot: Palmhouse, guild: int) -> set[int]:
    """Return people who are called to no table now, among those who look for a game: they sit at enough, or sleep."""
    hours, now = await bot.store.hours_of_lookers(guild), bot.time.now()
    return {*bot.tables.without_room(), *(user for user, each in hours.items() if not is_awake(each, now))}


async def check_lately(bot: Palmhouse, guild: int) -> None:
    """Raise Refusal if people of a server were called not long ago."""
    times, between = [each.at for each in await bot.store.summons(guild) if each.user is None], _between(bot)
    if times and max(times) > bot.time.now() - between:
        raise Refusal(LATELY.format(spelled(between), (max(times) + between) // 1000 + 1))


def _between(bot: Palmhouse) -> int:
    return bot.tables.clock.times.calls


async def summon(bot: Palmhouse, table: Table) -> int:
    """Call people who look for such a game to a lobby. Return their number. Raises Refusal if that is not possible."""
    place = shared_place(bot, table.match.guild, table.match.channel)
    if not wants(table):
        raise Refusal(BEGUN)
    guild = table.match.guild
    if any(each.match == table.id for each in await bot.store.summons(guild)):
        raise Refusal(CALLED)
    await check_lately(bot, guild)
    found = await lookers(bot, table)
    users = await _who_see(bot, place, found)
    if not wants(table):  # it may have begun meanwhile, and nobody shall count as called to it
        raise Refusal(BEGUN)
    if not users:
        raise Refusal(NOBODY if len(found) < MOST_ASKED else NOBODY_YET.format(MOST_ASKED))
    now = bot.time.now()
    summons = Summons(table.id, guild, table.match.channel, None, None, now)
    if not await bot.store.call(summons, users, now - _between(bot)):
        await check_lately(bot, guild)
        raise Refusal(CALLED)
    bot.dispatch("summons", table)
    return len(users)


async def who_wakes(bot: Palmhouse, users: Sequence[int], *, asked: bool) -> list[int]:
    """Return those of these people who are awake now, and want calls or have `asked` for this one."""
    hours, now = await bot.store.hours(users), bot.time.now()
    wanted = users if asked else await bot.store.who_want_pings(users, urgent=True)
    return [user for user in wanted if is_awake(hours.get(user), now)]


async def is_called_later(bot: Palmhouse, table: Table, user: int) -> bool:
    """Return whether somebody who is challenged is called only when they wake: a seat is kept for them until then."""
    hours, now = (await bot.store.hours([user])).get(user), bot.time.now()
    return now < wakes(hours, now) < table.deadlines.get(DUE, 0)


async def tell_host(interaction: Interaction, match: int) -> None:
    """Tell whoever has challenged the caller, who has just sat down and has got an answer already."""
    bot, user = interaction.client, interaction.user
    try:
        table = await bot.tables.get(match)
        # In another channel the answer would stand far from the table.
        if table.state.phase != "lobby" or interaction.channel_id != table.match.channel:
            return
        host, stored = table.match.host, await bot.store.summons(table.match.guild)
        is_challenged = (match, user.id) in [(each.match, each.user) for each in stored]
        is_there = table.state.seat_of(host) is not None
        # Once: they may have declined, or sat here, before.
        if is_challenged and is_there and await _answers(bot, match, user.id) == 1:
            said = Panel(text(ACCEPTED.format(host, safe(user.display_name), match)))
            await send(interaction, said, public=True, pinged=await who_wakes(bot, [host], asked=False))
    except EXPECTED as error:  # the seat is taken all the same
        log.warning("table %s: its host was not told of a challenge: %s", match, error)


async def _answers(bot: Palmhouse, match: int, user: int) -> int:
    """Return how often somebody who is challenged has sat down or declined."""
    log = await bot.store.log(match)
    return sum(row.user == user and row.kind in (Join.kind, DeclineKept.kind) for row in log)


def shared_place(bot: Palmhouse, guild: int, channel: int) -> GuildChannel | discord.Thread:
    """Return a channel. Raises Refusal unless people can be called there."""
    described_server(bot, guild)  # else no channel is known
    place = find_channel(bot, guild, channel)
    if isinstance(place, discord.Thread) and place.is_private():
        raise Refusal(PRIVATE)
    needed = NEEDED_IN_THREAD if isinstance(place, discord.Thread) else NEEDED
    if place is None or needed & ~place.permissions_for(place.guild.me):
        raise Refusal(or_timeout(described_server(bot, guild), NO_PLACE.format(channel)))
    return place


async def _who_see(bot: Palmhouse, place: GuildChannel | discord.Thread, users: Sequence[int]) -> list[int]:
    """Return those of some people who are on the server and see a channel, as many as one message mentions. Next
    time others come before those who do not."""
    found, passed = list[int](), list[int]()
    for first in range(0, len(users), MOST_CALLED):
        if len(found) < MOST_CALLED:
            asked = users[first : first + MOST_CALLED]
            there = await asyncio.gather(*(_is_there(bot, place, user) for user in asked))
            for user, is_there in zip(asked, there, strict=True):
                (found if is_there else passed).append(user)
    await bot.store.pass_over(place.guild.id, passed, bot.time.now())
    return found[:MOST_CALLED]


async def _is_there(bot: Palmhouse, place: GuildChannel | discord.Thread, user: int) -> bool:
    """Return whether somebody sees a channel. Who has left the server does not look for a game there any more."""
    who: discord.Member | discord.Role = place.guild.default_role
    try:
        who = await place.guild.fetch_member(user)
    except discord.NotFound:
        await bot.store.end_seek(place.guild.id, user)
        bot.dispatch("seeks", place.guild.id)
        return False
    except EXPECTED:  # then what everybody sees counts
        pass
    return sees(who, place)
