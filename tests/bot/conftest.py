"""What the tests of the house share."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store import open_store
from games import GAMES
from tests.bot.tables import House
from tests.toy.rules import GAME as TOY


@pytest.fixture
async def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[House]:
    """A house without tables yet."""
    monkeypatch.setitem(GAMES, TOY.slug, TOY)
    store = await open_store(tmp_path / "house.sqlite3")
    yield House(store)
    await store.close()
