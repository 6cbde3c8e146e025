"""Present names of the members of servers, kept in memory.

Names come with every interaction. Those of other members are asked for by Get Guild Member, when a page shows them.
That needs no privileged intent.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable
from typing import Final, NamedTuple

import aiohttp
import discord

log = logging.getLogger(__name__)

FORMER_MEMBER: Final = "former member"
"""Name of everybody who has left the server."""
KEPT: Final = 86_400_000
"""Time in ms for which a name is kept."""
RETRY: Final = 600_000
"""Time in ms before a member is asked for again, after an error."""
AT_ONCE: Final = 10
"""Largest number of members that are asked for at a time, in one server."""
LIMIT: Final = 1.0
"""Seconds to wait for names. The page is then shown with the names that are known."""
MOST: Final = 20_000
"""Largest number of names that are kept."""

Fetch = Callable[[int, int], Awaitable[str]]
"""Function that asks Discord for the name of a member, by guild and user."""


class _Known(NamedTuple):
    name: str | None
    """None after an error."""
    until: int


class MemberNames:
    """The names by guild and user. `fetch` raises discord.NotFound for somebody who is no member."""

    def __init__(self, fetch: Fetch, now: Callable[[], int]) -> None:
        self._fetch = fetch
        self._now = now
        self._names: OrderedDict[tuple[int, int], _Known] = OrderedDict()
        self._asking: dict[tuple[int, int], asyncio.Task[None]] = {}
        """Requests under way, by guild and user."""

    def learn(self, guild: int, user: int, name: str) -> None:
        """Keep the present name of a member."""
        self._keep(guild, user, name, KEPT)

    def known(self, guild: int, users: Iterable[int]) -> dict[int, str]:
        """Return the names that are kept of these people: FORMER_MEMBER for those who have left."""
        found = {user: self._fresh(guild, user) for user in users}
        return {user: kept.name for user, kept in found.items() if kept and kept.name is not None}

    async def refresh(self, guild: int, users: Iterable[int]) -> None:
        """Ask for names of people that are not kept, and wait LIMIT seconds at most."""
        # While Discord is slow for this guild, nobody else is asked for.
        if any(each == guild for each, _ in self._asking):
            return
        # Ids of erased people are negative.
        wanted = [user for user in users if user > 0 and not self._fresh(guild, user)][:AT_ONCE]
        asked = [asyncio.create_task(self._ask(guild, user), name="member name") for user in wanted]
        self._asking |= {(guild, user): task for user, task in zip(wanted, asked, strict=True)}
        if asked:
            # The tasks are not cancelled: discord.py would then keep all requests of the bot waiting for ever, if the
            # answer was the global rate limit. What arrives late is shown on the next page.
            await asyncio.wait(asked, timeout=LIMIT)

    async def close(self) -> None:
        """Stop asking."""
        tasks = [*self._asking.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _ask(self, guild: int, user: int) -> None:
        name: str | None = FORMER_MEMBER
        try:
            name = await self._fetch(guild, user)
        except discord.NotFound:
            pass
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            log.info("the name of a member could not be read: %s", error)
            name = None
        finally:
            self._asking.pop((guild, user), None)
        if not self._fresh(guild, user):  # else the member has acted meanwhile
            self._keep(guild, user, name, RETRY if name is None else KEPT)

    def _keep(self, guild: int, user: int, name: str | None, ms: int) -> None:
        self._names[guild, user] = _Known(name, self._now() + ms)
        self._names.move_to_end((guild, user))
        while len(self._names) > MOST:
            self._names.popitem(last=False)

    def _fresh(self, guild: int, user: int) -> _Known | None:
        kept = self._names.get((guild, user))
        return kept if kept and kept.until > self._now() else None
