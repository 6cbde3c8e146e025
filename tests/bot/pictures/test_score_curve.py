"""The course of the scores at the end of a match: every line can be seen and told apart, and the words say the same."""

from collections.abc import Sequence
from itertools import pairwise
from random import Random

import pytest
from PIL import Image, ImageColor

from bot.pictures.axis import axis
from bot.pictures.drawing import picture_of
from bot.pictures.encoding import encode
from bot.pictures.painting import NIGHT, WIDTH
from bot.pictures.scene import MOST_ALT, PlacedPlayer, Podium, ScoreCurve, ScoreLine
from bot.pictures.score_curve import COLOURS, LABEL_STEP, Plot, _apart
from cogs.twin_it.tokens import COLOURS as TWIN_IT_COLOURS
from tests.bot.pictures.eyes import contrast
from tests.bot.pictures.written import smallest_words

NAMES = ("Alice", "Ben", "Cleo", "Dan", "🤖 Fern", "🤖 Coral", "🤖 Palm", "🤖 Reef")


def curve(*rounds: Sequence[int], names: Sequence[str] = NAMES, low_wins: bool = False) -> ScoreCurve:
    """Return the course of a match with these scores by round."""
    columns = zip(*rounds, strict=True)
    lines = tuple(ScoreLine(names[seat], seat, tuple(column)) for seat, column in enumerate(columns))
    return ScoreCurve("sand dollars", "round", lines, low_wins=low_wins)


def podium(scores: ScoreCurve | None, rating: str = "") -> Podium:
    names = [line.name for line in scores.lines] if scores else NAMES[:2]
    players = tuple(PlacedPlayer(name, place, 9, rating) for place, name in enumerate(names, 1))
    return Podium("Palace", "cards", players, "Ben hit 3.", scores)


def random_curve(seats: int, rounds: int, most: int = 9) -> ScoreCurve:
    rng = Random(seats * rounds)
    return curve(*([rng.randint(-most, most) for _ in range(seats)] for _ in range(rounds)))


def painted(scene: Podium) -> Image.Image:
    return picture_of(scene).paint().convert("RGB")


def colours_at(image: Image.Image, left: int, right: int) -> set[str]:
    """Return the colours of lines that have pixels between these columns of the lower half."""
    found = image.crop((left, image.height // 2, right, image.height)).getcolors(WIDTH * image.height) or ()
    seen = {colour for _, colour in found}
    return {colour for colour in COLOURS if ImageColor.getrgb(colour) in seen}


SHAPES = {
    "two players, two rounds": random_curve(2, 2),
    "eight players, forty rounds": random_curve(8, 40),
    "one side": random_curve(1, 5),
    "nobody ever scores": curve((0, 0, 0), (0, 0, 0)),
    "very large and negative": random_curve(4, 6, most=10**9),
    "long names": curve((1,) * 8, (2,) * 8, names=[f"{'W' * 20} ({seat})" for seat in range(8)]),
    "names that cannot be drawn": curve((1, 2), (3, 1), names=["\U000121ab", "\u2068علي\u2069"]),
}


@pytest.mark.parametrize("scores", SHAPES.values(), ids=SHAPES)
def test_any_course_fits_the_picture(scores: ScoreCurve) -> None:
    picture = picture_of(podium(scores, "1540? −12"))
    image = picture.paint()
    assert (image.width, image.height <= 1500) == (WIDTH, True)
    assert len(encode(image)) < 150_000
    assert len(picture.alt) <= MOST_ALT
    edges = (
        image.convert("RGB").crop((0, 300, 8, image.height)),
        image.convert("RGB").crop((WIDTH - 12, 300, WIDTH, image.height)),
    )
    assert {colour for edge in edges for _, colour in edge.getcolors() or ()} == {ImageColor.getrgb(NIGHT)}


def test_every_player_has_a_line_and_a_name_in_the_same_colour() -> None:
    image = painted(podium(random_curve(8, 12)))
    assert colours_at(image, 200, 500) == {*COLOURS}
    assert colours_at(image, WIDTH - 150, WIDTH) == {*COLOURS}


def test_no_line_hides_another_where_scores_are_equal() -> None:
    image = painted(podium(curve((1,) * 8, (1,) * 8)))
    assert colours_at(image, 300, 400) == {*COLOURS}


def test_colours_stand_out_and_are_those_of_seats_elsewhere() -> None:
    assert COLOURS[: len(TWIN_IT_COLOURS)] == TWIN_IT_COLOURS
    assert len({*COLOURS}) == len(COLOURS)
    assert min(contrast(colour, NIGHT) for colour in COLOURS) > 4.5


# No game has scores of ten digits.
@pytest.mark.parametrize("shape", sorted(SHAPES.keys() - {"very large and negative"}))
def test_its_smallest_text_is_33_pixels_high_also_for_long_names(shape: str) -> None:
    assert smallest_words(podium(SHAPES[shape])) >= 33


def test_a_higher_score_stands_higher_and_rounds_are_evenly_spread() -> None:
    plot = Plot(curve((1, 5), (4, 2), (8, 8)), axis(1, 8, 4), 100, 0, 500)
    first, second = plot.lines
    assert [x for x, _ in first] == [x for x, _ in second] == [100, 300, 500]
    assert first[0][1] > first[1][1] > first[2][1]
    assert second[0][1] < first[0][1]
    assert first[2][1] != second[2][1], "equal scores lie side by side"


@pytest.mark.parametrize("heights", [[10.0] * 8, [390.0] * 8, [0.0, 1, 2, 200, 201, 202, 399, 400], [50.0]])
def test_names_keep_their_order_and_never_overlap(heights: list[float]) -> None:
    found = _apart(heights, 400)
    assert found == sorted(found)
    assert all(later - earlier >= LABEL_STEP for earlier, later in pairwise(found))
    assert found[-1] <= 400
    assert found[0] >= 0


@pytest.mark.parametrize(
    ("low", "high", "lines"),
    [
        (0, 3, [0, 1, 2, 3]),
        (-7, 12, [-10, -5, 0, 5, 10, 15]),
        (16, 110, [0, 50, 100, 150]),
        (5_160, 19_595, [5_000, 10_000, 15_000, 20_000]),
        (-(10**9), 10**9, [-(10**9), -5 * 10**8, 0, 5 * 10**8, 10**9]),
    ],
)
def test_the_scale_contains_all_values(low: int, high: int, lines: list[int]) -> None:
    assert [*axis(low, high, 5)] == lines


def test_the_alt_text_says_the_first_scores_and_how_often_the_lead_changed() -> None:
    said = picture_of(podium(curve((5, 3), (6, 8), (9, 9), (15, 10)))).alt
    assert said == (
        "Palace. Cards at the end. 1. Alice: 9. 2. Ben: 9. Ben hit 3. "
        "After round 1 of 4: Alice 5, Ben 3. The lead changed 2 times and was shared after 1 round."
    )


@pytest.mark.parametrize(
    ("scores", "lead"),
    [
        (curve((5, 3), (9, 6)), "Alice led after every round"),
        (curve((5, 3), (6, 9)), "The lead changed once"),
        (curve((5, 3), (9, 6), low_wins=True), "Ben led after every round"),
        (curve((3, 5), (9, 6), low_wins=True), "The lead changed once"),
        (curve((5, 3), (6, 6), (8, 7)), "Only Alice led alone; the lead was shared after 1 round"),
        (curve((3, 3), (6, 6), (8, 7)), "Only Alice led alone; the lead was shared after 2 rounds"),
        (curve((3, 3, 1), (6, 6, 2)), "The lead was shared after every round"),
        (curve((5, 3), (6, 6)), "All are level after the last round"),
        (curve((5, 3), (6, 6), low_wins=True), "All are level after the last round"),
        (curve((5, 3)), "Alice led after every round"),
        (curve((5, 5)), "All are level after the last round"),
    ],
)
def test_the_alt_text_is_true_of_ties_and_when_low_scores_lead(scores: ScoreCurve, lead: str) -> None:
    assert scores.describe()[1:] == [lead]


def test_the_heading_and_the_alt_text_say_when_low_scores_win() -> None:
    assert curve((5, 3), (6, 6)).heading == "Sand dollars after each round"
    fewest = curve((5, 3), (6, 6), low_wins=True)
    assert fewest.heading == "Sand dollars after each round · fewest win"
    assert fewest.describe()[0] == "After round 1 of 2 (fewest win): Alice 5, Ben 3"
