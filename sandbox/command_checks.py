"""Checks of application commands, their options and choices, written as tables."""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from sandbox.checks import (
    Check,
    Form,
    Refused,
    apply,
    boolean,
    distinct,
    integer,
    list_of,
    one_of,
    record,
    snowflake,
    text,
    union,
)

CHAT_INPUT, USER_MENU, MESSAGE_MENU = 1, 2, 3
MOST = {CHAT_INPUT: 100, USER_MENU: 15, MESSAGE_MENU: 15}
"""Commands by kind."""
TOTAL_TEXT = 8000
SUB_COMMAND, SUB_GROUP, STRING, INTEGER, BOOLEAN, USER, ROLE = 1, 2, 3, 4, 5, 6, 8
_DEVANAGARI_OR_THAI = re.compile(
    "[\u0900-\u0950\u0955-\u0963\u0966-\u097f\ua8e0-\ua8ff\u0e01-\u0e3a\u0e40-\u0e5b]"
)


# Names and descriptions.


def _name(value: Any, form: Form) -> None:
    """Check a name: 1 to 32 letters, numbers, "-", "_", "'" or characters of Devanagari and Thai, all in lower case."""
    apply(value, form, text(1, 32))
    if form.valid and (not all(map(_in_a_name, value)) or value != value.lower()):
        form.fail("APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")


def _in_a_name(character: str) -> bool:
    if character in "-_'" or unicodedata.category(character)[0] in "LN":
        return True
    return _DEVANAGARI_OR_THAI.match(character) is not None


_NAMED = {"name": _name, "description": text(1, 100)}

# Options and choices.


def _range(low: str, high: str) -> Check:
    def check_range(option: Mapping[str, Any], form: Form) -> None:
        if None not in (option.get(low), option.get(high)) and option[low] > option[high]:
            form.at(low).fail("APPLICATION_COMMAND_OPTION_RANGE", f"{low} must not be above {high}.")

    return check_range


def _choices_or_autocomplete(option: Mapping[str, Any], form: Form) -> None:
    if option.get("choices") and option.get("autocomplete"):
        message = "Options with choices cannot have autocomplete"
        form.at("autocomplete").fail("APPLICATION_COMMAND_OPTIONS_CHOICES_AUTOCOMPLETE", message)


def _options_in_order(command: Mapping[str, Any], form: Form) -> None:
    """Check that required options come first, names are distinct, and subcommands are not among other options."""
    options = command.get("options") or ()
    names = ((option["name"], form.at("options", n, "name")) for n, option in enumerate(options))
    distinct(names, "APPLICATION_COMMAND_OPTIONS_NAME_DUPLICATED", "Option names must be distinct")
    needed = [bool(option.get("required")) for option in options]
    if needed != sorted(needed, reverse=True):
        message = "Required options must be placed before non-required options"
        form.at("options").fail("APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", message)
    if len({option["type"] in (SUB_COMMAND, SUB_GROUP) for option in options}) > 1:
        message = "Sub-commands and sub-command groups cannot be mixed with other options"
        form.at("options").fail("APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", message)


def _choice(value: Check) -> Check:
    return record({"name": text(1, 100), "value": value}, {})


def _kind(kind: int, more: Mapping[str, Check], *rules: Check) -> Check:
    required = {"type": one_of(kind), **_NAMED}
    return record(required, {"required": boolean, **more}, *rules)


def _chosen(kind: int, value: Check, limits: Mapping[str, Check]) -> Check:
    """Build a check of an option whose values can be choices, autocompleted, or within two limits (lowest first)."""
    more = {"choices": list_of(_choice(value), 0, 25), "autocomplete": boolean, **limits}
    return _kind(kind, more, _choices_or_autocomplete, _range(*limits))


_CHOICE_TEXT = text(0, 100)
CHOICES = list_of(_choice(_CHOICE_TEXT), 0, 25)
"""Check of the answer to an autocomplete interaction."""
_SAFE_INTEGER = integer(-(2**53) + 1, 2**53 - 1)
_VALUES = {
    STRING: _chosen(STRING, _CHOICE_TEXT, {"min_length": integer(0, 6000), "max_length": integer(1, 6000)}),
    INTEGER: _chosen(INTEGER, _SAFE_INTEGER, {"min_value": _SAFE_INTEGER, "max_value": _SAFE_INTEGER}),
    **{kind: _kind(kind, {}) for kind in (BOOLEAN, USER, ROLE)},
}
_SUB_COMMAND = _kind(SUB_COMMAND, {"options": list_of(union(_VALUES), 0, 25)}, _options_in_order)
_SUB_GROUP = _kind(
    SUB_GROUP, {"options": list_of(union({SUB_COMMAND: _SUB_COMMAND}), 0, 25)}, _options_in_order
)
_OPTIONS = list_of(union({SUB_COMMAND: _SUB_COMMAND, SUB_GROUP: _SUB_GROUP, **_VALUES}), 0, 25)

# Commands.


def _not_too_large(command: Mapping[str, Any], form: Form) -> None:
    if _size(command) > TOTAL_TEXT:
        form.fail("APPLICATION_COMMAND_TOO_LARGE", f"Command exceeds maximum size ({TOTAL_TEXT})")


def _size(part: Mapping[str, Any]) -> int:
    """Return the number of characters in names, descriptions and string values."""
    own = sum(len(part.get(name) or "") for name in ("name", "description"))
    value = part.get("value")
    inner = [*(part.get("options") or ()), *(part.get("choices") or ())]
    return own + (len(value) if isinstance(value, str) else 0) + sum(map(_size, inner))


_SETTINGS = {
    "id": snowflake,
    "default_member_permissions": snowflake,
    "nsfw": boolean,
    "dm_permission": boolean,
    "contexts": list_of(one_of(0, 1, 2), 1, 3),
    "integration_types": list_of(one_of(0, 1), 1, 2),
}
_SLASH = record(
    _NAMED,
    {"type": one_of(CHAT_INPUT), "options": _OPTIONS, **_SETTINGS},
    _options_in_order,
    _not_too_large,
)
_MENU = record(
    {"name": text(1, 32), "type": one_of(USER_MENU, MESSAGE_MENU)},
    {"description": text(0, 0), "options": list_of(record({}, {}), 0, 0), **_SETTINGS},
)


def _one(value: Any, form: Form) -> None:
    context_menu = isinstance(value, Mapping) and value.get("type") in (USER_MENU, MESSAGE_MENU)
    (_MENU if context_menu else _SLASH)(value, form)


def all_of(commands: Any, form: Form) -> None:
    """Check all commands. Names must be distinct within a kind."""
    apply(commands, form, list_of(_one, 0, 1000), _distinct_names)


def _distinct_names(commands: Sequence[Mapping[str, Any]], form: Form) -> None:
    names = (((_kind_of(each), each["name"]), form.at(n, "name")) for n, each in enumerate(commands))
    distinct(names, "APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique")


def _kind_of(command: Mapping[str, Any]) -> int:
    return int(command.get("type") or CHAT_INPUT)


def check_number(commands: Sequence[Mapping[str, Any]]) -> None:
    """Raise Refused (30032) if there are too many commands of a kind."""
    kinds = Counter(map(_kind_of, commands))
    for kind, most in MOST.items():
        if kinds[kind] > most:
            raise Refused(400, 30032, f"Maximum number of application commands reached ({most})")
