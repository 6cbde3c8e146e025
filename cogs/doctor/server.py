"""Checks of one server: permissions in the channels of its tables, its settings, and tables that cannot be shown."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import discord
from discord.abc import GuildChannel

from bot.client import Palmhouse
from bot.hosting.doctor.finding import Level
from bot.store import GuildSettings, Night, Season
from cogs.common.audience import is_for_all
from cogs.common.managing import allows_more, may_give
from cogs.doctor.findings import HOST, Finding
from games.phrases import listed

MOST_CHANNELS: Final = 25
"""Maximum number of channels that are checked."""
MOST_NAMED: Final = 10
"""Maximum number of channels or tables that one finding names."""
MOST_GIVERS: Final = 4
"""Maximum number of people and roles that a remedy names."""


class Need(NamedTuple):
    """A permission that the bot needs in a channel, by its name on Discord's screens."""

    name: str
    state: Level
    """State of the finding when it is missing."""
    effect: str
    """Consequence when it is missing."""

    @property
    def flag(self) -> discord.Permissions:
        return discord.Permissions(**{self.name.lower().replace(" ", "_"): True})


VIEW: Final = Need("View Channel", Level.FAULT, "no table can be opened")
SEND: Final = Need("Send Messages", Level.FAULT, "no table can be opened")
THREADS: Final = Need("Create Public Threads", Level.WARNING, "matches are played in the channel itself")
SEND_IN_THREADS: Final = Need("Send Messages in Threads", Level.FAULT, "nothing can be shown in threads")
FILES: Final = Need("Attach Files", Level.WARNING, "I write everything as text, without pictures")
PRIVATE: Final = Need(
    "Create Private Threads",
    Level.WARNING,
    "at a game night everybody can read there what other tables do with the deal that they still play",
)
HISTORY: Final = Need("Read Message History", Level.WARNING, "after a crash I may post a message twice")

OF_BOARD: Final = (
    VIEW._replace(effect="the board cannot be shown"),
    SEND._replace(effect="the board cannot be posted"),
    HISTORY._replace(effect="after an error or a crash the board or a bulletin may be missing"),
)
"""Permissions needed in the channel of the board."""


async def server_findings(bot: Palmhouse, server: discord.Guild, here: int) -> list[Finding]:
    """Return the findings about a server. `here` is the channel where the doctor is called, or that of its thread."""
    kept = await bot.store.guild_settings(server.id)
    matches = [match for match in await bot.tables.open_matches() if match.guild == server.id]
    night, seasons = await bot.store.next_night(server.id), await bot.store.seasons(server.id)
    # An archived thread is not known, but the channel of its card is.
    of_tables = (place for match in matches for place in (match.channel, match.place or 0))
    places = [*(kept.channels or (here,)), *of_tables, night.channel if night else 0]
    # A timeout takes most permissions away, and nobody can give these.
    lacking = [*_timeout(server)] or [
        *_permissions(server, _channels(server, places)),
        *_board(server, kept),
        *_seasons(server, seasons),
        *_nights(server, kept, night),
    ]
    tables = {match.id for match in matches}
    return [*_settings(server, kept), *lacking, *_threads(bot, server), *_tables(bot, tables)]


def _channels(server: discord.Guild, places: Sequence[int]) -> list[GuildChannel]:
    """Return the channels of these channels and threads, each once, without those that were deleted."""
    found: list[GuildChannel] = []
    for each in dict.fromkeys(places):
        place = server.get_channel_or_thread(each)
        channel = place.parent if isinstance(place, discord.Thread) else place
        if channel is not None and channel not in found:
            found.append(channel)
    return found[:MOST_CHANNELS]


def _settings(server: discord.Guild, kept: GuildSettings) -> Iterator[Finding]:
    if kept.channels and not any(map(server.get_channel, kept.channels)):
        yield Finding(
            Level.FAULT,
            "All channels in which tables may be opened were deleted.",
            "Somebody with Manage Server: choose others by `/settings show`, or none for every channel.",
        )
    for role, title in (
        (kept.table_role, "table managers"),
        (kept.season_role, "season managers"),
        (kept.night_role, "winners of game nights"),
    ):
        if role is not None and server.get_role(role) is None:
            yield Finding(
                Level.WARNING,
                f"The role of the {title} was deleted.",
                "Somebody with Manage Server: choose another by `/settings show`.",
            )


def _timeout(server: discord.Guild) -> Iterator[Finding]:
    until = server.me.timed_out_until
    if until is not None and server.me.is_timed_out():
        yield Finding(
            Level.FAULT,
            f"I am in a timeout until <t:{int(until.timestamp())}:f>, so I cannot post.",
            "Somebody with Timeout Members can end it in the list of members.",
        )


def _permissions(server: discord.Guild, channels: Sequence[GuildChannel]) -> Iterator[Finding]:
    """Yield a finding for each permission that is missing, and one for the channels where none is."""
    lacking = {channel: _lacks(server, channel, _needs(channel)) for channel in channels}
    for need in (VIEW, SEND, SEND_IN_THREADS, THREADS, FILES, HISTORY):
        where = [channel for channel in channels if need in lacking[channel]]
        if where:
            yield Finding(
                need.state,
                f"I lack **{need.name}** in {_mentions(where)}: {need.effect}.",
                _remedy(server, need),
            )
    if fine := [channel for channel in channels if not lacking[channel]]:
        yield Finding(Level.OK, f"I have all permissions in {_mentions(fine)}.")


def _board(server: discord.Guild, kept: GuildSettings) -> Iterator[Finding]:
    channel = server.get_channel(kept.board) if kept.board else None
    for need in _lacks(server, channel, OF_BOARD) if channel else ():
        where = f"in <#{kept.board}>, where the board stands"
        yield Finding(need.state, f"I lack **{need.name}** {where}: {need.effect}.", _remedy(server, need))


def _seasons(server: discord.Guild, seasons: Sequence[Season]) -> Iterator[Finding]:
    """Yield what is lacking where the final table of a season is still to be posted."""
    for season in (each for each in seasons if each.message is None):
        place = server.get_channel_or_thread(season.channel)
        needs = (VIEW, SEND_IN_THREADS if isinstance(place, discord.Thread) else SEND)
        for need in _lacks(server, place, needs) if place else ():
            yield Finding(
                need.state,
                f"I lack **{need.name}** in <#{season.channel}>: the final table of season {season.name} cannot be "
                "posted.",
                _remedy(server, need),
            )


def _lacks(
    server: discord.Guild, channel: GuildChannel | discord.Thread, needs: Sequence[Need]
) -> list[Need]:
    """Return which of these permissions are missing, without those that follow from another one that is missing."""
    granted = channel.permissions_for(server.me)
    if isinstance(channel, discord.ForumChannel):
        # Without Send Messages, which is for new posts, discord.py lets it have no files either, but its threads may.
        granted = GuildChannel.permissions_for(channel, server.me)
    missing = [need for need in needs if need.flag & ~granted]
    if missing and missing[0].name == VIEW.name:
        return missing[:1]
    return [need for need in missing if need is not FILES or SEND not in missing]


def _needs(channel: GuildChannel) -> list[Need]:
    """Return what a channel needs: one of a forum has tables in its threads only, a voice channel has no threads."""
    if isinstance(channel, discord.ForumChannel):
        return [VIEW, SEND_IN_THREADS, FILES, HISTORY]
    if isinstance(channel, discord.VoiceChannel | discord.StageChannel):
        return [VIEW, SEND, FILES, HISTORY]
    return [VIEW, SEND, SEND_IN_THREADS, THREADS, FILES, HISTORY]


def _remedy(server: discord.Guild, need: Need) -> str:
    """Return who can give a permission, and where: in the role of the bot, or in the channel if that denies it."""
    own = f"<@&{server.self_role.id}>" if server.self_role else "my role"
    giver = f"{_some(_givers(server), MOST_GIVERS)} can allow that (Manage Roles)"
    if need.flag & ~server.me.guild_permissions:
        return f"{giver}: Server Settings, Roles, {own}."
    return f"{giver}: Edit Channel, Permissions, {own}."


def _givers(server: discord.Guild) -> list[str]:
    """Return the owner of the server and the roles of people who may change permissions, as mentions."""
    roles = [role for role in server.roles if not role.managed and not role.is_default()]
    may = [role for role in roles if role.permissions.manage_roles or role.permissions.administrator]
    return [f"<@{server.owner_id}>", *(f"<@&{role.id}>" for role in may)]


def _threads(bot: Palmhouse, server: discord.Guild) -> Iterator[Finding]:
    if server.id in bot.publisher.venue.without_threads:
        yield Finding(
            Level.WARNING,
            "This server has 1,000 active threads, the most that Discord allows, so matches are played in the channel "
            "itself.",
            "Somebody with Manage Threads can close old ones.",
        )


def _nights(server: discord.Guild, kept: GuildSettings, night: Night | None) -> Iterator[Finding]:
    """Yield what a game night that is planned or on lacks, and a winners' role that cannot be given."""
    role = None if kept.night_role is None else server.get_role(kept.night_role)
    if role is not None and allows_more(role):
        yield Finding(
            Level.WARNING,
            f"{role.mention} allows more than everybody may, on the server or in a channel, so winners of game nights "
            "do not get it.",
            "Somebody with Manage Server: choose another by `/settings show`.",
        )
    elif role is not None and not may_give(server, role):
        yield Finding(
            Level.WARNING,
            f"I cannot give {role.mention} to winners of game nights. That needs **Manage Roles**, and a role of mine "
            "above it.",
            "Somebody with Manage Roles: Server Settings, Roles.",
        )
    channel = None if night is None else server.get_channel(night.channel)
    if isinstance(channel, discord.TextChannel) and channel.is_news():
        yield Finding(
            PRIVATE.state,
            f"{channel.mention} is an announcement channel, which has no private threads: {PRIVATE.effect}.",
            "Somebody who manages tables: cancel the game night there, and plan it in another channel.",
        )
    elif channel is not None and PRIVATE.flag & ~channel.permissions_for(server.me):
        yield Finding(
            PRIVATE.state,
            f"I lack **{PRIVATE.name}** in {channel.mention}: {PRIVATE.effect}.",
            _remedy(server, PRIVATE),
        )
    if is_for_all(channel) and not server.me.guild_permissions.create_events:
        yield Finding(
            Level.OK,
            "Game nights stay out of this server's calendar: I lack **Create Events**.",
        )


def _tables(bot: Palmhouse, tables: set[int]) -> Iterator[Finding]:
    troubles = bot.publisher.venue.troubles
    stuck = sorted(tables & troubles.keys())
    for table in stuck[:MOST_NAMED]:
        yield Finding(Level.FAULT, f"Table {table} cannot be shown: {troubles[table].removeprefix('⚠️ ')}")
    lost = sorted(tables & bot.tables.unloadable)
    if lost:
        named = _some([str(each) for each in lost])
        yield Finding(Level.FAULT, f"Cannot be loaded: table {named}.", HOST)
    waiting = sorted(tables & bot.publisher.not_shown() - troubles.keys())
    if waiting:
        named = _some([str(each) for each in waiting])
        yield Finding(
            Level.WARNING, f"Not shown yet: table {named}.", "I try again, at the latest with the next move."
        )
    if not stuck and not lost and not waiting:
        yield Finding(Level.OK, "All tables of this server are shown.")


def _mentions(channels: Sequence[GuildChannel]) -> str:
    return _some([channel.mention for channel in channels])


def _some(names: Sequence[str], most: int = MOST_NAMED) -> str:
    """Return the names in a row, at most `most` of them."""
    more = len(names) - most
    return listed(names) if more <= 0 else listed([*names[:most], f"{more} more"])
