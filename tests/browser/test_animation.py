"""The animation in README."""

from pathlib import Path

from PIL import Image, ImageSequence
from playwright.async_api import Browser

from tests.browser.animation import animate
from tests.browser.pictures import DOCS

MOST = 1_500_000  # bytes


async def test_the_animation_is_short_small_and_endless(browser: Browser, pictures: Path) -> None:
    """Checks the file in docs/ and the one drawn now: both repeat for ever and have the same number of frames."""
    drawn = await animate(browser, pictures)
    kept = DOCS / drawn.name
    assert _frames(drawn) == _frames(kept)
    for path in (drawn, kept):
        assert path.stat().st_size < MOST
        assert 8_000 <= sum(_frames(path)) <= 12_000


def _frames(path: Path) -> list[int]:
    """Return for how many ms each frame is shown. Fails for an animation that does not repeat."""
    with Image.open(path) as picture:
        lengths = []
        for frame in ImageSequence.Iterator(picture):
            frame.load()
            lengths.append(frame.info["duration"])
        assert picture.info["loop"] == 0
        return lengths
