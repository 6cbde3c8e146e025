"""The panel of `/settings show`: a menu for each setting of a server. It names the setting until something is chosen;
then a line above it does."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

import discord

from bot.client import Palmhouse
from bot.messages.custom_ids import CustomId
from bot.messages.panel import Item, Panel, channel_select, role_select, row, select, text
from bot.messages.venue import or_timeout
from bot.store import BulletinKind, GuildSettings, Preset, Season
from cogs.common.audience import unseen
from cogs.common.managing import may_give
from games import GAMES
from games.phrases import counted, listed

MOST_CHANNELS: Final = 25
"""Maximum number of channels in a menu, set by Discord."""
TYPES: Final = (
    discord.ChannelType.text,
    discord.ChannelType.news,
    discord.ChannelType.voice,
    discord.ChannelType.forum,
)
"""Types of channels in which tables can be opened: there, or in their threads."""
OF_BOARDS: Final = TYPES[:2]
"""Types of channels in which a board can stand."""
PACES: Final = {
    "live": ("Live", "90 seconds for a move"),
    "relaxed": ("Relaxed", "An hour for a move"),
    "correspondence": ("Correspondence", "A day for a move"),
}
"""Label and description of each pace in the menu."""
HEAD: Final = (
    "### Settings of this server\n"
    "-# Channels and pace count for new tables. Empty a menu of channels or roles to undo it."
)
BULLETINS: Final[Mapping[BulletinKind, tuple[str, str]]] = {
    "daily": ("Each day: the daily deal", "Posted at 0:00 UTC, in place of yesterday's"),
    "weekly": ("Each week: what happened here", "Posted on Mondays at 12:00 UTC"),
}
"""Label and description of each bulletin in the menu."""
NO_BULLETINS: Final = "Also post there: nothing"
NEEDS_BOARD: Final = "This is posted where the board stands. Choose a channel for the board first."
NO_BOARD_THERE: Final = "⚠️ I may not post in {}. Let me view that channel and send messages there."
NO_PRESETS: Final = "-# Keep the options of a table as a preset: `More` there, before it starts"
NO_CHANNEL: Final = (
    "⚠️ All chosen channels were deleted, so no table can be opened. Choose others, or none for every channel."
)
CANNOT_POST: Final = "⚠️ I may not post in {}. `/doctor` shows what is missing."
HIDDEN: Final = (
    "-# Discord shows them `/settings` when you add the role there: Server Settings, Integrations, this bot."
)
CANNOT_GIVE: Final = (
    "⚠️ I cannot give that role. I need Manage Roles, and a role of mine above it: Server Settings, Roles."
)
UNSEEN: Final = "⚠️ I cannot know what that role opens in {} of this server that I do not see."
MOST_SEASONS: Final = 3
"""Maximum number of seasons that the panel names."""


async def settings_panel(bot: Palmhouse, server: discord.Guild) -> Panel:
    """Build the panel with the present settings of a server."""
    kept = await bot.store.guild_settings(server.id)
    now = bot.time.now()
    seasons = [season for season in await bot.store.seasons(server.id) if now < season.ends]
    return Panel(
        text(HEAD),
        *_channels(server, kept),
        *_board(server, kept),
        *_bulletins(kept, {each.kind for each in await bot.store.bulletins(server.id) if each.wanted}),
        *_pace(kept),
        *_table_managers(server, kept),
        *_season_managers(server, kept),
        *_night_winners(server, kept),
        *_presets(presets := await bot.store.presets(server.id)),
        *_games(kept),
        text("\n".join([*_seasons(seasons[::-1], now), *[NO_PRESETS] * (not presets)])),
    )


def _channels(server: discord.Guild, kept: GuildSettings) -> Iterator[Item]:
    there = [channel for each in kept.channels if (channel := server.get_channel(each)) is not None]
    lines = [f"**Channels for tables**: {listed(each.mention for each in there)}"] if there else []
    if kept.channels and not there:
        lines = ["**Channels for tables**", NO_CHANNEL]
    if closed := [each.mention for each in there if not may_post(server, each)]:
        lines.append(CANNOT_POST.format(listed(closed)))
    chosen = [each.id for each in there]
    menu = channel_select(
        "Channels for tables: every channel", _id("channels"), chosen, types=TYPES, most=MOST_CHANNELS
    )
    yield from _below(lines, menu)


def _below(lines: Sequence[str], menu: Item) -> Iterator[Item]:
    if lines:
        yield text("\n".join(lines))
    yield row(menu)


def may_post(server: discord.Guild, channel: discord.abc.GuildChannel) -> bool:
    """Return whether the bot may post in a channel; in a forum, in its threads."""
    granted = channel.permissions_for(server.me)
    in_threads = isinstance(channel, discord.ForumChannel)
    may_send = granted.send_messages_in_threads if in_threads else granted.send_messages
    return granted.view_channel and may_send


def _board(server: discord.Guild, kept: GuildSettings) -> Iterator[Item]:
    there = server.get_channel(kept.board) if kept.board else None
    lines = [f"**Board**: {there.mention}"] if there else []
    if there and not may_post(server, there):
        lines.append(or_timeout(server, NO_BOARD_THERE.format(there.mention)))
    chosen = [there.id] if there else []
    menu = channel_select("Board that shows what is on: none", _id("board"), chosen, types=OF_BOARDS, most=1)
    yield from _below(lines, menu)


def _bulletins(kept: GuildSettings, wanted: Collection[BulletinKind]) -> Iterator[Item]:
    """Yield the menu of what is posted beside the board, if there is one."""
    options = [
        discord.SelectOption(label=label, value=kind, description=about, default=kind in wanted)
        for kind, (label, about) in BULLETINS.items()
    ]
    if kept.board is not None:
        yield row(select(NO_BULLETINS, _id("bulletins"), options, least=0, most=len(options)))


def _pace(kept: GuildSettings) -> Iterator[Item]:
    options = [
        discord.SelectOption(
            label=f"Usual pace: {label.lower()}", value=pace, description=about, default=pace == kept.pace
        )
        for pace, (label, about) in PACES.items()
    ]
    yield row(select("Usual pace", _id("pace"), options))


def _table_managers(server: discord.Guild, kept: GuildSettings) -> Iterator[Item]:
    role = _existing(server, kept.table_role)
    lines = [f"**Table managers** may cancel and end any table: {_managers(role)}"] if role else []
    yield from _below(lines, role_select("Table managers (may end any table): none", _id("table-role"), role))


def _season_managers(server: discord.Guild, kept: GuildSettings) -> Iterator[Item]:
    role = _existing(server, kept.season_role)
    lines = (
        [f"**Season managers** may start, end and rename seasons: {_managers(role)}", HIDDEN] if role else []
    )
    yield from _below(lines, role_select("Season managers (may run seasons): none", _id("season-role"), role))


def _night_winners(server: discord.Guild, kept: GuildSettings) -> Iterator[Item]:
    role = _existing(server, kept.night_role)
    found = None if role is None else server.get_role(role)
    lines = [f"**Winners of game nights** have a role for a week: {found.mention}"] if found else []
    if found and not may_give(server, found):
        lines.append(CANNOT_GIVE)
    if found and (number := unseen(server)):
        lines.append(UNSEEN.format(counted(number, "channel")))
    yield from _below(
        lines, role_select("Winners of game nights (their role): none", _id("night-role"), role)
    )


def _presets(presets: Sequence[Preset]) -> Iterator[Item]:
    options = [discord.SelectOption(label=each.name, value=str(each.id)) for each in presets]
    if presets:
        yield row(select("Presets in /play: delete one", _id("preset"), options))


def _games(kept: GuildSettings) -> Iterator[Item]:
    options = [
        discord.SelectOption(label=game.title, value=slug, default=slug not in kept.left_out)
        for slug, game in GAMES.items()
    ]
    yield text("**Games in the menu of** `/play`")
    yield row(select("Choose games", _id("games"), options, most=len(options)))


def _seasons(seasons: Sequence[Season], now: int) -> Iterator[str]:
    """Yield a line for each of the next seasons, and one about how to start another."""
    for season in seasons[:MOST_SEASONS]:
        begins = "" if season.starts <= now else f"begins <t:{season.starts // 1000}:d>, "
        yield f"**Season {season.name}** {begins}ends <t:{season.ends // 1000}:d>"
    yield "-# Start or plan a season: `/settings season start`"


def _managers(role: int) -> str:
    return f"people with Manage Server, and members of <@&{role}>"


def _existing(server: discord.Guild, role: int | None) -> int | None:
    """Return the role unless it was deleted."""
    return role if role is not None and server.get_role(role) is not None else None


def _id(setting: str) -> CustomId:
    return CustomId("settings", 0, setting)
