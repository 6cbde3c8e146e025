"""The command group `/settings`: the panel with all settings of a server, and commands for its seasons."""

from collections.abc import Container, Sequence
from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Palmhouse
from bot.match.names import chosen_name
from bot.match.refusal import Refusal
from bot.messages.admission import MAY_WAIT
from bot.messages.answers import send, show, tell
from bot.messages.custom_ids import number
from bot.messages.panel import Panel, text
from bot.messages.router import DEAD_BUTTON, NOTHING_CHOSEN, Click, Kind
from bot.messages.venue import or_timeout
from bot.standings.ratings import DAY
from bot.standings.season import clash
from bot.store import Season
from cogs.common.lookup import Interaction, Typed
from cogs.common.managing import allows_more, described_server, has_role, role_exists
from cogs.settings.panel import (
    BULLETINS,
    MOST_CHANNELS,
    NEEDS_BOARD,
    NO_BOARD_THERE,
    OF_BOARDS,
    PACES,
    TYPES,
    may_post,
    settings_panel,
)
from cogs.standings.first_day import first_days, first_moment
from cogs.standings.season import named, suggested
from games import GAMES

LONGEST: Final = 366
"""Maximum number of days of a season."""
LONGEST_ID: Final = 20
"""Maximum number of digits of an id in Discord."""
NO_ROLE: Final = "No role may change seasons now, only people with the permission Manage Server."
TAKEN: Final = "There is a season of that name here already. Choose another name."


@app_commands.guild_only
@app_commands.default_permissions(manage_guild=True)
class Settings(commands.GroupCog, group_name="settings", group_description="Settings of this server"):
    """Commands for people who manage the server. Discord shows them to nobody else, and each one checks it again.

    A role can be allowed to change seasons. Only a person with Manage Server can make Discord show the command to it:
    bots may not change permissions of commands. No role can be allowed to change the other settings.
    """

    season = app_commands.Group(
        name="season", description="Seasons: tables of points with a start and an end"
    )

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot
        kinds = Kind.SELECT | Kind.EMPTIED | Kind.CHANNELS | Kind.ROLES
        bot.router.add("settings", self.change, kinds)

    @app_commands.command(name="show", extras={MAY_WAIT: True})
    async def show(self, interaction: Interaction) -> None:
        """Show and change the settings: channels for tables, default pace, who manages tables and seasons"""
        await send(interaction, await settings_panel(self.bot, _server(interaction)))

    async def change(self, interaction: Interaction, click: Click) -> None:
        """Store what was chosen in a menu of the panel, and show the panel with it."""
        server = _server(interaction)
        match click.rest, click.kind:
            case "channels", Kind.CHANNELS:
                await self.bot.store.set_table_channels(server.id, _channels(server, click.values))
            case "board", Kind.CHANNELS:
                await self.bot.store.set_board(server.id, _board(server, click.values))
                self.bot.dispatch("board_set", server.id)
            case "bulletins", Kind.SELECT | Kind.EMPTIED if {*click.values} <= BULLETINS.keys():
                await self._choose_bulletins(server.id, click.values)
            case "preset", Kind.SELECT:
                await self.bot.store.delete_preset(server.id, number(click.values[0]) or 0)
            case "games", Kind.SELECT if {*click.values} <= GAMES.keys():
                left_out = [slug for slug in GAMES if slug not in click.values]
                await self.bot.store.leave_out(server.id, left_out)
            case "pace", Kind.SELECT if click.values[0] in PACES:
                await self.bot.store.set_default_pace(server.id, click.values[0])
            case "table-role", Kind.ROLES:
                await self.bot.store.set_table_role(server.id, _role(server, click.values))
            case "season-role", Kind.ROLES:
                await self.bot.store.set_season_role(server.id, _role(server, click.values))
            case "night-role", Kind.ROLES:
                await self.bot.store.set_night_role(server.id, _harmless(server, click.values))
            case _:
                raise Refusal(NOTHING_CHOSEN if click.kind is Kind.EMPTIED else DEAD_BUTTON)
        await show(interaction, await settings_panel(self.bot, server))

    async def _choose_bulletins(self, guild: int, kinds: Sequence[str]) -> None:
        """Store what is to be posted beside the board. Raises Refusal without a board."""
        if kinds and (await self.bot.store.guild_settings(guild)).board is None:
            raise Refusal(NEEDS_BOARD)
        await self.bot.store.want_bulletins(guild, kinds)
        self.bot.dispatch("board_set", guild)

    @season.command(name="start")
    @app_commands.rename(first="from")
    @app_commands.describe(
        name="Name of the season",
        days="Number of days until it ends",
        first="Its first day in UTC, such as 2026-12-01 (default: it begins now)",
    )
    async def start(
        self,
        interaction: Interaction,
        name: Typed,
        days: app_commands.Range[int, 1, LONGEST],
        first: Typed = "",
    ) -> None:
        """Start a season, now or on a later day; its final table is posted in this channel"""
        guild, now = await self._managed(interaction), self.bot.time.now()
        _check_place(interaction)
        starts = first_moment(first, now) if first else now
        ends = starts + days * DAY
        kept, seasons = chosen_name(name), await self.bot.store.seasons(guild)
        _check_name(kept, seasons)
        _check_time(seasons, starts, ends)
        season = await self.bot.store.add_season(guild, interaction.channel_id or 0, kept, starts, ends)
        if season is None:
            raise Refusal("Another season was added just now. Try again.")
        said = Panel(text(_begun(season, now)))
        try:
            await interaction.response.send_message(view=said)
        except discord.NotFound:  # the database was slow, and Discord takes no answer any more
            await self.bot.get_partial_messageable(season.channel, guild_id=guild).send(view=said)

    @start.autocomplete("first")
    async def suggest_first(self, _: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Suggest first days of a season."""
        days = first_days(self.bot.time.now())
        return [
            app_commands.Choice(name=f"{day} ({words}, 0:00 UTC)", value=day)
            for words, day in days.items()
            if typed.strip().casefold() in f"{day} {words.casefold()}"
        ]

    @season.command(name="end", extras={MAY_WAIT: True})
    @app_commands.describe(season="The season that is to end, so that none ends by mistake")
    @app_commands.autocomplete(season=suggested)
    async def end(self, interaction: Interaction, season: Typed) -> None:
        """End a season; matches that have started still count. One that has not begun is deleted"""
        guild, now = await self._managed(interaction), self.bot.time.now()
        meant = await named(self.bot.store, guild, season)
        if now < meant.starts:
            await self._delete(interaction, meant, now)
            return
        if now == meant.starts:
            raise Refusal(f"Season {meant.name} has only just started. Try again in a moment.")
        if not await self.bot.store.end_season(meant.id, now):
            raise Refusal(f"Season {meant.name} has ended already.")
        await tell(
            interaction,
            f"Season {meant.name} has ended. Its final table is posted in <#{meant.channel}> in about a minute, or "
            "when the last of its matches is over, after seven days at the latest.",
        )

    async def _delete(self, interaction: Interaction, season: Season, now: int) -> None:
        """Delete a season that has not begun, and say so. Raises Refusal if it was deleted meanwhile."""
        # The store also keeps a season with a match, which began before the clock was corrected.
        if not await self.bot.store.cancel_season(season.id, now):
            raise Refusal(f"Season {season.name} was deleted already, or has a match. Try again in a moment.")
        await tell(interaction, f"Season {season.name} had not begun. It is deleted, and its name is free.")

    @season.command(name="rename", extras={MAY_WAIT: True})
    @app_commands.describe(season="The season, also a past one", name="Its new name")
    @app_commands.autocomplete(season=suggested)
    async def rename(
        self,
        interaction: Interaction,
        season: Typed,
        name: Typed,
    ) -> None:
        """Give a season another name"""
        guild = await self._managed(interaction)
        meant, kept = await named(self.bot.store, guild, season), chosen_name(name)
        _check_name(kept, [each for each in await self.bot.store.seasons(guild) if each.id != meant.id])
        if not await self.bot.store.rename_season(meant.id, kept):
            raise Refusal(TAKEN)
        await tell(
            interaction,
            f"Season {meant.name} is called {kept} now. Messages that are posted keep the old name.",
        )

    @season.command(name="role", extras={MAY_WAIT: True})
    @app_commands.describe(role="Its members may start, end and rename seasons (leave it out: no role may)")
    async def role(self, interaction: Interaction, role: discord.Role | None = None) -> None:
        """Let the members of a role manage seasons, too"""
        server = _server(interaction)
        if role is not None:
            _check_role(server, role.id)
        await self.bot.store.set_season_role(server.id, role.id if role else None)
        await tell(interaction, NO_ROLE if role is None else _role_chosen(role))

    async def _managed(self, interaction: Interaction) -> int:
        """Return the caller's server. Raises Refusal unless they may change its seasons."""
        guild = interaction.guild_id
        if guild is not None and interaction.permissions.manage_guild:
            return guild
        role = None if guild is None else (await self.bot.store.guild_settings(guild)).season_role
        if guild is None or role is None or not has_role(interaction, role):
            also = (
                f" and members of <@&{role}>" if role is not None and role_exists(interaction, role) else ""
            )
            raise Refusal(
                f"Only people with the permission Manage Server{also} can change its seasons. Ask one of them."
            )
        return guild


def _server(interaction: Interaction) -> discord.Guild:
    """Return the caller's server. Raises Refusal unless they have the permission Manage Server."""
    if interaction.guild_id is None or not interaction.permissions.manage_guild:
        raise Refusal("Only people with the permission Manage Server can do this. Ask one of them.")
    return described_server(interaction.client, interaction.guild_id)


def _channels(
    server: discord.Guild,
    values: tuple[str, ...],
    types: Container[discord.ChannelType] = TYPES,
    most: int = MOST_CHANNELS,
) -> list[int]:
    """Return the ids of the chosen channels. Raises Refusal for anything that the menu does not offer."""
    found = [server.get_channel(_id(each)) for each in dict.fromkeys(values)]
    chosen = [each.id for each in found if each is not None and each.type in types]
    if len(chosen) != len(values) or len(chosen) > most:
        raise Refusal(
            "This server has no such channel any more. Open `/settings show` again, and choose there."
        )
    return chosen


def _board(server: discord.Guild, values: tuple[str, ...]) -> int | None:
    """Return the channel that was chosen for the board; None for no board. Raises Refusal for one where the bot may not
    post, and for anything that the menu does not offer."""
    for chosen in _channels(server, values, OF_BOARDS, 1):
        channel = server.get_channel(chosen)
        if channel is not None and not may_post(server, channel):
            raise Refusal(or_timeout(server, NO_BOARD_THERE.format(channel.mention)))
        return chosen
    return None


def _role(server: discord.Guild, values: tuple[str, ...]) -> int | None:
    """Return the id of the chosen role; None if none is chosen. Raises Refusal for anything that cannot be chosen."""
    if not values:
        return None
    if len(values) > 1:
        raise Refusal(DEAD_BUTTON)
    role = _id(values[0])
    _check_role(server, role)
    return role


def _harmless(server: discord.Guild, values: tuple[str, ...]) -> int | None:
    """Return the role that winners get. Raises Refusal for one that allows more than everybody may."""
    chosen = _role(server, values)
    role = None if chosen is None else server.get_role(chosen)
    # Whoever manages the server could else give themselves what they may not give.
    if role is not None and allows_more(role):
        raise Refusal(
            f"{role.mention} allows more than everybody may, on the server or in a channel, so nobody can win it. "
            "Choose another role."
        )
    return chosen


def _id(written: str) -> int:
    """Return the id of a channel or role; 0 for anything else."""
    return int(written) if written.isascii() and written.isdigit() and len(written) <= LONGEST_ID else 0


def _check_role(server: discord.Guild, role: int) -> None:
    """Raise Refusal for a role that everybody has, and for one of another server."""
    if role == server.id:
        raise Refusal("Everybody has the role @everyone, so everybody could do this. Choose another role.")
    if server.get_role(role) is None:
        raise Refusal("This server has no such role. Pick one from the list.")


def _role_chosen(role: discord.Role) -> str:
    return (
        f"Members of <@&{role.id}> may now start, end and rename seasons. Discord does not show them this command yet: "
        "open Server Settings, Integrations, this bot, `/settings`, and add the role there."
    )


def _check_place(interaction: Interaction) -> None:
    """Raise Refusal unless the bot may post in the channel."""
    granted = interaction.app_permissions
    in_thread = isinstance(interaction.channel, discord.Thread)
    may_send = granted.send_messages_in_threads if in_thread else granted.send_messages
    if not (granted.view_channel and may_send):
        reason = (
            "I may not post in this channel, and a season's final table is posted where it was started. Use this "
            "command in another channel, or let me view this one and send messages."
        )
        raise Refusal(or_timeout(interaction.guild, reason))


def _check_time(seasons: list[Season], starts: int, ends: int) -> None:
    """Raise Refusal if another season covers a part of this time."""
    other = clash(seasons, starts, ends)
    if other is None:
        return
    if other.starts <= starts:
        raise Refusal(
            f"Season {other.name} goes on until <t:{other.ends // 1000}:f>. Start the next one after that, or end it "
            "before by `/settings season end`."
        )
    raise Refusal(
        f"Season {other.name} begins <t:{other.starts // 1000}:f>, before this one would end. Choose fewer days, or "
        f"delete {other.name} by `/settings season end`."
    )


def _check_name(name: str, others: list[Season]) -> None:
    """Raise Refusal if one of the other seasons has the name, in capital letters or not."""
    if name.casefold() in {each.name.casefold() for each in others}:
        raise Refusal(TAKEN)


def _begun(season: Season, now: int) -> str:
    ends, matches = f"ends <t:{season.ends // 1000}:f>", "Rated matches of all games that start"
    table = "`/leaderboard period: this season` shows the table; the final one is posted here."
    if season.starts <= now:
        return f"### Season {season.name} has begun\nIt {ends}. {matches} until then count. {table}"
    begins = f"begins <t:{season.starts // 1000}:f> and {ends}"
    return f"### Season {season.name} is planned\nIt {begins}. {matches} in between count. {table}"
