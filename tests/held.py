"""Methods that are held back, so that something else happens first."""

import asyncio
from typing import Any

import pytest


class Held:
    """The next call of an async method of `owner`: it waits for `goes_on` before it acts, or with its result (`after`).
    `begun` is set as soon as it waits."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, owner: object, name: str, *, after: bool = False
    ) -> None:
        self.begun, self.goes_on = asyncio.Event(), asyncio.Event()
        self._method, self._after = getattr(owner, name), after
        monkeypatch.setattr(owner, name, self._call)

    async def _call(self, *given: Any, **named: Any) -> Any:
        if self.begun.is_set():
            return await self._method(*given, **named)
        result = await self._method(*given, **named) if self._after else None
        self.begun.set()
        await self.goes_on.wait()
        return result if self._after else await self._method(*given, **named)
