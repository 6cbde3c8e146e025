"""All that `bot/gateway/private.py` uses of discord.py is there, and no other class of ours uses its private names."""

import ast
import inspect
import pkgutil
import re
from collections.abc import Iterator
from functools import cache, reduce
from importlib import import_module
from pathlib import Path
from textwrap import dedent
from typing import Any, Final

import discord
import pytest

PRIVATE: Final = "bot/gateway/private.py"

CONNECTS = "bot/gateway/shards.py connects, and continues sessions, by it"
KEEPS = "bot/gateway/guild_cache.py keeps the servers small in memory by it"
ASKS = "requests are made, paused and ended by it"
FUNCTIONS: Final = [
    (
        "discord.gateway.DiscordWebSocket.from_client",
        "client gateway shard_id session sequence resume",
        CONNECTS,
    ),
    ("discord.gateway.DiscordWebSocket.poll_event", "", CONNECTS),
    ("discord.gateway.DiscordWebSocket.close", "code", CONNECTS),
    ("discord.gateway.DiscordWebSocket.received_message", "msg", CONNECTS),
    ("discord.backoff.ExponentialBackoff.delay", "", CONNECTS),
    ("discord.client.Client._get_websocket", "guild_id shard_id", CONNECTS),
    ("discord.client.Client._get_state", "options", KEEPS),
    ("discord.state.AutoShardedConnectionState.clear", "views", KEEPS),
    ("discord.state.AutoShardedConnectionState.parse_ready", "data", KEEPS),
    ("discord.state.AutoShardedConnectionState.parse_guild_create", "data", KEEPS),
    ("discord.state.AutoShardedConnectionState.parse_message_create", "data", KEEPS),
    ("discord.state.AutoShardedConnectionState.parse_message_update", "data", KEEPS),
    ("discord.state.AutoShardedConnectionState._add_ready_state", "guild", KEEPS),
    ("discord.state.AutoShardedConnectionState._add_guild_from_data", "data", KEEPS),
    ("discord.abc._Overwrites._asdict", "", KEEPS),
    ("discord.state.AutoShardedConnectionState._delay_ready", "", "the bot says itself when it is ready"),
    ("discord.state.AutoShardedConnectionState.call_handlers", "key", "the bot says itself when it is ready"),
    ("discord.app_commands.CommandTree._call", "interaction", "a command waits for its turn in it"),
    ("discord.http.HTTPClient.request", "route", ASKS),
    ("discord.http.HTTPClient.close", "", ASKS),
    ("discord.http.HTTPClient.get_bot_gateway", "", ASKS),
    (
        "discord.http.HTTPClient.start_thread_with_message",
        "channel_id message_id name auto_archive_duration",
        ASKS,
    ),
]
"""Functions, the parameters that are given to each, and what it is needed for."""
ATTRIBUTES: Final = [
    ("discord.gateway.DiscordWebSocket", "session_id sequence shard_id gateway socket", CONNECTS),
    ("discord.gateway.DiscordWebSocket", "DEFAULT_GATEWAY open latency", CONNECTS),
    ("discord.gateway.ReconnectWebSocket", "resume", CONNECTS),
    ("discord.client.Client", "_connection _handlers _hooks", KEEPS),
    ("discord.state.AutoShardedConnectionState", "_guilds shard_count dispatch", KEEPS),
    (
        "discord.state.AutoShardedConnectionState",
        "_ready_tasks",
        "a shard that is left is not ready any more",
    ),
    ("discord.abc.GuildChannel", "_overwrites", KEEPS),
    ("discord.client.Client", "http", ASKS),
    ("discord.http.HTTPClient", "_global_over connector", ASKS),
    ("discord.http.Route", "BASE", "the bot is pointed at the sandbox by it"),
    ("discord.VoiceClient", "warn_nacl warn_dave", "no warning about voice is logged"),
]
"""Classes, attributes that each has, and what they are needed for."""


def changed(name: str, reason: str) -> str:
    return (
        f"discord.py {discord.__version__} has changed {name}. {PRIVATE} rests on it: {reason}. Read the new source, "
        f"mend {PRIVATE} and the list in this test, and run tests/e2e. Until then requirements.txt keeps the version "
        "before."
    )


def found(name: str) -> Any:
    """Return what has a full name; None if there is no such thing."""
    package, *names = name.split(".")
    try:
        if names[0] not in vars(import_module(package)):
            import_module(f"{package}.{names[0]}")
        return reduce(getattr, names, import_module(package))
    except (ImportError, AttributeError):
        return None


def source(kind: type) -> str:
    """Return the source of a class and of those below it that are discord.py's."""
    return "\n".join(_own_source(each) for each in kind.__mro__ if each.__module__.startswith("discord."))


@cache
def _own_source(kind: type) -> str:
    return dedent(inspect.getsource(kind))


@pytest.mark.parametrize(("name", "parameters", "reason"), FUNCTIONS)
def test_a_function_takes_what_it_is_given(name: str, parameters: str, reason: str) -> None:
    function = found(name)
    assert function is not None, changed(name, reason)
    assert {*parameters.split()} <= {*inspect.signature(function).parameters}, changed(name, reason)


def test_the_answer_about_the_gateway_has_three_parts() -> None:
    name = "discord.http.HTTPClient.get_bot_gateway"
    answer = str(inspect.signature(found(name)).return_annotation)
    assert answer.startswith("Tuple[int, str, "), changed(name, CONNECTS)


@pytest.mark.parametrize(("name", "attributes", "reason"), ATTRIBUTES)
def test_a_class_has_its_attributes(name: str, attributes: str, reason: str) -> None:
    kind = found(name)
    assert kind is not None, changed(name, reason)
    for each in attributes.split():
        is_set = re.search(rf"(self\.|^    ){each}\b[^=\n]*(=|:)", source(kind), re.MULTILINE)
        assert hasattr(kind, each) or is_set, changed(f"{name}.{each}", reason)


def test_every_private_name_that_is_used_is_named_here() -> None:
    text = Path(PRIVATE).read_text(encoding="utf-8")
    own = {"_note_message", "_mend_requests"}
    used = {name for name in re.findall(r"\b_[a-z]\w*", text) if name not in own}
    named = {name.rpartition(".")[2] for name, *_ in FUNCTIONS} | {
        each for _, attributes, _ in ATTRIBUTES for each in attributes.split()
    }
    assert used <= named


def test_no_class_of_ours_uses_or_hides_a_private_name_of_discord_py() -> None:
    """A class that is built on one of discord.py's shares its `self`, so even a name of our own may be one of its."""
    clashes = [
        (f"{kind.__module__}.{kind.__name__}", name)
        for kind in built_on_discord_py()
        for name in sorted(names_on_self(kind) & private_names_of_bases(kind))
    ]
    assert clashes == [], f"use a name of {PRIVATE}, or another name of your own"


def built_on_discord_py() -> Iterator[type]:
    """Yield the classes of `bot` and `cogs`, except those of `private`, that have a base class of discord.py's."""
    for package in ("bot", "cogs"):
        for each in pkgutil.walk_packages(import_module(package).__path__, f"{package}."):
            if each.name.endswith("__main__") or each.name == "bot.gateway.private":
                continue
            for kind in vars(import_module(each.name)).values():
                if inspect.isclass(kind) and kind.__module__ == each.name and source(kind):
                    yield kind


def names_on_self(kind: type) -> set[str]:
    """Return the private names that a class defines, or touches on `self`, `cls` or `super()`."""
    tree = ast.parse(_own_source(kind))
    touched = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) in ("self", "cls", "super()")
    }
    return {name for name in touched | {*vars(kind)} if re.match("_[a-z]", name)}


def private_names_of_bases(kind: type) -> set[str]:
    return {*re.findall(r"(?:self\.|cls\.|def |^    )(_[a-z]\w*)", source(kind), re.MULTILINE)}
