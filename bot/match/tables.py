"""All tables of the bot. Each is loaded from its log when it is first needed."""

import asyncio
import logging
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace

from bot.background import in_background
from bot.match.announcements import announce
from bot.match.challenges import check_challenges
from bot.match.clock import ANSWERED_WITHIN, MatchClock
from bot.match.deadlines import DUE, TABLE, closes, kept_until, lobby_deadlines, told_after_outage, with_hours
from bot.match.entries import Close, CloseReason, Computer, Join, Leave, Overdue, Practice, Reserve, SetPace
from bot.match.log import read
from bot.match.openings import MOST_OFFERS, OFFERED, WITHIN, Limit, Openings
from bot.match.refusal import Refusal
from bot.match.results import RatingNote, milestones, played, rating_notes
from bot.match.state import LogEntry, Logged, Player, TableState
from bot.match.table import Table
from bot.match.times import OLD_TIMES, Pace, Times
from bot.match.waking import EVER
from bot.standings.ratings import PILE
from bot.store import Closed, Hours, InDoubt, LogRow, Match, NewMatch, Post, Store, StoreFailed, Unreadable
from bot.store.seeds import new_seed
from games import GAMES, AnyGame, Event, Options
from games.types import SEATS, Seat

log = logging.getLogger(__name__)

MOST_OPEN = 3
"""Maximum number of open tables at which one person may sit. With more of them, others would wait too long."""

IDLE = 3_600_000
"""Ms after its last move in which a match without a place stays in memory. No deadline ever ends it."""

NO_SUCH_TABLE = "There is no such table. `/tables` lists yours."


class HasRematch(Refusal):
    """A match has a rematch already: `table`."""

    def __init__(self, table: int) -> None:
        super().__init__(f"There is a rematch already: table {table}.")
        self.table = table


class Outdated(Refusal):
    """A match cannot be loaded, as the rules of its game have changed since: `match`."""

    def __init__(self, match: Match) -> None:
        super().__init__(
            f"The rules changed after match {match.id}. Its result stands; `/replay match:{match.id}` has its moves."
            if match.counted is not None
            else f"Match {match.id} began under older rules and cannot go on. It does not count: open a new table."
        )
        self.match = match


class Unloadable(Refusal):
    """A match cannot be loaded, as its log makes no sense to this bot."""

    def __init__(self, match: int) -> None:
        super().__init__(
            f"Table {match} cannot be loaded, and stays as it is until it can. The person who hosts the bot finds the "
            "cause in its log."
        )
        self.match = match


@dataclass(frozen=True, slots=True)
class Spot:
    """The server, the game, the place and the players of an open table, known without reading its log."""

    guild: int
    game: str
    place: int
    users: frozenset[int]
    closes: int | None = field(
        default=None, compare=False
    )  # else every move would be a notice to other processes
    """Of a match that waits for nobody who is there in time: when it closes, in ms."""


class Tables:
    """The open tables, and any other that is asked for. Those without a place are in no list.

    `now` returns Discord's time in ms, `seed` what is stored as a new match's seed (`bot.match.deals`). `owns` returns
    whether this process runs the tables of a guild (0: direct messages); None when no other process uses the database.
    A person may act at any table by any process, but only the one that runs it handles its deadlines, moves its
    computers and shows it. Each callback in `on_change`
    is called with every table of this process that has changed.
    """

    def __init__(
        self,
        store: Store,
        now: Callable[[], int],
        *,
        times: Times = Times(),  # noqa: B008 - frozen
        seed: Callable[[], str] = new_seed,
        owns: Callable[[int], bool] | None = None,
        openings: Openings | None = None,
    ) -> None:
        self.store = store
        self.clock = MatchClock(now, times)
        self.on_change: list[Callable[[Table], None]] = []
        self.new_seed = seed
        self.openings = openings or Openings()
        self._offers = Limit(MOST_OFFERS, WITHIN, OFFERED)
        self.owns = owns or (lambda _: True)
        self._is_alone = owns is None
        self.tell: Callable[[int], None] = lambda _: None
        """Called with each match that other processes must look at; with 0 when they must look at all."""
        self._loaded: dict[int, Table] = {}
        self._loading = asyncio.Lock()
        self._opening = asyncio.Lock()
        self._open: dict[int, Spot] = {}
        self.unloadable: set[int] = set()
        """Matches that could not be loaded when it was last tried."""
        self.closed_unread: Callable[[int], None] = lambda _: None
        """Called with each of them that was open and is not any more."""
        self._erased: int | None = None
        """Number of erased people at the last look; None before the first."""
        self._coming: Counter[int] = Counter()
        """By person: the number of tables at which they are about to sit."""

    async def load(self) -> None:
        """Read which tables are open, but not their logs."""
        if self._erased is None:
            self._erased = await self.store.erasures()
        async with self._loading:  # else a table that is opened meanwhile would be missing
            await self._find_open()

    async def _find_open(self) -> None:
        users: dict[int, set[int]] = defaultdict(set)
        for match_id, user in await self.store.members():
            users[match_id].add(user)
        deadlines: dict[int, dict[int, int]] = defaultdict(dict)
        for match_id, seat, due in await self.store.due_deadlines(EVER):
            deadlines[match_id][seat] = due
        found: dict[int, Spot] = {}
        for match in (matches := await self.store.open_matches()):
            if game_of(match) is None:
                if self.owns(match.guild):
                    n = await self._length(match.id)
                    await self._append(match.id, n, Close(CloseReason.OUTDATED))  # the publisher tells it
            elif not match.placeless:
                place = match.place or match.channel
                sleeps = closes("play", deadlines[match.id]) if match.phase == "play" else None
                found[match.id] = Spot(match.guild, match.game, place, frozenset(users[match.id]), sleeps)
        self._open = found
        for lost in self.unloadable.difference(match.id for match in matches):
            self.unloadable.discard(lost)
            self.closed_unread(lost)
        for table in [*self._loaded.values()]:  # they may have changed since they were read
            self._enlist(table)

    async def follow(self, matches: Collection[int] = ()) -> None:
        """Load those of `matches` (by default all) again that are loaded here and that other processes have changed. A
        0 among them stands for any match: reload all tables. Raises StoreFailed."""
        erased = self._erased if matches else await self.store.erasures()
        everything = 0 in matches or erased != self._erased
        async with self._loading:  # what is being loaded may have been read before
            loaded = {
                match: table
                for match, table in self._loaded.items()
                if everything or not matches or match in matches
            }
        await self._outdate(loaded, all_of_them=everything)
        self._erased = erased
        await self._follow_hours(loaded.values())
        for table in loaded.values():
            if table.state.phase == "lobby":
                # Notes follow from more than the log.
                await self._follow_notes(table)
        behind = {match for match, table in loaded.items() if table.is_behind}
        changed = [*filter(self.runs, matches)] if matches else await self.unpublished()
        asleep = {match for match in changed if match not in self._loaded}
        for match in sorted(behind | asleep):
            with suppress(Refusal):
                table = await self.get(match)
                if match in asleep:
                    self.changed(table)

    async def _follow_hours(self, tables: Collection[Table]) -> None:
        """Have those of these tables loaded again where somebody has changed their hours by another process: their
        deadlines are others, too."""
        people = {user for table in tables for user in table.hours}
        found = await self.store.hours(people) if people else {}
        for table in tables:
            if any(found.get(user) != known for user, known in table.hours.items()):
                async with table.lock:
                    table.outdate()

    async def _outdate(self, tables: Mapping[int, Table], *, all_of_them: bool = False) -> None:
        """Have those of these tables loaded again whose logs have grown."""
        lengths = await self.store.lengths(tables)
        for match, table in tables.items():
            if all_of_them or table.state.n < lengths.get(match, 0):
                async with table.lock:  # what is appended now may be what made it longer
                    if all_of_them or table.state.n < lengths.get(match, 0):
                        table.outdate()

    async def _follow_notes(self, table: Table) -> None:
        """Read the notes in a lobby again, and show them if they have changed."""
        before = dict(table.lobby_notes)
        # Somebody may leave the lobby while the notes are read.
        for user in [table.state.players[seat].user for seat in table.state.people()]:
            await table.note(user)
        if table.lobby_notes != before and not table.is_behind:
            self.changed(table)

    def behind(self) -> list[int]:
        """Return the tables in memory that may lag behind their logs, except those that only answers show."""
        loaded = self._loaded.items()
        return [match for match, table in loaded if table.is_behind and not table.match.placeless]

    def let_go(self) -> None:
        """Drop the tables that this process does not run any more."""
        for match, table in [*self._loaded.items()]:
            if not self.owns(table.match.guild):
                table.outdate()
                del self._loaded[match]

    def runs(self, match: int) -> bool:
        """Return whether this process runs an open table."""
        spot = self._open.get(match)
        return spot is not None and self.owns(spot.guild)

    # All of them

    async def open_matches(self) -> list[Match]:
        """Return the open matches, oldest first."""
        return [match for match in await self.store.open_matches() if self.owns(match.guild)]

    async def unpublished(self) -> list[int]:
        """Return the matches, open or not, whose messages lag behind their log, oldest first."""
        return [match.id for match in await self.store.unpublished() if self.owns(match.guild)]

    async def due_deadlines(self, now: int) -> list[tuple[int, int]]:
        """Return the deadlines up to `now` ms as (match, seat), earliest first, without those of an outage."""
        due = await self.store.due_deadlines(now)
        if any(match not in self._open for match, _, _ in due):
            await self.load()  # the answer of the store was lost when it was opened
        here = self._on(lambda guild: not self.clock.has_outage(guild))
        return [(match, seat) for match, seat, _ in due if match in here]

    def guilds(self) -> set[int]:
        """Return the servers with open tables of this process (0: direct messages)."""
        return {guild for guild in {spot.guild for spot in self._open.values()} if self.owns(guild)}

    def _served(self, concerns: Callable[[int], bool]) -> set[int]:
        """Return the servers with open tables of this process for which `concerns` returns True, and direct messages
        (0), in which another process may open one at any time."""
        by_others = {0} if not self._is_alone and self.owns(0) else set[int]()
        return {guild for guild in self.guilds() | by_others if concerns(guild)}

    def _on(self, concerns: Callable[[int], bool]) -> set[int]:
        """Return the open tables on servers for which `concerns` returns True."""
        guilds = self._served(concerns)
        return {match for match, spot in self._open.items() if spot.guild in guilds}

    def by_game(self) -> Counter[str]:
        """Return the number of open tables of this process, by slug of the game."""
        return Counter(spot.game for spot in self._open.values() if self.owns(spot.guild))

    # Finding one

    async def get(self, match_id: int) -> Table:
        """Return a table by its number, open or over, as it is now. Raises Refusal for one that is unknown or cannot be
        loaded."""
        if (table := await self._as_it_is_now(match_id)) is not None:
            return table
        async with self._loading:
            return await self._get(match_id)

    async def loadable(self, matches: Iterable[int]) -> list[Table]:
        """Return tables by their numbers, without those that cannot be loaded: these shall not hide the others. Raises
        StoreFailed."""
        found = []
        for match in matches:
            with suppress(Refusal):  # it may also have ended meanwhile
                found.append(await self.get(match))
        return found

    async def _as_it_is_now(self, match_id: int) -> Table | None:
        """Return the table in memory, unless another process has changed it."""
        table = self._known(match_id)
        if table is not None and not self._is_alone:
            # Somebody may have moved by another process, whose notice is on its way or was lost.
            await self._outdate({match_id: table})
        return self._known(match_id)

    async def _get(self, match_id: int) -> Table:
        before = self._loaded.get(match_id)
        table = self._known(match_id) or await self._load(match_id)
        # One that is over is asked for too seldom to be kept, and another process may change what it runs. One that
        # another process ended is kept until its last messages are posted, as if it had ended here.
        if (table.is_open or before) and self.owns(table.match.guild):
            self._take_over(table, before)
        if before not in (None, table):
            self.changed(table)
        return table

    def _take_over(self, table: Table, before: Table | None) -> None:
        """Keep a table in memory, in place of `before` if it was loaded again."""
        if table.match.placeless:  # maybe its person was erased, and nothing can be posted any more
            self._forget_idle()
        elif before is not None:
            # Shared, because the publisher may be storing messages with the table before.
            table.match, table.posts = before.match, before.posts
        self._loaded[table.id] = table

    def _known(self, match_id: int) -> Table | None:
        """Return the table in memory, unless it may lag behind its log."""
        table = self._loaded.get(match_id)
        is_current = table is not None and not table.is_behind and self.owns(table.match.guild)
        return table if is_current else None

    def seated(self, user: int, game: str | None = None) -> list[int]:
        """Return the open tables at which a person sits, oldest first; if `game` is given, only those of this game."""
        return sorted(
            match for match, spot in self._open.items() if user in spot.users and game in (None, spot.game)
        )

    async def with_seat(self, user: int) -> list[Table]:
        """Return the open tables where a person has a seat, oldest first: also one that they have left, while nobody
        else has taken it."""
        matches = {*self.seated(user), *await self.store.left(user)} & self._open.keys()
        tables = await self.loadable(sorted(matches))
        return [table for table in tables if table.state.seat_of(user) is not None]

    def is_asleep(self, match: int) -> bool:
        """Return whether an open match waits only for people who are away, or for one who is alone with computers and
        has not moved for a while."""
        times, due = self.clock.times, self._open[match].closes
        return due is not None and due <= self.clock.now() + times.alone - times.doze

    def here(self, channel: int) -> list[int]:
        """Return the open tables in a channel or thread, oldest first."""
        return sorted(match for match, spot in self._open.items() if spot.place == channel)

    def places(self, guild: int) -> list[int]:
        """Return the channels and threads of a server in which there are open tables, oldest first."""
        return sorted({spot.place for spot in self._open.values() if spot.guild == guild})

    def of_guild(self, guild: int, games: Collection[str] | None = None) -> list[int]:
        """Return the open tables of a server, newest first; if `games` are given, only those of these games."""
        here = ((match, spot.game) for match, spot in self._open.items() if spot.guild == guild)
        return sorted((match for match, game in here if games is None or game in games), reverse=True)

    def check_room(self, user: int) -> None:
        """Raise Refusal when a person sits at MOST_OPEN tables that are awake."""
        # One that is asleep keeps nobody waiting, and closes within a day.
        awake = [match for match in self.seated(user) if not self.is_asleep(match)]
        if len(awake) + self._coming[user] >= MOST_OPEN:
            raise Refusal(
                f"You sit at {MOST_OPEN} open tables already. Finish or leave one first (`/tables` lists them)."
            )

    def check_thread(self, thread: int) -> None:
        """Raise Refusal when an open table is in a thread, where one is played at a time."""
        if here := self.here(thread):
            raise Refusal(
                f"Table {here[0]} is played in this thread. Open yours in a channel, or wait until it is over."
            )

    def without_room(self) -> list[int]:
        """Return the people who sit at MOST_OPEN tables or more, of which some may be asleep."""
        seats = Counter(user for spot in self._open.values() for user in spot.users)
        return [user for user, number in seats.items() if number >= MOST_OPEN]

    @contextmanager
    def room_for(self, user: int) -> Iterator[None]:
        """Count a person as sitting at one more table while they are about to sit down. Raises what `check_room`
        does."""
        self.check_room(user)
        self._coming[user] += 1
        try:
            yield
        finally:
            self._coming[user] -= 1
            self._coming += Counter()  # drops the zeros

    # Changing them

    async def open(
        self,
        game: AnyGame,
        options: Options,
        *,
        guild: int,
        channel: int,
        players: Sequence[Player],
        at: int,
        pace: Pace = "live",
        practice: bool = False,
        rematch_of: int | None = None,
        reserved: Sequence[Player] = (),
        challenged: Player | None = None,
        interaction: int = 0,
        in_thread: bool = False,
    ) -> Table:
        """Open a lobby with `players` seated, one of them a person, and seats kept for the people in `reserved`, or for
        the one who is `challenged`. `interaction` is the id of the one that opens it. `in_thread`: the channel is a
        thread, in which it must be the only table.

        Raises Refusal when the person sits at too many tables or has opened too many, or if there were too many
        challenges lately, and HasRematch for a second rematch of one match.
        """
        (host,) = (player.user for player in players if player.user)
        match = NewMatch(
            game.slug,
            game.version,
            options.model_dump_json(),
            self.new_seed(),
            guild,
            channel,
            host=host,
            opened=at,
            rematch_of=rematch_of,
        )
        async with AsyncExitStack() as opening:
            opening.enter_context(self.room_for(host))
            await opening.enter_async_context(self._opening)
            if rematch_of is not None:
                await self.check_rematch(rematch_of)
                # Whoever was erased meanwhile has read that nothing is left of them.
                still_known = (await self.get(rematch_of)).state.players
                reserved = [player for player in reserved if player in still_known]
            if in_thread:
                self.check_thread(channel)
            if challenged is not None:
                # Others may have challenged the same person while Discord was asked who that is.
                await check_challenges(self.store, host, challenged, self.clock.now())
                reserved = [challenged]
            self.openings.check(host, self.clock.now())
            kept = [player.user for player in reserved]
            hours = await self.store.hours(kept) if kept else {}
            # `postpone` must not run between storing the match and adding it to the open ones.
            async with self._loading:
                times, runs = self.clock.times, self.owns(guild)
                # Another process that runs it does not correct a clock that is late here.
                since = self.clock.counted(guild) if runs else max(self.clock.corrected(), at)
                deadlines = {TABLE: since + times.lobby}
                if kept:
                    deadlines[DUE] = kept_until([hours.get(user) for user in kept], pace, since, times)
                    if pace != "live":
                        deadlines[TABLE] = max(deadlines.values())
                entries = first_entries(
                    players, pace, reserved, practice=practice, at=at, interaction=interaction
                )
                try:
                    created = await self.store.create(
                        match,
                        entries,
                        deadlines,
                        since=None if runs else since,
                        challenged=challenged.user if challenged else None,
                    )
                except StoreFailed:  # it may be kept all the same, or another process has opened the rematch
                    with suppress(Unreadable):
                        await self._find_open()
                        if rematch_of is not None:
                            await self.check_rematch(rematch_of)
                    raise
                self.openings.count(host, self.clock.now())
                self._open[created.id] = Spot(guild, game.slug, channel, frozenset({host}))
                # Within the lock: tables that wait for it would come first, and a click waits three seconds at most.
                table = await self._get(created.id)
            self.changed(table)
            self.tell(created.id)
            return table

    async def open_seated(
        self,
        match: NewMatch,
        players: Sequence[Player],
        keep: Callable[[Sequence[LogRow], Mapping[int, int]], Awaitable[Match]],
    ) -> Table:
        """Open a lobby whose seats are given, by `Table.begin` the match. `keep` stores the match with its first
        entries and deadlines. Listeners are called from the beginning on."""
        async with self._loading:
            times = self.clock.times
            due = self.clock.counted(match.guild) + times.lobby
            deadlines = lobby_deadlines({TABLE: due}, match.opened, times, reserved=False)
            rows = first_entries(players, "live", practice=False, at=match.opened, interaction=0)
            created = await keep(rows, deadlines)
            users = frozenset(player.user for player in players if player.user)
            self._open[created.id] = Spot(match.guild, match.game, match.channel, users)
            return await self._get(created.id)

    async def last_winner(self, table: Table) -> Player | None:
        """Return the only winner of the match before a rematch, if its rules ask for them. Raises StoreFailed."""
        before, options = table.match.rematch_of, table.state.options
        if before is None or options.after(SEATS[0]) == options:
            return None
        with suppress(Refusal):  # it may be of older rules
            state = (await self.get(before)).state
            placed = zip(state.players, state.outcome().placings, strict=True)
            winners = [player for player, placing in placed if placing == 1]
            return winners[0] if len(winners) == 1 else None
        return None

    async def check_rematch(self, match: int) -> None:
        """Raise HasRematch when a match has a rematch."""
        other = await self.store.rematch(match)
        if other is not None:
            raise HasRematch(other)

    async def set_place(self, table: Table, place: int) -> None:
        """Store the place where the match is played from now on: a thread of its own, or a channel."""
        await self.update_match(table, place=place, published=0)  # nothing is shown there yet
        if known := self._known(table.id):  # `table` may have been read anew meanwhile, and closed
            self._enlist(known)

    async def update_match(self, table: Table, **columns: int) -> None:
        """Change columns of the table's row: its place, its card, or how far its messages show the log."""
        await self.store.update_match(table.id, **columns)
        for each in {table, self._loaded.get(table.id, table)}:
            each.match = replace(each.match, **columns)  # type: ignore[arg-type]  # all of them are ints

    async def note_shown(self, table: Table, n: int) -> None:
        """Note that the messages of a table show its log up to entry `n`. Raises StoreFailed as `save_post` does."""
        self._check_run(table)
        await self.update_match(table, published=n)

    async def unpublish(self, table: Table) -> None:
        """Note that something of a table is not shown, of which no entry of its log tells: a kill must not hide it."""
        if table.match.published:
            await self.update_match(table, published=0)

    async def played(self, match_id: int) -> tuple[list[Event], set[Seat]]:
        """Return all public events of a match, and the seats that were left to computers, from its log."""
        table = await self.get(match_id)
        return played(table.match, table.state.game, map(read, await self.store.log(match_id)))

    async def rating_notes(self, table: Table) -> list[RatingNote]:
        """Return a note on the rating of each person after the table's match, except those who never want to see it."""
        match = await self.store.match(table.id)
        assert match is not None
        steps = await self.store.rating_steps(table.id)
        nth = await self.store.together([step.after for step in steps], table.state.at - PILE)
        preferences = await self.store.preferences_of([step.after.user for step in steps])
        wanted = [step for step in steps if preferences[step.after.user].ratings != "never"]
        state = table.state
        return rating_notes(match, wanted, state.players, state.left, nth, state.winner)

    async def note(self, user: int) -> list[Table]:
        """Read the notes on a person again in each lobby where they sit, or are about to. Return these tables."""
        known = {match for match, table in self._loaded.items() if user in table.lobby_notes}
        tables = await self.loadable(sorted(known.union(self.seated(user))))
        lobbies = [table for table in tables if table.state.phase == "lobby"]
        for table in lobbies:
            async with table.lock:  # whoever sits down now has been read before
                await table.note(user)
            if not self.owns(table.match.guild):
                self.tell(table.id)
        return lobbies

    async def set_hours(self, user: int, change: Callable[[Hours | None], Hours | None]) -> Hours | None:
        """Keep what `change` makes of a person's hours, None for who has set none, and return it. Move their deadlines
        at the open tables where they sit: they keep the part of their time that is left. Raises what `change` does, and
        StoreFailed."""
        # A write goes on when its caller is cancelled. What is set after it must count with it.
        return await asyncio.shield(in_background(self._set_hours(user, change)))

    async def _set_hours(self, user: int, change: Callable[[Hours | None], Hours | None]) -> Hours | None:
        hours = await self._write_hours(user, change)
        try:
            # Where they sat down while that was written, their earlier hours may have been read.
            await self._write_hours(user, lambda kept: kept)
        except StoreFailed as error:  # what was asked for is kept
            log.warning("new hours may not move the deadlines of a table that was being joined: %s", error)
        return hours

    async def _write_hours(self, user: int, change: Callable[[Hours | None], Hours | None]) -> Hours | None:
        """Write a person's hours, with their deadlines at the tables where others counted, and show these tables."""
        async with AsyncExitStack() as still:
            await still.enter_async_context(self._loading)  # as `postpone` does, which takes many locks, too
            tables = await self._locked_with_hours_of(user, still)
            before = (await self.store.hours([user])).get(user)
            hours, moved = change(before), {}
            for table in tables:
                if (counted := table.hours.get(user, hours)) != hours:
                    now = self.clock.counted(table.match.guild)
                    own = {user: counted}, {user: hours}
                    moved[table] = with_hours(table.state, table.deadlines, *own, now, now)
            if not moved and hours is before:  # `==` leaves out habits
                return hours
            try:
                await self.store.set_hours(user, hours, _moves(moved))
            except BaseException:  # it may have been kept all the same
                for table in tables:
                    table.outdate()
                raise
            for table, new in moved.items():
                table.deadlines |= new
                table.hours[user] = hours
                if new:  # as in the store: its messages say older times
                    table.match = replace(table.match, published=0)
        for table in moved:
            if not table.is_behind:
                self.changed(table)
        return hours

    async def _locked_with_hours_of(self, user: int, still: AsyncExitStack) -> list[Table]:
        """Return the open tables where a person sits, is offered a seat, or is about to sit down, as they are now.
        `still` holds their locks. Call it with `_loading` held."""
        tables = []
        known = {match for match, table in self._loaded.items() if user in table.asked}
        for match in sorted(known.union(self.seated(user))):
            with suppress(Refusal):  # it has ended meanwhile, or cannot be loaded
                tables.append(await self._locked(match, still))
        return tables

    async def _locked(self, match: int, still: AsyncExitStack) -> Table:
        while True:
            table = await self._as_it_is_now(match) or await self._get(match)
            await still.enter_async_context(table.lock)
            if not table.is_behind:  # a write to it may have failed while its lock was waited for
                return table

    async def leave_unloadable(self, match: int, user: int) -> None:
        """Have a person leave an open table that cannot be loaded; it closes when nobody else sits there. Raises
        Unloadable when they do not sit there or it has been loaded since, and StoreFailed."""
        async with self._loading:
            n = await self._length(match)  # first: nobody may leave by another process unseen
            await self._find_open()
            if self._known(match) or match not in self.seated(user):
                raise Unloadable(match)
            ends = [Close(CloseReason.EVERYBODY_LEFT, user)] if self._open[match].users == {user} else []
            await self._append_unread(match, n, Leave(user), *ends)

    async def close(self, match: int, reason: CloseReason) -> None:
        """Close a table for a technical reason, also one that cannot be loaded. Raises Refusal and StoreFailed."""
        try:
            await (await self.get(match)).close(reason)
        except Unloadable:
            async with self._loading:
                n, found = await self._length(match), await self.store.match(match)
                if self._known(match):  # it has been loaded since
                    raise
                if found is not None and found.phase in ("lobby", "play"):  # else it is over already
                    await self._append_unread(match, n, Close(reason))

    async def _append_unread(self, match: int, after: int, *entries: LogEntry) -> None:
        """Append entries to the log of a table that cannot be loaded. Call it with `_loading` held."""
        try:
            await self._append(match, after, *entries)
        finally:  # they may be kept though the answer was lost
            await self._find_open()
            self.tell(match)

    async def milestones(self, table: Table) -> dict[int, list[str]]:
        """Return the milestones that people earned in the table's match, by seat."""
        state = table.state
        progress = await self.store.progress(player.user for player in state.players if player.user)
        return milestones(table.id, progress, state.players)

    async def save_post(self, table: Table, post: Post) -> None:
        """Store a message of the table. Raises StoreFailed where another process may show the table now."""
        self._check_run(table)
        await self.store.save_post(post)
        table.posts[post.key] = post

    async def delete_post(self, table: Table, post: Post) -> None:
        """Forget a message of the table that is gone. Raises StoreFailed as `save_post` does."""
        self._check_run(table)
        await self.store.delete_post(post)
        table.posts.pop(post.key, None)

    def _check_run(self, table: Table) -> None:
        """Raise StoreFailed unless this process runs the table."""
        # After a freeze an edit may end that was begun when this process still ran the table. Others have edited since.
        if not self.owns(table.match.guild):
            raise StoreFailed("This was not saved: another process runs the table now.")

    async def postpone(
        self,
        ms: int,
        concerns: Callable[[int], bool],
        now: int,
        then: Callable[[], None] = lambda: None,
        lasting: Callable[[], dict[int, int]] | None = None,
    ) -> None:
        """On servers for which `concerns` returns True, move every deadline by `ms`, except the times at which games do
        something by themselves: they learn first that nobody could act. People with hours keep the waking time that was
        left. `now`, the time after that, becomes the last heartbeat if there are any. Call `then` before any table can
        change. `lasting` returns since when nobody can act after that, by server; by default where nobody can now,
        except those servers. Do not cancel it."""
        # A table that changed just now would write its old deadlines back.
        async with AsyncExitStack() as still:
            await still.enter_async_context(self._loading)
            if not self._is_alone:  # the word of a table that another process has opened may be on its way
                await self._find_open()
            if not self._served(concerns):  # as most of the servers that come back after an outage of Discord
                then()
                return
            await self._load_those_that_change(concerns, ms)
            readable = {table for table in self._loaded.values() if not table.is_behind}
            for table in (tables := [*self._loaded.values()]):
                await still.enter_async_context(table.lock)
            moved = self._on(concerns)
            here = [table for table in tables if table.id in moved]
            resumed = await _resumed([table for table in here if table in readable], ms, now)
            told = {
                table: told_after_outage(table.state, table.deadlines, table.hours, now - ms, now)
                for table in here
            }
            moves = _moves(told, ms)
            before = {*await self.store.due_deadlines(EVER)}
            after = {
                (match, seat, moves.get((match, seat), (0, due + ms))[1])
                for match, seat, due in before
                if match in moved
            }
            others = (guild for guild in self.guilds() if not concerns(guild))
            away = self.clock.outage_starts(others) if lasting is None else lasting()
            try:
                await self.store.postpone(ms, self._served(concerns), await self._alive(now), away, moves)
            except InDoubt:
                if not await self._has_any(after - before):
                    raise
            for table in here:
                fixed = {DUE} if table.state.phase == "play" else set()
                put_off = {seat: due + ms * (seat not in fixed) for seat, due in table.deadlines.items()}
                table.deadlines = put_off | told[table]
                if told[table]:  # as in the store: its messages say older times
                    table.match = replace(table.match, published=0)
            then()
        for table in here:
            if table.state.phase == "lobby" or told[table] or table in resumed:
                self.changed(table)  # its card says when it closes, or its call when a time ends

    async def _has_any(self, deadlines: Collection[tuple[int, int, int]]) -> bool:
        """Return whether the store has one of the deadlines of a write in doubt, as soon as it can tell. Other
        processes may have written others since, and the last heartbeat."""
        while True:
            try:
                await self.store.flush()
                return not {*await self.store.due_deadlines(EVER)}.isdisjoint(deadlines)
            except Closed:
                raise
            except Unreadable:
                await asyncio.sleep(1)

    async def _load_those_that_change(self, concerns: Callable[[int], bool], ms: int) -> None:
        """Load those tables there whose games do something by themselves, and those whose messages may tell when a
        time ends, as an outage moves it by `ms`: where somebody has hours, or has been overdue, or the pace was set.
        Call it with `_loading` held."""
        timed = {*await self.store.with_game_deadlines()}
        if not self._is_alone:  # another process may have moved there
            await self._outdate({match: table for match, table in self._loaded.items() if match in timed})
        here = self._on(concerns)  # a table may have ended by now
        unknown = {match: self._open[match].users for match in here if self._known(match) is None}
        people = await self.store.hours(user for users in unknown.values() for user in users)
        telling = timed | await self.store.with_entry(Overdue.kind, unknown)
        if abs(ms) >= OLD_TIMES:
            telling |= await self.store.with_entry(SetPace.kind, unknown)
        for match in [match for match, users in unknown.items() if users & people.keys() or match in telling]:
            with suppress(Refusal):  # it cannot be loaded, and all others shall get their time back
                await self._get(match)

    async def heartbeat(self) -> None:
        """Keep that the bot is alive now, and where people cannot act. Raises StoreFailed."""
        # A freeze counts as an outage until it is given back, also after a kill.
        alive = await self._alive(self.clock.now() - self.clock.frozen())
        await self.store.heartbeat(alive, self.clock.outage_starts(self.guilds()))

    async def _alive(self, now: int) -> int:
        """Return what becomes the last heartbeat: not an earlier one than that of another process, which may have been
        awake while this one slept."""
        return now if self._is_alone else max(now, await self.store.last_heartbeat() or 0)

    async def erase(self, user: int) -> bool:
        """Erase a person from the store, and reload the open tables that named them. Return False when nothing was
        stored about them.

        Raises Refusal while they sit at an open table, and StoreFailed."""
        async with AsyncExitStack() as still:
            await still.enter_async_context(self._opening)
            await still.enter_async_context(self._loading)
            for table in (tables := [*self._loaded.values()]):
                await still.enter_async_context(table.lock)
            await self.store.flush()
            await self.check_erasing(user)
            named = tables  # if the erasing fails, any of them may have changed
            try:
                changed = await self.store.erase_person(user, self.clock.now())
                named = [table for table in tables if table.id in (changed or ())]
            finally:
                for table in named:
                    table.outdate()
        self.tell(0)
        await self.loadable(table.id for table in named)
        return changed is not None

    async def let_erased_leave(self) -> None:
        """Let people leave who were erased while they had a seat: a restored backup brings their tables back."""
        open_ = [(match, spot.users) for match, spot in self._open.items() if self.owns(spot.guild)]
        for match, users in open_:
            for user in users:
                if user < 0:
                    with suppress(Refusal):  # it cannot be loaded, or is over
                        await (await self.get(match)).leave(user, self.clock.now())

    async def check_erasing(self, user: int) -> None:
        """Raise Refusal while a person sits at an open table, also at one of another process."""
        tables = [match for match, member in await self.store.members() if member == user]
        if tables:
            here = ", ".join(map(str, tables))
            raise Refusal(
                f"You sit at an open table ({here}), so nothing was erased. Finish the match or leave the table "
                "first (`/tables` lists yours), then use `/privacy erase` again."
            )

    def changed(self, table: Table) -> None:
        """Call the listeners. A table calls this after each commit; a listener's error is only logged."""
        before = self._open.get(table.id)
        self._enlist(table)
        if not self.owns(table.match.guild):
            self.tell(table.id)
            return
        if self._open.get(table.id) != before:
            self.tell(table.id)
        for listener in self.on_change:
            try:
                listener(table)
            except Exception:
                log.exception("a listener failed after a change of table %s", table.id)

    def keep(self, table: Table) -> None:
        """Keep a table that is over in memory, so that `follow` does not take it for one that nobody has shown."""
        self._loaded.setdefault(table.id, table)

    def forget(self, table: Table) -> None:
        """Drop a table from memory. It is loaded from its log when it is asked for again."""
        known = self._loaded.get(table.id)
        # An open one that was loaded meanwhile, in place of this one, stays.
        if known is not None and (known is table or not known.is_open):
            del self._loaded[table.id]

    def _forget_idle(self) -> None:
        """Drop the matches without a place in which nothing has happened for long."""
        for table in [*self._loaded.values()]:
            is_idle = table.state.at < self.clock.now() - IDLE and not table.lock.locked()
            if table.match.placeless and is_idle:
                self.forget(table)

    def _enlist(self, table: Table) -> None:
        if table.match.placeless:
            if not table.is_open:
                self.forget(table)  # the publisher does that for the others
        elif table.is_open:
            state = table.state
            users = frozenset(state.players[seat].user for seat in state.people())
            place = table.match.place or table.match.channel
            sleeps = closes("play", table.deadlines) if state.phase == "play" else None
            self._open[table.id] = Spot(table.match.guild, table.match.game, place, users, sleeps)
        else:
            self._open.pop(table.id, None)

    # Loading

    async def _load(self, match_id: int) -> Table:
        await self.store.flush()
        match = await self.store.match(match_id)
        rows, deadlines = await self._read(match_id)
        # Of a match that was imported, or whose server removed the bot, only the result is here.
        if match is None or not rows:
            raise Refusal(NO_SUCH_TABLE)
        game = game_of(match)
        if game is None:
            raise Outdated(match)
        try:
            table = self._replayed(match, game, rows, deadlines)
        except Exception as error:  # the log is damaged, or another version wrote it
            if match_id not in self.unloadable:
                log.exception("table %s cannot be loaded", match_id)
            self.unloadable.add(match_id)
            self._loaded.pop(match_id, None)  # it lags behind, and would name people who have left
            raise Unloadable(match_id) from error
        self.unloadable.discard(match_id)
        await self._load_posts(table)
        await table.learn_hours(table.state)
        for seat in table.state.people() if table.state.phase == "lobby" else ():
            await table.note(table.state.players[seat].user)
        return table

    def _replayed(
        self, match: Match, game: AnyGame, rows: Sequence[LogRow], deadlines: dict[int, int]
    ) -> Table:
        """Return the table that a log makes. Raises whatever a log without sense leads to."""
        state = TableState.of(match, game)
        table = Table(
            match,
            state,
            deadlines,
            self.store,
            self.clock,
            room_for=self.room_for,
            offers=self._offers,
            changed=self.changed,
            is_run=lambda: self.owns(match.guild),
        )
        for row in rows:
            logged = read(row)
            table.add(logged, announce(state, logged, state.apply(logged), self.clock.times))
        return table

    async def _read(self, match_id: int) -> tuple[Sequence[LogRow], dict[int, int]]:
        """Return a log with the deadlines after its last entry."""
        while True:
            rows = await self.store.log(match_id)
            deadlines = await self.store.deadlines(match_id)
            last = rows[-1].n if rows else 0
            if self._is_alone or last >= await self._length(match_id):
                return rows, deadlines
            # Another process has appended meanwhile, and the deadlines may be those after its entry.

    async def _load_posts(self, table: Table) -> None:
        """Read its messages, and drop the pages that are records already."""
        table.posts = {post.key: post for post in await self.store.posts(table.id)}
        pages = {number: post for (kind, number), post in table.posts.items() if kind == "page"}
        if pages:
            # A page begins where its message did.
            table.pages.begin_at(*sorted(pages))
        for page in [*table.pages.kept]:
            if page.first in pages and pages[page.first].final:
                table.pages.forget(page)

    async def _length(self, match: int) -> int:
        """Return the number of the last entry of a log, which may have gaps."""
        return (await self.store.lengths([match])).get(match, 0)

    async def _append(self, match: int, after: int, *entries: LogEntry) -> None:
        """Append entries, after that number, to a log that cannot be replayed, and so not through a table."""
        now = self.clock.now()
        rows = [Logged(n, now, entry).row for n, entry in enumerate(entries, after + 1)]
        if isinstance(entries[-1], Close):
            await self.store.append(match, rows, deadlines={}, phase="closed", ended=now)
        else:
            await self.store.append(match, rows)


async def _resumed(tables: Iterable[Table], ms: int, now: int) -> list[Table]:
    """Tell the games of locked tables that nobody could act for `ms` up to `now`. Return the open tables that this may
    have changed. Raises StoreFailed."""
    if abs(ms) <= ANSWERED_WITHIN:
        return []
    timed = [table for table in tables if table.state.due() is not None]
    for table in timed:
        try:
            await table.resume(min(now - ms, now), now)
        except StoreFailed:
            raise
        except Exception:  # all others shall get their time back
            log.exception("the game of table %s has not learned of the outage", table.id)
    return [table for table in timed if table.is_open]


def _moves(tables: Mapping[Table, Mapping[int, int]], ms: int = 0) -> dict[tuple[int, int], tuple[int, int]]:
    """Return new deadlines of tables, with the old ones after these were moved by `ms`, as the store takes them."""
    return {
        (table.id, seat): (table.deadlines[seat] + ms, due)
        for table, new in tables.items()
        for seat, due in new.items()
    }


def first_entries(
    players: Sequence[Player],
    pace: Pace,
    reserved: Sequence[Player] = (),
    *,
    practice: bool,
    at: int,
    interaction: int,
) -> list[LogRow]:
    """Return the first entries of a log. The only person among `players` made the interaction; 0 for none."""
    entries = [_seated(player, interaction) for player in players]
    entries += [Reserve(player.user, player.name) for player in reserved]
    if pace != "live":
        entries.append(SetPace(pace))
    if practice:
        entries.append(Practice())
    return [Logged(n, at, entry).row for n, entry in enumerate(entries, start=1)]


def _seated(player: Player, interaction: int) -> LogEntry:
    if player.strength:
        return Computer(player.strength, player.name)
    return Join(player.user, player.name, interaction)


def game_of(match: Match) -> AnyGame | None:
    """Return the game of a match; None when its log cannot be replayed."""
    game = GAMES.get(match.game)
    # Under other rules its moves may be illegal.
    return game if game is not None and game.version == match.rules else None
