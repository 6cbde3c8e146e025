"""People who manage a server or its tables, and the channels in which tables may be opened."""

from typing import Final

import discord

from bot.client import Palmhouse
from bot.match.refusal import Refusal
from bot.messages.answers import Interaction
from bot.messages.venue import find_channel
from games.phrases import listed

GONE: Final = (
    "The channels in which tables may be opened here were deleted. Somebody with the permission Manage Server can "
    "choose others by `/settings show`."
)
NOT_DESCRIBED: Final = (
    "I do not know the channels and roles of this server yet, as my connection to Discord is new. Try again in a few "
    "seconds."
)


async def manages_tables(interaction: Interaction) -> bool:
    """Return whether the caller may close other people's tables here: by Manage Server, or by the role for that."""
    if interaction.guild_id is None or interaction.permissions.manage_guild:
        return interaction.permissions.manage_guild
    role = (await interaction.client.store.guild_settings(interaction.guild_id)).table_role
    return role is not None and has_role(interaction, role)


def has_role(interaction: Interaction, role: int) -> bool:
    """Return whether the caller has a role that the server has."""
    return isinstance(interaction.user, discord.Member) and interaction.user.get_role(role) is not None


def role_exists(interaction: Interaction, role: int) -> bool:
    """Return whether the server has the role."""
    return interaction.guild is not None and interaction.guild.get_role(role) is not None


def may_give(server: discord.Guild, role: discord.Role) -> bool:
    """Return whether the bot can give members a role."""
    return server.me.guild_permissions.manage_roles and role < server.me.top_role and not role.managed


def allows_more(role: discord.Role) -> bool:
    """Return whether a role allows what not everybody may, on its server or in one of the channels that the bot
    sees."""
    server, everyone = role.guild, role.guild.default_role
    return bool(role.permissions.value & ~everyone.permissions.value) or any(
        each.overwrites_for(role).pair()[0].value & ~each.permissions_for(everyone).value
        for each in server.channels
    )


def described_server(bot: Palmhouse, guild: int) -> discord.Guild:
    """Return a server. Raises Refusal while Discord has not described it, as for a moment after each new session."""
    if (server := bot.server(guild)) is None:
        raise Refusal(NOT_DESCRIBED)
    return server


async def check_channel(bot: Palmhouse, guild: int, channel: int, parent: int | None) -> None:
    """Raise Refusal if the server's settings forbid tables in `channel`, a thread of `parent` or no thread."""
    chosen = (await bot.store.guild_settings(guild)).channels
    if not chosen or channel in chosen or parent in chosen:
        return
    described_server(bot, guild)  # else all of them would seem to be deleted
    there = [f"<#{each}>" for each in chosen if find_channel(bot, guild, each) is not None]
    if not there:
        raise Refusal(GONE)
    raise Refusal(f"On this server tables may be opened only in {listed(there)}. Open yours there.")
