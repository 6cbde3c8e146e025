"""Measure pictures of tables and hands: drawing time, file size, and how drawing slows down clicks."""

import asyncio
import importlib
import tempfile
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median, quantiles
from types import SimpleNamespace
from typing import Any

from bench.latency import Wait
from bench.process import running
from bench.report import Machine, say
from bot.client import cogs
from bot.messages.game_ui import Form, GameUI
from bot.messages.panel import Item, Panel
from bot.messages.router import Router
from bot.pictures import raster
from bot.pictures.encoding import encode
from cogs.common.game import GameCog
from games import GAMES, AnyGame
from sandbox import Sandbox

NAMES = ("Alice", "Ben", "Cleo", "Dana", "Eve", "Finn", "Gus", "Hana")
BUTTON = "Rules"
"""Label of the button that is clicked. Its answer reads no match."""


@dataclass(frozen=True)
class Drawing:
    """Times and sizes of pictures 1,000 pixels wide, drawn and encoded, with all sprites in the cache."""

    p50_ms: float
    p90_ms: float
    cpu_ms: float
    """Median processor time, which does not depend on how busy the machine is."""
    kbytes: float
    """Median size."""
    most_kbytes: float


@dataclass(frozen=True)
class Clicks:
    """Waits for the answer to a simple button, while no table draws and while all `tables` draw again each second."""

    tables: int
    idle: Wait
    drawing: Wait
    drawing_to_idle_p99: float


@dataclass(frozen=True)
class Boards:
    """`python -m bench boards --json`."""

    machine: Machine
    tables: dict[str, Drawing]
    """Public tables by game, with as many players as the game allows."""
    hands: dict[str, Drawing]
    sprites_mib: float
    """Size of the cache of sprites afterwards."""
    clicks: Clicks


async def measure(pictures: int = 60, tables: int = 40, clicks: int = 400) -> Boards:
    """Draw `pictures` of each kind and game, then time `clicks` without and with drawing."""
    machine = Machine()
    say(f"{pictures} tables and hands of each game are drawn.")
    found = faces()
    drawn = {slug: _drawing(face, pictures, own=False) for slug, face in found.items()}
    hands = {slug: _drawing(face, pictures, own=True) for slug, face in found.items()}
    held = raster.kept_bytes() / 2**20
    say(f"{clicks} clicks, then as many while {tables} tables draw at once.")
    idle, drawing = await _clicks(0, clicks), await _clicks(tables, clicks)
    ratio = round(drawing.p99_ms / idle.p99_ms, 2)
    return Boards(machine, drawn, hands, round(held, 1), Clicks(tables, idle, drawing, ratio))


def faces() -> dict[str, GameUI]:
    """Return the cog of every game, by slug. Without a bot they can draw, and nothing else."""
    found: dict[str, GameUI] = {}
    stage: Any = SimpleNamespace(game_uis=found, router=Router())
    for name in cogs():
        assert importlib.import_module(name).setup  # imports the module of the cog
    # A bot that ran before in this process has imported the cogs anew: the last class of each name counts.
    classes = {
        cog.__qualname__: cog for cog in GameCog.__subclasses__() if cog.__module__.startswith("cogs.")
    }
    for cog in classes.values():
        cog(stage)
    return dict(sorted(found.items()))


def boards(face: GameUI, rng: Random) -> Iterator[list[Item]]:
    """Yield tables of one game in the course of random matches, without end."""
    for state in _states(face.game, rng):
        yield face.board(face.game.view(state, None), NAMES[: _most(face.game)])


def _most(game: AnyGame) -> int:
    return game.seats(game.Options()).stop - 1


def _states(game: AnyGame, rng: Random) -> Iterator[Any]:
    while True:
        state, _ = game.new(game.Options(), _most(game), rng.random().hex())
        while awaited := game.awaited(state):
            yield state
            seat = rng.choice(awaited)
            game.step(state, seat, rng.choice(game.legal(state, seat)))


def hands(face: GameUI, rng: Random) -> Iterator[list[Item]]:
    """Yield hands of one game in the course of random matches, without end."""
    game = face.game
    for state in _states(game, rng):
        seat = rng.choice(game.awaited(state))
        form = Form(1, 1, game.legal(state, seat))
        yield face.hand(game.view(state, seat), NAMES[: _most(game)], form)


def _drawing(face: GameUI, pictures: int, *, own: bool) -> Drawing:
    """Draw each picture twice. Only the second time counts, because the first one makes the sprites."""
    some = hands(face, Random(1)) if own else boards(face, Random(1))
    times, cpu, weights = [], [], []
    for _ in range(pictures):
        (picture,) = Panel(*next(some)).pictures()
        picture.paint()
        begin, spent = time.perf_counter(), time.thread_time()
        png = encode(picture.paint())
        times.append((time.perf_counter() - begin) * 1000)
        cpu.append((time.thread_time() - spent) * 1000)
        weights.append(len(png) / 1000)
    return Drawing(median(times), quantiles(times, n=10)[-1], median(cpu), median(weights), max(weights))


async def _clicks(tables: int, clicks: int) -> Wait:
    with tempfile.TemporaryDirectory() as folder:
        async with AsyncExitStack() as stack:
            box = await stack.enter_async_context(Sandbox(rate_limits=False))
            guild = box.guild("Palm Beach")
            alice = box.person("Alice", guild)
            file = str(Path(folder, "draw_load.sqlite3"))
            await stack.enter_async_context(running(box, "bench.draw_load", box.url, file, str(tables)))
            await box.ready(60)
            card = (await alice.slash(guild.channel("card-room"), f"{next(iter(GAMES))} start")).message
            assert card is not None
            waits = []
            for _ in range(2 * clicks):  # the first half only fills the cache of sprites
                begin = time.perf_counter()
                await alice.click(card, BUTTON)
                waits.append((time.perf_counter() - begin) * 1000)
                await asyncio.sleep(0.01)
            waits = waits[clicks:]
            return Wait(round(median(waits), 2), round(quantiles(waits, n=100)[98], 2))
