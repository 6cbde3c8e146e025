"""The decks: all cards can be distinguished, at any size and by all eyes."""

from collections.abc import Sequence
from itertools import combinations
from xml.etree import ElementTree

import pytest
from PIL import ImageChops, ImageFilter

from bot.pictures.blank import HEIGHT, PAPER, WIDTH
from bot.pictures.decks import charms, french, palace, twin_palms
from bot.pictures.raster import sprite
from games.french import PACK
from tests.bot.pictures.colour_distance import VISIONS
from tests.bot.pictures.eyes import contrast, difference

DECKS = {
    "french": [french.card_svg(number) for number in PACK],
    "twin palms": [twin_palms.card_svg(kind) for kind in range(36)]
    + [twin_palms.card_svg(kind, stated) for kind in (11, 23, 35) for stated in range(11)],
    "charms": [charms.card_svg(kind) for kind in range(12)],
    "palace": [palace.card_svg(kind) for kind in range(13)],
}
BACKS = [deck.BACK_SVG for deck in (french, twin_palms, charms, palace)]
SUITS = {"french": french.COLOURS, "twin palms": twin_palms.COLOURS, "charms": charms.COLOURS}
every_deck = pytest.mark.parametrize("deck", DECKS)
every_suits = pytest.mark.parametrize("deck", SUITS)

APART = 20.0
"""Smallest distance of two suits in CIELAB. Side by side, colours are distinguished at a glance from 10 on, but cards
are not side by side."""
READABLE = 3.0
"""Contrast that WCAG 2 requires for large letters and symbols."""


@every_deck
def test_every_card_is_svg_of_the_right_size_without_text(deck: str) -> None:
    for svg in (*DECKS[deck], *BACKS):
        root = ElementTree.fromstring(svg)
        assert root.get("viewBox") == f"0 0 {WIDTH} {HEIGHT}"
        assert "text" not in {element.tag.rpartition("}")[2] for element in root.iter()}


@every_deck
def test_a_card_48_pixels_wide_differs_from_all_others_in_25_pixels_or_more(deck: str) -> None:
    grey = [sprite(svg, 48).convert("L") for svg in DECKS[deck]]
    for one, other in combinations(grey, 2):
        assert sum(ImageChops.difference(one, other).histogram()[60:]) >= 25


@pytest.mark.parametrize("deck", DECKS)
def test_a_card_is_crisp_at_every_size(deck: str) -> None:
    """Its edges are as sharp at 512 pixels as at 48."""
    svg = DECKS[deck][0]
    for width in (48, 128, 256, 512):
        edges = sprite(svg, width).convert("L").filter(ImageFilter.FIND_EDGES)
        assert max(edges.tobytes()) > 200


@every_suits
@pytest.mark.parametrize("eyes", VISIONS)
def test_suits_are_distinguished_by_colour_by_all_eyes(deck: str, eyes: str) -> None:
    for one, other in combinations(SUITS[deck], 2):
        assert difference(one, other, eyes) >= APART, (one, other)


@every_suits
def test_the_letters_of_every_suit_stand_out_from_the_paper(deck: str) -> None:
    assert all(contrast(colour, PAPER) >= READABLE for colour in SUITS[deck])


@pytest.mark.parametrize(
    "pips", [french.PIPS, twin_palms.PIPS, charms.PIPS], ids=["french", "palms", "charms"]
)
def test_suits_are_distinguished_by_shape_alone(pips: Sequence[str]) -> None:
    """Two shapes differ in at least an eighth of the larger one."""
    shapes = [_covered(pip) for pip in pips]
    for one, other in combinations(shapes, 2):
        assert len(one ^ other) >= max(len(one), len(other)) / 8


def _covered(pip: str) -> frozenset[int]:
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-50 -50 100 100">{pip}</svg>'
    clear = sprite(svg, 60).getchannel("A").tobytes()
    return frozenset(place for place, alpha in enumerate(clear) if alpha > 127)
