"""Fixtures for the tests of the bot."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from games import GAMES
from tests.bot.store.stores import new_database, opened
from tests.bot.tables import Room
from tests.simulation.testing import pytest_asyncio_loop_factories  # noqa: F401 - pytest-asyncio looks for it here
from tests.toy import GAME as TOY


@pytest.fixture
async def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Room]:
    """Yield a room without tables."""
    monkeypatch.setitem(GAMES, TOY.slug, TOY)
    async with opened(new_database(tmp_path / "palmhouse.sqlite3")) as store:
        yield Room(store)
