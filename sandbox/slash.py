"""Slash commands as a client sends them: found by name, options coerced and held to their limits."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from sandbox.answer import Impossible
from sandbox.channels import Channel, Thread
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
from sandbox.entities import CHANNELS, ROLES, USERS, resolve
from sandbox.permissions import Permission
from sandbox.translation import by_name

if TYPE_CHECKING:
    from sandbox.person import Person

Json: TypeAlias = dict[str, Any]

GUILD_CONTEXT, BOT_DM_CONTEXT = 0, 1
ENTITIES = {
    USER: (USERS,),
    ROLE: (ROLES,),
    MENTIONABLE: (USERS, ROLES),
    CHANNEL_OPTION: (CHANNELS,),
}
"""Kinds of things that options of these types name."""
LIMITS = {"min_value": -(2**53) + 1, "max_value": 2**53 - 1, "min_length": 0, "max_length": 6000}
"""Limits of an option that states none: those of what a client can send."""


def invocation(person: "Person", channel: Channel, name: str, options: Mapping[str, Any]) -> Json:
    """The interaction data of a command such as "tables" or "twin-palms start"."""
    command, path = _find(person, channel, name)
    known = by_name(path[-1].get("options") or (), person.locale)
    _check_names(name, known, options)
    resolved: Json = {}
    given = [
        _named(option, _value(option, options[key], person, channel, resolved))
        for key, option in known.items()
        if options.get(key) is not None
    ]
    return _data(command, path, given, channel) | ({"resolved": resolved} if resolved else {})


def completion(
    person: "Person", channel: Channel, name: str, option: str, typed: str, options: Mapping[str, Any]
) -> Json:
    """The interaction data of asking for choices of `option`."""
    command, path = _find(person, channel, name)
    known = by_name(path[-1].get("options") or (), person.locale)
    if not known.get(option, {}).get("autocomplete"):
        raise Impossible(f"/{name} completes no option {option!r}.")
    if len(typed) > LIMITS["max_length"]:
        raise Impossible(f"{option!r} takes {LIMITS['max_length']} characters, not {len(typed)}.")
    given = []
    for key, each in known.items():
        if key == option:
            given.append(_named(each, typed) | {"focused": True})
        elif key in options:
            given.append(_named(each, _value(each, options[key], person, channel, {})))
    return _data(command, path, given, channel)


def offered(person: "Person", channel: Channel) -> list[Json]:
    """The commands a person may use in a channel; in an archived thread there are none."""
    guild = channel.guild
    archived = isinstance(channel, Thread) and channel.archived
    if archived or (guild is not None and not guild.has_bot):
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
    there = by_name((each for each in offered(person, channel) if each["type"] == 1), person.locale)
    if first not in there:
        raise Impossible(f"{person.name} finds no /{first} there; there are {sorted(there)}.")
    path = [there[first]]
    for step in rest:
        inner = by_name(path[-1].get("options") or (), person.locale)
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


def _named(option: Json, value: Any) -> Json:
    return {"name": option["name"], "type": option["type"], "value": value}


def _value(option: Json, given: Any, person: "Person", channel: Channel, resolved: Json) -> Any:
    """What the client sends for an option's value."""
    kind = option["type"]
    if kind in ENTITIES:
        return resolve(given, option, ENTITIES[kind], channel, resolved)
    if option.get("choices"):
        return _choice(option, given, person.locale)
    if kind == BOOLEAN:
        return _typed(option, given, bool)
    if kind in (INTEGER, NUMBER):
        number = _typed(option, given, int if kind == INTEGER else float)
        _within(option, number, "min_value", "max_value", number)
        return number
    if kind != STRING:
        raise Impossible(f"The sandbox's people cannot give {option['name']!r} yet: it is of type {kind}.")
    text = _typed(option, given, str)
    if not text:
        raise Impossible(f"{option['name']!r} must not be empty.")
    _within(option, len(text), "min_length", "max_length", text)
    return text


def _choice(option: Json, given: Any, locale: str) -> Any:
    """Return the given value, or the value of the given name: one choice's name may be another's value."""
    if given in [choice["value"] for choice in option["choices"]]:
        return given
    named = by_name(option["choices"], locale)
    if given not in named:
        raise Impossible(f"{option['name']!r} can be {list(named)}, not {given!r}.")
    return named[given]["value"]


def _typed(option: Json, given: Any, type_: type[Any]) -> Any:
    if type_ is float and isinstance(given, int):
        return given
    if not isinstance(given, type_) or (isinstance(given, bool) and type_ is not bool):
        raise Impossible(f"{option['name']!r} takes {type_.__name__}, not {given!r}.")
    return given


def _within(option: Json, size: float, low: str, high: str, given: Any) -> None:
    least, most = (LIMITS[key] if option.get(key) is None else option[key] for key in (low, high))
    if not least <= size <= most:
        raise Impossible(f"{option['name']!r} goes from {least} to {most}, and {given!r:.80} is outside.")
