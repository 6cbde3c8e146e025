"""Commands as a client sends them: found by name, with options checked against their types and limits."""

from collections.abc import Iterable, Mapping
from typing import Any

from sandbox import payloads
from sandbox.answer import Impossible
from sandbox.checks import Json
from sandbox.command_checks import (
    BOOLEAN,
    INTEGER,
    MESSAGE_MENU,
    ROLE,
    STRING,
    SUB_COMMAND,
    SUB_GROUP,
    USER,
    USER_MENU,
)
from sandbox.commands import GUILD_INSTALL, USER_INSTALL, Commands
from sandbox.entities import ROLES, USERS, resolve
from sandbox.guilds import BOT_DM_CONTEXT, GUILD_CONTEXT, PRIVATE_CONTEXT, Thread, context_of, guild_of
from sandbox.members import User
from sandbox.permissions import Permission
from sandbox.world import Channel, Message

ENTITIES = {USER: USERS, ROLE: ROLES}
"""Kinds of things that these options name."""
LIMITS = {"min_value": -(2**53) + 1, "max_value": 2**53 - 1, "min_length": 0, "max_length": 6000}
"""Limits of an option that states none, as clients set them."""


def invocation(
    user: User, commands: Commands, channel: Channel, name: str, options: Mapping[str, Any]
) -> Json:
    """Return the interaction data of using a command such as "tables" or "twin-palms start"."""
    command, path = _find(user, commands, channel, name)
    known = _by_name(path[-1].get("options") or ())
    _check_names(name, known, options)
    resolved: Json = {}
    given = [
        _named(option, _value(option, options[key], channel, resolved))
        for key, option in known.items()
        if options.get(key) is not None
    ]
    return _data(command, path, given) | ({"resolved": resolved} if resolved else {})


def choice(user: User, commands: Commands, channel: Channel, name: str, target: User | Message) -> Json:
    """Return the interaction data of choosing a command in the menu of a person or a message."""
    kind = USER_MENU if isinstance(target, User) else MESSAGE_MENU
    there = _by_name(each for each in offered(user, commands, channel) if each["type"] == kind)
    if name not in there:
        raise Impossible(f"{user.name} finds no {name!r} in that menu; there are {sorted(there)}.")
    resolved: Json = {}
    if isinstance(target, User):
        resolve(target, {}, USERS, channel, resolved)
    else:
        resolved["messages"] = {str(target.id): payloads.message(target)}
    return _data(there[name], [there[name]], []) | {"target_id": str(target.id), "resolved": resolved}


def completion(
    user: User,
    commands: Commands,
    channel: Channel,
    name: str,
    option: str,
    typed: str,
    options: Mapping[str, Any],
) -> Json:
    """Return the interaction data of asking for choices of `option` while it contains `typed`."""
    command, path = _find(user, commands, channel, name)
    known = _by_name(path[-1].get("options") or ())
    if not known.get(option, {}).get("autocomplete"):
        raise Impossible(f"/{name} completes no option {option!r}.")
    if len(typed) > LIMITS["max_length"]:
        raise Impossible(f"{option!r} takes {LIMITS['max_length']} characters, not {len(typed)}.")
    given = []
    for key, each in known.items():
        if key == option:
            given.append(_named(each, typed) | {"focused": True})
        elif key in options:
            given.append(_named(each, _value(each, options[key], channel, {})))
    return _data(command, path, given)


def offered(user: User, commands: Commands, channel: Channel) -> list[Json]:
    """Return the commands that a user may use in a channel: none in an archived thread."""
    if isinstance(channel, Thread) and channel.archived:
        return []
    return [each for each in commands.all() if _allowed(each, user, channel)]


def owners(command: Json, user: User, channel: Channel) -> Json:
    """Return by installation type who has installed the application so that the command can be used here: "0" the
    guild ("0" in direct messages with the bot), "1" the user. Return nothing where it cannot be used."""
    guild = guild_of(channel)
    found: Json = {}
    types = command["integration_types"]
    reached = (guild.has_bot and guild.allows_commands) if guild else context_of(channel) == BOT_DM_CONTEXT
    if GUILD_INSTALL in types and reached:
        found["0"] = str(guild.id) if guild else "0"
    if USER_INSTALL in types and user.installed:
        found["1"] = str(user.id)
    return found


def _allowed(command: Json, user: User, channel: Channel) -> bool:
    guild, installed = guild_of(channel), owners(command, user, channel)
    contexts = command.get("contexts")
    if contexts is None:
        everywhere = [GUILD_CONTEXT, BOT_DM_CONTEXT, PRIVATE_CONTEXT]
        contexts = everywhere if command.get("dm_permission", True) else [GUILD_CONTEXT]
    needed = command.get("default_member_permissions")
    if not installed or context_of(channel) not in contexts:
        return False
    if needed is None or guild is None or guild.commands_for_all or "0" not in installed:
        return True
    granted = channel.permissions(user.id)
    permissions = int(needed)
    if granted & Permission.ADMINISTRATOR:
        return True
    return permissions != 0 and granted & permissions == permissions


def _find(user: User, commands: Commands, channel: Channel, name: str) -> tuple[Json, list[Json]]:
    """Return the command of a full name, and the path from it to the subcommand."""
    first, *rest = name.removeprefix("/").split()
    there = _by_name(each for each in offered(user, commands, channel) if each["type"] == 1)
    if first not in there:
        raise Impossible(f"{user.name} finds no /{first} there; there are {sorted(there)}.")
    path = [there[first]]
    for step in rest:
        inner = _by_name(path[-1].get("options") or ())
        if inner.get(step, {}).get("type") not in (SUB_COMMAND, SUB_GROUP):
            raise Impossible(f"/{first} has no {step!r}; there are {sorted(inner)}.")
        path.append(inner[step])
    if any(each["type"] in (SUB_COMMAND, SUB_GROUP) for each in path[-1].get("options") or ()):
        raise Impossible(f"/{name} needs one of {[each['name'] for each in path[-1]['options']]} after it.")
    return path[0], path


def _by_name(parts: Iterable[Json]) -> dict[str, Json]:
    return {each["name"]: each for each in parts}


def _check_names(name: str, known: Mapping[str, Json], options: Mapping[str, Any]) -> None:
    unknown = options.keys() - known.keys()
    missing = [key for key, each in known.items() if each.get("required") and options.get(key) is None]
    if unknown or missing:
        raise Impossible(
            f"/{name}: unknown options {sorted(unknown)}, missing ones {missing}; it has {list(known)}."
        )


def _data(command: Json, path: list[Json], given: list[Json]) -> Json:
    for step in reversed(path[1:]):
        given = [{"name": step["name"], "type": step["type"], "options": given}]
    data: Json = {"id": command["id"], "name": command["name"], "type": command["type"]}
    if given:
        data["options"] = given
    return data


def _named(option: Json, value: Any) -> Json:
    return {"name": option["name"], "type": option["type"], "value": value}


def _value(option: Json, given: Any, channel: Channel, resolved: Json) -> Any:
    """Return the value of an option as the client sends it."""
    kind = option["type"]
    if kind in ENTITIES:
        return resolve(given, option, ENTITIES[kind], channel, resolved)
    if option.get("choices"):
        return _choice(option, given)
    if kind == BOOLEAN:
        return _typed(option, given, bool)
    if kind == INTEGER:
        _within(option, _typed(option, given, int), "min_value", "max_value", given)
        return given
    if kind != STRING:
        raise Impossible(f"The sandbox's people cannot give {option['name']!r} yet: it is of type {kind}.")
    text = _typed(option, given, str)
    if not text:
        raise Impossible(f"{option['name']!r} must not be empty.")
    _within(option, len(text), "min_length", "max_length", text)
    return text


def _choice(option: Json, given: Any) -> Any:
    """Return the value of the choice that `given` names."""
    # Values first: the name of one choice can be the value of another.
    if given in [choice["value"] for choice in option["choices"]]:
        return given
    named = _by_name(option["choices"])
    if given not in named:
        raise Impossible(f"{option['name']!r} can be {list(named)}, not {given!r}.")
    return named[given]["value"]


def _typed(option: Json, given: Any, type_: type[Any]) -> Any:
    if not isinstance(given, type_) or (isinstance(given, bool) and type_ is not bool):
        raise Impossible(f"{option['name']!r} takes {type_.__name__}, not {given!r}.")
    return given


def _within(option: Json, size: int, low: str, high: str, given: Any) -> None:
    least, most = (LIMITS[key] if option.get(key) is None else option[key] for key in (low, high))
    if not least <= size <= most:
        raise Impossible(f"{option['name']!r} goes from {least} to {most}; {given!r:.80} is outside.")
