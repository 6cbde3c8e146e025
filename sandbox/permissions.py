"""Permissions, and how a channel's overwrites change them (Discord's topics/permissions)."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntFlag

from sandbox.checks import Json


class Permission(IntFlag):
    """The permissions that the sandbox checks."""

    ADMINISTRATOR = 1 << 3
    MANAGE_GUILD = 1 << 5
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    MANAGE_MESSAGES = 1 << 13
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    MANAGE_ROLES = 1 << 28
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    CREATE_PRIVATE_THREADS = 1 << 36
    SEND_MESSAGES_IN_THREADS = 1 << 38
    CREATE_EVENTS = 1 << 44
    USE_EXTERNAL_APPS = 1 << 50
    PIN_MESSAGES = 1 << 51


NONE = Permission(0)
ALL = Permission(sum(Permission))
EVERYONE = (
    ALL
    & ~Permission.ADMINISTRATOR
    & ~Permission.MANAGE_GUILD
    & ~Permission.MANAGE_MESSAGES
    & ~Permission.MANAGE_THREADS
    & ~Permission.MENTION_EVERYONE
    & ~Permission.MANAGE_ROLES
    & ~Permission.CREATE_EVENTS
    & ~Permission.PIN_MESSAGES
)
"""Permissions of the members of a new guild."""
IN_DIRECT_MESSAGES = (
    EVERYONE & ~Permission.CREATE_PUBLIC_THREADS & ~Permission.CREATE_PRIVATE_THREADS
    | Permission.PIN_MESSAGES
)
"""Permissions of both sides of direct messages."""
IN_TIMEOUT = Permission.VIEW_CHANNEL | Permission.READ_MESSAGE_HISTORY
"""Permissions that a member in timeout keeps. Administrators keep all of theirs."""


@dataclass
class Overwrite:
    """Permissions that a channel allows or denies a role (kind 0) or a member (kind 1)."""

    id: int
    kind: int
    allow: Permission = NONE
    deny: Permission = NONE

    def payload(self) -> Json:
        """Return the overwrite as Discord's API writes it."""
        allow, deny = str(int(self.allow)), str(int(self.deny))
        return {"id": str(self.id), "type": self.kind, "allow": allow, "deny": deny}


def overwritten(granted: Permission, overwrites: Sequence[Overwrite]) -> Permission:
    """Return the permissions after overwrites of one rank. If one allows what another denies, it is allowed."""
    if not overwrites:
        return granted
    denied = allowed = NONE
    for overwrite in overwrites:
        denied |= overwrite.deny
        allowed |= overwrite.allow
    return (granted & ~denied) | allowed
