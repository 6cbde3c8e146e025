"""Drawing ahead: the sprites of a game are made while people join a table, before anybody waits for a picture.

A first picture takes a quarter of a second of a processor and more, a later one a hundredth.
"""

import asyncio
from collections.abc import Mapping

from bot.match.tables import Tables
from bot.messages.game_ui import GameUI
from bot.pictures.worker_client import WorkerClient


class Rehearsals:
    """The games whose sprites were made, or are being made. Others take no memory in the rasterizer."""

    def __init__(self, tables: Tables, uis: Mapping[str, GameUI], rasterizer: WorkerClient) -> None:
        self._rasterizer = rasterizer
        self._uis = uis
        self._begun: dict[str, asyncio.Task[None]] = {}
        """By slug."""
        tables.on_change.append(lambda table: self.begin(table.match.game))

    def begin(self, game: str) -> None:
        """Let the rasterizer make the sprites of a game once, after the pictures that somebody waits for."""
        if game not in self._begun and game in self._uis:
            requests = self._uis[game].rehearsal()
            self._begun[game] = asyncio.create_task(
                self._rasterizer.prepare(requests), name=f"rehearsal-{game}"
            )

    async def close(self) -> None:
        """Stop: the bot stops."""
        for task in self._begun.values():
            task.cancel()
        await asyncio.gather(*self._begun.values(), return_exceptions=True)
