"""The moving picture in README."""

from pathlib import Path

from PIL import Image, ImageSequence
from playwright.async_api import Browser

from tests.browser.animation import animate
from tests.browser.pictures import DOCS

MOST = 1_500_000  # bytes


async def test_the_moving_picture_is_short_and_light(browser: Browser, pictures: Path) -> None:
    """The one in docs/ and the one that is drawn now, for ever over again, with the same number of frames."""
    drawn = await animate(browser, pictures)
    kept = DOCS / drawn.name
    assert _frames(drawn) == _frames(kept)
    for path in (drawn, kept):
        assert path.stat().st_size < MOST
        assert 8_000 <= sum(_frames(path)) <= 12_000


def _frames(path: Path) -> list[int]:
    """For how many ms each is shown. Fails for a picture that ends."""
    with Image.open(path) as picture:
        lengths = []
        for frame in ImageSequence.Iterator(picture):
            frame.load()
            lengths.append(frame.info["duration"])
        assert picture.info["loop"] == 0
        return lengths
