"""The page as people use it: several clients side by side, elements found by their visible names, used by click and
key."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Literal

from playwright.async_api import Browser, ConsoleMessage, Error, Locator, Page, Request, expect

from tests.browser.chromium import lent

DESKTOP: dict[str, Any] = {"viewport": {"width": 1400, "height": 900}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}


class Client:
    """One person's client on the page."""

    def __init__(self, page: Page, name: str) -> None:
        self.name = name
        self.root = page.get_by_role("region", name=re.compile(rf"^{name} "))
        self.line = self.root.get_by_role("combobox", name=re.compile("Message"))
        self.messages = self.root.locator(".message")
        self.public = self.root.locator(".message:not(.ephemeral)")
        self.table = self.public.filter(has=page.get_by_role("button", name="My hand")).last
        self.hand = self.root.locator(".message.ephemeral").last

    def button(self, name: str, within: Locator | None = None) -> Locator:
        """Return the last button with exactly that name."""
        return (within or self.root).get_by_role("button", name=name, exact=True).last

    async def click(self, name: str, within: Locator | None = None) -> None:
        """Press the last button with exactly that name."""
        await self.button(name, within).click()

    async def enter(self, place: str) -> None:
        """Open the channel or thread that the bar marks as having news."""
        await self.root.locator(".calls").get_by_role("button", name=place).click()
        await expect(self.root.get_by_role("heading", level=2)).to_contain_text(place)


class Screen:
    """The page in a browser. `faults` collects the browser's errors and the requests to other hosts."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self.faults: list[str] = []
        page.on("console", self._console)
        page.on("pageerror", self._error)
        page.on("request", self._request)

    def leave(self) -> None:
        """Listen no more."""
        self.page.remove_listener("console", self._console)
        self.page.remove_listener("pageerror", self._error)
        self.page.remove_listener("request", self._request)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.faults.append(message.text)

    def _error(self, error: Error) -> None:
        self.faults.append(str(error))

    def _request(self, request: Request) -> None:
        if not request.url.startswith((self.url, "data:")):
            self.faults.append(f"asked {request.url}")

    def client(self, name: str) -> Client:
        """Return the client of that person."""
        return Client(self.page, name)

    def person(self, name: str) -> Locator:
        """Return the person's button in the list of people."""
        return self.page.get_by_role("group", name="People shown").get_by_role("button", name=name)

    async def overflow(self) -> int:
        """Number of pixels by which the page is wider than the window."""
        wider: int = await self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        return wider


@asynccontextmanager
async def screen(
    browser: Browser, url: str, kind: dict[str, Any] = DESKTOP, scheme: Literal["dark", "light"] = "dark"
) -> AsyncIterator[Screen]:
    """Open the page; at the end of the block the console must have no message."""
    async with lent(browser, **kind, color_scheme=scheme, locale="en-GB", reduced_motion="reduce") as page:
        shown = Screen(page, url)
        await page.goto(url)
        await expect(page.locator("#connection")).not_to_have_text("Connecting…")
        await expect(page.locator(".client").first).to_be_visible()
        await expect(page.locator(".client:visible h2:empty")).to_have_count(0)  # what they see has arrived
        yield shown
        shown.leave()
        await page.evaluate("sessionStorage.clear()")  # a later sandbox may have the same port
    assert shown.faults == [], shown.faults
