"""One message a day about all tables that wait for a person, in place of calls."""

import logging
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Final

import discord

from bot.client import Palmhouse
from bot.error_codes import OPENING_TOO_FAST, UNREACHABLE
from bot.gateway.acting import act_for
from bot.match.announcements import turn
from bot.match.table import Table
from bot.match.waking import hour_of, is_awake, local, windows
from bot.messages.answers import may_stand
from bot.messages.custom_ids import ids_on
from bot.messages.expected import EXPECTED, Failures
from bot.messages.panel import Item, Panel, hand_button, row, text
from bot.store import Hours
from cogs.common.lookup import where
from games.phrases import counted

log = logging.getLogger(__name__)

LOOK: Final = 30.0
"""Seconds between two looks at whose message is due."""
MOST_SHOWN: Final = 7
"""Maximum number of tables in one message."""


class Digests:
    """The messages of all people who have chosen an hour for them."""

    def __init__(self, bot: Palmhouse) -> None:
        self._bot = bot
        self._failing = Failures(log)
        """By person."""

    async def send_due(self, known: Mapping[int, Hours]) -> None:
        """Send the messages that are due, each at most once a day, to those of these people who have chosen an hour."""
        act_for(0)
        self._failing.keep(known)
        # Those whose message failed come last, or they could keep all others from theirs.
        for user, hours in sorted(known.items(), key=lambda each: each[0] in self._failing.works):
            if (day := self._day_due(hours)) is None:
                self._failing.forget(user)
                continue
            try:
                await self._send(user, day)
            except Exception as error:  # nobody else shall wait for this one
                said = "a message about the tables that wait for a person is sent later"
                self._failing.note(user, said, error)
                if getattr(error, "code", 0) == OPENING_TOO_FAST:  # for the next person, too
                    return

    def _day_due(self, hours: Hours | None) -> int | None:
        """Return the day whose message is due now to a person with these hours, as its ordinal; None if none is."""
        now = self._bot.time.now()
        if hours is None or hours.digest is None or not is_awake(hours, now):
            return None
        # A late one comes only in the window of its hour: a later window has one of its own.
        begin = 0 if hours.begins is None else next(windows(hours, now))[0]
        today = local(hours, now).date()
        for day in (today, today - timedelta(days=1)):
            if hours.digested < day.toordinal() and begin <= hour_of(hours, day, hours.digest) <= now:
                return day.toordinal()
        return None

    async def _send(self, user: int, day: int) -> None:
        """Send a person their message of a day, if a table waits for them. When they take none, they are called
        again."""
        try:
            tables = await self._waiting(user)
            is_wanted = tables != [] and not await self._is_sent(user, day)
            # The messages before this one may have taken minutes, and they may want it later, or none any more.
            if self._day_due((await self._bot.store.hours([user])).get(user)) != day:
                return
            if is_wanted:
                await self.send(user, digest(self._bot, tables, user, day), f"{day}-{user % 10**12}")
            # Only now: a kill before that loses none.
            await self._bot.store.note_digest(user, day)
        except discord.HTTPException as error:
            if error.code not in UNREACHABLE:
                raise
            await self._bot.tables.set_hours(user, self._failed)

    async def _is_sent(self, user: int, day: int) -> bool:
        """Return whether a person has their message of a day: it may have been sent before a kill."""
        place = await self._bot.create_dm(discord.Object(user))
        async for message in place.history():
            if any(each.rest == _mark(day) for each in ids_on(message)):
                return True
        return False

    def _failed(self, hours: Hours | None) -> Hours | None:
        return hours and replace(hours, digest=None, undelivered=self._bot.time.now())

    async def send(self, user: int, panel: Panel, nonce: str) -> None:
        """Send a person a direct message. Raises discord.Forbidden where they take none."""
        place = await self._bot.create_dm(discord.Object(user))
        try:
            await place.send(view=panel, nonce=nonce)
        except EXPECTED as error:
            if not may_stand(error):
                raise
            await place.send(view=panel, nonce=nonce)  # the same nonce: Discord does not post it twice

    async def _waiting(self, user: int) -> list[Table]:
        """Return the tables that wait for a move of a person."""
        found = []
        for table in await self._bot.tables.loadable(self._bot.tables.seated(user)):
            seat = table.state.seat_of(user)
            if seat in table.state.awaited() and not table.state.strength_at(seat):
                found.append(table)
        return found


def hello(hour: int) -> Panel:
    """Build the message by which it is found out whether a person takes any."""
    return Panel(
        text(f"📬 Each day at {hour}:00 you read here which tables wait for you. `/hours` changes that.")
    )


def _mark(day: int) -> str:
    """Return the rest of the custom ids by which the message of a day is found again."""
    return f"d{day}"


def digest(bot: Palmhouse, tables: list[Table], user: int, day: int) -> Panel:
    """Build the message of a day about the tables that wait for a person."""
    verb = "waits" if len(tables) == 1 else "wait"
    return Panel(
        text(f"### 📬 {counted(len(tables), 'table')} {verb} for you"),
        *(item for table in tables[:MOST_SHOWN] for item in _lines(bot, table, user, day)),
        text("-# `/tables` lists all of yours, `/hours` changes when you read this."),
    )


def _lines(bot: Palmhouse, table: Table, user: int, day: int) -> list[Item]:
    live = bot.publisher.live.message(table, "table")
    name = f"{table.state.game.title} · table {table.id}"
    linked = f"[{name}]({live.jump_url})" if live else name
    turns = turn(table.state, table.state.seat_of(user))
    return [text(f"{linked} in {where(table)}\n{turns}"), row(hand_button(table.id, _mark(day)))]
