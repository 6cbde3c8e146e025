"""Fixtures of the browser tests: the bot on the sandbox, and its page open in Chromium.

All these tests share one browser, as its start takes a second of a processor, and therefore one event loop.
"""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from tests.browser.chromium import chromium, left, needed
from tests.browser.screen import Screen, screen
from tests.e2e.card_room import CardRoom, card_room

ARTEFACTS = Path(__file__).parents[2] / "artefacts" / "browser"


def pytest_itemcollected(item: pytest.Item) -> None:
    """Run the test in the event loop of the browser."""
    item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def shared_browser() -> AsyncIterator[Browser]:
    needed()
    async with chromium() as browser:
        yield browser


@pytest_asyncio.fixture(loop_scope="session")
async def browser(shared_browser: Browser) -> AsyncIterator[Browser]:
    """The browser, whose pages are blank; nothing of earlier tests is left in their profiles."""
    yield shared_browser
    for context in left(shared_browser):
        await context.close()


@pytest_asyncio.fixture(loop_scope="session")
async def here(browser: Browser, tmp_path: Path) -> AsyncIterator[CardRoom]:
    """The bot on the sandbox; every match is dealt the same cards."""
    async with card_room(tmp_path / "house.sqlite3", seed=lambda: "browser") as open_house:
        yield open_house


@pytest_asyncio.fixture(loop_scope="session")
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
