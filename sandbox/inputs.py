"""Choices in selects and entries in modals, as a client sends them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sandbox.answer import Impossible, Modal
from sandbox.checks import Json
from sandbox.components import (
    CHANNEL_SELECT,
    ROLE_SELECT,
    STRING_SELECT,
    TEXT_DISPLAY,
    TEXT_INPUT,
)
from sandbox.entities import CHANNELS, ROLES, resolve
from sandbox.members import User
from sandbox.world import Channel

ENTITIES = {ROLE_SELECT: ROLES, CHANNEL_SELECT: CHANNELS}
"""Kinds of things that these selects offer."""


def picked(user: User, channel: Channel, select: Json, picks: Sequence[Any]) -> Json:
    """Return the data of choosing `picks` in a select: values; or roles or channels, or their ids."""
    if select.get("disabled"):
        raise Impossible(f"{user.name} cannot choose there: it is disabled.")
    _check_number(picks, select.get("min_values", 1), select.get("max_values", 1))
    if select["type"] == STRING_SELECT:
        return {"values": _options(select, picks)}
    resolved: Json = {}
    kind = ENTITIES[select["type"]]
    values = _distinct([resolve(pick, select, kind, channel, resolved) for pick in picks])
    return {"values": values, "resolved": resolved}


def _check_number(picks: Sequence[Any], least: int, most: int) -> None:
    if not least <= len(picks) <= most:
        raise Impossible(f"{least} to {most} can be chosen there, not {len(picks)}.")


def _options(component: Json, picks: Sequence[Any]) -> list[str]:
    return _distinct([_option(component, pick) for pick in picks])


def _distinct(values: list[str]) -> list[str]:
    if len(set(values)) < len(values):
        raise Impossible(f"Each can be chosen once there, not {values}.")
    return values


def _option(component: Json, pick: Any) -> str:
    values = [option["value"] for option in component["options"]]
    if pick not in values:
        raise Impossible(f"There is no {pick!r}; there are {values}.")
    return str(pick)


def by_value(component: Json, picks: Sequence[Any]) -> list[Any]:
    """Return `picks` with labels replaced by the values of their options. A pick that is a value stays, even if it is
    also the label of another option."""
    return [_value_of(component.get("options") or (), pick) for pick in picks]


def _value_of(options: Sequence[Json], pick: Any) -> Any:
    if pick in [option["value"] for option in options]:
        return pick
    return next((option["value"] for option in options if option["label"] == pick), pick)


def by_custom_id(modal: Modal, entries: Mapping[str, Any]) -> Json:
    """Return `entries` by custom id instead of label, with labels of options replaced by values."""
    found: Json = {}
    left = dict(entries)
    for label, field in _fields(modal):
        name = field["custom_id"] if field["custom_id"] in left else label
        if name in left:
            found[field["custom_id"]] = _entry_by_value(field, left.pop(name))
    return found | left


def _entry_by_value(field: Json, entry: Any) -> Any:
    several = isinstance(entry, list | tuple)
    return by_value(field, entry) if several else by_value(field, [entry])[0]


def filled(user: User, modal: Modal, entries: Mapping[str, Any]) -> Json:
    """Return the data of submitting a modal; `entries` by custom id."""
    unknown = entries.keys() - {field["custom_id"] for _, field in _fields(modal)}
    if unknown:
        raise Impossible(f"The form {modal.title!r} has no {sorted(unknown)}.")
    components = []
    for top in modal.body["components"]:
        sent: Json = {"type": top["type"], "id": top["id"]}
        if top["type"] != TEXT_DISPLAY:
            field = top["component"]
            entered = _entered(user, modal.interaction.channel, field, entries.get(field["custom_id"]))
            sent["component"] = {name: field[name] for name in ("type", "id", "custom_id")} | entered
        components.append(sent)
    return {"custom_id": modal.custom_id, "components": components}


def _fields(modal: Modal) -> Iterator[tuple[str, Json]]:
    """Yield every input of a modal, each preceded by its label."""
    labels = (top for top in modal.body["components"] if top["type"] != TEXT_DISPLAY)
    return ((top["label"], top["component"]) for top in labels)


def _entered(user: User, channel: Channel, field: Json, entry: Any) -> Json:
    if field["type"] == TEXT_INPUT:
        return {"value": _text(field, entry)}
    picks = _defaults(field) if entry is None else [entry] if isinstance(entry, str) else list(entry)
    if not picks and field.get("required") is False:
        return {"values": []}
    return picked(user, channel, field, picks)


def _text(field: Json, entry: Any) -> str:
    text = str(field.get("value") or "" if entry is None else entry)
    least, most = field.get("min_length", 0), field.get("max_length", 4000)
    if not text and field.get("required") is not False:
        raise Impossible(f"{field['custom_id']!r} must be filled in.")
    if text and not least <= len(text) <= most:
        raise Impossible(f"{field['custom_id']!r} takes {least} to {most} characters, not {len(text)}.")
    return text


def _defaults(field: Json) -> list[str]:
    return [option["value"] for option in field["options"] if option.get("default")]
