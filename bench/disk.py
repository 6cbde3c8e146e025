"""Measure what finished matches take on the disk: their logs as rows and packed, and everything else about them.

Four people (or as many as the game allows) play with some seconds between two moves. The choices are those of casual
computers. Each match is stored with its results, ratings and messages, as the bot stores it.
"""

import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path
from random import Random
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Final

from bench.report import Machine, say
from bot.hosting.recount import redo
from bot.match.entries import Join, Move, Start, Tick
from bot.match.log import read
from bot.match.results import finished
from bot.match.state import LogEntry, Logged, TableState
from bot.match.tables import Tables
from bot.store import LogRow, Match, NewMatch, Post, Store, open_store
from bot.store.sql.packing import pack, unpack
from games import GAMES, AnyGame
from games.advice import Strength
from games.strategies import choose

MATCHES: Final = 2_000
AIM: Final = 100_000
"""Number of matches for which the size of the file is extrapolated."""
MOVES: Final = 200
PLAYERS: Final = 4
BEGUN: Final = 1_790_000_000_000
DISCORD_EPOCH: Final = 1_420_070_400_000
NAMES: Final = ("Alice", "Ben", "Cleo", "Dan", "Ella", "Finn", "Gül", "Hana 🌴")
PEOPLE: Final = 500
SAMPLE: Final = 120
"""Number of logs that are packed and read to measure the time."""
LOGS: Final = ("log", "packed_logs", "packed_people")
"""Tables of logs."""


@dataclass(frozen=True)
class Logs:
    """The logs of one game."""

    entries_per_match: float
    packed_bytes_per_match: float
    packed_bytes_per_200_entries: float


@dataclass(frozen=True)
class Form:
    """A file that has all matches, without free pages."""

    bytes_per_match: float
    bytes_of_log_per_match: float
    mb_for_100_000: float
    recount_s: float
    """Processor time of a recount of all matches."""


@dataclass(frozen=True)
class Transactions:
    """Packing all logs in the store, one transaction after the other without a rest."""

    number: int
    p50_ms: float
    p99_ms: float
    all_s: float


@dataclass(frozen=True)
class Disk:
    """`python -m bench disk --json`."""

    matches: int
    entries_per_match: float
    rows: Form
    """Every log is stored as rows."""
    packed: Form
    bytes_per_match_of_200_entries: float
    """Packed, with everything else about a match."""
    pack_ms: float
    """Processor time to pack one log, and to read it again."""
    unpack_ms: float
    transactions: Transactions
    games: dict[str, Logs]
    tables: dict[str, float]
    """Bytes per match of each table with its indexes, logs packed."""
    machine: Machine = field(default_factory=Machine)


async def measure(matches: int = MATCHES) -> Disk:
    """Play and store the matches, measure, pack their logs, and measure again."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "palmhouse.sqlite3"
        store = await open_store(file)
        try:
            logs = await _fill(store, matches)
            rows = await _form(store, file, matches)
            say("The logs are packed.")
            transactions = await _pack(store)
            packed = await _form(store, file, matches)
            return _figures(logs, rows, packed, transactions, _sizes(file))
        finally:
            await store.close()


def _figures(
    logs: dict[str, list[Sequence[LogRow]]],
    rows: Form,
    packed: Form,
    transactions: Transactions,
    tables: dict[str, int],
) -> Disk:
    every = [log for of_game in logs.values() for log in of_game]
    entries = sum(map(len, every)) / len(every)
    rest = packed.bytes_per_match - packed.bytes_of_log_per_match
    sample = every[:: max(1, len(every) // SAMPLE)]
    values = [pack(log) for log in sample]
    return Disk(
        matches=len(every),
        entries_per_match=entries,
        rows=rows,
        packed=packed,
        bytes_per_match_of_200_entries=rest + packed.bytes_of_log_per_match * MOVES / entries,
        pack_ms=_mean_ms([*map(_packing, sample)]),
        unpack_ms=_mean_ms([*map(_unpacking, values)]),
        transactions=transactions,
        games={slug: _logs(of_game) for slug, of_game in logs.items()},
        tables={name: size / len(every) for name, size in tables.items()},
    )


def _logs(logs: Sequence[Sequence[LogRow]]) -> Logs:
    size, entries = sum(len(pack(log)) for log in logs), sum(map(len, logs))
    return Logs(entries / len(logs), size / len(logs), size / entries * MOVES)


def _packing(log: Sequence[LogRow]) -> Callable[[], object]:
    return lambda: pack(log)


def _unpacking(value: bytes) -> Callable[[], object]:
    return lambda: unpack(1, value)


def _mean_ms(works: Sequence[Callable[[], object]]) -> float:
    begun = time.process_time()
    for work in works:
        work()
    return (time.process_time() - begun) * 1000 / len(works)


async def _form(store: Store, file: Path, matches: int) -> Form:
    sizes = _sizes(file)
    size, logs = sum(sizes.values()) / matches, sum(sizes.get(name, 0) for name in LOGS) / matches
    begun = time.process_time()
    await store.recount(redo, lambda *_: None)
    return Form(size, logs, size * AIM / 1e6, time.process_time() - begun)


def _sizes(file: Path) -> dict[str, int]:
    """Return the bytes of each table with its indexes in a copy without free pages."""
    copy = file.with_name("copy.sqlite3")
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        db.execute("VACUUM INTO ?", (str(copy),))
    with closing(sqlite3.connect(copy)) as db:
        query = "SELECT tbl_name, sum(pgsize) FROM dbstat JOIN sqlite_schema USING (name) GROUP BY tbl_name"
        sizes = dict(db.execute(query).fetchall())
    copy.unlink()
    return sizes


async def _pack(store: Store) -> Transactions:
    """Pack all logs."""
    times: list[float] = []
    last: int | None = 0
    while last is not None:
        begun = time.perf_counter()
        last = await store.pack_logs(2**62, last)
        times.append((time.perf_counter() - begun) * 1000)
    return Transactions(len(times), median(times), quantiles(times, n=100)[98], sum(times) / 1000)


# Matches


async def _fill(store: Store, matches: int) -> dict[str, list[Sequence[LogRow]]]:
    """Play and store matches of all games in turn. Return the logs by game."""
    tables = Tables(store, lambda: BEGUN)
    logs: dict[str, list[Sequence[LogRow]]] = {slug: [] for slug in GAMES}
    for number, slug in enumerate(islice(cycle(GAMES), matches), start=1):
        logs[slug].append(await _store(tables, GAMES[slug], number))
        if number % 100 == 0:
            say(f"{number:,} of {matches:,} matches are played.")
    return logs


async def _store(tables: Tables, game: AnyGame, number: int) -> Sequence[LogRow]:
    """Play a match, and store it with everything that follows from it. Return its log."""
    rng = Random(number)
    store, at = tables.store, BEGUN + number * 900_000
    options = game.Options()
    secret = f"palmhouse-deal-1:{rng.randbytes(32).hex()}"
    guild, channel, place = _id(Random(number % 20), 0), _id(Random(number % 50), 0), _id(rng, at)
    new = NewMatch(
        *(game.slug, game.version, options.model_dump_json(), secret, guild, channel, _id(rng, 0), at)
    )
    match = await store.create(new, [], {})
    log = [*play(match, game, rng, at)]
    result = finished(match, game, map(read, log))
    await store.append(
        match.id, log, deadlines={}, phase="over", started=at, ended=log[-1].at, finished=result
    )
    await store.update_match(match.id, place=place, card=_id(rng, at), published=len(log))
    await _store_posts(tables, match, place, rng)
    return log


async def _store_posts(tables: Tables, match: Match, place: int, rng: Random) -> None:
    """Store a message for each page of the record, the last message, and the result."""
    pages = (await tables.get(match.id)).pages.kept
    for page in pages:
        await tables.store.save_post(
            Post(match.id, "page", page.first, place, _id(rng, match.opened), final=1)
        )
    await tables.store.save_post(Post(match.id, "end", 0, place, _id(rng, match.opened), final=1))
    await tables.store.save_post(Post(match.id, "result", 0, match.channel, _id(rng, match.opened), final=1))


def play(match: Match, game: AnyGame, rng: Random, at: int) -> Iterator[LogRow]:
    """Yield the log of a match that is opened at `at` ms."""
    state = TableState.of(match, game)
    seats = game.seats(state.options)
    people = rng.sample(range(PEOPLE), max(seats[0], min(seats[-1], PLAYERS)))
    users = {_id(Random(person), 0): NAMES[person % len(NAMES)] for person in people}
    for user, name in users.items():
        yield _applied(state, at := at + rng.randint(2_000, 20_000), Join(user, name, _id(rng, at)))
    yield _applied(state, at + 5_000, Start.by(next(iter(users)), state))
    while state.phase == "play":
        yield _applied(state, *_next(state, rng))


def _next(state: TableState, rng: Random) -> tuple[int, LogEntry]:
    """Return the next entry and its time: people take some seconds, and less in a race."""
    game, due = state.game, state.due()
    able = [seat for seat in range(len(state.players)) if state.legal(seat)]
    seats = [*state.awaited()] or (able if game.real_time else [])
    pause = rng.lognormvariate(7.5, 0.6) if game.real_time else 1_000 + rng.lognormvariate(8.3, 0.7)
    at = state.at + int(pause)
    if due is not None and (due <= at or not seats):
        return max(due, state.at), Tick()
    seat = rng.choice(seats)
    strength: Strength = "steady" if game.real_time else "casual"
    action = choose(game, game.view(state.game_state, seat), strength, rng.getrandbits(32))
    return at, Move(seat, game.text(action), state.players[seat].user)


def _applied(state: TableState, at: int, entry: LogEntry) -> LogRow:
    logged = Logged(state.n + 1, at, entry)
    state.apply(logged)
    return logged.row


def _id(rng: Random, at: int) -> int:
    """Return an id of Discord's from about that time; 0 stands for some years ago."""
    ms = (at or BEGUN - rng.randrange(10**11)) - DISCORD_EPOCH
    return (ms << 22) | rng.getrandbits(22)
