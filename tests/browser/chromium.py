"""Debian's Chromium, driven by Playwright: where it is, how it is started, and what is done without it."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Browser, async_playwright, expect

CHROMIUM = Path("/usr/bin/chromium")
QUIET = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
"""A browser that asks nobody but the page for anything."""

MISSING = f"{CHROMIUM} is not there, so the page is not tested in a browser; `make chromium` installs it."


def needed() -> None:
    """Skip the test where there is no Chromium; in CI that is a failure."""
    if not CHROMIUM.exists():
        (pytest.fail if os.environ.get("CI") else pytest.skip)(MISSING)


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """A running browser without a window."""
    expect.set_options(
        timeout=20_000
    )  # ms until what is expected has not come; a busy machine takes its time
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        await browser.close()
