"""Answering a person's clicks one after the other: each answer shows what is stored then, so the last one is right."""

import asyncio
from weakref import WeakValueDictionary

from bot.messages.router import Click, Route
from cogs.common.lookup import Interaction


class OneByOne:
    """Lets a person's clicks on its routes wait for each other. Discord may be slow, so these must be able to wait."""

    def __init__(self) -> None:
        self._turns = WeakValueDictionary[int, asyncio.Lock]()
        """By user."""

    def __call__(self, route: Route) -> Route:
        async def answer(interaction: Interaction, click: Click) -> None:
            async with self._turns.setdefault(interaction.user.id, asyncio.Lock()):
                await route(interaction, click)

        return answer
