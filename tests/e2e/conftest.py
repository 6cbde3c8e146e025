"""Fixtures shared by the end-to-end tests."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from bot.match.times import Times
from bot.standings.pools import constants_of
from games import AnyGame
from sandbox import Permission, Person
from tests.e2e.card_room import QUICK, REGISTERED, CardRoom, card_room, registered
from tests.e2e.match import Match, match_of
from tests.simulation.loop import Loop
from tests.simulation.patches import simulated
from tests.simulation.testing import *  # noqa: F403
from tests.simulation.world import World
from tests.toy import GAME as TOY
from tests.toy.registered import register


@pytest.fixture(scope="session", autouse=True)
def commands_are_registered() -> None:
    """Let Discord know the commands in all card rooms, before the first test: so each has the same course alone."""
    for cogs in ((), ("tests.toy.cog",)):
        world = World(f"commands {cogs}")
        with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch, simulated(world):
            if cogs:
                register(patch)
            with asyncio.Runner(loop_factory=lambda world=world: Loop(world)) as runner:  # type: ignore[misc]
                REGISTERED[cogs] = runner.run(registered(Path(folder) / "new.sqlite3", extra_cogs=cogs))


@pytest.fixture
def first_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Discord know no commands yet."""
    monkeypatch.setattr("tests.e2e.card_room.REGISTERED", {})


@pytest.fixture
def quickly_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rate Palace as a game with little luck, in which a rating is settled after ten matches."""
    constants = replace(constants_of("palace"), beta=25 / 6, tau=25 / 300)
    monkeypatch.setattr("bot.standings.pools.POOLS", {"palace": constants})


@pytest.fixture
def times() -> Times:
    """Durations that the bot uses; a test module may override them."""
    return QUICK


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The file of a database; there is none yet."""
    return tmp_path / "palmhouse.sqlite3"


@pytest.fixture
async def here(file: Path, times: Times) -> AsyncIterator[CardRoom]:
    """A sandbox with the bot; every match is dealt the same cards."""
    async with card_room(file, seed=lambda: "e2e", times=times) as room:
        yield room


@pytest.fixture
def manager(here: CardRoom) -> Person:
    """Alice, who has the permission Manage Server."""
    alice = here.people[0]
    here.guild.grant(alice.user, Permission.MANAGE_GUILD)
    return alice


@pytest.fixture
def commands_for_all(here: CardRoom) -> None:
    here.guild.commands_for_all = True


@pytest.fixture
def game(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> AnyGame:
    """The toy, as most behaviour does not depend on the game; another one in a test marked with `every_game`."""
    chosen: AnyGame = getattr(request, "param", TOY)
    if chosen is TOY:
        register(monkeypatch)
    return chosen


@pytest.fixture
async def match(game: AnyGame, file: Path) -> AsyncIterator[Match]:
    """A match of `game`; its table is not open yet."""
    async with match_of(game, file) as match:
        yield match
