"""The checks of a room, in order."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from sandbox import Thread
from sandbox.posting import delete
from tests.rooms import nights
from tests.rooms.faults import Faults
from tests.rooms.laws import RUNNING, STOPPED, Law, faults_of_messages, title, untouched
from tests.rooms.room import FollowedTable, Room
from tests.rooms.screens import Screens

TO_SETTLE = 150.0
"""Seconds within which the bot must have posted everything after the last fault. It waits up to a minute to retry."""
AT_ONCE = 10
"""Number of matches whose messages are checked together while people play."""


@dataclass
class Check:
    """A law, and what was seen against it."""

    title: str
    violations: list[str] = field(default_factory=list)


class Proof:
    """All checks of one room, in order."""

    def __init__(
        self,
        room: Room,
        faults: Faults,
        screens: Screens,
        laws: Sequence[Law] = (),
        at_rest: Sequence[Law] = (),
    ) -> None:
        """`laws`: further ones that must hold while the bot runs. `at_rest`: those that must hold while people play."""
        self.room = room
        self.faults = faults
        self.screens = screens
        self.checks: list[Check] = []
        self._running = [*RUNNING, *laws]
        self._at_rest = at_rest

    def add(self, title: str, violations: Sequence[str]) -> None:
        """Add a check."""
        self.checks.append(Check(title, [*violations]))

    async def check_some(self) -> None:
        """Check tables at rest, and the messages of a few matches that are over, so that little is left for the end."""
        for law in self._at_rest:
            self.room.errors += [f"{title(law)}: {each}" for each in await law(self.room)]
        self.room.poll(all_=True)
        over = [each for each in untouched(self.room) if not each.is_open and each.messages < 0]
        for table in [each for each in over if each.match.published == each.state.n][:AT_ONCE]:
            await asyncio.sleep(0)
            place = self.room.channel(table.place)
            if not faults_of_messages(self.room, table) and isinstance(place, Thread):
                place.archive()  # as Discord does after a day; else the servers would have thousands of threads

    async def check_running(self, stuck: Sequence[FollowedTable]) -> None:
        """Check what must hold while the bot runs after the last fault. `stuck`: tables where nobody could move."""
        wrong = [f"match {table.id} ({table.match.game}) did not" for table in stuck]
        self.add("after the faults each open match went on", wrong)
        self.add("and each night to its end", await nights.to_their_ends(self.room))
        if await self._check_settled("") and await self._check_settled_without_boards():
            await self.faults.restart()
            await self._check_settled(", and after a last kill and start")

    async def _check_settled_without_boards(self) -> bool:
        """Delete all boards. Nothing else happens, so an edit for another reason does not bring them back."""
        for each in self.room.boards():
            delete(each)
        return await self._check_settled(", and after all boards were deleted")

    async def _check_settled(self, when: str) -> bool:
        """Wait until the laws hold. Those that do not in time are violated. Return whether all hold."""
        loop = asyncio.get_running_loop()
        end = loop.time() + TO_SETTLE
        while (broken := await self._broken_law()) and loop.time() <= end:  # noqa: ASYNC110 - nothing tells it
            await asyncio.sleep(1)
        found = {law: await law(self.room) for law in self._running} if broken else {}
        for law in self._running:
            self.add(title(law) + when, found.get(law, ()))
        return not any(found.values())

    async def _broken_law(self) -> Law | None:
        """Return a law that does not hold yet. The next look begins with it, as it is the likeliest not to hold."""
        self.room.poll(all_=True)
        for at, law in enumerate(self._running):
            if await law(self.room):
                self._running.insert(0, self._running.pop(at))
                return law
        return None

    async def check_stopped(self) -> None:
        """Check the database, the log and all that was counted, after the bot was stopped."""
        self.room.count_answers(all_=True)
        for law in STOPPED:
            self.add(title(law), await law(self.room))
