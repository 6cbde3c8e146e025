"""README shows pictures of the page as it is: a script plays for them, and they are small and described."""

import re
from pathlib import Path

from playwright.async_api import Browser

from tests.browser.pictures import DOCS, draw

README = (DOCS.parent / "README.md").read_text(encoding="utf-8")
MOST = 150_000  # bytes


async def test_the_script_draws_every_picture_of_the_readme(browser: Browser, pictures: Path) -> None:
    await draw(browser, pictures)
    shown = re.findall(r'src="docs/(\w+)\.png"', README)
    assert shown == ["lobby", "bid", "trick", "scores"]
    for name in shown:
        for folder in (pictures, DOCS):
            assert (folder / f"{name}.png").stat().st_size < MOST
