"""Make `version-13.sqlite3`, a database of the bot's version 13.

    python -m tests.stored.make FILE

The file in this folder was made once, by the code of that version. The real bot on the sandbox made the first tables.
The real tables over the real store made the others, with a clock that this script moves. SQL adds entries that only
older versions wrote. Afterwards `python -m tests.stored.frozen facts` wrote down the facts.

Do not make the file again: a later version gets a file of its own beside it.
"""

import asyncio
import json
import re
import sqlite3
import sys
from collections.abc import Awaitable, Callable
from contextlib import closing
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from games import GAMES
from sandbox import Permission
from tests.contract import golden
from tests.e2e.house import House, house
from tests.e2e.players import bid, deal, latest, leave, open_table, prefer, shown
from tests.stored.facts import (
    DUE,
    KINDS,
    REASONS,
    TABLE,
    Player,
    Post,
    Table,
    Tables,
    act,
    deadline,
    seating,
    state_of,
    tables_of,
    voting,
)
from tests.stored.play import Clock, play, some_action, step

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
    ("twin-palms", 2, {"mode": "easy", "rounds": 2}),
    ("twin-palms", 3, {"mode": "normal", "rounds": 2}),
    ("twin-palms", 4, {"mode": "advanced", "rounds": 1, "bets": False}),
    ("twin-palms", 5, {"mode": "extreme", "rounds": 1, "half_bet_rounding": "down"}),
    ("charms", 3, {"hands": 1}),
    ("charms", 4, {"hands": 1, "bidding": "open"}),
    ("palace", 3, {}),
    ("palace", 3, {"allow_equal": True, "voluntary_pickup": True, "play_for_places": True}),
    ("palmer", 3, {"limit": 20}),
    ("palmer", 4, {"limit": 10}),
    ("thirty-one", 3, {"tokens": 1}),
    ("thirty-one", 4, {"tokens": 1, "any_suit": True, "three_of_a_kind": True}),
    ("twin-it", 2, {"mode": "classic", "sets_to_win": 2}),
    ("twin-it", 3, {"mode": "forbidden", "sets_to_win": 1}),
    ("twin-it", 4, {"mode": "teams", "sets_to_win": 1, "handicap": True}),
    ("twin-it", 2, {"mode": "cooperative", "seconds": 20, "singles": 3}),
    ("twin-it", 3, {"mode": "timed", "seconds": 20}),
)
"""Game, players and options: every mode, in matches as short as may be."""

GAMES_TESTED = Path(__file__).parent.parent / "games"
GOLDEN = (
    "charms/golden/hidden-bids-four-players.txt",
    "palace/golden/house-rules-on.txt",
    "thirty_one/golden/any-suit-made-and-dealt.txt",
    "twin_it/golden/classic.txt",
    "twin_it/golden/cooperative.txt",
    "twin_it/golden/forbidden.txt",
    "twin_palms/golden/further-rounds.txt",
)
"""Golden games that are played at tables, too."""

WHOLE = {1, 4, 6, 8, 10, 12}
"""Places in SETTINGS of those that are also kept early and late in the match, in the lobby, and closed."""


# By the bot on the sandbox


async def by_the_bot(file: Path) -> None:
    """Play a few matches by clicks, so that all kinds of messages and their rows are real."""
    with patch("sandbox.interactions.FIRST_ANSWER", 10.0), patch("bot.match.call.GRACE", 0):
        async with house(file, seed=lambda: "stored") as here:
            await _finished_with_rematch(here)
            await _going_on(here)
            await _ended(here)
            await prefer(here.people[0], here.room, hand="dm", pings="never")
            await prefer(
                here.people[1], here.room, pings="only reminders", cards="large", pictures="text only"
            )
            await prefer(here.people[2], here.room, order="rank")


async def _finished_with_rematch(here: House) -> None:
    await deal(here, 3, rounds=1)
    await _play_here(here, 1, 10**6)
    alice = here.people[0]
    await alice.click(latest(alice, here.thread(here.room.messages()[0]), "Rematch"), "Rematch")
    loaded = here.bot.tables._loaded
    await here.box.until(lambda: 2 in loaded and state_of(loaded[2]).phase == "play")
    await _play_here(here, 2, 20)


async def _going_on(here: House) -> None:
    alice, ben, cleo, dana, eve = here.people
    await bid(await deal(here, 2, rounds=2), alice)
    card = await open_table(here.room, "charms start", cleo, dana, eve, hands=2)
    await cleo.click(card, "Start")
    await _play_here(here, 4, 60)
    await open_table(here.room, "palmer start", dana, ben, computers=1)


async def _ended(here: House) -> None:
    cleo, _, eve = here.people[2:]
    card = await open_table(here.room, "thirty-one start", eve, cleo)
    await eve.click(card, "Start")
    await here.bot.publisher.rest()
    here.guild.grant(eve.user, Permission.MANAGE_GUILD)
    place = here.thread(card)
    await eve.click(shown(await eve.slash(place, "table end")), "End the match")
    card = await open_table(here.room, "palace start", eve, cleo)
    await eve.click(card, "Start")
    await here.bot.publisher.rest()
    await leave(cleo, here.thread(card))
    await here.bot.publisher.rest()


async def _play_here(here: House, number: int, entries: int) -> None:
    """Play a match to its end, or until its log is that long."""
    await here.bot.publisher.rest()
    table = await here.bot.tables.get(number)
    await play(table, Clock(here.bot.tables.now()), stop=lambda _: state_of(table).n >= entries)
    await here.bot.publisher.rest()


# By the tables themselves


class Making:
    """Tables over the file, whose people sit at no other table."""

    def __init__(self, tables: Tables, clock: Clock, deals: list[str]) -> None:
        self.tables = tables
        self.clock = clock
        self.deals = deals
        """Seeds; new matches are dealt from the last one."""
        self._people = count(400_000_000_000_000_001)
        self._places = count(500_000_000_000_000_001)

    def person(self) -> Player:
        """Return somebody new."""
        user = next(self._people)
        return Player(user, NAMES[user % len(NAMES)])

    async def lobby(self, game: str, people: int, computers: int = 0, /, **terms: Any) -> Table:
        """Open a table of new people; `terms` are options of the game, pace, practice, and rematch_of."""
        rest = {
            name: terms.pop(name) for name in ("pace", "practice", "rematch_of", "guild") if name in terms
        }
        host, *others = (self.person() for _ in range(people))
        robots = [
            Player(0, f"\U0001f916 Fern {n}", ("casual", "steady", "sharp")[n % 3]) for n in range(computers)
        ]
        self.clock.time += 60_000
        table = await self.tables.open(
            GAMES[game],
            GAMES[game].Options(**terms),
            channel=next(self._places),
            players=[host, *robots],
            at=self.clock.time,
            **{"guild": 700_000_000_000_000_001, **rest},
        )
        for other in others:
            await table.join(other.user, other.name, self.clock.time)
        await self.tables.note(table, card=next(self._places))
        return table

    async def dealt(self, game: str, people: int, computers: int = 0, /, **terms: Any) -> Table:
        """Open a table and start its match."""
        table = await self.lobby(game, people, computers, **terms)
        await table.start(user(table, 0), self.clock.time)
        await self.tables.settle(table, next(self._places))
        return table

    async def ring(self, table: Table, seat: int) -> None:
        """Let a deadline come."""
        self.clock.time = max(self.clock.time, table.clocks[seat])
        await deadline(table, seat)

    async def overdue(self, table: Table) -> int:
        """Let the time of an awaited person run out; return the number of the poll about it."""
        seat = next(seat for seat in table.clocks if seat >= 0 and not state_of(table).mind(seat))
        await self.ring(table, seat)
        await self.ring(table, seat)
        return max(state_of(table).polls)


def user(table: Table, seat: int) -> int:
    return state_of(table).players[seat].user


async def every_setting(making: Making) -> None:
    """Every game and mode: a whole match, one in the middle, and for one mode of each game also early and late."""
    for number, (game, people, options) in enumerate(SETTINGS):
        making.deals.append(f"stored {number}")
        whole = await making.dealt(game, people, **options)
        steps = await play(whole, making.clock)
        parts = (2, steps // 2, steps - 2) if number in WHOLE else (steps // 2,)
        for part in parts:
            table = await making.dealt(game, people, **options)
            left = iter(range(part))
            await play(table, making.clock, stop=lambda _, left=left: next(left, None) is None)  # type: ignore[misc]
        if number in WHOLE:
            await making.lobby(game, people, **options)
            await (await making.dealt(game, people, **options)).close("its channel is gone.")


async def golden_games(making: Making) -> None:
    """Golden games with events that drawn actions do not bring, and a stock that is used up."""
    for path in GOLDEN:
        script = golden.read((GAMES_TESTED / path).read_text(encoding="utf-8"))
        making.deals.append(script.header["seed"])
        options = json.loads(script.header["options"])
        table = await making.dealt(script.header["game"], len(script.names), **options)
        began = making.clock.time
        for name, text in script.actions:
            action, _, at = text.partition(" @")
            making.clock.time = began + int(at or 0)
            if name == "Clock":
                await deadline(table, DUE)
            else:
                parsed = state_of(table).game.parse(action)
                await act(table, script.names.index(name), parsed, making.clock.time)
    making.deals.append("stored")
    table = await making.dealt("thirty-one", 8, tokens=1)
    await play(table, making.clock, draw=False, stop=lambda _: state_of(table).n > 120)


async def lobbies(making: Making) -> None:
    """Everything that happens before a match."""
    at = making.clock.time
    table = await making.lobby("twin-palms", 2, pace="relaxed", rounds=1)
    for strength in ("casual", "sharp"):
        await seating.add_computer(table, user(table, 0), strength, at)
    await seating.dismiss_computer(table, user(table, 0), at)
    await table.leave(user(table, 0), at)
    table = await making.lobby("palmer", 3, limit=10)
    await table.cancel(user(table, 0), at, manages=False)
    table = await making.lobby("palmer", 1, limit=10)
    await table.leave(user(table, 0), at)
    await making.ring(await making.lobby("charms", 2, pace="correspondence", hands=1), TABLE)
    await (await making.lobby("charms", 2, hands=1)).close("it could not be shown.")
    await (await making.lobby("palace", 2)).close("the bot was removed from the server.")
    over = await making.dealt("palmer", 3, limit=10)
    await play(over, making.clock)
    await (await making.lobby("palmer", 3, limit=10, rematch_of=over.id)).close("it could not be shown.")
    await making.lobby("palmer", 3, limit=10, rematch_of=over.id)


async def with_computers(making: Making) -> None:
    """Practice, and people alone among computers."""
    table = await making.dealt("palmer", 1, 2, practice=True, limit=10)
    await play(table, making.clock)
    table = await making.dealt("charms", 1, 2, practice=True, pace="correspondence", hands=1, guild=0)
    await play(
        table, making.clock, stop=lambda each: len(state_of(each).awaited()) == 1 and state_of(each).n > 12
    )
    table = await making.dealt("thirty-one", 1, 2, tokens=1)
    await play(table, making.clock, stop=lambda each: 0 in state_of(each).awaited())
    await making.ring(table, TABLE)
    table = await making.dealt("thirty-one", 1, 3, tokens=1)
    await play(table, making.clock, stop=lambda each: state_of(each).n > 12 and 0 in state_of(each).awaited())
    race = await making.dealt("twin-it", 1, 1, mode="classic", sets_to_win=1)
    state = state_of(race)
    await race.react(
        1, lambda: [some_action(race, 1, _rng(race))] if state.legal(1) else [], making.clock.time
    )
    for _ in range(20):
        await step(race, making.clock)


def _rng(table: Table) -> Random:
    return Random(table.id)


SHORT: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("twin-palms", 3, {"rounds": 1}),
    ("charms", 4, {"hands": 1}),
    ("palace", 3, {}),
)
"""Games in which all are awaited together at first."""


async def polls(making: Making) -> None:
    """Time that runs out, and votes on that and on the pace, decided and open."""
    for choice in ("wait", "keep", "end"):
        table = await making.dealt("palmer", 3, limit=10)
        number = await making.overdue(table)
        here = [user(table, seat) for seat in state_of(table).present()]
        await voting.vote(table, here[0], number, "end" if choice == "wait" else "wait", making.clock.time)
        for voter in here:
            await voting.vote(table, voter, number, choice, making.clock.time)
    for game, people, short in SHORT:
        table = await making.dealt(
            game, people, **short
        )  # all are awaited together, and all but the last miss it
        await act(table, people - 1, some_action(table, people - 1, _rng(table)), making.clock.time)
        await making.overdue(table)
        if game != "palace":
            await making.ring(table, 0)  # nobody has voted: computers take over
        if game == "charms":
            await seating.come_back(table, user(table, 0), making.clock.time)
            await act(table, 1, some_action(table, 1, _rng(table)), making.clock.time)
    table = await making.dealt("thirty-one", 3, pace="relaxed", tokens=1)
    number = await making.overdue(table)
    late = state_of(table).polls[number].seats[0]
    await act(table, late, some_action(table, late, _rng(table)), making.clock.time)
    table = await making.dealt("thirty-one", 2, tokens=1)
    number = await making.overdue(table)
    await seating.come_back(table, user(table, state_of(table).polls[number].seats[0]), making.clock.time)
    table = await making.dealt("thirty-one", 3, tokens=1)
    number = await making.overdue(table)
    await voting.vote(table, user(table, state_of(table).present()[0]), number, "keep", making.clock.time)
    await making.ring(await _reminded(making), TABLE)
    for decided in ("yes", "no", ""):
        table = await making.dealt("palmer", 3, limit=10)
        await voting.propose(table, user(table, 0), "relaxed", making.clock.time)
        await voting.propose(table, user(table, 1), "correspondence", making.clock.time)
        for seat in (1, 2) if decided else ():
            if state_of(table).polls.get(1):
                await voting.vote(table, user(table, seat), 1, decided, making.clock.time)


async def _reminded(making: Making) -> Table:
    """Return a match in which nobody is left who has not missed their time."""
    table = await making.dealt("palace", 2)
    await making.overdue(table)
    for seat in [seat for seat in table.clocks if seat >= 0]:
        await making.ring(table, seat)
    return table


async def seats(making: Making) -> None:
    """People who leave, come, and hand their seats over."""
    table = await making.dealt("palmer", 3, limit=10)
    at = making.clock.time
    await table.leave(user(table, 1), at)
    newcomer = making.person()
    await seating.take(table, 1, newcomer.user, newcomer.name, at)
    friend = making.person()
    await seating.offer(table, user(table, 0), friend.user, friend.name, at)
    await seating.decline(table, 0, friend.user, at)
    await seating.offer(table, user(table, 0), friend.user, friend.name, at)
    await seating.accept(table, 0, friend.user, friend.name, at)
    await seating.offer(table, user(table, 2), making.person().user, "\u05d3\u05e0\u05d4 *", at)
    table = await making.dealt("twin-palms", 3, rounds=1)
    await table.leave(user(table, 0), at)
    table = await making.dealt("twin-palms", 2, rounds=1)
    for seat in (0, 1):
        await table.leave(user(table, seat), at)
    table = await making.dealt("charms", 3, hands=1)
    await table.cancel(user(table, 0), at, manages=True)
    table = await making.dealt("charms", 3, hands=1)
    await table.leave(user(table, 2), at)
    await seating.take(table, 2, user(table, 2), state_of(table).players[2].name, at)


async def times(making: Making) -> None:
    """Races that were interrupted, and moves that were several in one."""
    for seconds in (1, 600):
        race = await making.dealt("twin-it", 2, mode="timed", seconds=60)
        for seat in (0, 1):
            await act(race, seat, some_action(race, seat, _rng(race)), making.clock.time)
        await making.ring(race, DUE)
        left = making.clock.time
        making.clock.time += 1000 * seconds
        await race.resume(left)
    race = await making.dealt("twin-it", 2, mode="classic")
    for _ in range(12):
        await step(race, making.clock)
    await race.resume(making.clock.time)


async def messages(making: Making) -> None:
    """Rows of messages as crashes leave them."""
    table = await making.dealt("palmer", 3, limit=20)
    for post in (
        Post(table.id, "page", 1, 500, 601, final=1),
        Post(table.id, "page", 3, 500, 604, old=602, copies=2),
        Post(table.id, "call", 3, 500, 605, old=605),
    ):
        await making.tables.keep_post(table, post)
    await making.tables.note(table, published=3)
    table = await making.dealt("palmer", 3, limit=20)
    await making.tables.keep_post(table, Post(table.id, "page", 0, 500, 606, old=607))
    await play(table, making.clock, stop=lambda _: state_of(table).n > 8)
    await making.tables.note(table, published=5)
    table = await making.dealt("palmer", 3, limit=10)
    await play(table, making.clock)
    for post in (Post(table.id, "end", 0, 500, 608), Post(table.id, "result", 0, 501, 0, final=1)):
        await making.tables.keep_post(table, post)


async def older(making: Making) -> Callable[[sqlite3.Connection], None]:
    """Return what puts into the file what older versions wrote: one seat in its column, other words."""
    by_seat = [await making.dealt("palmer", 3, limit=20) for _ in range(3)]
    timeout = await making.dealt("twin-palms", 2, rounds=1)
    closed, outdated, unknown = [await making.dealt("palmer", 3, limit=10) for _ in range(3)]
    state = state_of(timeout)
    action = state.game.text(state.game.fallback(state.game_state, 0))

    def write(db: sqlite3.Connection) -> None:
        for table, kind in zip(by_seat, ("wait", "caretaker", ""), strict=True):
            _add(db, table, "remind", None, f"30000 {state_of(table).awaited()[0]}")
            _add(db, table, "overdue", state_of(table).awaited()[0], "30000")
            if kind:
                _add(db, table, kind, state_of(table).awaited()[0], "")
        _add(db, timeout, "timeout", 0, action)
        _add(
            db, closed, "close", None, "it began under rules this house no longer plays, so it cannot go on."
        )
        db.execute("UPDATE matches SET phase = 'closed', ended = opened + 1 WHERE id = ?", (closed.id,))
        db.execute("DELETE FROM clocks WHERE match = ?", (closed.id,))
        db.execute("UPDATE matches SET rules = 0 WHERE id = ?", (outdated.id,))
        db.execute("UPDATE matches SET game = 'whist' WHERE id = ?", (unknown.id,))

    return write


def _add(db: sqlite3.Connection, table: Table, kind: str, seat: int | None, body: str) -> None:
    (last, at) = db.execute("SELECT max(n), max(at) FROM log WHERE match = ?", (table.id,)).fetchone()
    db.execute(
        "INSERT INTO log (match, n, kind, seat, user, body, at) VALUES (?, ?, ?, ?, NULL, ?, ?)",
        (table.id, last + 1, kind, seat, body, at + 1),
    )


PARTS: tuple[Callable[[Making], Awaitable[None]], ...] = (
    every_setting,
    golden_games,
    lobbies,
    with_computers,
    polls,
    seats,
    times,
    messages,
)


async def by_the_tables(file: Path) -> None:
    """Make everything that takes no Discord."""
    clock, deals = Clock(0), ["stored"]
    async with tables_of(file, clock, seed=lambda: deals[-1]) as tables:
        clock.time = (await tables.store.last_beat() or 0) + 10_000_000
        await tables.load()
        making = Making(tables, clock, deals)
        for part in PARTS:
            await part(making)
        await tables.store.set_preference(400_000_000_000_000_001, "order", "rank")
        write = await older(making)
        await tables.store.beat(clock.time)
    with closing(sqlite3.connect(file)) as db, db:
        write(db)
    async with tables_of(file, clock) as tables:
        await tables.load()  # closes what can no longer be played


def check(db: sqlite3.Connection) -> None:
    """Raise AssertionError if the file lacks something that a database can hold."""

    def column(query: str) -> set[Any]:
        return {value for (value,) in db.execute(query)}

    assert column("SELECT DISTINCT kind FROM log") == KINDS
    closes = column("SELECT body FROM log WHERE kind = 'close'")
    assert all(any(re.fullmatch(form, body) for body in closes) for form in REASONS)
    assert column("SELECT DISTINCT kind FROM posts") == {"page", "call", "end", "result"}
    assert column("SELECT DISTINCT phase FROM matches") == {"lobby", "play", "over", "closed"}
    assert column("SELECT DISTINCT min(seat, 0) FROM clocks") == {DUE, TABLE, 0}
    assert column("SELECT DISTINCT game FROM matches") == {*GAMES, "whist"}
    for phase in ("lobby", "play", "over", "closed"):
        assert column(f"SELECT game FROM matches WHERE phase = '{phase}'") >= {*GAMES}, phase
    paces = column("SELECT body FROM log WHERE kind = 'pace'")
    assert paces == {"live", "relaxed", "correspondence"}
    assert column("SELECT 1 FROM results")
    assert column("SELECT 1 FROM preferences")
    assert column("SELECT 1 FROM matches WHERE rematch_of IS NOT NULL")


def compact(file: Path, target: Path) -> None:
    """Write the database as one small file."""
    with closing(sqlite3.connect(file)) as db:
        check(db)
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        db.execute("PRAGMA journal_mode = DELETE")
        db.execute("VACUUM INTO ?", (str(target),))


def main() -> None:
    target = Path(sys.argv[1])
    with TemporaryDirectory() as folder:
        file = Path(folder) / "stored.sqlite3"
        asyncio.run(by_the_bot(file))
        asyncio.run(by_the_tables(file))
        compact(file, target)


if __name__ == "__main__":
    main()
