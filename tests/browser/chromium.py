"""Debian's Chromium, driven by Playwright: find it, start it, skip tests without it, and lend its pages."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import pytest
from playwright.async_api import Browser, BrowserContext, Page, async_playwright, expect

CHROMIUM = Path("/usr/bin/chromium")
QUIET = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
"""Options that stop the browser from contacting any host but the page's."""

OFF = (
    # No test sees the address bar, but it loads three pages into each new window: a fifth of a second of a processor.
    "WebUIOmniboxPopup",
    "WebUIOmniboxFullPopup",
    "WebUIOmniboxAimPopup",
    # What Playwright turns off; the browser heeds only the last list that it is given.
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)
"""Features of the browser that tests do without."""

MISSING = f"{CHROMIUM} is not there, so the page is not tested in a browser; `make chromium` installs it."


def needed() -> None:
    """Skip the test where there is no Chromium; in CI fail instead."""
    if not CHROMIUM.exists():
        (pytest.fail if os.environ.get("CI") else pytest.skip)(MISSING)


@asynccontextmanager
async def chromium(*options: str) -> AsyncIterator[Browser]:
    """Start a browser without a window and close it at the end of the block. `options` are of its command line."""
    expect.set_options(timeout=20_000)  # ms; a busy machine is slow
    async with async_playwright() as playwright:
        arguments = [*QUIET, f"--disable-features={','.join(OFF)}", *options]
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield browser
        await browser.close()


BLANK: WeakKeyDictionary[Browser, dict[str, Page]] = WeakKeyDictionary()
"""A blank page of each kind that was lent before; a new one costs a third of a second of a processor."""


@asynccontextmanager
async def lent(browser: Browser, **kind: Any) -> AsyncIterator[Page]:
    """Lend a blank page of a profile with these settings, alone in it. The borrower takes its listeners away again."""
    blank, key = BLANK.setdefault(browser, {}), repr(sorted(kind.items()))
    page = blank.pop(key, None) or await (await browser.new_context(**kind)).new_page()
    try:
        yield page
    except BaseException:
        await page.context.close()
        raise
    for popup in page.context.pages:
        if popup is not page:
            await popup.close()
    await page.goto("about:blank")
    await page.mouse.move(0, 0)
    await page.set_viewport_size(kind["viewport"])
    blank[key] = page


def left(browser: Browser) -> list[BrowserContext]:
    """Return the profiles that a test has opened and not closed."""
    blank = [page.context for page in BLANK.get(browser, {}).values()]
    return [context for context in browser.contexts if context not in blank]
