"""The animation in README."""

from PIL import Image, ImageSequence
from playwright.async_api import Browser

from tests.browser.animation import frames
from tests.browser.pictures import DOCS


async def test_the_animation_is_short_and_endless_and_can_be_drawn_again(browser: Browser) -> None:
    lengths = []
    with Image.open(DOCS / "trailer.webp") as picture:
        for frame in ImageSequence.Iterator(picture):
            frame.load()
            lengths.append(frame.info["duration"])
        assert picture.info["loop"] == 0
    assert 8_000 <= sum(lengths) <= 12_000
    assert [length for _, length in await frames(browser)] == lengths
