"""Chores: work that the bot repeats beside the play, such as packing logs, from when all servers are known."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bot.messages.expected import Failures

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Chore:
    """One kind of such work. Each turn does what is left, so an error only means that it is done later."""

    name: str
    turn: Callable[[], Awaitable[object]]
    pause: float
    """Seconds after each turn."""
    failing: str
    """The words logged with an error: "logs of matches could not be packed"."""

    async def run(self) -> None:
        """Repeat the work until cancelled."""
        failures = Failures(log)
        while True:
            try:
                await self.turn()
                failures.forget(0)
            except Exception as error:
                failures.note(0, f"{self.failing}, which is tried again", error)
            await asyncio.sleep(self.pause)
