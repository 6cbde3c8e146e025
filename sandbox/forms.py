"""What people choose in selects and fill into modals, as a client sends it."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from sandbox.answer import Impossible, Modal
from sandbox.channels import Channel
from sandbox.components import (
    CHECKBOX,
    CHECKBOX_GROUP,
    LABEL,
    RADIO_GROUP,
    ROW,
    SELECTS,
    STRING_SELECT,
    TEXT_DISPLAY,
    TEXT_INPUT,
)
from sandbox.slash import resolve

if TYPE_CHECKING:
    from sandbox.person import Person

Json: TypeAlias = dict[str, Any]


def picked(person: "Person", channel: Channel, select: Json, picks: Sequence[Any]) -> Json:
    """The data of choosing `picks` in a select."""
    if select.get("disabled"):
        raise Impossible(f"{person.name} cannot choose there: it is disabled.")
    least, most = select.get("min_values", 1), select.get("max_values", 1)
    if not least <= len(picks) <= most:
        raise Impossible(f"{least} to {most} can be chosen there, not {len(picks)}.")
    if select["type"] == STRING_SELECT:
        return {"values": [_option(select, pick) for pick in picks]}
    resolved: Json = {}
    values = [resolve(pick, channel, resolved) for pick in picks]
    return {"values": values, "resolved": resolved}


def _option(component: Json, pick: Any) -> str:
    for option in component["options"]:
        if pick in (option["value"], option["label"]):
            return str(option["value"])
    raise Impossible(f"There is no {pick!r}; there are {[each['label'] for each in component['options']]}.")


def filled(person: "Person", modal: Modal, entries: Mapping[str, Any]) -> Json:
    """The data of submitting a modal."""
    unused = set(entries)
    resolved: Json = {}
    components = []
    for top in modal.body["components"]:
        if top["type"] == TEXT_DISPLAY:
            components.append({"type": TEXT_DISPLAY, "id": top["id"]})
            continue
        field = top["components"][0] if top["type"] == ROW else top["component"]
        name = _entry(top, field, entries)
        unused.discard(name)
        sent = {"type": field["type"], "id": field["id"], "custom_id": field["custom_id"]}
        sent |= _entered(person, modal.interaction.channel, field, entries.get(name), resolved)
        inner = {"components": [sent]} if top["type"] == ROW else {"component": sent}
        components.append({"type": top["type"], "id": top["id"], **inner})
    if unused:
        raise Impossible(f"The form {modal.title!r} has no {sorted(unused)}.")
    return {"custom_id": modal.custom_id, "components": components} | (
        {"resolved": resolved} if resolved else {}
    )


def _entry(top: Json, field: Json, entries: Mapping[str, Any]) -> str:
    """The name under which `entries` has the value of a field."""
    label = top.get("label") if top["type"] == LABEL else field.get("label")
    return str(label if label in entries else field["custom_id"])


def _entered(person: "Person", channel: Channel, field: Json, entry: Any, resolved: Json) -> Json:
    kind = field["type"]
    if kind == TEXT_INPUT:
        return {"value": _text(field, entry)}
    if kind in SELECTS:
        return _selected(person, channel, field, entry, resolved)
    if kind == CHECKBOX:
        return {"value": bool(field.get("default") if entry is None else entry)}
    if kind == RADIO_GROUP:
        return {"value": _radio(field, entry)}
    if kind == CHECKBOX_GROUP:
        return {"values": [_option(field, each) for each in (_defaults(field) if entry is None else entry)]}
    raise Impossible(f"The sandbox's people cannot fill in components of type {kind} yet.")


def _text(field: Json, entry: Any) -> str:
    text = str(field.get("value") or "" if entry is None else entry)
    least, most = field.get("min_length", 0), field.get("max_length", 4000)
    if not text and field.get("required") is not False:
        raise Impossible(f"{field['custom_id']!r} must be filled in.")
    if text and not least <= len(text) <= most:
        raise Impossible(f"{field['custom_id']!r} takes {least} to {most} characters, not {len(text)}.")
    return text


def _selected(person: "Person", channel: Channel, field: Json, entry: Any, resolved: Json) -> Json:
    picks = _defaults(field) if entry is None else entry
    picks = [picks] if isinstance(picks, str) else list(picks)
    if not picks and field.get("required") is False:
        return {"values": []}
    data = picked(person, channel, field, picks)
    resolved.update(data.pop("resolved", {}))
    return data


def _radio(field: Json, entry: Any) -> str | None:
    chosen = next(iter(_defaults(field)), None) if entry is None else entry
    if chosen is None and field.get("required") is not False:
        raise Impossible(f"One of {[each['label'] for each in field['options']]} must be chosen.")
    return None if chosen is None else _option(field, chosen)


def _defaults(field: Json) -> list[str]:
    return [option["value"] for option in field.get("options") or () if option.get("default")]
