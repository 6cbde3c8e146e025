"""Chores: work that the bot repeats beside the play, such as packing logs, from when all servers are known."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bot.messages.expected import EXPECTED

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
        said = ""
        while True:
            try:
                await self.turn()
                said = ""
            except EXPECTED as error:
                if said != str(error):  # a database may be away for hours, and some turns are a second apart
                    log.warning("%s, which is tried again: %s", self.failing, error)
                said = str(error)
            except Exception:
                log.exception("%s, which is tried again", self.failing)
            await asyncio.sleep(self.pause)
