"""Mentions: the users, roles and everybody that a message names, and the people it pings.

Discord reads the content and text displays, never embeds, and drops what `allowed_mentions` leaves out.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sandbox.components import TEXT_DISPLAY
from sandbox.messages import Message, components
from sandbox.permissions import Permission

if TYPE_CHECKING:
    from sandbox.world import Role

_USER = re.compile(r"<@!?(\d+)>")
_ROLE = re.compile(r"<@&(\d+)>")
_EVERYONE = re.compile(r"@(everyone|here)")


def note(message: Message, allowed: Mapping[str, Any] | None) -> None:
    """Note the mentions in a message's present text, as far as `allowed_mentions` of the request leaves them."""
    text = "\n".join(_texts(message))
    users = _chosen(_USER, text, allowed, "users") & message.channel.world.users.keys()
    if message.referenced and (allowed is None or allowed.get("replied_user")):
        users.add(message.referenced.author.id)
    roles = _chosen(_ROLE, text, allowed, "roles")
    message.mentions = tuple(sorted(users))
    message.mention_roles = tuple(each.id for each in _roles(message) if each.id in roles)
    everyone = allowed is None or "everyone" in (allowed.get("parse") or ())
    message.mention_everyone = everyone and _may_mention_all(message) and bool(_EVERYONE.search(text))


def pinged(message: Message) -> frozenset[int]:
    """Return the people a new message pings: nobody who does not see it, and not its author."""
    guild = message.channel.guild
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


def _roles(message: Message) -> "Sequence[Role]":
    """Return the roles that the author may mention here, everyone's own left out."""
    guild = message.channel.guild
    if guild is None:
        return ()
    roles = [each for each in guild.roles.values() if each.id != guild.id]
    return [each for each in roles if each.mentionable or _may_mention_all(message)]


def _may_mention_all(message: Message) -> bool:
    granted = message.channel.permissions(message.author.id)
    return message.channel.guild is not None and bool(granted & Permission.MENTION_EVERYONE)
