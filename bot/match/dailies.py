"""Daily deals: the days that are open, the secret of a year, and a person's only attempt at each deal.

An attempt is a match without a place against computers. Its log, its load and its moves are those of any other match.
`bot.standings.daily` has the rules.
"""

import logging
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.match.alone import against, placeless, started
from bot.match.entries import CloseReason
from bot.match.refusal import Refusal
from bot.match.state import Player
from bot.match.table import Table
from bot.match.tables import Tables, first_entries
from bot.standings import daily
from bot.standings.daily import PastOutage
from bot.store import LATEST_DAYS, Attempt, StoreFailed
from games.advice import Strength
from games.phrases import ordinal

log = logging.getLogger(__name__)

NOT_OPEN = "The deal of that day is closed. `/daily` shows today's."
TOO_LATE = (
    "This daily deal has closed, so it stays unfinished. A deal can be finished until the next day ends (UTC). "
    "`/daily` shows today's."
)
SWEPT_AT_ONCE: Final = 20
"""Number of tables that are closed with one command, whose answer must not be late."""
STRENGTH: Strength = "steady"
"""Strength of the computers in daily deals. Its choices follow from the cards alone, without a time limit."""


@dataclass(frozen=True, slots=True)
class Results:
    """The finished attempts at the deal of a day: a person's own, and those to compare it with."""

    own: Attempt
    others: Sequence[Attempt]
    """Finished attempts of other people everywhere."""

    @property
    def percentage(self) -> int | None:
        """Percentage of the others who did worse; None with few others."""
        return daily.percentage(self.own, self.others)

    @property
    def place(self) -> str:
        """The place among all: "5th of 41 people"; "" without others."""
        better = sum(daily.merit(other) < daily.merit(self.own) for other in self.others)
        return f"{ordinal(better + 1)} of {len(self.others) + 1} people" if self.others else ""

    @property
    def compared(self) -> str:
        """The comparison in words: "ahead of 73 % of 41 others"; "" without others."""
        return daily.compared(self.own, self.others)


class Dailies:
    """The daily deals of all people."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store = tables.store
        self._swept = 0
        """The last day at which all old attempts were closed."""
        self._tried = 0
        """The match after which the next sweep begins."""

    def today(self) -> int:
        """Return the present day, UTC."""
        return daily.day_of(self._tables.clock.now())

    async def unclosed_days(self) -> dict[int, bool]:
        """Return the days whose deals can be finished, today first, each with whether it can be begun, too."""
        outages = await self._outages(self.today() - LATEST_DAYS)
        open_days = daily.open_days(self._tables.clock.now(), outages)
        days = sorted({*open_days, *(day - 1 for day in open_days)}, reverse=True)
        return {day: day in open_days for day in days if not await self.is_closed(day)}

    async def end(self, day: int) -> int:
        """Return the time in ms until which a deal can be begun."""
        return daily.ends(day, await self._outages(day))

    async def closing(self, day: int) -> int:
        """Return the time in ms until which a deal can be finished. After that it is closed everywhere."""
        return daily.closes(day, await self._outages(day))

    async def is_closed(self, day: int) -> bool:
        """Return whether nobody can play the deal any more. A deal that was found closed stays closed: people may have
        seen its cards when an outage becomes known that would make its day longer, such as one of another process."""
        key, now = f"daily closed {day}", self._tables.clock.now()
        if await self._store.fact(key) is None:
            if await self.closing(day) > now:
                return False
            await self._store.add_fact(key, str(now))
        return True

    async def secret(self, year: int) -> str:
        """Return the secret of a year in hexadecimal. It is drawn when it is first needed, and never changes."""
        key = f"daily secret {year}"
        return await self._store.fact(key) or await self._store.add_fact(key, secrets.token_hex(32))

    async def play(self, player: Player, day: int, guild: int, at: int) -> Table:
        """Return the table of the person's attempt. It is begun if there is none, and started.

        `guild` is the server on which it is begun, 0 for none. Raises Refusal when the deal is closed."""
        attempt = await self._store.attempt(player.user, day)
        if attempt is None:
            # After the look for an attempt: an erasure meanwhile is found by one of both. Before the look at the days:
            # it is forgotten once the deal is closed.
            await self.check_new(player.user, day)
            if not (await self.unclosed_days()).get(day):
                raise Refusal(NOT_OPEN)
            try:
                attempt = await self._begin(player, day, guild, at)
            except StoreFailed:  # they may have begun it by another process, or the answer was lost
                if (attempt := await self._store.attempt(player.user, day)) is None:
                    raise
        return await started(self._tables, attempt.match, at)

    async def check_new(self, user: int, day: int) -> None:
        """Raise Refusal for a person who began the deal of a day and was erased."""
        for match in await self._store.former_ids(user):
            attempt = await self._store.attempt_of(match)
            if attempt is not None and attempt.day == day:
                opens = (self.today() + 1) * daily.DAY // 1000
                raise Refusal(
                    "You began this deal before you erased yourself, and everybody has one attempt. "
                    f"The next deal opens <t:{opens}:f>."
                )

    async def check_open(self, table: Table) -> None:
        """Raise Refusal, and close the table, when it is an attempt at a deal that is closed."""
        attempt = await self._store.attempt_of(table.id) if table.match.placeless else None
        if attempt is not None and table.is_open and await self.is_closed(attempt.day):
            await table.close(CloseReason.DAY_OVER)
            raise Refusal(TOO_LATE)

    async def check_revealed(self, match: int) -> None:
        """Raise Refusal for an attempt at a deal that somebody can still play: nothing may show its hands or its seed.

        Call it before showing more of a match than its player saw, such as a replay."""
        attempt = await self._store.attempt_of(match)
        if attempt is not None and not await self.is_closed(attempt.day):
            until = await self.closing(attempt.day) // 1000
            raise Refusal(
                f"Others can still play this daily deal, so its cards are not shown yet. Try again after <t:{until}:f>."
            )

    async def results(self, own: Attempt) -> Results:
        """Return the finished attempts at the deal of `own`."""
        attempts = await self._store.attempts(own.day)
        return Results(own, [each for each in attempts if each.user != own.user and each.placing is not None])

    async def streak(self, user: int) -> int:
        """Return the number of days in a row whose deals the person has finished."""
        today, days = self.today(), await self.unclosed_days()
        pending = [day for day, is_open in days.items() if await self._is_pending(user, day, is_open=is_open)]
        return daily.streak(await self._store.finished_days(user), today, pending)

    async def _is_pending(self, user: int, day: int, *, is_open: bool) -> bool:
        """Return whether the person can still finish a deal: they have begun it, or it `is_open` to be begun."""
        attempt = await self._store.attempt(user, day)
        if attempt is None:
            return is_open
        match = await self._store.match(attempt.match)
        return match is not None and match.phase in ("lobby", "play")

    async def forget(self) -> None:
        """Have the store forget former players, except in matches in play and in deals that are not closed."""
        today = self.today()
        day = today - LATEST_DAYS
        while day < today and await self.is_closed(day):
            day += 1
        await self._store.forget_former_players(day)

    async def sweep(self) -> None:
        """Close some tables of unfinished attempts at closed deals. Log errors; the next call tries again."""
        today, after = self.today(), self._tried
        if today == self._swept:
            return
        found = await self._store.unfinished_attempts(today - 1, after, SWEPT_AT_ONCE)
        # After the last one it begins again: some may fail, or an outage keeps their deals open.
        self._tried = found[-1].match if len(found) == SWEPT_AT_ONCE else 0
        for attempt in found:
            try:
                if await self.is_closed(attempt.day):
                    await self._tables.close(attempt.match, CloseReason.DAY_OVER)
            except (Refusal, StoreFailed) as reason:
                log.warning("table %s of a closed deal could not be closed: %s", attempt.match, reason)
        if not found and not after:
            self._swept = today

    async def _begin(self, player: Player, day: int, guild: int, at: int) -> Attempt:
        terms = daily.terms_of(day)
        seed = daily.seed(await self.secret(daily.year_of(day)), day)
        players = against(player, terms.seats - 1, STRENGTH)
        match = placeless(terms.game, terms.options, seed, player.user, at)
        rows = first_entries(players, "live", practice=False, at=at, interaction=0)
        return await self._store.begin_attempt(day, guild, player.name, match, rows)

    async def _outages(self, since_day: int) -> list[PastOutage]:
        stored = [PastOutage(*each) for each in await self._store.outages(since_day * daily.DAY)]
        clock = self._tables.clock
        # What still lasts is stored when it is over, and the day is longer by it, too.
        return [*stored, PastOutage(clock.lost_since(), clock.now())]
