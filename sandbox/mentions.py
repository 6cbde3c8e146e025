"""Mentions: which users and roles a message names, whether it names everyone, and which people it pings.

Discord reads the content and text displays, and drops what `allowed_mentions` leaves out.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sandbox.bodies import components
from sandbox.components import TEXT_DISPLAY
from sandbox.guilds import guild_of
from sandbox.members import Role
from sandbox.permissions import Permission
from sandbox.world import Message

_USER = re.compile(r"<@!?(\d+)>")
_ROLE = re.compile(r"<@&(\d+)>")
_EVERYONE = re.compile(r"@(everyone|here)")


def note(message: Message, allowed: Mapping[str, Any] | None) -> None:
    """Set the mentions of a message from its present text, as far as `allowed_mentions` of the request permits."""
    text = "\n".join(_texts(message))
    users = _chosen(_USER, text, allowed, "users") & message.channel.world.users.keys()
    roles = _chosen(_ROLE, text, allowed, "roles")
    message.mentions = tuple(sorted(users))
    message.mention_roles = tuple(each.id for each in _roles(message) if each.id in roles)
    everyone = allowed is None or "everyone" in (allowed.get("parse") or ())
    message.mention_everyone = everyone and _may_mention_all(message) and bool(_EVERYONE.search(text))


def pinged(message: Message) -> frozenset[int]:
    """Return the ids of the people a new message pings: those named who see it, but not its author."""
    guild = guild_of(message.channel)
    members = guild.members.values() if guild else ()
    named = {*message.mentions}
    for member in members:
        if message.mention_everyone or set(message.mention_roles) & {*member.roles}:
            named.add(member.user.id)
    return frozenset(id_ for id_ in named - {message.author.id} if message.visible_to(id_))


def _texts(message: Message) -> Iterator[str]:
    yield message.body["content"]
    yield from (each["content"] for each in components(message.body) if each["type"] == TEXT_DISPLAY)


def _chosen(pattern: re.Pattern[str], text: str, allowed: Mapping[str, Any] | None, kind: str) -> set[int]:
    named = {int(id_) for id_ in pattern.findall(text)}
    if allowed is None or kind in (allowed.get("parse") or ()):
        return named
    return named & {int(id_) for id_ in allowed.get(kind) or ()}


def _roles(message: Message) -> Sequence[Role]:
    """Return the roles that the author may mention here, without the role of everyone."""
    guild = guild_of(message.channel)
    if guild is None:
        return ()
    roles = [each for each in guild.roles.values() if each.id != guild.id]
    return [each for each in roles if each.mentionable or _may_mention_all(message)]


def _may_mention_all(message: Message) -> bool:
    granted = message.channel.permissions(message.author.id)
    return guild_of(message.channel) is not None and bool(granted & Permission.MENTION_EVERYONE)
