"""Users, roles and channels that a person names in an option or picks in a select."""

from typing import Any

from sandbox.answer import Impossible
from sandbox.checks import Json
from sandbox.guilds import guild_of
from sandbox.members import Role, User
from sandbox.world import Channel

USERS, ROLES, CHANNELS = "users", "roles", "channels"


def resolve(given: Any, part: Json, kind: str, channel: Channel, resolved: Json) -> str:
    """Return the id of `given`, a Person, user, role or channel or the id of one, and put its payload into `resolved`.

    Raises Impossible unless it is of that kind and, if a channel, of a type that `part` accepts."""
    thing = _by_id(given, channel) if isinstance(given, int | str) else getattr(given, "user", given)
    if _kind(thing) != kind or not _accepts(part, thing):
        raise Impossible(f"{given!r} cannot be chosen there: only {kind} can, and not all of them.")
    id_ = str(thing.id)
    resolved.setdefault(kind, {})[id_] = _payload(thing)
    guild = guild_of(channel)
    if kind == USERS and guild and thing.id in guild.members:
        member = guild.members[thing.id].partial_payload()
        allowed = str(int(channel.permissions(thing.id)))
        resolved.setdefault("members", {})[id_] = member | {"permissions": allowed}
    return id_


def _kind(thing: Any) -> str:
    for kind, type_ in ((USERS, User), (ROLES, Role), (CHANNELS, Channel)):
        if isinstance(thing, type_):
            return kind
    raise Impossible(f"{thing!r} is neither a person nor a role nor a channel.")


def _accepts(part: Json, thing: Any) -> bool:
    types = part.get("channel_types")
    return not types or not isinstance(thing, Channel) or thing.type in types


def _payload(thing: User | Role | Channel) -> Json:
    return thing.payload() | ({"permissions": "0"} if isinstance(thing, Channel) else {})


def _by_id(given: int | str, channel: Channel) -> Any:
    guild = guild_of(channel)
    roles = guild.roles if guild else {}
    for things in (roles, channel.world.users, channel.world.channels):
        if str(given).isdecimal() and int(given) in things:
            return things[int(given)]
    raise Impossible(f"No user, role or channel has the id {given!r}.")
