"""Fixtures of the browser tests: the bot on the sandbox, and its page open in Chromium."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.browser.chromium import chromium, needed
from tests.browser.screen import Screen, screen
from tests.e2e.card_room import CardRoom, card_room

ARTEFACTS = Path(__file__).parents[2] / "artefacts" / "browser"


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    needed()
    async with chromium() as browser:
        yield browser


@pytest.fixture
async def here(browser: Browser, tmp_path: Path) -> AsyncIterator[CardRoom]:
    """The bot on the sandbox; every match is dealt the same cards."""
    async with card_room(tmp_path / "house.sqlite3", seed=lambda: "browser") as open_house:
        yield open_house


@pytest.fixture
async def desk(browser: Browser, here: CardRoom) -> AsyncIterator[Screen]:
    """The page on a wide screen."""
    async with screen(browser, here.box.url) as shown:
        await expect(shown.page.locator("#connection")).to_have_text("The bot is here.")
        yield shown


@pytest.fixture
def pictures() -> Path:
    """Folder for screenshots that people can look at after the tests."""
    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    return ARTEFACTS
