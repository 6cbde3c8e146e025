"""Measure replays: computing one from its log, drawing a step, the size of the page, and the memory of many."""

import os
import time
from dataclasses import dataclass
from itertools import cycle
from random import Random
from statistics import median, quantiles

from bench.boards import NAMES, faces
from bench.process import memory
from bench.report import Machine, say
from bot.match.replay import PUBLIC, Replay, replay_of
from bot.match.times import Times
from bot.messages.game_ui import GameUI
from bot.pictures.encoding import encode
from bot.store import LogRow, Match
from cogs.replay.access import Opened
from cogs.replay.message import step_panel
from cogs.replay.page import page
from games import AnyGame
from games.strategies import choose

AT: int = 1_790_000_000_000
"""Time of the matches in ms."""
SAMPLES = 5
DRAWN = 100
"""Steps of a match that are drawn, evenly spread over it."""


@dataclass(frozen=True)
class Replayed:
    """One match of a game, with as many players as the game allows. Drawing includes the encoding, with all sprites in
    the cache; processor time does not depend on how busy the machine is."""

    steps: int
    fold_ms: float
    """Computing the replay from its log, which is done once."""
    step_p50_ms: float
    step_p90_ms: float
    step_cpu_ms: float
    page_ms: float
    page_kbytes: float


@dataclass(frozen=True)
class Memory:
    """Memory of this process (RSS) in MiB after a number of replays; null on systems without Linux's `/proc`."""

    replays: int
    mib: float | None


@dataclass(frozen=True)
class Replays:
    """`python -m bench replays --json`."""

    machine: Machine
    games: dict[str, Replayed]
    memory: list[Memory]


def measure(replays: int = 1_000, drawn: int = DRAWN) -> Replays:
    """Replay a match of each game and draw `drawn` of its steps, then replay `replays` different matches."""
    machine, uis = Machine(), faces()
    say("A match of each game is played and replayed.")
    games = {slug: _replayed(ui, drawn) for slug, ui in uis.items()}
    say(f"{replays} matches are replayed: a step of each is drawn, and its page is built.")
    return Replays(machine, games, _memory([ui for ui in uis.values() if not ui.game.real_time], replays))


def _replayed(ui: GameUI, drawn: int) -> Replayed:
    log = _log(ui.game, "replays")
    begin = time.perf_counter()
    found = _opened(ui.game, "replays", log)
    fold = (time.perf_counter() - begin) * 1000
    assert found.replay is not None
    times, cpu = [], []
    steps = len(found.replay.everything)
    for at in range(0, steps, max(1, steps // drawn)):
        _draw(found, found.replay, ui, at)
        begin, spent = time.perf_counter(), time.thread_time()
        _draw(found, found.replay, ui, at)
        times.append((time.perf_counter() - begin) * 1000)
        cpu.append((time.thread_time() - spent) * 1000)
    begin = time.perf_counter()
    size = len(page(found, ui, found.replay.all_hands).encode()) / 1000
    built = (time.perf_counter() - begin) * 1000
    return Replayed(
        steps,
        fold,
        median(times),
        quantiles(times, n=10)[-1],
        median(cpu),
        built,
        size,
    )


def _draw(found: Opened, replay: Replay, ui: GameUI, at: int) -> None:
    for picture in step_panel(found, ui, replay.all_hands, at, pictures=True).pictures():
        encode(picture.paint())


def _memory(uis: list[GameUI], replays: int) -> list[Memory]:
    """Replay matches of these games in turn. Return the memory after each fifth of them."""
    samples = []
    for number, ui in zip(range(1, replays + 1), cycle(uis)):
        found = _opened(ui.game, str(number), _log(ui.game, str(number)))
        assert found.replay is not None
        _draw(found, found.replay, ui, number % len(found.replay.everything))
        page(found, ui, found.replay.all_hands if number % 2 else PUBLIC)
        if number % (replays // SAMPLES) == 0:
            samples.append(Memory(number, memory(os.getpid())))
    return samples


def _opened(game: AnyGame, seed: str, log: tuple[LogRow, ...]) -> Opened:
    options = game.Options().model_dump_json()
    match = Match(
        1, game.slug, game.version, options, seed, 1, 1, 1, "over", AT, AT, AT, 1, 1, 1, None, 1, None
    )
    replay = replay_of(match, game, log, Times())
    return Opened(match, log, replay, (replay.all_hands, PUBLIC))


def _log(game: AnyGame, seed: str) -> tuple[LogRow, ...]:
    """Play a match at random, one in real time with computers, and return its log."""
    options, rng = game.Options(), Random(seed)
    seats = game.seats(options).stop - 1
    rows: list[tuple[str, int | None, int | None, str]] = [
        ("join", None, seat + 1, NAMES[seat]) for seat in range(seats)
    ]
    rows.append(("start", None, 1, ""))
    state, _ = game.new(options, seats, seed)
    while awaited := game.awaited(state):
        seat = rng.choice(awaited)
        action = (
            choose(game, game.view(state, seat), "steady", len(rows))
            if game.real_time
            else rng.choice(game.legal(state, seat))
        )
        game.apply(state, seat, action)
        rows.append(("move", seat, seat + 1, game.text(action)))
    return tuple(LogRow(n, *row, AT) for n, row in enumerate(rows, 1))
