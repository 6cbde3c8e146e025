"""Game nights: planning one, who comes, and its rounds. A night is rows, and `Nights.step` takes it one step further.

A step begins with what is stored and ends with one transaction, so a night goes on after a kill at any moment. In a
round all tables have the same deal: their seed follows from a secret of the night, the hash of which is told when it is
announced. `bot.standings.seating` has the rules of who meets whom, `bot.standings.night` those of the points.

The matches are ordinary ones: who is absent is replaced by a computer, and their results and ratings count. Who leaves
a match, or is away at its end, has left the night, and may come back to the next round.
"""

import asyncio
import json
import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from typing import Final
from weakref import WeakValueDictionary

from bot.match.deadlines import TABLE, alone, idle
from bot.match.entries import Close, CloseReason
from bot.match.log import read
from bot.match.night_rows import MINUTE, people_at, present, rounds_of, seed, sizes, terms
from bot.match.refusal import Refusal
from bot.match.results import compared
from bot.match.seats import come_back, named
from bot.match.state import Player
from bot.match.table import Table
from bot.match.tables import Tables
from bot.match.waking import week_later
from bot.standings.night import NightRow, standings, totals
from bot.standings.seating import seat_all, why
from bot.store import (
    HAS_LEFT,
    WAS_AWAY,
    NewMatch,
    NewNight,
    Night,
    NightSeat,
    NightTableRow,
    StoreFailed,
)
from bot.store.seeds import digest
from games import AnyGame, Options
from games.strategies import strategy_of

log = logging.getLogger(__name__)

HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR
WEEK: Final = 7 * DAY
FEWEST: Final = 2
"""Number of people without whom no round begins."""
MOST: Final = 200
"""Maximum number of people who come."""
FARTHEST: Final = 366 * DAY
"""Ms from which on nothing is planned ahead."""
APART: Final = 4 * HOUR
"""Ms between the beginnings of two nights of a server."""
LATE: Final = 2 * HOUR
"""Ms after its time within which a round still begins, as after an outage."""
PATIENCE: Final = 3
"""A table where nobody else is kept waiting closes after this many times the time for a move."""
AT_ONCE: Final = 3
"""Number of tables that one step opens. Discord lets a bot post about one card a second in a channel, and the time for
the first move shall not pass before a table can be seen."""

NO_SUCH_NIGHT: Final = (
    "That game night is over, or was cancelled. People who manage tables can plan another one."
)


class Nights:
    """The game nights of all servers."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store = tables.store
        self.on_open: Callable[[Table], None] = lambda _: None
        """Called with each new table before its match begins."""
        self._locks = WeakValueDictionary[int, asyncio.Lock]()
        """By night: held by each step, and by whoever comes or leaves, so that none of them goes by what is past."""

    def _lock(self, night: Night) -> asyncio.Lock:
        return self._locks.setdefault(night.id, asyncio.Lock())

    # Planning

    async def plan(
        self,
        guild: int,
        channel: int,
        host: int,
        starts: int,
        games: Sequence[tuple[AnyGame, Options]],
        *,
        rounds: int,
        weekly: bool = False,
    ) -> Night:
        """Plan a night. Raises Refusal for a bad time, and for a game that is played together."""
        now = self._tables.clock.now()
        if starts <= now:
            raise Refusal("That time is past. Choose a later one.")
        if starts > now + FARTHEST:
            raise Refusal("A game night can be planned up to a year ahead. Choose an earlier time.")
        for game, options in games:
            if not sizes(game, options):
                raise Refusal(
                    f"In this mode of {game.title} everybody plays together, so nobody can win a night. Choose another."
                )
        chosen = [[game.slug, options.model_dump(mode="json")] for game, options in games]
        new = NewNight(
            guild, channel, host, starts, int(weekly), json.dumps(chosen), rounds, self._new_secret()
        )
        night = await self._store.plan_night(new, APART)
        if night is None:
            raise Refusal(
                f"Another game night here, or a week in which one is repeated, begins less than {APART // HOUR} hours "
                "before or after that. Choose another time, or cancel the other one: its message has `More`."
            )
        return night

    def _new_secret(self) -> str:
        return digest(self._tables.new_seed())

    async def get(self, night: int, guild: int) -> Night:
        """Return a night of a server. Raises Refusal if there is no such night, or if it is over."""
        found = await self._store.night(night)
        if found is None or found.guild != guild or found.phase in ("over", "off"):
            raise Refusal(NO_SUCH_NIGHT)
        return found

    async def come(self, night: Night, user: int, name: str) -> tuple[Night, NightTableRow | None]:
        """Keep that a person comes; while a night is on, to its next round. Whoever has a table in this one has their
        seat there back. Return the night as it is, and that table. Raises Refusal when too many come, and when it is
        too late."""
        async with self._lock(night):
            night = await self.get(night.id, night.guild)
            row, table = await self._place_of(night, user)
            if table is not None and table.state.seat_of(user) not in table.state.present():
                try:
                    await come_back(table, user, self._tables.clock.now())
                except Refusal:  # the match has just ended: kept now, as they count as away at its end
                    row, _ = await self._place_of(night, user)
                    if row is not None:
                        raise
            if row is None and night.round == night.rounds:
                raise Refusal("The last round has begun, so nobody gets a seat any more.")
            if not await self._store.come(night.id, user, name, MOST):
                raise Refusal(f"{MOST} people come already, and there is room for no more.")
        return night, row

    async def go(self, night: Night, user: int) -> tuple[Night, NightTableRow | None] | None:
        """Keep that a person does not come, or leaves. Return the night as it is, and the table at which a computer
        plays on in their seat; None if they did not come."""
        async with self._lock(night):
            night = await self.get(night.id, night.guild)
            row, table = await self._place_of(night, user)
            if table is not None:
                await table.begin()  # a kill may have come before that
                with suppress(Refusal):  # they have left it already
                    await table.leave(user, self._tables.clock.now())
                row = row if table.is_open else None  # nobody else may be there
            return (night, row) if await self._store.go(night.id, user) else None

    async def cancel(self, night: Night) -> bool:
        """Cancel a night; if it is on, end it without the round that is played. Return False if it has gone on
        meanwhile."""
        # Its matches go on: they are rated, and who cancels may be losing one.
        async with self._lock(night):
            return await self._store.end_night(night, "over" if night.round else "off", "cancelled")

    # Looking

    async def _round(self, night: Night) -> list[NightTableRow]:
        """Return the tables of the round that is played, or was played last."""
        return [each for each in await self._store.night_tables(night.id) if each.round == night.round]

    async def _place_of(self, night: Night, user: int) -> tuple[NightTableRow | None, Table | None]:
        """Return where a person sits, or has left their seat, in the round that is played. There is no Table before
        the first deal, and neither once the match is over."""
        for row in await self._round(night) if night.phase == "round" else ():
            if row.closed or user not in people_at(row):
                continue
            table = None if row.match is None else await self._tables.get(row.match)
            if table is not None and not table.is_open:
                await self._keep(row, table)  # at once, as who was away at its end has left the night
            elif table is None or user in table.state.held or table.state.seat_of(user) is not None:
                return row, table
        return None, None

    async def standings(self, night: Night) -> list[NightRow]:
        """Return the standings after the rounds that are over, most points first."""
        return standings(rounds_of(await self._store.night_tables(night.id)))

    async def check_revealed(self, match: int) -> None:
        """Raise Refusal while others play the same deal: nothing may show its hands or its seed.

        Call it before showing more of a match than its player saw, such as a replay."""
        if await self.is_still_played(match):
            raise Refusal(
                f"Other tables of this game night still play the deal of match {match}, so its cards are not shown "
                "yet. Try again when the round is over."
            )

    async def check_watching(self, match: int, user: int) -> None:
        """Raise Refusal for somebody who plays, or is about to play, the deal of a match at another table."""
        found = await self._store.night_of(match)
        for row in await self._round(found[0]) if found else ():
            if user in people_at(row) and row.match != match and await self._is_on(row):
                own = f"table {row.match}" if row.match else "a table that opens in a moment"
                raise Refusal(f"You play the same deal at {own}. Watch this one when your match is over.")

    async def check_rematch(self, match: int) -> None:
        """Raise Refusal before the last round: the next one needs the people for whom a rematch keeps seats."""
        found = await self._store.night_of(match)
        if found and found[0].phase in ("round", "pause") and found[0].round < found[0].rounds:
            raise Refusal(
                f"The game night in <#{found[0].channel}> goes on, and its next round seats you. Press "
                "`Rematch` when the night is over."
            )

    async def _is_on(self, row: NightTableRow) -> bool:
        """Return whether a table of a round is played, or is about to be."""
        if row.match is not None:
            return not row.closed and (await self._tables.get(row.match)).is_open
        night = await self._store.night(row.night)
        return not row.closed and night is not None and night.phase == "round"

    async def is_still_played(self, match: int) -> bool:
        """Return whether the deal of a match is still played at other tables of its game night."""
        found = await self._store.night_of(match)
        return found is not None and await self._store.is_round_played(found[0].id, found[1])

    # Going on

    async def step(self, night: Night) -> None:
        """Take a night as far as it goes now. Raises StoreFailed."""
        async with self._lock(night):
            if (now := await self._store.night(night.id)) is not None:
                await self._step(now)

    async def _step(self, night: Night) -> None:
        now = self._tables.clock.now()
        match night.phase:
            case "planned" | "pause" if now > night.due + LATE:
                reason = "busy" if await self._is_another_on(night) else "late"
                await self._end(night, reason, await self._next_week(night))
            case "planned" | "pause" if now >= night.due:
                await self._next_round(night)
            case "round":
                await self._play(night)
            case "over":
                await self._close_lobbies(night)

    async def _next_round(self, night: Night) -> None:
        if await self._is_another_on(night):
            return
        people = present(await self._store.night_people(night.id))
        chosen = terms(night, night.round + 1)
        if len(people) < FEWEST:
            # Where nobody comes, nothing shall be announced each week.
            reason, after = ("left", await self._next_week(night)) if night.round else ("few", None)
            await self._end(night, reason, after)
        elif chosen is None:
            await self._end(night, "rules")
        else:
            await self._begin_round(night, people, *chosen)

    async def _is_another_on(self, night: Night) -> bool:
        """Return whether another night of the server is on: a night that goes on for long lets the next one wait."""
        other = await self._store.next_night(night.guild)
        return other is not None and other.id != night.id and other.round > 0

    async def _end(self, night: Night, reason: str, after: NewNight | None = None) -> None:
        await self._store.end_night(night, "over" if night.round else "off", reason, after)

    async def _close_lobbies(self, night: Night) -> None:
        """Close the tables of a cancelled night that had not begun: nobody can leave these. Matches in play go on."""
        for row in await self._round(night):
            match = None if row.match is None else await self._store.match(row.match)
            if match is not None and match.phase == "lobby":
                with suppress(Refusal):  # it cannot be loaded any more
                    await self._tables.close(match.id, CloseReason.ROUND_OVER)

    async def _begin_round(
        self, night: Night, people: Collection[int], game: AnyGame, options: Options
    ) -> None:
        tables = await self._store.night_tables(night.id)
        before = [people_at(table) for table in tables]
        points = totals(rounds_of(tables), people)
        lot = f"{night.secret}|seating|{night.round + 1}"
        seated = seat_all(people, sizes(game, options), before, points, lot)
        reasons = [why(each, before, points) for each in seated]
        await self._store.begin_round(night, list(zip(seated, reasons, strict=True)))

    async def _play(self, night: Night) -> None:
        """Open what is not open, keep what has ended, and end the round when all has."""
        rows = [row for row in await self._round(night) if not row.closed]
        names = present(await self._store.night_people(night.id))
        waiting = [row for row in rows if row.match is None]
        for row in rows:
            if row not in waiting[AT_ONCE:]:
                await self._play_table(night, row, names)
        if not all(row.closed for row in await self._round(night)):
            return
        if night.round < night.rounds:
            pause = self._tables.clock.times.between_rounds
            await self._store.pause_night(night, self._tables.clock.now() + pause)
        else:
            await self._store.end_night(night, "over", "", await self._next_week(night))

    async def _next_week(self, night: Night) -> NewNight | None:
        """Return the night a week later, if one is to follow: by the clock of whoever planned it, if they have named
        their time zone."""
        if not night.weekly:
            return None
        hours = (await self._store.hours([night.host])).get(night.host)
        starts = week_later(hours, night.starts)
        while starts <= self._tables.clock.now():
            starts = week_later(hours, starts)
        return NewNight(*night[1:8], secret=self._new_secret())._replace(starts=starts)

    async def _play_table(self, night: Night, row: NightTableRow, names: Mapping[int, str]) -> None:
        try:
            if row.match is None:
                await (await self._open(night, row, names)).begin()
                return
            table = await self._tables.get(row.match)
            await table.begin()
            await self._hurry(night, table)
            if not table.is_open:
                await self._keep(row, table)
        except Refusal as reason:  # it cannot be loaded any more
            if self._tables.owns(night.guild):  # else the process that runs it now goes on with it
                log.warning("night %d: match %s gives no result: %s", night.id, row.match, reason)
                await self._store.close_night_table(row, None, row.seats, {})
        except StoreFailed:
            raise
        except Exception:  # the other tables shall go on
            log.exception("night %d: match %s", night.id, row.match)

    async def _open(self, night: Night, row: NightTableRow, names: Mapping[int, str]) -> Table:
        chosen = terms(night, night.round)
        if chosen is None:
            raise Refusal("The rules of its game have changed.")
        game, options = chosen
        players: list[Player] = []
        for user in people_at(row):
            if user is not None and user in names:
                players.append(Player(user, names[user]))
            else:
                players.append(Player(0, named([each.name for each in players]), "steady"))
        host = next((each.user for each in players if each.user), 0)
        if not host:
            raise Refusal("Nobody of those who were to sit there has stayed.")
        match = NewMatch(
            game.slug,
            game.version,
            options.model_dump_json(),
            seed(night, night.round, game),
            night.guild,
            night.channel,
            host,
            now := self._tables.clock.now(),
        )
        # The round's time begins with its last table. An outage moves it from then on, as it does their deadlines.
        ends = now + self._tables.clock.times.round
        table = await self._tables.open_seated(
            match, players, lambda rows, due: self._store.open_night_table(row, match, rows, due, ends)
        )
        self.on_open(table)
        return table

    async def _hurry(self, night: Night, table: Table) -> None:
        """Close a table when the time of its round is up, or when all others wait too long for it."""
        if not self._is_up(night, table):
            return
        async with table.changing(self._tables.clock.now()):
            # Read anew: the round may have got back the time of an outage, and people may have moved.
            now = await self._store.night(night.id)
            if table.is_open and now is not None and self._is_up(now, table):
                is_deserted = self._waits_for_nobody(table)
                await table.run_out(CloseReason.DESERTED if is_deserted else CloseReason.ROUND_OVER)

    def _is_up(self, night: Night, table: Table) -> bool:
        # No time has run in an outage or a freeze that has begun since the night was read.
        is_over = self._tables.clock.witnessed(night.guild) >= night.due
        return is_over or self._waits_for_nobody(table)

    def _waits_for_nobody(self, table: Table) -> bool:
        """Return whether nothing happens at a table where nobody else is kept waiting: its people are away, or one is
        alone with computers. No other time runs there, or a long one."""
        state, times, due = table.state, table.clock.times, table.deadlines
        is_empty = not state.present()
        if not table.is_open or not (is_empty or alone(state)):
            return False
        # By a deadline, which an outage moves: the table's own, or that of a computer, which answers at once.
        length = idle(state, times) if is_empty else max(times.alone, idle(state, times))
        begun = due[TABLE] - length if TABLE in due else min(due.values(), default=0) - 2 * times.computer[1]
        waited = self._tables.clock.witnessed(table.match.guild) - max(state.at, begun)
        return waited > PATIENCE * times.move(state.pace)

    async def _keep(self, row: NightTableRow, table: Table) -> None:
        """Keep what a table gave that is over."""
        game, log = table.state.game, [read(entry) for entry in await self._store.log(table.id)]
        found = compared(table.match, game, log)
        sign = -1 if _low_wins(game) else 1
        seats = [
            NightSeat(
                each.user,
                None if each.user is None else found.users.get(each.user),
                sign * found.scores[seat] if found.rated and found.scores else None,
            )
            for seat, each in enumerate(row.seats)
        ]
        rated = found.rated.to_json() if found.rated else None
        asleep = table.state.present() if log[-1].entry == Close(CloseReason.DESERTED) else ()
        away = [*found.away, *(table.state.players[seat].user for seat in asleep)]
        gone = dict.fromkeys(away, WAS_AWAY) | dict.fromkeys(found.left, HAS_LEFT)
        await self._store.close_night_table(row, rated, seats, gone)


def _low_wins(game: AnyGame) -> bool:
    strategy = strategy_of(game)
    return strategy is not None and strategy.low_wins
