"""Components as Discord returns them: with ids, default values, and links to the uploaded files."""

from collections.abc import Mapping, Sequence
from typing import Any

from sandbox.checks import Json
from sandbox.components import CONTAINER, FILE, GALLERY, SELECTS, every

_DESCRIBED: Json = {"description": None, "spoiler": False}
_DEFAULTS: Mapping[int, Json] = {
    FILE: {"spoiler": False},
    CONTAINER: {"accent_color": None, "spoiler": False},
    **{kind: {"min_values": 1, "max_values": 1} for kind in SELECTS},
}


def components(raw: Sequence[Mapping[str, Any]], attachments: Sequence[Json] = ()) -> list[Json]:
    """Return the components of a message with these attachments, or of a modal."""
    rendered: list[Json] = _linked(raw, _links(attachments))
    found = every(rendered)
    taken = {each["id"] for each in found if each.get("id")}
    free = (number for number in range(1, 1000) if number not in taken)
    for each in found:
        each["id"] = each.get("id") or next(free)
        _complete(each, attachments)
    return rendered


def _complete(component: Json, attachments: Sequence[Json]) -> None:
    for name, default in _DEFAULTS.get(component["type"], {}).items():
        component.setdefault(name, default)
    for holder in (component, *component.get("options", ())):
        if "emoji" in holder:
            # Clients may send a number, which is too large for JavaScript.
            holder["emoji"]["id"] = str(holder["emoji"]["id"])
    for value in component.get("default_values", ()):
        value["id"] = str(value["id"])  # as above
    if component["type"] == GALLERY:
        component["items"] = [_DESCRIBED | item | _media_fields(item) for item in component["items"]]
    if component["type"] == FILE and "name" not in component:
        shown = next(each for each in attachments if each["url"] == component["file"]["url"])
        component |= {"name": shown["filename"], "size": shown["size"]}


def _media_fields(picture: Json) -> Json:
    """Return the media of a picture, with the fields that a picture from elsewhere on the web lacks."""
    media = picture["media"]
    return {"media": {"id": "0", "proxy_url": media["url"], **media}}


def _links(attachments: Sequence[Json]) -> Mapping[str, Json]:
    """Return the media that replace each link to an attachment."""
    return {f"attachment://{each['filename']}": _media(each) for each in attachments}


def _media(attachment: Json) -> Json:
    fields = ("id", "url", "proxy_url", "content_type", "width", "height")
    return {name: attachment[name] for name in fields if name in attachment} | {
        "attachment_id": attachment["id"]
    }


def _linked(part: Any, links: Mapping[str, Json]) -> Any:
    """Return a copy without null fields, with links to attachments replaced by their media."""
    if isinstance(part, dict):
        copy = {name: _linked(each, links) for name, each in part.items() if each is not None}
        return copy | links.get(copy.get("url", ""), {})
    return [_linked(each, links) for each in part] if isinstance(part, list) else part
