"""Measure what finished matches take on the disk: their logs as rows and packed, and everything else about them.

Four people (or as many as the game allows) play with some seconds between two moves. The choices are those of casual
computers. Each match is stored with its results, ratings and messages, as the bot stores it. `recount_s` is processor
time; `tables` are bytes per match of each table with its indexes, logs packed.
"""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Final

from bench.process import Lab
from bench.report import Figures, say
from bot.hosting.recount import redo
from bot.match.entries import Join, Move, Start, Tick
from bot.match.log import read
from bot.match.results import finished
from bot.match.state import LogEntry, Logged, TableState
from bot.match.tables import Tables
from bot.store import LogRow, Match, NewMatch, Post, Store, open_store
from games import GAMES, AnyGame
from games.advice import Strength
from games.strategies import choose
from games.types import SEATS

AIM: Final = 100_000
"""Number of matches for which the size of the file is extrapolated."""
MOVES: Final = 200
PLAYERS: Final = 4
BEGUN: Final = 1_790_000_000_000
DISCORD_EPOCH: Final = 1_420_070_400_000
NAMES: Final = ("Alice", "Ben", "Cleo", "Dan", "Ella", "Finn", "Gül", "Hana 🌴")
PEOPLE: Final = 500
LOGS: Final = ("log", "packed_logs", "packed_people")
"""Tables of logs."""


@dataclass(frozen=True)
class Sizes:
    """Amounts to measure."""

    matches: int = 2_000


TINY: Final = Sizes(len(GAMES) + 1)


async def measure(lab: Lab, sizes: Sizes) -> Figures:
    """Play and store the matches, measure, pack their logs, and measure again."""
    file = lab.folder / "palmhouse.sqlite3"
    store = await open_store(file)
    try:
        entries = await _fill(store, sizes.matches) / sizes.matches
        rows, _ = await _stored(store, file, sizes.matches)
        say("The logs are packed.")
        await _pack(store)
        packed, tables = await _stored(store, file, sizes.matches)
    finally:
        await store.close()
    rest = packed["bytes_per_match"] - packed["bytes_of_log_per_match"]
    return {
        "entries_per_match": entries,
        "files": {"rows": rows, "packed": packed},
        "bytes_per_match_of_200_entries": rest + packed["bytes_of_log_per_match"] * MOVES / entries,
        "tables": {name: size / sizes.matches for name, size in tables.items()},
    }


async def _stored(store: Store, file: Path, matches: int) -> tuple[Figures, dict[str, int]]:
    """Measure a file that has all matches. Return the sizes of its tables, too."""
    sizes = _sizes(file)
    size, logs = sum(sizes.values()) / matches, sum(sizes.get(name, 0) for name in LOGS) / matches
    begun = time.process_time()
    await store.recount(redo, lambda *_: None)
    found = {
        "bytes_per_match": size,
        "bytes_of_log_per_match": logs,
        "mb_for_100_000": size * AIM / 1e6,
        "recount_s": time.process_time() - begun,
    }
    return found, sizes


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


async def _pack(store: Store) -> None:
    """Pack all logs."""
    last: int | None = 0
    while last is not None:
        last = await store.pack_logs(2**62, last)


# Matches


async def _fill(store: Store, matches: int) -> int:
    """Play and store matches of all games in turn. Return the number of entries in their logs."""
    tables, entries = Tables(store, lambda: BEGUN), 0
    for number, slug in enumerate(islice(cycle(GAMES), matches), start=1):
        entries += await _store(tables, GAMES[slug], number)
        if number % 100 == 0:
            say(f"{number:,} of {matches:,} matches are played.")
    return entries


async def _store(tables: Tables, game: AnyGame, number: int) -> int:
    """Play a match, and store it with everything that follows from it. Return the number of its entries."""
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
    return len(log)


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
    able = [seat for seat in SEATS[: len(state.players)] if state.legal(seat)]
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
