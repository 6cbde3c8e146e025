"""Choices in selects and entries in modals, as a client sends them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sandbox.answer import Impossible, Modal
from sandbox.checks import Json
from sandbox.components import (
    CHANNEL_SELECT,
    CHECKBOX,
    CHECKBOX_GROUP,
    LABEL,
    MENTIONABLE_SELECT,
    RADIO_GROUP,
    ROLE_SELECT,
    ROW,
    SELECTS,
    STRING_SELECT,
    TEXT_DISPLAY,
    TEXT_INPUT,
    USER_SELECT,
)
from sandbox.entities import CHANNELS, ROLES, USERS, resolve
from sandbox.members import User
from sandbox.world import Channel

ENTITIES = {
    USER_SELECT: (USERS,),
    ROLE_SELECT: (ROLES,),
    MENTIONABLE_SELECT: (USERS, ROLES),
    CHANNEL_SELECT: (CHANNELS,),
}
"""Kinds of things that these selects offer."""


def picked(user: User, channel: Channel, select: Json, picks: Sequence[Any]) -> Json:
    """Return the data of choosing `picks` in a select: values; or users, roles and channels, or their ids."""
    if select.get("disabled"):
        raise Impossible(f"{user.name} cannot choose there: it is disabled.")
    _check_number(picks, select.get("min_values", 1), select.get("max_values", 1))
    if select["type"] == STRING_SELECT:
        return {"values": _options(select, picks)}
    resolved: Json = {}
    kinds = ENTITIES[select["type"]]
    values = _distinct([resolve(pick, select, kinds, channel, resolved) for pick in picks])
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
    for top, field in _fields(modal):
        label = top.get("label") if top["type"] == LABEL else field.get("label")
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
    resolved: Json = {}
    components = []
    for top in modal.body["components"]:
        if top["type"] == TEXT_DISPLAY:
            components.append({"type": TEXT_DISPLAY, "id": top["id"]})
            continue
        field = _field(top)
        sent = {"type": field["type"], "id": field["id"], "custom_id": field["custom_id"]}
        sent |= _entered(user, modal.interaction.channel, field, entries.get(field["custom_id"]), resolved)
        inner = {"components": [sent]} if top["type"] == ROW else {"component": sent}
        components.append({"type": top["type"], "id": top["id"], **inner})
    return {"custom_id": modal.custom_id, "components": components} | (
        {"resolved": resolved} if resolved else {}
    )


def _fields(modal: Modal) -> Iterator[tuple[Json, Json]]:
    """Yield every input of a modal, each preceded by the component that contains it."""
    return ((top, _field(top)) for top in modal.body["components"] if top["type"] != TEXT_DISPLAY)


def _field(top: Json) -> Json:
    inner: Json = top["components"][0] if top["type"] == ROW else top["component"]
    return inner


def _entered(user: User, channel: Channel, field: Json, entry: Any, resolved: Json) -> Json:
    kind = field["type"]
    if kind == TEXT_INPUT:
        return {"value": _text(field, entry)}
    if kind in SELECTS:
        return _selected(user, channel, field, entry, resolved)
    if kind == CHECKBOX:
        return {"value": bool(field.get("default") if entry is None else entry)}
    if kind == RADIO_GROUP:
        return {"value": _radio(field, entry)}
    if kind == CHECKBOX_GROUP:
        return {"values": _checked(field, _defaults(field) if entry is None else entry)}
    raise Impossible(f"The sandbox's people cannot fill in components of type {kind} yet.")


def _text(field: Json, entry: Any) -> str:
    text = str(field.get("value") or "" if entry is None else entry)
    least, most = field.get("min_length", 0), field.get("max_length", 4000)
    if not text and field.get("required") is not False:
        raise Impossible(f"{field['custom_id']!r} must be filled in.")
    if text and not least <= len(text) <= most:
        raise Impossible(f"{field['custom_id']!r} takes {least} to {most} characters, not {len(text)}.")
    return text


def _selected(user: User, channel: Channel, field: Json, entry: Any, resolved: Json) -> Json:
    picks = _defaults(field) if entry is None else entry
    picks = [picks] if isinstance(picks, str) else list(picks)
    if not picks and field.get("required") is False:
        return {"values": []}
    data = picked(user, channel, field, picks)
    resolved.update(data.pop("resolved", {}))
    return data


def _checked(group: Json, picks: Sequence[Any]) -> list[str]:
    if picks or group.get("required") is not False:
        _check_number(picks, group.get("min_values", 1), group.get("max_values", len(group["options"])))
    return _options(group, picks)


def _radio(field: Json, entry: Any) -> str | None:
    chosen = next(iter(_defaults(field)), None) if entry is None else entry
    if chosen is None and field.get("required") is not False:
        raise Impossible(f"One of {[each['label'] for each in field['options']]} must be chosen.")
    return None if chosen is None else _option(field, chosen)


def _defaults(field: Json) -> list[str]:
    return [option["value"] for option in field.get("options") or () if option.get("default")]
