"""Measure what `/verify` computes: a match of each game, replayed from its log, checked, and written as a file."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from statistics import median

from bench.report import Machine
from bot.match.deal_file import checks, deal_file, replayed
from bot.match.deals import new_seed
from bot.match.entries import Join, Move, Start
from bot.match.log import numbered, ticks
from bot.match.state import Logged, TableState
from bot.store import LogRow, Match
from games import GAMES, AnyGame

ENTRIES = 200
"""Length of the log for which the time is given."""


@dataclass(frozen=True)
class GameFigures:
    """One random match with the game's default options and as many people as they allow."""

    players: int
    entries: int
    ms: float
    """Median of the time for this match."""
    ms_for_200: float
    """The same for a log of ENTRIES entries."""
    kbytes: float
    """Size of the file."""


@dataclass(frozen=True)
class Figures:
    """All figures."""

    machine: Machine
    games: Mapping[str, GameFigures]


def measure(rounds: int = 15) -> Figures:
    """Measure every game; the times are medians of `rounds`."""
    return Figures(Machine(), {slug: _figures(game, rounds) for slug, game in GAMES.items()})


def _figures(game: AnyGame, rounds: int) -> GameFigures:
    match = _match(game)
    rows = [logged.row for logged in _played(game, match)]
    times, file = [], b""
    for _ in range(rounds):
        begin = time.perf_counter()
        file = _verified(game, match, rows)
        times.append((time.perf_counter() - begin) * 1000)
    ms = median(times)
    return GameFigures(
        players=game.seats(game.Options())[-1],
        entries=len(rows),
        ms=round(ms, 1),
        ms_for_200=round(ms * ENTRIES / len(rows), 1),
        kbytes=round(len(file) / 1000, 1),
    )


def _verified(game: AnyGame, match: Match, rows: list[LogRow]) -> bytes:
    replay = replayed(match, game, rows)
    assert all(check.holds for check in checks(replay))
    return deal_file(replay)


def _match(game: AnyGame) -> Match:
    columns = (1, game.slug, game.version, game.Options().model_dump_json(), new_seed(), 1, 2, 1)
    return Match(*columns, "over", 0, 0, 0, None, None, 0, None, None, None)


def _played(game: AnyGame, match: Match) -> Iterator[Logged]:
    """Play a match at random and yield its log."""
    state, rng = TableState.of(match, game), Random(1)
    people = range(1, game.seats(game.Options())[-1] + 1)
    for user in people:
        yield from _applied(state, numbered(state, 0, [Join(user, f"P{user}", user)]))
    yield from _applied(state, numbered(state, 0, [Start.by(1, state)]))
    while state.phase == "play":
        seats = [*state.awaited()]
        if not seats:
            yield from _applied(state, ticks(state, state.due() or 0))
            continue
        seat = rng.choice(seats)
        text = game.text(rng.choice(state.legal(seat)))
        yield from _applied(state, numbered(state, state.at, [Move(seat, text, state.players[seat].user)]))


def _applied(state: TableState, new: Iterator[Logged]) -> Iterator[Logged]:
    for logged in new:
        state.apply(logged)
        yield logged
