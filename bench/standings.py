"""Measure standings in a large database: reading, recording a result, and a recount.

The database has 1,000 servers, 100,000 people and by default 1,000,000 results, most of them of a few people who play
every evening.
"""

import sqlite3
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any, Final

from bench.report import Machine, say
from bot.hosting.recount import redo
from bot.match.results import counted
from bot.standings.ratings import PROVISIONAL_MATCHES, RatedMatch, RatedSeat
from bot.store import LogRow, NewMatch, Result, Selection, Store, open_store
from bot.store.sqlite.opening import prepare
from games import GAMES

SERVERS: Final = 1_000
PEOPLE: Final = 100_000
RESULTS: Final = 1_000_000
PARTICIPANTS: Final = 10_000
"""Number of people who are on the leaderboard of all servers."""
NOW: Final = 1_800_000_000_000
"""Time of the last results, in ms."""
DAY: Final = 86_400_000
SPAN: Final = 730 * DAY
"""Time over which the matches are spread."""
READS: Final = 300
"""Number of times that each reading is measured."""
WRITES: Final = 100
FACTS: Final = '{"bids":10,"exact":6,"exact_run":3,"exact_start":1,"exact_end":2,"tricks":14}'


@dataclass(frozen=True)
class Reading:
    p50_ms: float
    p99_ms: float


@dataclass(frozen=True)
class Recording:
    """A result of six people, beside the same rows written by bare SQLite."""

    p50_ms: float
    p99_ms: float
    bare_p50_ms: float
    to_bare: float


@dataclass(frozen=True)
class Recount:
    matches: int
    seconds: float
    again_seconds: float
    same_bit_for_bit: bool


@dataclass(frozen=True)
class Standings:
    """`python -m bench standings --json`."""

    results: int
    bytes_per_match: float
    readings: dict[str, Reading]
    recording: Recording
    recount: Recount
    machine: Machine = field(default_factory=Machine)


async def measure(results: int = RESULTS) -> Standings:
    """Make the database, then measure."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "palmhouse.sqlite3"
        prepare(file)
        matches = fill(file, results)
        store = await open_store(file)
        try:
            recount = await _recounted(store, file)
            size = file.stat().st_size / matches
            readings = {
                name: await _read(read) for name, read in _readings(store, Random("readings"), matches)
            }
            return Standings(results, size, readings, await _recording(store, file), recount)
        finally:
            await store.close()


def fill(file: Path, results: int) -> int:
    """Write finished matches with that many results, without logs and ratings. Return the number of matches."""
    rng = Random("standings")
    members = [[rng.randrange(PEOPLE) for _ in range(150)] for _ in range(SERVERS)]
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        db.execute("BEGIN")
        written, number = 0, 0
        while written < results:
            number += 1
            made = _match(rng, members, number, NOW - SPAN + SPAN * written // results)
            db.execute(f"INSERT INTO matches VALUES ({', '.join('?' * 18)}, NULL)", made[0])  # noqa: S608
            db.executemany(f"INSERT INTO results VALUES ({', '.join('?' * 12)})", made[1])  # noqa: S608
            written += len(made[1])
            if number % 10_000 == 0:
                say(f"{written:,} of {results:,} results are written.")
        participants = rng.sample(range(PEOPLE), PARTICIPANTS)
        db.executemany(
            "INSERT INTO preferences (user, hand, pings, alias) VALUES (?, 'dm', 'never', ?)",
            [(1_000 + user, f"Alias {user}") for user in participants],
        )
        db.execute("COMMIT")
        db.execute("ANALYZE")
    return number


def _match(
    rng: Random, members: list[list[int]], number: int, ended: int
) -> tuple[tuple[Any, ...], list[tuple[Any, ...]]]:
    """Return a row of matches, and its rows of results."""
    guild, game = rng.randrange(SERVERS), GAMES[rng.choice([*GAMES])]
    # Some people play every evening, many a few times only.
    seats = game.seats(game.Options())
    least, most = max(2, seats[0]), min(6, seats[-1])
    people = {members[guild][int(150 * rng.random() ** 3)] for _ in range(rng.randint(least, most))}
    while len(people) < least:
        people.add(rng.randrange(PEOPLE))
    users = sorted(people)
    points = [rng.randrange(2 * len(users)) for _ in users]  # some are equal
    placings = [1 + sum(other > own for other in points) for own in points]
    rated = RatedMatch(
        game.slug,
        tuple(RatedSeat(seat, placing, None, replaced=False) for seat, placing in enumerate(placings)),
    )
    row = (
        *(number, game.slug, game.version, game.Options().model_dump_json(), "seed", guild + 1, 7, users[0]),
        *("over", ended - 900_000, ended - 800_000, ended, 8, 9, 1, None, number, rated.to_json()),
    )
    results = [
        (
            number,
            seat,
            guild + 1,
            game.slug,
            1_000 + user,
            f"Player {user}",
            placing,
            10,
            len(users),
            ended,
            FACTS,
            1,
        )
        for seat, (user, placing) in enumerate(zip(users, placings, strict=True))
    ]
    return row, results


async def _recounted(store: Store, file: Path) -> Recount:
    say("All matches are recounted, twice.")
    seconds, ratings = [], []
    matches = 0
    for _ in range(2):
        began = time.process_time()
        matches = (await store.recount(redo, lambda *_: None)).matches
        seconds.append(time.process_time() - began)
        with closing(sqlite3.connect(file)) as db:
            queries = "SELECT * FROM ratings ORDER BY user, pool, n", "SELECT * FROM progress ORDER BY user"
            ratings.append(hash(tuple(tuple(db.execute(query)) for query in queries)))
    return Recount(matches, seconds[0], seconds[1], len({*ratings}) == 1)


def _readings(store: Store, rng: Random, matches: int) -> Iterator[tuple[str, Callable[[], Awaitable[Any]]]]:
    """Yield the name of each reading, and a function that does it once."""
    games = [*GAMES]

    def server() -> int:
        return rng.randint(1, SERVERS)

    def person() -> int:
        return 1_000 + rng.randrange(PEOPLE)

    yield "leaderboard_all_games", lambda: store.leaderboard(server())
    yield "leaderboard_ratings", lambda: store.leaderboard(server(), slug := rng.choice(games), pool=slug)
    yield (
        "leaderboard_everywhere",
        lambda: store.participants(rng.choice(games), matches=PROVISIONAL_MATCHES, since=NOW - 30 * DAY),
    )
    yield "profile_placings", lambda: store.placings(Selection(person()))
    yield "profile_facts", lambda: store.fact_values(Selection(person(), game="palace"))
    yield "profile_best_win", lambda: store.best_win(Selection(person()), 10, 5.0)
    yield "profile_chart", lambda: store.rating_course(person(), rng.choice(games))
    yield "history_page", lambda: store.history(Selection(person()), 8, 8)
    yield "ratings_of_six", lambda: store.ratings(rng.choice(games), [person() for _ in range(6)])
    yield "rating_steps", lambda: store.rating_steps(rng.randint(1, matches))


async def _read(read: Callable[[], Awaitable[Any]]) -> Reading:
    times = []
    for _ in range(READS):
        began = time.perf_counter()
        await read()
        times.append((time.perf_counter() - began) * 1000)
    return Reading(median(times), quantiles(times, n=100)[98])


async def _recording(store: Store, file: Path) -> Recording:
    """Record results of six by the store and by bare SQLite, in turns."""
    say("Results of six people are recorded.")
    rng = Random("recording")
    times, bare = [], []
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        db.execute("PRAGMA synchronous = FULL")
        for number in range(WRITES):
            times.append(await _record(store, rng))
            bare.append(_record_bare(db, number))
    return Recording(median(times), quantiles(times, n=100)[98], median(bare), median(times) / median(bare))


async def _record(store: Store, rng: Random) -> float:
    game = GAMES["palace"]
    new = NewMatch(game.slug, game.version, game.Options().model_dump_json(), "seed", 1, 2, 3, NOW)
    match = await store.create(new, [LogRow(1, "join", None, 3, "Alice", NOW)], {})
    results = [
        Result(
            match.id, seat, 1, game.slug, 1_000 + rng.randrange(PEOPLE), "Alice", seat + 1, 10, 6, NOW, FACTS
        )
        for seat in range(6)
    ]
    rated = RatedMatch(game.slug, tuple(RatedSeat(seat, seat + 1, None, replaced=False) for seat in range(6)))
    finished = counted(results, rated)
    last = LogRow(2, "move", 0, 3, "play 7", NOW)
    began = time.perf_counter()
    await store.append(match.id, [last], deadlines={}, phase="over", ended=NOW, finished=finished)
    return (time.perf_counter() - began) * 1000


def _record_bare(db: sqlite3.Connection, number: int) -> float:
    """Write rows of the same number and size in one transaction, without reading any."""
    match = 10**9 + 10 * number  # far from those of the store, which come after it
    columns = ("palace", 1, "{}", "seed", 1, 2, 3, "over", NOW, NOW, NOW, None, None, 0, None, match, "{}")
    db.execute(f"INSERT INTO matches VALUES ({', '.join('?' * 18)}, NULL)", (match, *columns))  # noqa: S608
    results = [
        (match, seat, 1, "palace", 10**9 + seat, "Alice", 1, 10, 6, NOW, FACTS, 1) for seat in range(6)
    ]
    progress = [
        (10**9 + seat, '{"bids_run:palace":2,"wins":1,"wins_run":0}', '{"win":1}') for seat in range(6)
    ]
    ratings = [(10**9 + seat, "palace", number + 1, match, seat, 25.0, 8.0, 3.5, NOW) for seat in range(6)]
    began = time.perf_counter()
    db.execute("BEGIN IMMEDIATE")
    db.execute("INSERT INTO log VALUES (?, 1, 'move', 0, 3, 'play 7', ?)", (match, NOW))
    db.execute("UPDATE matches SET ended = ? WHERE id = ?", (NOW, match))
    db.executemany(f"INSERT INTO results VALUES ({', '.join('?' * 12)})", results)  # noqa: S608
    db.executemany("INSERT OR REPLACE INTO progress VALUES (?, ?, ?)", progress)
    db.executemany(f"INSERT INTO ratings VALUES ({', '.join('?' * 9)})", ratings)  # noqa: S608
    db.execute("COMMIT")
    return (time.perf_counter() - began) * 1000
