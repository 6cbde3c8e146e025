"""The router's own rules."""

from typing import Any

import pytest

from bot.messages.router import Click, Router


async def nothing(_interaction: Any, _click: Click) -> None: ...


def test_a_verb_is_registered_once() -> None:
    router = Router()
    router.add("join", nothing)
    with pytest.raises(ValueError, match="'join' has a route already"):
        router.add("join", nothing)
