"""The designs of Twin It!: complete, each one different, and easy to tell apart on a phone for every kind of colour
vision."""

from itertools import combinations
from operator import ne

import pytest
from PIL import Image

from cogs.twin_it.designs import FAMILIES, Family, drawing
from games.twin_it.designs import NAMES
from tests.bot.pictures.colour_distance import VISIONS, appearances, distance, distances, lookup_table

APART = 0.05
"""Smallest distance allowed between two designs, measured as in `colour_distance.py`. Two flat colours at this distance
are told apart at a glance; here it is the mean over the whole face, so the differing part itself differs
several times as much."""

BLACK, WHITE, RED, OLIVE = (0, 0, 0), (255, 255, 255), (200, 60, 40), (110, 100, 30)


def patch(colour: tuple[int, int, int], vision: str) -> Image.Image:
    return Image.new("RGB", (8, 8), colour).filter(lookup_table(vision))


def test_the_designs_are_drawn_in_the_order_of_their_names() -> None:
    assert tuple(name for family in FAMILIES for name in family.members) == NAMES


def test_there_are_119_different_names_of_at_most_18_letters() -> None:
    assert len(set(NAMES)) == len(NAMES) == 119
    assert max(map(len, NAMES)) <= 18


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: next(iter(family.members)))
def test_every_design_has_a_near_twin_that_differs_in_one_trait(family: Family) -> None:
    for traits in family.members.values():
        differing = [sum(map(ne, traits, others)) for others in family.members.values()]
        assert 1 in differing


def test_any_two_designs_look_different() -> None:
    seen = appearances(map(drawing, range(119)), "all cones")
    closest = distances(seen)[0]
    assert closest[0] >= APART, [NAMES[design] for design in closest[1:]]


@pytest.mark.parametrize("vision", [vision for vision in VISIONS if vision != "all cones"])
def test_colour_blind_players_can_tell_the_designs_of_a_family_apart(vision: str) -> None:
    seen = appearances(map(drawing, range(119)), vision)
    family = [pair for pair in combinations(range(119), 2) if pair[0] // 7 == pair[1] // 7]
    closest = distances(seen, family)[0]
    assert closest[0] >= APART, [NAMES[design] for design in closest[1:]]


# The distance between colours


def test_black_and_white_have_distance_one_and_equal_colours_zero() -> None:
    assert distance(patch(BLACK, "all cones"), patch(WHITE, "all cones")) == pytest.approx(1, abs=0.01)
    assert distance(patch(RED, "all cones"), patch(RED, "all cones")) == 0


def test_pure_red_has_its_known_coordinates_in_oklab() -> None:
    """The coordinates are (0.628, 0.225, 0.126)."""
    assert patch((255, 0, 0), "all cones").getpixel((4, 4)) == pytest.approx((160, 185, 160), abs=2)


@pytest.mark.parametrize("vision", VISIONS)
def test_greys_stay_grey_in_every_kind_of_colour_vision(vision: str) -> None:
    assert patch((128, 128, 128), vision).getpixel((4, 4)) == pytest.approx((153, 128, 128), abs=2)


@pytest.mark.parametrize("vision", ["protanopia", "deuteranopia"])
def test_red_and_olive_are_closer_for_people_who_lack_red_or_green(vision: str) -> None:
    everybody = distance(patch(RED, "all cones"), patch(OLIVE, "all cones"))
    assert distance(patch(RED, vision), patch(OLIVE, vision)) < everybody / 1.5
