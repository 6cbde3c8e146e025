"""Debian's Chromium, driven by Playwright: find it, start it, and skip tests without it."""

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
"""Options that stop the browser from contacting any host but the page's."""

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
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=[*QUIET, *options])
        yield browser
        await browser.close()
