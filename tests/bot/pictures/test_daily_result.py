"""A shared result of a daily deal: everything is in the alt text, and the bar is as long as the percentage."""

import pytest
from PIL import Image, ImageColor

from bot.pictures.daily_result import BAR_HEIGHT, BAR_TOP, EDGE
from bot.pictures.drawing import picture_of
from bot.pictures.painting import RIM, WIDTH
from bot.pictures.scene import DailyResult


def result(
    percentage: int | None, compared: str = "ahead of 73 % of 41 others", streak: int = 5
) -> DailyResult:
    title, score = "Palmhouse daily 326 · Thirty-One", "30 sand dollars"
    return DailyResult(title, "W" * 20, "2nd of 4", score, percentage, compared, streak)


def gold(image: Image.Image) -> int:
    """Return the number of gold pixels along the middle of the bar."""
    drawn, middle = image.convert("RGB"), BAR_TOP + BAR_HEIGHT // 2
    return sum(drawn.getpixel((x, middle)) == ImageColor.getrgb(RIM) for x in range(WIDTH))


def test_the_alt_text_says_what_the_picture_shows() -> None:
    assert picture_of(result(73)).alt == (
        f"Palmhouse daily 326 · Thirty-One. {'W' * 20}: 2nd of 4, 30 sand dollars. "
        "Ahead of 73 % of 41 others, 5 days in a row."
    )
    assert picture_of(result(None, "", 1)).alt == (
        f"Palmhouse daily 326 · Thirty-One. {'W' * 20}: 2nd of 4, 30 sand dollars."
    )


@pytest.mark.parametrize("percentage", [None, 0, 50, 100])
def test_the_bar_is_as_long_as_the_percentage(percentage: int | None) -> None:
    drawn = gold(picture_of(result(percentage)).paint())
    assert abs(drawn - (WIDTH - 2 * EDGE) * (percentage or 0) // 100) <= 4


def test_a_full_result_fits_the_picture() -> None:
    image = picture_of(result(73)).paint().convert("RGB")
    edges = {image.getpixel((x, y)) for x in (0, WIDTH - 1) for y in range(image.height)}
    assert len(edges) == 1, "nothing is cut off at the sides"
