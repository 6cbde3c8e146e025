"""A page of a leaderboard: within Discord's limits and legible on a phone, whatever the names and numbers."""

import pytest
from PIL import ImageColor

from bot.match.names import distinct_names, safe
from bot.pictures.blank import GOLD
from bot.pictures.drawing import picture_of
from bot.pictures.encoding import encode
from bot.pictures.scene import MOST_ALT, Leaderboard, LeaderboardRow
from tests.bot.pictures.written import smallest_words

NAMES = [
    *(
        "Alice",
        "Alice",
        "🌴" * 32,
        "W" * 32,
        "**`bold`** __x__ ||h||",
        "李小龍" * 6,
        "\u202eمحمد علي كلاي",
        "דוד (3)",
    ),
    *("👨\u200d👩\u200d👧" * 8, "꧁༺★༻꧂" * 4),
]


def board(*names: str, marked: int | None = None) -> Leaderboard:
    shown = distinct_names(map(safe, names))
    rows = (
        LeaderboardRow(9_991 + number, name, ("1740", "99999", "99999"), number == marked)
        for number, name in enumerate(shown)
    )
    return Leaderboard(
        "Twin It!, race · last 30 days · page 1000 of 1000", ("Rating", "Wins", "Matches"), tuple(rows)
    )


def gold(scene: Leaderboard) -> int:
    """Return the number of gold pixels of the picture."""
    colours = picture_of(scene).paint().convert("RGB").getcolors(1 << 24) or ()
    return sum(count for count, colour in colours if colour == ImageColor.getrgb(GOLD))


@pytest.mark.parametrize("names", [NAMES, ["W" * 32] * 10, ["🌴" * 32] * 10, ["محمد علي كلاي بن محمد"] * 10])
def test_a_full_page_keeps_discords_limits(names: list[str]) -> None:
    picture = picture_of(board(*names, marked=3))
    image = picture.paint()
    assert (image.width, image.height <= 1250) == (1000, True)
    assert len(encode(image)) < 100_000
    assert len(picture.alt) < MOST_ALT
    assert picture.alt.endswith("matches 99999.")


def test_its_smallest_text_is_33_pixels_high_also_for_long_names() -> None:
    assert smallest_words(board(*NAMES, *["W" * 32] * 6)) >= 33


def test_the_row_of_the_person_who_asked_is_gold_and_marked_in_the_alt_text() -> None:
    plain, marked = board("Alice", "Ben"), board("Alice", "Ben", marked=1)
    assert gold(plain) == 0
    assert gold(marked) > 40_000
    assert "9992. Ben (marked): rating 1740, wins 99999, matches 99999." in marked.alt
    assert "marked" not in plain.alt


def test_the_alt_text_says_what_the_picture_shows() -> None:
    rows = (LeaderboardRow(1, "Ben", ("3", "4", "1.2")), LeaderboardRow(1, "Alice", ("3", "4", "1.2")))
    scene = Leaderboard("All games · all time", ("Wins", "Matches", "Mean"), rows)
    assert scene.alt == (
        "All games · all time. 1. Ben: wins 3, matches 4, mean 1.2. 1. Alice: wins 3, matches 4, mean 1.2."
    )
