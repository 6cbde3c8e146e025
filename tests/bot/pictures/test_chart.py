"""The chart of a rating: legible on a phone, with an alt text that says the same."""

import pytest
from PIL import Image, ImageColor

from bot.pictures.blank import GOLD
from bot.pictures.chart import BOTTOM, HEIGHT, LEFT, LINES, RIGHT, TOP, WORDS, _scale
from bot.pictures.drawing import picture_of
from bot.pictures.encoding import encode
from bot.pictures.scene import MOST_ALT, RatingChart

DAY = 86_400_000
START = 1_793_000_000_000


def chart(*ratings: int, days: int = 1, title: str = "Alice · Palace") -> RatingChart:
    points = tuple((START + number * days * DAY, rating) for number, rating in enumerate(ratings))
    return RatingChart(title, points, 12, f"{ratings[-1]}?", "up 40 over the last 10 matches")


def painted(scene: RatingChart) -> Image.Image:
    return picture_of(scene).paint().convert("RGB")


def top_of_line(image: Image.Image, x: int) -> int:
    """Return the highest pixel of the line at x."""
    gold = ImageColor.getrgb(GOLD)
    return next(y for y in range(TOP - 12, BOTTOM + 12) if image.getpixel((x, y)) == gold)


def test_the_alt_text_says_what_the_picture_shows() -> None:
    assert picture_of(chart(1500, 1620, 1480, 1540)).alt == (
        "Rating: Alice · Palace. 12 rated matches, 26 Oct 2026 to 29 Oct 2026. "
        "First 1500, highest 1620, lowest 1480, last 1540?. Trend: up 40 over the last 10 matches."
    )
    assert " 12 rated matches, on 26 Oct 2026. " in picture_of(chart(1500, 1510, days=0)).alt


@pytest.mark.parametrize("days", [0, 3])
def test_a_higher_rating_stands_higher_also_when_all_matches_ended_at_once(days: int) -> None:
    image = painted(chart(1500, 1600, 1450, days=days))
    middle = (LEFT + RIGHT) // 2
    first, best, last = (top_of_line(image, x) for x in (LEFT, middle, RIGHT))
    assert best < first < last


@pytest.mark.parametrize(
    "ratings", [(1500, 1500), (1500, 1501), (1499, 1742), (1180, 2044), (-300, 12_440), (3, 90_000)]
)
def test_the_scale_covers_all_ratings_with_few_lines(ratings: tuple[int, int]) -> None:
    scale = _scale(ratings)
    assert scale[0] <= min(ratings)
    assert max(ratings) <= scale[-1]
    assert 2 <= len(scale) <= LINES + 1
    assert scale[-1] - scale[0] >= 40


@pytest.mark.parametrize("points", [2, 200])
def test_it_keeps_discords_limits(points: int) -> None:
    scene = chart(*(1500 + number * 37 % 400 for number in range(points)), title="W" * 60)
    image = picture_of(scene).paint()
    assert image.size == (1000, HEIGHT)
    assert len(encode(image)) < 60_000
    assert len(picture_of(scene).alt) <= MOST_ALT


def test_its_smallest_text_is_13_pixels_high_on_a_phone() -> None:
    assert WORDS * 390 / 1000 >= 13
