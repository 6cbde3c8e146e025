"""Make a database that has everything a database can hold, by playing at the real tables over the real store."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

from bot.match import ahead, seats, terms, votes
from bot.match.alone import against, open_practice
from bot.match.dailies import Dailies
from bot.match.deadlines import DUE, TABLE
from bot.match.entries import KINDS, Close, CloseReason
from bot.match.log import read
from bot.match.state import Player
from bot.match.table import Table
from bot.match.tables import Tables
from bot.standings.season import tabulate
from bot.store import (
    BoardPost,
    Bulletin,
    Hours,
    LogRow,
    NewNight,
    NightRole,
    Post,
    Preset,
    Seek,
    Summons,
)
from bot.store.sql.packing import unpack
from bot.store.sql.restored import NOTE_RESTORED
from games import GAMES
from games.types import SEATS, Seat
from tests.seats import FIRST, FOURTH, SECOND, THIRD
from tests.stored.facts import tables_of
from tests.stored.play import Clock, act, play, some_action, step

AT: Final = 1_795_000_000_000
DAY: Final = 86_400_000
GUILD: Final = 700_000_000_000_000_001
"""Server of most of the matches."""
REGULARS: Final = (300_000_000_000_000_001, 300_000_000_000_000_002, 300_000_000_000_000_003)
"""People who play many matches, and sit at no table in the end."""

NAMES = (
    "Al*ce_",
    "<@123456789012345678> & `Ben`",
    "||Cleo|| \u202eeilC",
    "\u05d3\u05e0\u05d4",
    "W" * 32,
    "  - # Dan\n> quote",
    "[Cleo](https://example.org)",
    "B\u00e9n \U0001f469\u200d\U0001f680 \\_()_/",
    "'; DROP TABLE log; --",
    "\u200b\u2800",
)
"""Names as Discord allows them, most of them with something to escape."""

SETTINGS: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("twin-palms", 3, {"mode": "normal", "rounds": 2}),
    ("twin-palms", 4, {"mode": "advanced", "rounds": 1, "bets": False}),
    ("charms", 3, {"hands": 1}),
    ("charms", 4, {"hands": 1, "bidding": "open"}),
    ("palace", 3, {}),
    ("palace", 3, {"allow_equal": True, "voluntary_pickup": True, "play_for_places": True}),
    ("palmer", 4, {"limit": 10}),
    ("thirty-one", 3, {"tokens": 1}),
    ("thirty-one", 4, {"tokens": 1, "any_suit": True, "three_of_a_kind": True}),
    ("twin-it", 3, {"mode": "forbidden", "sets_to_win": 1}),
    ("twin-it", 4, {"mode": "teams", "sets_to_win": 1, "handicap": True}),
    ("twin-it", 2, {"mode": "cooperative", "seconds": 20, "singles": 3}),
    ("twin-it", 3, {"mode": "timed", "seconds": 20}),
    ("liars-dice", 3, {}),
    ("hand-and-foot", 4, {"deals": 1}),
)
"""Game, players and options, in matches as short as may be."""
LONG: Final = 100
"""Entries after which the matches that stay in play are left."""


class Making:
    """Tables over the file, whose people sit at no other table."""

    def __init__(self, tables: Tables, clock: Clock) -> None:
        self.tables = tables
        self.store = tables.store
        self.clock = clock
        self._people = count(400_000_000_000_000_001)
        self._ids = count(500_000_000_000_000_001)

    def person(self) -> Player:
        """Return somebody new."""
        user = next(self._people)
        return Player(user, NAMES[user % len(NAMES)])

    async def lobby(self, game: str, people: int, /, *robots: str, **terms: Any) -> Table:
        """Open a table of new people and computers of these strengths. `terms` are options of the game, and `about`:
        further arguments of `Tables.open`."""
        about = {"guild": GUILD, "host": self.person()} | terms.pop("about", {})
        computers = [Player(0, f"\U0001f916 Fern {n}", strength) for n, strength in enumerate(robots)]  # type: ignore[arg-type]
        self.clock.time += 60_000
        table = await self.tables.open(
            GAMES[game],
            GAMES[game].Options(**terms),
            channel=next(self._ids),
            players=[about.pop("host"), *computers],
            at=self.clock.time,
            interaction=next(self._ids),
            **about,
        )
        for _ in range(people - 1):
            other = self.person()
            await table.join(other.user, other.name, self.clock.time, next(self._ids))
        await self.tables.update_match(table, card=next(self._ids))
        return table

    async def dealt(self, game: str, people: int, /, *robots: str, **terms: Any) -> Table:
        """Open a table and start its match."""
        table = await self.lobby(game, people, *robots, **terms)
        await table.start(host(table), self.clock.time)
        await self.tables.set_place(table, next(self._ids))
        return table

    async def pass_deadline(self, table: Table, seat: int) -> None:
        """Let a deadline come."""
        self.clock.time = max(self.clock.time, table.deadlines[seat])
        await table.apply_deadline(seat)

    async def overdue(self, table: Table) -> int:
        """Let the time of an awaited person run out. Return the number of the poll about it."""
        seat = next(seat for seat in table.state.awaited() if not table.state.strength_at(seat))
        await self.pass_deadline(table, seat)
        await self.pass_deadline(table, seat)
        return max(table.state.polls)

    async def move(self, table: Table, seat: Seat) -> None:
        """Make some move in a seat."""
        await act(table, seat, some_action(table, seat, Random(table.id)), self.clock.time)


def host(table: Table) -> int:
    """Return the user who opened a table."""
    return table.match.host


def user(table: Table, seat: Seat) -> int:
    """Return the user in a seat."""
    return table.state.players[seat].user


async def every_setting(making: Making) -> None:
    """Each setting: a whole match, and one in the middle. For each game a lobby and a closed match, too."""
    for game, people, options in SETTINGS:
        await play(await making.dealt(game, people, **options), making.clock)
        table = await making.dealt(game, people, **options)
        await play(table, making.clock, stop=lambda each: each.state.n >= 20)
    for game in GAMES:
        await making.lobby(game, 1)
        await (await making.dealt(game, 4)).close(CloseReason.CHANNEL_GONE)


async def regulars(making: Making) -> None:
    """Matches of the same people, one after the other."""
    for number in range(6):
        table = await making.lobby("palmer", 1, limit=10, about={"host": Player(REGULARS[0], NAMES[0])})
        for each in REGULARS[1:]:
            await table.join(each, NAMES[each % len(NAMES)], making.clock.time, number)
        await table.start(REGULARS[0], making.clock.time)
        await play(table, making.clock)


async def lobbies(making: Making) -> None:
    """Everything that happens before a match."""
    at = making.clock.time
    table = await making.lobby("twin-palms", 2, rounds=1, about={"pace": "relaxed"})
    await table.cut(user(table, SECOND), "Ben", "blue lamp 4711", at)
    await terms.set_option(table, host(table), "rounds", 2, at)
    for strength in ("casual", "sharp"):
        await seats.add_computer(table, host(table), strength, at)
    await seats.dismiss_computer(table, host(table), at)
    await table.leave(host(table), at)
    table = await making.lobby("twin-it", 4, mode="teams")
    await terms.wish(table, user(table, SECOND), user(table, FOURTH), at)
    table = await making.lobby("palmer", 3, limit=10)
    await table.cancel(host(table), at, manages=False)
    table = await making.lobby("palmer", 1, limit=10)
    await table.leave(host(table), at)
    await making.pass_deadline(await making.lobby("charms", 2, about={"pace": "correspondence"}), TABLE)
    await (await making.lobby("palace", 2, about={"guild": GUILD + 1})).close(CloseReason.BOT_REMOVED)


async def rematches(making: Making) -> None:
    """Seats that are kept, taken, declined and released."""
    over = await making.dealt("palmer", 3, limit=10)
    await play(over, making.clock)
    first, *others = over.state.players
    about = {"host": first, "reserved": others, "rematch_of": over.id}
    table = await making.lobby("palmer", 1, limit=10, about=about)
    await seats.decline_kept(table, others[0].user, making.clock.time)
    await table.close(CloseReason.NOT_SHOWN)
    table = await making.lobby("palmer", 1, limit=10, about=about)
    await table.join(others[0].user, others[0].name, making.clock.time)
    await making.pass_deadline(table, DUE)


async def with_computers(making: Making) -> None:
    """Practice, daily deals, and people alone among computers."""
    table = await making.dealt("palmer", 1, "casual", "sharp", limit=10, about={"practice": True})
    await play(table, making.clock)
    table = await making.dealt("thirty-one", 1, "steady", "steady", tokens=1)
    await play(table, making.clock, stop=lambda each: 0 in each.state.awaited())
    await making.pass_deadline(table, TABLE)
    game = GAMES["charms"]
    for reason in (CloseReason.REPLACED, None):
        players = against(making.person(), 2, "casual")
        table = await open_practice(
            making.tables, game, game.Options(), players, at=making.clock.time, interaction=7
        )
        await play(table, making.clock, stop=lambda each: each.state.n >= LONG)
        if reason is not None:
            await table.close(reason)
    dailies = Dailies(making.tables)
    await play(await open_daily(making, dailies), making.clock)
    await open_daily(making, dailies)
    await (await open_daily(making, dailies)).close(CloseReason.DAY_OVER)
    for reason in (CloseReason.ROUND_OVER, CloseReason.DESERTED):
        await (await making.dealt("palmer", 3)).close(reason)


async def open_daily(making: Making, dailies: Dailies) -> Table:
    """Open the deal of a day for somebody new. Where it is over at once, that of the next day is taken."""
    while True:
        table = await dailies.play(making.person(), dailies.today(), GUILD, making.clock.time)
        if table.is_open:
            return table
        making.clock.time += DAY


async def overdue(making: Making) -> None:
    """Time that runs out, and votes on that."""
    for choice in ("wait", "keep", "end"):
        table = await making.dealt("palmer", 3, limit=10)
        number = await making.overdue(table)
        here = [user(table, seat) for seat in table.state.present()]
        await votes.vote(table, here[0], number, "end" if choice == "wait" else "wait", making.clock.time)
        for voter in here if choice == "wait" else here[::-1]:
            await votes.vote(table, voter, number, choice, making.clock.time)
    for game in ("twin-palms", "charms", "palace"):  # all are awaited together, and all but the last miss it
        table = await making.dealt(game, 3)
        await making.move(table, THIRD)
        await making.overdue(table)
        if game != "palace":
            await making.pass_deadline(table, FIRST)  # nobody has voted: computers take over
        if game == "charms":
            await seats.come_back(table, user(table, FIRST), making.clock.time)
            await making.move(table, SECOND)
    table = await making.dealt("thirty-one", 3, tokens=1, about={"pace": "relaxed"})
    number = await making.overdue(table)
    await making.move(table, table.state.polls[number].seats[0])
    table = await making.dealt("thirty-one", 3, tokens=1)
    number = await making.overdue(table)
    await votes.vote(table, user(table, table.state.present()[0]), number, "keep", making.clock.time)
    table = await making.dealt("palace", 2)
    await making.overdue(table)
    for seat in [seat for seat in table.deadlines if seat >= 0]:
        await making.pass_deadline(table, seat)
    await making.pass_deadline(table, TABLE)  # nobody is left


async def paces(making: Making) -> None:
    """Votes on the pace, decided and open."""
    for decided in ("yes", "no", ""):
        table = await making.dealt("palmer", 3, limit=10)
        await votes.propose(table, user(table, FIRST), "relaxed", making.clock.time)
        await votes.propose(table, user(table, SECOND), "correspondence", making.clock.time)
        for seat in SEATS[1:3] if decided else ():
            if 1 in table.state.polls:
                await votes.vote(table, user(table, seat), 1, decided, making.clock.time)


async def leaving(making: Making) -> None:
    """People who leave, come, and hand their seats over."""
    table = await making.dealt("palmer", 3, limit=10)
    at = making.clock.time
    await table.leave(user(table, SECOND), at)
    newcomer, friend = making.person(), making.person()
    await seats.take(table, SECOND, newcomer.user, newcomer.name, at)
    await seats.offer(table, user(table, FIRST), friend.user, friend.name, at)
    await seats.decline(table, FIRST, friend.user, at)
    await seats.offer(table, user(table, FIRST), friend.user, friend.name, at)
    await seats.accept(table, FIRST, friend.user, friend.name, at)
    await seats.offer(table, user(table, THIRD), making.person().user, "\u05d3\u05e0\u05d4 *", at)
    table = await making.dealt("twin-palms", 2, rounds=1)
    for seat in SEATS[:2]:
        await table.leave(user(table, seat), at)
    table = await making.dealt("palace", 2)
    await play(table, making.clock, stop=lambda each: each.state.n >= 20)
    for seat in SEATS[:2]:  # the second one has won
        await table.leave(user(table, seat), making.clock.time)
    table = await making.dealt("charms", 3, hands=1)
    await table.cancel(making.person().user, at, manages=True)
    table = await making.dealt("charms", 3, hands=1)
    await table.leave(user(table, THIRD), at)
    await seats.come_back(table, user(table, THIRD), at)


async def decided_ahead(making: Making) -> None:
    """Moves that people have chosen before their turn."""
    table = await making.dealt("thirty-one", 3)
    (turn,) = table.state.awaited()
    for seat, text in zip((seat for seat in SEATS[:3] if seat != turn), ("draw", "knock"), strict=True):
        await ahead.decide(table, user(table, seat), text, making.clock.time, ahead.moment(table.state, seat))


async def interrupted(making: Making) -> None:
    """Races that were interrupted."""
    for seconds in (1, 600):
        race = await making.dealt("twin-it", 2, mode="timed", seconds=60)
        for seat in SEATS[:2]:
            await making.move(race, seat)
        await making.pass_deadline(race, DUE)
        left = making.clock.time
        making.clock.time += 1000 * seconds
        await race.resume(left, making.clock.time)
        for _ in range(12):
            await step(race, making.clock)


async def messages(making: Making) -> None:
    """Rows of messages as crashes leave them, and logs that are packed."""
    table = await making.dealt("palmer", 3, limit=20)
    for post in (
        Post(table.id, "page", 1, 500, 601, final=1),
        Post(table.id, "page", 3, 500, 604, old=602, copies=2),
        Post(table.id, "call", 3, 500, 605, old=605),
    ):
        await making.tables.save_post(table, post)
    await making.tables.update_match(table, published=3)
    table = await making.dealt("palmer", 3, limit=10)
    await play(table, making.clock)
    for post in (Post(table.id, "end", 0, 500, 608), Post(table.id, "result", 0, 501, 0, final=1)):
        await making.tables.save_post(table, post)
    packed = await making.dealt("palmer", 3, limit=10)
    await play(packed, making.clock)
    await making.tables.update_match(packed, published=packed.state.n)
    last: int | None = 0
    while last is not None:
        last = await making.store.pack_logs(2**62, last)


async def everything_else(making: Making) -> None:
    """What is stored about people, servers and the bot itself."""
    store, (alice, ben, _) = making.store, REGULARS
    for preference, word in (("order", "rank"), ("alias", "Palm"), ("replays", "open"), ("hand", "dm")):
        await store.set_preference(alice, preference, word)
    await store.set_preference(ben, "pings", "only reminders")
    await store.set_lesson(alice, "palmer", 3)
    await store.offer_lesson(ben, "palace")
    season = await store.add_season(GUILD, 5, "Autumn", AT - DAY, making.clock.time + DAY)
    assert season is not None
    await store.close_season(season.id, making.clock.time + 2 * DAY, tabulate, unless_playing=False)
    await store.keep_final_post(season.id, 609)
    await store.add_season(GUILD, 5, "Winter", making.clock.time + 2 * DAY, making.clock.time + 9 * DAY)
    await store.set_season_role(GUILD, 610)
    await store.set_table_channels(GUILD, [611, 612])
    await store.leave_out(GUILD, ["twin-it"])
    await store.set_hours(REGULARS[0], Hours("Europe/Berlin", 18, 23, AT, 18, 740_000, AT, tuple(range(24))))
    await store.add_preset(Preset(0, GUILD, "Tuesday", "palace", "{}", "relaxed"), 4)
    night = await store.plan_night(NewNight(GUILD, 615, 616, AT, 1, '[["palmer", {}]]', 3, "5ec"), 1)
    assert night is not None
    await store.come(night.id, REGULARS[0], NAMES[0], 9)
    await store.begin_round(night, [((REGULARS[0], None), "why")])
    await store.add_night_post(night.id, 0, 617)
    await store.add_night_role(NightRole(GUILD, REGULARS[0], 618, 2**62))
    await store.set_board(GUILD, 613)
    await store.add_board_post(BoardPost(GUILD, 613, 614))
    await store.want_bulletins(GUILD, ["daily"])
    await store.keep_bulletin(Bulletin(GUILD, "daily", 1, AT // DAY, 613, 615))
    await store.set_seek(
        Seek(GUILD, alice, NAMES[0], ("palace", "palmer"), "any", 2**62, 3, making.clock.time)
    )
    lobby = await making.lobby("palmer", 1)
    await store.call(Summons(lobby.id, GUILD, 615, None, None, making.clock.time), [alice], 0)
    await store.add_outage(AT + 1, AT + 2)
    await store.mark_left_guilds([GUILD], making.clock.time)
    table = await making.dealt("charms", 3, hands=1)
    await table.leave(erased := user(table, FIRST), making.clock.time)
    await making.tables.erase(erased)  # they have seen a hand of a match in play
    await store.heartbeat(making.clock.time)


PARTS: Final[tuple[Callable[[Making], Awaitable[None]], ...]] = (
    every_setting,
    regulars,
    lobbies,
    rematches,
    with_computers,
    overdue,
    paces,
    leaving,
    decided_ahead,
    interrupted,
    messages,
    everything_else,
)


async def _play_all(file: Path) -> None:
    clock, seeds = Clock(AT), Random("stored")
    seed = lambda: f"palmhouse-deal-1:{seeds.randbytes(32).hex()}"  # noqa: E731
    async with tables_of(file, clock, seed=seed) as tables:
        await tables.load()
        making = Making(tables, clock)
        for part in PARTS:
            await part(making)


def check(db: sqlite3.Connection) -> None:
    """Raise AssertionError if the database lacks something that one can hold."""

    def column(query: str) -> set[Any]:
        return {value for (value,) in db.execute(query)}

    tables = column("SELECT name FROM sqlite_schema WHERE type = 'table'")
    assert {table for table in tables if not column(f"SELECT count(*) FROM {table}") - {0}} == set()
    packed = [row for each in db.execute("SELECT match, log FROM packed_logs") for row in unpack(*each)]
    rows = [LogRow(*each) for each in db.execute("SELECT n, kind, seat, user, body, at FROM log")]
    entries = [read(row).entry for row in [*rows, *packed]]
    missing = {*KINDS} - {each.kind for each in entries}
    assert not missing, missing
    reasons = {each.reason for each in entries if isinstance(each, Close)}
    assert reasons == {*CloseReason} - {CloseReason.OUTDATED}, {*CloseReason} - reasons
    assert column("SELECT DISTINCT kind FROM posts") == {"page", "call", "end", "result"}
    assert column("SELECT DISTINCT min(seat, 0) FROM clocks") == {DUE, TABLE, 0}
    for phase in ("lobby", "play", "over", "closed"):
        assert column(f"SELECT game FROM matches WHERE phase = '{phase}'") >= {*GAMES}, phase


def make_database(target: Path) -> None:
    """Write the database to a file."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "made.sqlite3"
        asyncio.run(_play_all(file))
        with closing(sqlite3.connect(file)) as db:
            db.execute(NOTE_RESTORED)
            db.commit()
            check(db)
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            db.execute("PRAGMA journal_mode = DELETE")
            target.unlink(missing_ok=True)
            db.execute("VACUUM INTO ?", (str(target),))
