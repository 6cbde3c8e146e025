"""All the tables of the house: which are open, where, who sits at them; each is loaded from its log when touched."""

import asyncio
import logging
import secrets
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, replace

from bot.match.announcements import items
from bot.match.deadlines import DUE, TABLE, Times
from bot.match.new_entry import NewEntry
from bot.match.refusal import Refusal
from bot.match.state import Pace, Player, TableState
from bot.match.table import Table
from bot.store import Entry, Match, Post, Store
from games import GAMES, AnyGame, Event, Options

log = logging.getLogger(__name__)

MOST_OPEN = 3
"""Tables a person may sit at at a time; every one of them is waited at."""

OUTDATED = "began under older rules and cannot go on."
UNKNOWN = "There is no such table. `/tables` lists yours."


@dataclass(frozen=True, slots=True)
class Spot:
    """Where an open table is, and who sits at it: known without reading its log."""

    place: int
    users: frozenset[int]


class Tables:
    """The open tables, and any other that is asked for.

    `now` is Discord's time in ms; `seed` draws the chance of a new match; `on_change` hears of every table that has
    something to post or to redraw.
    """

    def __init__(
        self,
        store: Store,
        now: Callable[[], int],
        *,
        times: Times = Times(),  # noqa: B008 - frozen
        seed: Callable[[], str] = lambda: secrets.token_hex(16),
    ) -> None:
        self.store = store
        self.now = now
        self.times = times
        self.on_change: list[Callable[[Table], None]] = []
        self._seed = seed
        self._loaded: dict[int, Table] = {}
        self._loading = asyncio.Lock()
        self._opening = asyncio.Lock()
        self._open: dict[int, Spot] = {}
        self._coming: Counter[int] = Counter()
        """By person: the tables at which they are about to sit."""
        self.left: int | None = None
        """Time in ms at which Discord was last there, while it is out of reach or the time since is not given back.
        Until then people could act, and games do something by themselves."""

    async def load(self) -> None:
        """Learn which tables are open. Their logs are read when they are touched."""
        users: dict[int, set[int]] = defaultdict(set)
        for match_id, user in await self.store.members():
            users[match_id].add(user)
        for match in await self.store.open_matches():
            if _game(match) is None:
                await self._abandon(match)
                continue
            self._open[match.id] = Spot(match.place or match.channel, frozenset(users[match.id]))

    # Finding one

    async def get(self, match_id: int) -> Table:
        """The table of that number, open or over. Raises Refusal for a number nobody has."""
        if match_id in self._loaded:
            return self._loaded[match_id]
        async with self._loading:
            table = self._loaded.get(match_id) or await self._load(match_id)
            if table.is_open:  # one that is over is asked for too seldom to be kept
                self._loaded[match_id] = table
            return table

    def seated(self, user: int) -> list[int]:
        """The open tables a person sits at, oldest first."""
        return sorted(match for match, spot in self._open.items() if user in spot.users)

    def here(self, channel: int) -> list[int]:
        """The open tables in a channel or thread, oldest first."""
        return sorted(match for match, spot in self._open.items() if spot.place == channel)

    def check_room(self, user: int, who: str = "You sit") -> None:
        """Refusal when a person sits at as many tables as one may."""
        if len(self.seated(user)) + self._coming[user] >= MOST_OPEN:
            raise Refusal(
                f"{who} at {MOST_OPEN} open tables already. Finish or leave one first (`/tables` lists them)."
            )

    @contextmanager
    def room_for(self, user: int, who: str = "You sit") -> Iterator[None]:
        """Keep a place for a person who is about to sit at one more table: what they do meanwhile counts it already.
        Raises Refusal as `check_room` does."""
        self.check_room(user, who)
        self._coming[user] += 1
        try:
            yield
        finally:
            self._coming[user] -= 1
            self._coming += Counter()  # drops who is at zero

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
    ) -> Table:
        """A new lobby with `players` seated, a person among them.

        Raises Refusal when one of them sits at too many tables, and for a second rematch of one match.
        """
        people = [player.user for player in players if player.user]
        async with AsyncExitStack() as opening:
            for user in people:
                opening.enter_context(
                    self.room_for(user, "You sit" if people == [user] else f"<@{user}> sits")
                )
            await opening.enter_async_context(self._opening)
            if rematch_of is not None:
                await self.check_rematch(rematch_of)
            async with (
                self._loading
            ):  # else its deadline could be put off, or the time go on, without the other
                match = await self.store.create(
                    game=game.slug,
                    rules=game.version,
                    options=options.model_dump_json(),
                    seed=self._seed(),
                    guild=guild,
                    channel=channel,
                    host=people[0],
                    opened=at,
                    entries=_opening(players, pace, practice, at),
                    clocks={TABLE: self.now() + self.times.lobby},
                    rematch_of=rematch_of,
                )
            table = await self.get(match.id)
            self.changed(table)
            return table

    async def check_rematch(self, match: int) -> None:
        """Refusal when a match has had its rematch."""
        other = await self.store.rematch(match)
        if other is not None:
            raise Refusal(f"The rematch is on already: table {other}.")

    async def settle(self, table: Table, place: int) -> None:
        """The match is played in `place` from now on: its own thread, or a channel."""
        await self.note(table, place=place)
        self._enlist(table)

    async def note(self, table: Table, **columns: int) -> None:
        """Keep where a message of the table is, or how far it is told."""
        await self.store.note(table.id, **columns)
        table.match = replace(table.match, **columns)  # type: ignore[arg-type]  # all of them are ints

    async def public_events(self, match_id: int) -> list[Event]:
        """Return all that happened in a match in sight of everybody, from its log."""
        table = await self.get(match_id)
        state = TableState(table.state.game, table.state.options, table.match.seed)
        log = await self.store.log(match_id)
        return [event for entry in log for event in state.apply(entry) if event.to is None]

    async def keep_post(self, table: Table, post: Post) -> None:
        """Keep where a message of the table is."""
        await self.store.keep_post(post)
        table.posts[post.key] = post

    async def drop_post(self, table: Table, post: Post) -> None:
        """Forget a message of the table that is not there any more."""
        await self.store.drop_post(post)
        table.posts.pop(post.key, None)

    async def put_off(self, ms: int, arrive: Callable[[], None] = lambda: None) -> None:
        """Move every deadline by so many ms, for nobody could act meanwhile; what games do by themselves stays when it
        is. `arrive` is called in the same moment."""
        # A table that changed just now would write its old deadlines back.
        async with AsyncExitStack() as still:
            await still.enter_async_context(self._loading)
            for table in (tables := [*self._loaded.values()]):
                await still.enter_async_context(table.lock)
            await self.store.put_off(ms)
            for table in tables:
                table.clocks = {seat: due if seat == DUE else due + ms for seat, due in table.clocks.items()}
            arrive()

    def witnessed(self) -> int:
        """Return until when, in ms, people have been there to see what happens by itself."""
        now = self.now()
        return now if self.left is None else min(now, self.left)

    def changed(self, table: Table) -> None:
        """Called by the table after each commit. What happened has happened, whatever becomes of those who hear it."""
        self._enlist(table)
        for listener in self.on_change:
            try:
                listener(table)
            except Exception:
                log.exception("somebody who heard of a change of table %s stumbled", table.id)

    def forget(self, table: Table) -> None:
        """Drop a table from memory; the next touch loads it from the log."""
        if self._loaded.get(table.id) is table:
            del self._loaded[table.id]

    def _enlist(self, table: Table) -> None:
        if table.is_open:
            state = table.state
            users = frozenset(state.players[seat].user for seat in state.people())
            self._open[table.id] = Spot(table.match.place or table.match.channel, users)
        else:
            self._open.pop(table.id, None)

    # Loading

    async def _load(self, match_id: int) -> Table:
        await self.store.settled()
        match = await self.store.match(match_id)
        if match is None:
            raise Refusal(UNKNOWN)
        game = _game(match)
        if game is None:
            raise Refusal(f"This match {OUTDATED}")
        state = TableState(game, game.Options.model_validate_json(match.options), match.seed)
        table = Table(match, state, await self.store.clocks(match_id), self)
        for entry in await self.store.log(match_id):
            table.story.add(items(state, entry, state.apply(entry), self.times), len(state.players))
        await self._load_posts(table)
        return table

    async def _load_posts(self, table: Table) -> None:
        """Learn where its messages are, and from which page on there is something to tell."""
        table.posts = {post.key: post for post in await self.store.posts(table.id)}
        adopted = table.posts.get(("page", 0))
        if adopted is not None:  # the board of a match from before there were pages
            first = table.story.first_after(table.match.published)
            await self.keep_post(table, replace(adopted, number=first))
            await self.drop_post(table, adopted)
        pages = {number: post for (kind, number), post in table.posts.items() if kind == "page"}
        if pages:
            table.story.begin_at(min(pages), len(table.state.players))
        for page in [*table.story.pages]:
            if page.first in pages and pages[page.first].final:
                table.story.forget(page)

    async def _abandon(self, match: Match) -> None:
        """Close a match whose log can no longer be replayed."""
        entries = await self.store.log(match.id)
        last = Entry(len(entries) + 1, "close", None, None, f"it {OUTDATED}", self.now())
        await self.store.append(match.id, [last], clocks={}, phase="closed", ended=last.at)
        await self.store.note(match.id, published=last.n)  # nobody can tell what happened before


def _opening(players: Sequence[Player], pace: Pace, practice: bool, at: int) -> list[Entry]:
    """The first entries of a log."""
    drafts = [_seated(player) for player in players]
    if pace != "live":
        drafts.append(NewEntry("pace", body=pace))
    if practice:
        drafts.append(NewEntry("practice"))
    return [draft.entry(n, at) for n, draft in enumerate(drafts, start=1)]


def _seated(player: Player) -> NewEntry:
    if player.strength:
        return NewEntry("computer", body=f"{player.strength} {player.name}")
    return NewEntry("join", user=player.user, body=player.name)


def _game(match: Match) -> AnyGame | None:
    """The game a match is played by, None when there is none under which its log replays."""
    game = GAMES.get(match.game)
    return game if game is not None and game.version == match.rules else None
