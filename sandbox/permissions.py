"""What a user may do where, computed from roles and overwrites as Discord does (topics/permissions)."""

from collections.abc import Iterable
from enum import IntFlag
from typing import TYPE_CHECKING

from sandbox.form import Refused

if TYPE_CHECKING:
    from sandbox.channels import Channel, Overwrite, TextChannel
    from sandbox.world import Guild


class Permission(IntFlag):
    """The permissions the sandbox looks at."""

    ADMINISTRATOR = 1 << 3
    MANAGE_CHANNELS = 1 << 4
    MANAGE_GUILD = 1 << 5
    ADD_REACTIONS = 1 << 6
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    USE_EXTERNAL_EMOJIS = 1 << 18
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    CREATE_PRIVATE_THREADS = 1 << 36
    SEND_MESSAGES_IN_THREADS = 1 << 38
    PIN_MESSAGES = 1 << 51
    BYPASS_SLOWMODE = 1 << 52


NONE = Permission(0)
ALL = Permission(sum(Permission))
EVERYONE = (
    ALL
    & ~Permission.ADMINISTRATOR
    & ~Permission.MANAGE_CHANNELS
    & ~Permission.MANAGE_GUILD
    & ~Permission.MANAGE_MESSAGES
    & ~Permission.MANAGE_THREADS
    & ~Permission.MENTION_EVERYONE
    & ~Permission.PIN_MESSAGES
    & ~Permission.BYPASS_SLOWMODE
)
"""What members of a new guild may do."""
IN_DIRECT_MESSAGES = (
    EVERYONE & ~Permission.CREATE_PUBLIC_THREADS & ~Permission.CREATE_PRIVATE_THREADS
    | Permission.PIN_MESSAGES
)
"""What both sides of a direct message may do there."""
IN_TIMEOUT = Permission.VIEW_CHANNEL | Permission.READ_MESSAGE_HISTORY
"""All that a member in timeout may do, administrators excepted."""


def in_guild(guild: "Guild", user: int) -> Permission:
    """What a user may do in a guild, before any channel's overwrites."""
    member = guild.members.get(user)
    if member is None:
        return NONE
    if guild.owner.id == user:
        return ALL
    granted = guild.roles[guild.id].permissions
    for role in member.roles:
        granted |= guild.roles[role].permissions
    if granted & Permission.ADMINISTRATOR:
        return ALL
    return granted & IN_TIMEOUT if member.in_timeout(guild.world.clock.now()) else granted


def with_overwrites(channel: "TextChannel", user: int) -> Permission:
    """What a user may do in a guild's channel."""
    guild = channel.guild
    granted = in_guild(guild, user)
    if granted & Permission.ADMINISTRATOR or not granted:
        return granted
    overwrites = channel.overwrites
    roles = guild.members[user].roles
    granted = _overwritten(granted, [overwrites[guild.id]] if guild.id in overwrites else [])
    granted = _overwritten(granted, [overwrites[role] for role in roles if role in overwrites])
    granted = _overwritten(granted, [overwrites[user]] if user in overwrites else [])
    if guild.members[user].in_timeout(guild.world.clock.now()):
        granted &= IN_TIMEOUT
    return granted if granted & Permission.VIEW_CHANNEL else NONE


def _overwritten(granted: Permission, overwrites: Iterable["Overwrite"]) -> Permission:
    denied = allowed = NONE
    for overwrite in overwrites:
        denied |= overwrite.deny
        allowed |= overwrite.allow
    return (granted & ~denied) | allowed


def require(channel: "Channel", user: int, *needed: Permission) -> None:
    """Refuse (50001) who cannot see the channel, and (50013) who lacks any of the permissions there."""
    granted = channel.permissions(user)
    if not granted & Permission.VIEW_CHANNEL:
        raise Refused(403, 50001, "Missing Access")
    for permission in needed:
        if not granted & permission:
            raise Refused(403, 50013, "Missing Permissions")
