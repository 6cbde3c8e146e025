"""Links to attachments: signed when they are told, and dead a day later."""

import hmac
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from sandbox.world import World

Json: TypeAlias = dict[str, Any]

LIFE = 24 * 3600
STEP = 3600
"""Seconds for which all links stay the same, so that a page need not load its pictures again and again."""


def signed(body: Json, world: "World") -> Json:
    """Return a message's body with links to its attachments that work for a day from now."""
    links = {each["url"]: each["url"] + _query(world, each["id"]) for each in body["attachments"]}
    told: Json = _replaced(body, links) if links else body
    return told


def is_alive(world: "World", id_: str, query: Mapping[str, str]) -> bool:
    """Return whether a link to the attachment `id_` is signed and not too old."""
    end = query.get("ex", "")
    if not hmac.compare_digest(query.get("hm", ""), _signature(world, id_, end)):
        return False
    return world.clock.now() < int(end, 16)


def _query(world: "World", id_: str) -> str:
    begin = int(world.clock.now()) // STEP * STEP
    end = f"{begin + STEP + LIFE:x}"
    return f"?ex={end}&is={begin:x}&hm={_signature(world, id_, end)}&"


def _signature(world: "World", id_: str, end: str) -> str:
    return hmac.digest(world.secret, f"{id_}:{end}".encode(), "sha256").hex()


def _replaced(part: Any, links: Mapping[str, str]) -> Any:
    if isinstance(part, dict):
        return {name: _replaced(each, links) for name, each in part.items()}
    if isinstance(part, list):
        return [_replaced(each, links) for each in part]
    return links.get(part, part) if isinstance(part, str) else part
