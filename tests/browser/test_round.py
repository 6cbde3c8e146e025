"""A whole round of Twin Palms, played by three people by clicking on the page; README shows pictures of it."""

import re
from pathlib import Path

from playwright.async_api import Browser

from tests.browser.pictures import DOCS, draw, draw_lobby
from tests.browser.portraits import portraits

README = (DOCS.parent / "README.md").read_text(encoding="utf-8")
MOST = 300_000  # bytes of a picture


async def test_three_people_can_play_a_round_by_clicking(browser: Browser, pictures: Path) -> None:
    """They go from the empty channel to the scores; one of them continues on a phone for a while."""
    shown = re.findall(r'src="docs/([\w-]+\.png)"', README)
    for name in shown:
        (pictures / name).unlink(missing_ok=True)
    await draw_lobby(browser, pictures)
    assert await draw(browser, pictures) == {"Alice": 5, "Ben": 5, "Cleo": 5}
    await portraits(pictures)
    assert shown
    for name in shown:
        assert (pictures / name).stat().st_size < MOST
        assert (DOCS / name).stat().st_size < MOST
