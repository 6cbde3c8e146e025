"""Slash commands as a client sends them: found by name, options coerced and held to their limits."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from sandbox import payloads
from sandbox.answer import Impossible
from sandbox.channels import Channel
from sandbox.command_forms import (
    BOOLEAN,
    INTEGER,
    MENTIONABLE,
    NUMBER,
    ROLE,
    STRING,
    SUB_COMMAND,
    SUB_GROUP,
    USER,
)
from sandbox.command_forms import CHANNEL as CHANNEL_OPTION
from sandbox.permissions import Permission
from sandbox.world import Role

if TYPE_CHECKING:
    from sandbox.person import Person

Json: TypeAlias = dict[str, Any]

GUILD_CONTEXT, BOT_DM_CONTEXT = 0, 1


def invocation(person: "Person", channel: Channel, name: str, options: Mapping[str, Any]) -> Json:
    """The interaction data of a command such as "tables" or "twin-palms start"."""
    command, path = _find(person, channel, name)
    known = {each["name"]: each for each in path[-1].get("options") or ()}
    _check_names(name, known, options)
    resolved: Json = {}
    given = [
        {
            "name": key,
            "type": known[key]["type"],
            "value": _value(known[key], options[key], channel, resolved),
        }
        for key in known
        if options.get(key) is not None
    ]
    return _data(command, path, given, channel) | ({"resolved": resolved} if resolved else {})


def completion(
    person: "Person", channel: Channel, name: str, option: str, typed: str, options: Mapping[str, Any]
) -> Json:
    """The interaction data of asking for choices of `option`."""
    command, path = _find(person, channel, name)
    known = {each["name"]: each for each in path[-1].get("options") or ()}
    if not known.get(option, {}).get("autocomplete"):
        raise Impossible(f"/{name} completes no option {option!r}.")
    given = []
    for key, each in known.items():
        if key == option:
            given.append({"name": key, "type": each["type"], "value": typed, "focused": True})
        elif key in options:
            value = _value(each, options[key], channel, {})
            given.append({"name": key, "type": each["type"], "value": value})
    return _data(command, path, given, channel)


def offered(person: "Person", channel: Channel) -> list[Json]:
    """The commands a person may use in a channel."""
    guild = channel.guild
    if guild is not None and not guild.has_bot:
        return []
    commands = person.box.commands.usable(guild.id if guild else None)
    return [each for each in commands if _allowed(each, person, channel)]


def _allowed(command: Json, person: "Person", channel: Channel) -> bool:
    context = GUILD_CONTEXT if channel.guild else BOT_DM_CONTEXT
    contexts = command.get("contexts")
    if contexts is None:
        contexts = [GUILD_CONTEXT, BOT_DM_CONTEXT] if command.get("dm_permission", True) else [GUILD_CONTEXT]
    needed = command.get("default_member_permissions")
    if "guild_id" not in command and context not in contexts:
        return False
    if needed is None or channel.guild is None:
        return True
    granted = channel.permissions(person.id)
    permissions = int(needed)
    if granted & Permission.ADMINISTRATOR:
        return True
    return permissions != 0 and granted & permissions == permissions


def _find(person: "Person", channel: Channel, name: str) -> tuple[Json, list[Json]]:
    """The command, and the way from it to the sub command that is called."""
    first, *rest = name.removeprefix("/").split()
    there = {each["name"]: each for each in offered(person, channel) if each["type"] == 1}
    if first not in there:
        raise Impossible(f"{person.name} finds no /{first} there; there are {sorted(there)}.")
    path = [there[first]]
    for step in rest:
        inner = {each["name"]: each for each in path[-1].get("options") or ()}
        if inner.get(step, {}).get("type") not in (SUB_COMMAND, SUB_GROUP):
            raise Impossible(f"/{first} has no {step!r}; there are {sorted(inner)}.")
        path.append(inner[step])
    if any(each["type"] in (SUB_COMMAND, SUB_GROUP) for each in path[-1].get("options") or ()):
        raise Impossible(f"/{name} needs one of {[each['name'] for each in path[-1]['options']]} behind it.")
    return path[0], path


def _check_names(name: str, known: Mapping[str, Json], options: Mapping[str, Any]) -> None:
    unknown = options.keys() - known.keys()
    missing = [key for key, each in known.items() if each.get("required") and options.get(key) is None]
    if unknown or missing:
        raise Impossible(
            f"/{name}: unknown options {sorted(unknown)}, missing ones {missing}; it has {list(known)}."
        )


def _data(command: Json, path: list[Json], given: list[Json], channel: Channel) -> Json:
    for step in reversed(path[1:]):
        given = [{"name": step["name"], "type": step["type"], "options": given}]
    data: Json = {"id": command["id"], "name": command["name"], "type": command["type"]}
    if given:
        data["options"] = given
    if "guild_id" in command and channel.guild:
        data["guild_id"] = command["guild_id"]
    return data


def _value(option: Json, given: Any, channel: Channel, resolved: Json) -> Any:
    """What the client sends for an option's value."""
    kind = option["type"]
    if kind in (USER, ROLE, MENTIONABLE, CHANNEL_OPTION):
        return resolve(given, channel, resolved)
    if option.get("choices"):
        return _choice(option, given)
    if kind == BOOLEAN:
        return _typed(option, given, bool)
    if kind in (INTEGER, NUMBER):
        number = _typed(option, given, int if kind == INTEGER else float)
        _within(option, number, "min_value", "max_value", number)
        return number
    if kind != STRING:
        raise Impossible(f"The sandbox's people cannot give {option['name']!r} yet: it is of type {kind}.")
    text = _typed(option, given, str)
    _within(option, len(text), "min_length", "max_length", text)
    return text


def _choice(option: Json, given: Any) -> Any:
    for choice in option["choices"]:
        if given in (choice["value"], choice["name"]):
            return choice["value"]
    names = [choice["name"] for choice in option["choices"]]
    raise Impossible(f"{option['name']!r} can be {names}, not {given!r}.")


def _typed(option: Json, given: Any, type_: type[Any]) -> Any:
    if type_ is float and isinstance(given, int):
        return given
    if not isinstance(given, type_) or (isinstance(given, bool) and type_ is not bool):
        raise Impossible(f"{option['name']!r} takes {type_.__name__}, not {given!r}.")
    return given


def _within(option: Json, size: float, low: str, high: str, given: Any) -> None:
    least, most = option.get(low), option.get(high)
    if (least is not None and size < least) or (most is not None and size > most):
        raise Impossible(f"{option['name']!r} goes from {least} to {most}, and {given!r} is outside.")


def resolve(given: Any, channel: Channel, resolved: Json) -> str:
    """The id of a person, user, channel or role (or of whatever has this id), its description put into `resolved`."""
    thing = _by_id(int(given), channel) if isinstance(given, int | str) else getattr(given, "user", given)
    id_ = str(thing.id)
    if isinstance(thing, Channel):
        resolved.setdefault("channels", {})[id_] = thing.payload() | {"permissions": "0"}
    elif isinstance(thing, Role):
        resolved.setdefault("roles", {})[id_] = payloads.role(thing)
    else:
        resolved.setdefault("users", {})[id_] = payloads.user(thing)
        if channel.guild and thing.id in channel.guild.members:
            member = payloads.partial_member(channel.guild.members[thing.id])
            allowed = str(int(channel.permissions(thing.id)))
            resolved.setdefault("members", {})[id_] = member | {"permissions": allowed}
    return id_


def _by_id(id_: int, channel: Channel) -> Any:
    roles = channel.guild.roles if channel.guild else {}
    for things in (roles, channel.world.users, channel.world.channels):
        if id_ in things:
            return things[id_]
    raise Impossible(f"There is nobody and nothing with the id {id_}.")
