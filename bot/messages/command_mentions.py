"""Commands that texts name, as mentions that a person can tap instead of typing."""

import re
from collections.abc import Mapping
from typing import Final, TypeAlias

CommandIds: TypeAlias = Mapping[str, int]
"""The ids that Discord has given to the commands, by full name: "table leave". Empty until they are registered."""

_NAMED: Final = re.compile(r"`/([a-z-]+(?: [a-z-]+)*)`")


def tappable(content: str, ids: CommandIds) -> str:
    """Return a text with each command that it names as a mention. One without an id, or with options, stays."""

    def mention(found: re.Match[str]) -> str:
        id_ = ids.get(found[1])
        return found[0] if id_ is None else f"</{found[1]}:{id_}>"

    return _NAMED.sub(mention, content)
