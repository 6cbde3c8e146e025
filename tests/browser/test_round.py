"""A whole round of Twin Palms, played by three people by clicking on the page; README shows pictures of it."""

from pathlib import Path

from PIL import Image
from playwright.async_api import Browser

from games import GAMES
from tests.browser.pictures import draw
from tests.browser.portraits import end, portrait

MOST = 300_000  # bytes of a picture


async def test_three_people_can_play_a_round_by_clicking(browser: Browser, pictures: Path) -> None:
    """They go from the empty channel to the scores; one of them continues on a phone for a while."""
    assert await draw(browser, pictures) == {"Alice": 5, "Ben": 5, "Cleo": 5}
    for name in ("bid", "trick", "scores"):
        assert (pictures / f"{name}.png").stat().st_size < MOST


async def test_a_picture_of_a_table_of_a_hand_and_of_an_end_can_be_drawn_for_readme(tmp_path: Path) -> None:
    files = [*await portrait(GAMES["palmer"], tmp_path), await end(tmp_path)]
    assert [file.name for file in files] == ["palmer.png", "palmer-hand.png", "end.png"]
    assert all(file.stat().st_size < MOST for file in files)
    for file in files:
        with Image.open(file) as picture:
            picture.load()
