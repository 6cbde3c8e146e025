"""Fixtures for the tests of the bot."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store import open_store
from games import GAMES
from tests.bot.tables import Room
from tests.toy.rules import GAME as TOY


@pytest.fixture
async def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Room]:
    """Yield a room without tables."""
    monkeypatch.setitem(GAMES, TOY.slug, TOY)
    store = await open_store(tmp_path / "palmhouse.sqlite3")
    yield Room(store)
    await store.close()
