"""People, roles and channels that somebody names in an option or picks in a select."""

from collections.abc import Sequence
from typing import Any, TypeAlias

from sandbox import payloads
from sandbox.answer import Impossible
from sandbox.channels import Channel
from sandbox.world import Role, User

Json: TypeAlias = dict[str, Any]

USERS, ROLES, CHANNELS = "users", "roles", "channels"


def resolve(given: Any, part: Json, kinds: Sequence[str], channel: Channel, resolved: Json) -> str:
    """Return the id of a person, user, role or channel (or of whatever has this id); `resolved` gets its description.

    Raise Impossible unless it is of one of the `kinds`, and a channel of a type that `part` takes."""
    thing = _by_id(given, channel) if isinstance(given, int | str) else getattr(given, "user", given)
    kind = _kind(thing)
    if kind not in kinds or not _takes(part, thing):
        raise Impossible(
            f"Only {' and '.join(kinds)} can be chosen there, and not all of them: not {given!r}."
        )
    id_ = str(thing.id)
    resolved.setdefault(kind, {})[id_] = _described(thing)
    if kind == USERS and channel.guild and thing.id in channel.guild.members:
        member = payloads.partial_member(channel.guild.members[thing.id])
        allowed = str(int(channel.permissions(thing.id)))
        resolved.setdefault("members", {})[id_] = member | {"permissions": allowed}
    return id_


def _kind(thing: Any) -> str:
    for kind, type_ in ((USERS, User), (ROLES, Role), (CHANNELS, Channel)):
        if isinstance(thing, type_):
            return kind
    raise Impossible(f"{thing!r} is neither a person nor a role nor a channel.")


def _takes(part: Json, thing: Any) -> bool:
    types = part.get("channel_types")
    return not types or not isinstance(thing, Channel) or thing.type in types


def _described(thing: User | Role | Channel) -> Json:
    if isinstance(thing, Channel):
        return thing.payload() | {"permissions": "0"}
    return payloads.role(thing) if isinstance(thing, Role) else payloads.user(thing)


def _by_id(given: int | str, channel: Channel) -> Any:
    roles = channel.guild.roles if channel.guild else {}
    for things in (roles, channel.world.users, channel.world.channels):
        if str(given).isdecimal() and int(given) in things:
            return things[int(given)]
    raise Impossible(f"There is nobody and nothing with the id {given!r}.")
