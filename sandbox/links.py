"""Links to attachments: signed in every payload, and valid for a day."""

import hmac
from collections.abc import Mapping
from secrets import token_bytes
from typing import Any

from sandbox.checks import Json
from sandbox.clock import Clock

LIFE = 24 * 3600
STEP = 3600
"""Seconds for which links do not change: a page need not load its pictures again and again."""


class Links:
    """Signs links to attachments, and checks them by a clock."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._key = token_bytes(32)

    def signed(self, body: Json) -> Json:
        """Return a message's body with links to its attachments that work for a day from now."""
        links = {each["url"]: each["url"] + self._query(each["id"]) for each in body["attachments"]}
        copy: Json = _replaced(body, links) if links else body
        return copy

    def is_valid(self, id_: str, query: Mapping[str, str]) -> bool:
        """Return whether the query of a link to the attachment `id_` is signed and not too old."""
        end = query.get("ex", "")
        if not hmac.compare_digest(query.get("hm", ""), self._signature(id_, end)):
            return False
        return self._clock.now() < int(end, 16)

    def _query(self, id_: str) -> str:
        begin = int(self._clock.now()) // STEP * STEP
        end = f"{begin + STEP + LIFE:x}"
        return f"?ex={end}&is={begin:x}&hm={self._signature(id_, end)}&"

    def _signature(self, id_: str, end: str) -> str:
        return hmac.digest(self._key, f"{id_}:{end}".encode(), "sha256").hex()


def _replaced(part: Any, links: Mapping[str, str]) -> Any:
    if isinstance(part, dict):
        return {name: _replaced(each, links) for name, each in part.items()}
    if isinstance(part, list):
        return [_replaced(each, links) for each in part]
    return links.get(part, part) if isinstance(part, str) else part
