"""Components and embeds as Discord gives them back: numbered, complete, and with links to what was uploaded."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from sandbox.components import CONTAINER, FILE, GALLERY, SELECTS, SEPARATOR, THUMBNAIL, walk
from sandbox.form import Form

Json: TypeAlias = dict[str, Any]

_DESCRIBED: Json = {"description": None, "spoiler": False}
_DEFAULTS: Mapping[int, Json] = {
    THUMBNAIL: _DESCRIBED,
    FILE: {"spoiler": False},
    SEPARATOR: {"divider": True, "spacing": 1},
    CONTAINER: {"accent_color": None, "spoiler": False},
    **{kind: {"min_values": 1, "max_values": 1} for kind in SELECTS},
}


def components(raw: Sequence[Mapping[str, Any]], attachments: Sequence[Json] = ()) -> list[Json]:
    """The components of a message with these attachments, or of a modal."""
    rendered: list[Json] = _linked(raw, _links(attachments))
    every = [component for component, _ in walk(rendered, Form())]
    taken = {each["id"] for each in every if each.get("id")}
    free = (number for number in range(1, 1000) if number not in taken)
    for each in every:
        assert isinstance(each, dict)
        each["id"] = each.get("id") or next(free)
        _complete(each, attachments)
    return rendered


def embeds(raw: Sequence[Mapping[str, Any]], attachments: Sequence[Json]) -> list[Json]:
    """The embeds of a message with these attachments."""
    return [{"type": "rich", **embed} for embed in _linked(raw, _links(attachments))]


def _complete(component: Json, attachments: Sequence[Json]) -> None:
    for name, default in _DEFAULTS.get(component["type"], {}).items():
        component.setdefault(name, default)
    for holder in (component, *component.get("options", ())):
        if holder.get("emoji", {}).get("id"):
            holder["emoji"]["id"] = str(
                holder["emoji"]["id"]
            )  # clients send a number; a page could not hold it
    if component["type"] == GALLERY:
        component["items"] = [_DESCRIBED | item | _whole(item) for item in component["items"]]
    if component["type"] == THUMBNAIL:
        component |= _whole(component)
    if component["type"] == FILE and "name" not in component:
        shown = next(each for each in attachments if each["url"] == component["file"]["url"])
        component |= {"name": shown["filename"], "size": shown["size"]}


def _whole(picture: Json) -> Json:
    """The media of a picture that may lie elsewhere on the web."""
    media = picture["media"]
    return {"media": {"id": "0", "proxy_url": media["url"], **media}}


def _links(attachments: Sequence[Json]) -> Mapping[str, Json]:
    """What a link to an attachment becomes."""
    return {f"attachment://{each['filename']}": _media(each) for each in attachments}


def _media(attachment: Json) -> Json:
    fields = ("id", "url", "proxy_url", "content_type", "width", "height")
    return {name: attachment[name] for name in fields if name in attachment} | {
        "attachment_id": attachment["id"]
    }


def _linked(part: Any, links: Mapping[str, Json]) -> Any:
    """A copy without empty fields, in which links to attachments are followed."""
    if isinstance(part, Mapping):
        copy = {name: _linked(each, links) for name, each in part.items() if each is not None}
        return copy | links.get(copy.get("url", ""), {})
    return [_linked(each, links) for each in part] if isinstance(part, list) else part
