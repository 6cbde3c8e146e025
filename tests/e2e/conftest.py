"""What the end-to-end tests share."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.e2e.house import House, house


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[House]:
    """A house whose matches are all dealt the same cards."""
    async with house(tmp_path / "house.sqlite3", seed=lambda: "e2e") as open_house:
        yield open_house


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards are edited as often as they change, so that every state of theirs is shown."""
    monkeypatch.setattr("bot.card.PACE", 0.0)
