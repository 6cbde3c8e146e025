"""The podium at the end of a match: legible on a phone, also when players share a step."""

from dataclasses import replace

import pytest
from PIL import Image, ImageChops, ImageColor

from bot.pictures.drawing import picture_of
from bot.pictures.encoding import encode
from bot.pictures.podium import CENTRES, COLOURS, HEIGHTS, STEP
from bot.pictures.scene import MOST_ALT, PlacedPlayer, Podium
from tests.bot.pictures.written import smallest_words

LONG = "W" * 20
PLACINGS = {
    "one alone": (1,),
    "two": (1, 2),
    "a tie for second": (1, 2, 2, 4),
    "two teams of three": (1, 1, 1, 4, 4, 4),
    "all together": (1, 1, 1, 1),
    "eight": (1, 2, 3, 4, 5, 6, 7, 8),
}


def podium(placings: tuple[int, ...], name: str = "Ben", moment: str = "", rating: str = "") -> Podium:
    players = tuple(PlacedPlayer(name, place, 9 - place, rating) for place in placings)
    return Podium("Palace", "cards", players, moment)


def steps(image: Image.Image) -> list[int]:
    """Return the places that have a step, recognized by its colour at its left edge."""
    drawn = image.convert("RGB")
    return [place for place in COLOURS if _seen(drawn, place) > HEIGHTS[place] - 20]


def _seen(drawn: Image.Image, place: int) -> int:
    left = CENTRES[place] - STEP // 2 + 6
    colours = drawn.crop((left, 0, left + 1, drawn.height)).getcolors() or ()
    return sum(count for count, colour in colours if colour == ImageColor.getrgb(COLOURS[place]))


@pytest.mark.parametrize("placings", PLACINGS.values(), ids=PLACINGS)
def test_each_place_up_to_the_third_has_a_step(placings: tuple[int, ...]) -> None:
    assert steps(picture_of(podium(placings)).paint()) == sorted({*placings} & {1, 2, 3})


@pytest.mark.parametrize("placings", PLACINGS.values(), ids=PLACINGS)
@pytest.mark.parametrize("rating", ["", "1540? −123"])
def test_it_keeps_discords_limits_whatever_the_names(placings: tuple[int, ...], rating: str) -> None:
    picture = picture_of(podium(placings, LONG, " ".join(["a long moment"] * 12), rating))
    image = picture.paint()
    assert (image.width, image.height <= 1250) == (1000, True)
    assert len(encode(image)) < 100_000
    assert len(picture.alt) <= MOST_ALT


@pytest.mark.parametrize("placings", PLACINGS.values(), ids=PLACINGS)
def test_its_smallest_text_is_33_pixels_high_also_for_long_names(placings: tuple[int, ...]) -> None:
    assert smallest_words(podium(placings, LONG, "Ben hit 3.", "1540? −123")) >= 33


def test_those_who_share_a_step_stand_on_it_together() -> None:
    shared = podium(PLACINGS["two teams of three"])
    assert [len(shared.step(place)) for place in (1, 2, 3)] == [3, 0, 0]
    assert picture_of(shared).paint().height > picture_of(podium((1, 2, 3))).paint().height


def test_the_best_moment_is_in_the_picture_and_in_the_alt_text() -> None:
    plain, more = (picture_of(podium((1, 2), moment=moment)) for moment in ("", "Ben hit 3."))
    assert more.alt == "Palace. Cards at the end. 1. Ben: 8. 2. Ben: 7. Ben hit 3."
    assert more.paint().height > plain.paint().height


@pytest.mark.parametrize("placings", [(1, 2), (1, 2, 3, 4, 5, 6, 7, 8)])
def test_a_rating_changes_the_row_of_its_player_alone(placings: tuple[int, ...]) -> None:
    plain, rated = podium(placings, rating=" "), podium(placings, rating=" ")
    rated = replace(rated, players=(*plain.players[:-1], replace(plain.players[-1], rating="1540 +12")))
    before, after = (picture_of(scene).paint().convert("RGB") for scene in (plain, rated))
    _, top, _, _ = ImageChops.difference(before, after).getbbox() or (0, 0, 0, 0)
    assert before.size == after.size
    assert top > after.height - 130
